//! The program: arguments in, exit code out.

use std::process::ExitCode;

fn main() -> ExitCode {
    rread::report_panics();
    ExitCode::from(rread::run(std::env::args_os()))
}
