//! The viewer on a real terminal: keys in, screens out.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod changes;
#[cfg(feature = "highlight")]
mod colours;
mod content;
mod habits;
mod keys;
mod life;
mod records;
mod streams;
mod terminal;
mod window;
