//! The viewer on a real terminal: keys in, screens out.
#![cfg(unix)]

mod beside_less;
mod changes;
#[cfg(feature = "highlight")]
mod colours;
mod content;
mod habits;
mod keys;
mod life;
mod merged;
mod records;
mod streams;
mod window;
