//! Tests of pictures: facts against the encoders that made them, damage at every byte, bombs, thumbnails and the program.

mod bombs;
mod corpus;
mod damage;
mod facts;
mod pictures;
mod program;
mod svg;
mod thumbnails;
