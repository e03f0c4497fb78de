//! Compressed sources: every format, whole, damaged, read in any order.

mod brotli;
mod checkpoints;
mod damage;
mod faults;
mod heads;
mod named;
mod tables;
