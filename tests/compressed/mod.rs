//! Tests of compressed files: every format, made here and by the real tools, compared with the plain text.

mod edges;
mod endings;
#[cfg(unix)]
mod index;
mod oracle;
mod program;
mod salvage;
mod tools;
mod unsupported;
