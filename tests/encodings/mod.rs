//! Tests of texts in every encoding: against naive decoders of the whole file, the library and the program.

mod guesses;
mod kinds;
mod labels;
mod library;
mod program;
mod raw;
