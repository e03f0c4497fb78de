//! Tests of compressed files: every format, made here and by the real tools, compared with the plain text.

mod checkpoints;
mod damage;
mod edges;
mod faults;
mod heads;
#[cfg(unix)]
mod index;
mod oracle;
mod program;
mod salvage;
mod tables;
mod tools;
mod unsupported;
