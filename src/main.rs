//! The program: arguments in, exit code out.

use std::process::ExitCode;

#[cfg(any(feature = "cloud", feature = "sql", target_env = "musl"))]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    rread::prepare();
    ExitCode::from(rread::run(std::env::args_os()))
}
