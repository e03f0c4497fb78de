//! Text or binary: the rule on samples and on a corpus of real files, and the refusals of binary files.

mod corpus;
mod named;
mod nuls;
