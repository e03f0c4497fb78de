//! Syntax colours: those of bat, from any line on, on terminals alone, and nothing but colours.

mod bat;
mod choice;
#[cfg(unix)]
mod licences;
mod paint;
mod safety;
mod slices;
#[cfg(unix)]
mod terminal;
