//! The line index: the same answers in every state of it, and its records on disk.

mod oracle;
mod pages;
