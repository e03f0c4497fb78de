//! The repository around the program: the shape of the source, generated files, packages, and the home of the user.

mod architecture;
#[cfg(unix)]
mod generated;
#[cfg(unix)]
mod home;
mod packaging;
mod panics;
#[cfg(unix)]
mod peers;
#[cfg(unix)]
mod python;
#[cfg(unix)]
mod releases;
mod sentences;
mod uses;
