//! The decoders of documents: frames that their reader accepts, and text that is text.

mod judged;
mod office;
mod pdf;
mod sheets;
mod text;

pub use office::{older as xls, run as office};
pub use pdf::run as pdf;
pub use text::run as text;
