//! End-to-end tests of the command line: the built program, real files, exit codes and exact output.

mod budgets;
mod bytes;
mod changed;
mod combinations;
mod content;
mod doctor;
mod errors;
mod expect;
mod files;
mod from;
mod habits;
mod hexdump;
#[cfg(unix)]
mod hostile_names;
mod lines;
mod next;
#[cfg(unix)]
mod other_tools;
mod output;
mod page;
mod plain;
mod ranges;
mod several;
mod special;
#[cfg(unix)]
mod standard_input;
mod stat;
#[cfg(unix)]
mod streams;
#[cfg(unix)]
mod terminal;
mod tokens;
