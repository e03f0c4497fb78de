//! Tests of the line index: no change of the file, the index or the cache makes an answer wrong.
//!
//! Inodes and their times distinguish states of a file, so these tests are for Unix.
#![cfg(unix)]

mod calls;
mod damage;
mod histories;
mod identity;
mod kept;
mod objects;
mod store;
mod together;
mod truth;
mod watched;
mod world;
