//! Compressed sources: every format, whole, damaged, read in any order.

mod checkpoints;
mod damage;
mod faults;
mod heads;
mod tables;
