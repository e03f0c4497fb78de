//! Tests of pictures: facts against the encoders that made them, damage at every byte, bombs, thumbnails and the program.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, missing_docs)]

#[allow(dead_code)]
#[path = "../cli/support.rs"]
mod support;

mod bombs;
mod corpus;
mod damage;
mod facts;
mod pictures;
mod program;
mod svg;
mod thumbnails;
