//! Tests of the line index: no change of the file, the index or the cache makes an answer wrong.

mod calls;
mod damage;
mod histories;
mod identity;
mod kept;
mod objects;
mod store;
mod together;
mod truth;
// Signals.
#[cfg(unix)]
mod watched;
mod world;
