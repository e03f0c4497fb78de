//! Members of tar and ZIP archives that real programs made, and archives that lie.

mod hostile;
mod inner;
mod listed;
mod members;
mod names;
mod packed;
mod several;
