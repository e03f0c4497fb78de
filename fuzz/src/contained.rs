//! Panics in the code of other packages.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, Once, PoisonError};

static PLACES: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

thread_local! {
    /// Whether a panic in the code of a package is expected.
    static IS_CONTAINED: Cell<bool> = const { Cell::new(false) };
}

/// Runs `decode`; `None` if a panic in the code of another package ended it. Panics of the program's own code go on.
///
/// Each place of a panic is named once on standard error.
pub fn unless_a_package_panics<T>(decode: impl FnOnce() -> T) -> Option<T> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let own = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let is_of_package = panic.location().is_some_and(|at| is_of_package(at.file()));
            if !(is_of_package && IS_CONTAINED.get()) {
                own(panic);
                // Nothing may catch it.
                std::process::abort();
            }
            let place = panic.location().map(ToString::to_string).unwrap_or_default();
            if PLACES.lock().unwrap_or_else(PoisonError::into_inner).insert(place.clone()) {
                eprintln!("a package panics at {place}");
            }
        }));
    });
    IS_CONTAINED.set(true);
    let result = catch_unwind(AssertUnwindSafe(decode));
    IS_CONTAINED.set(false);
    result.ok()
}

/// Whether a file of source code is that of a package, and not one of the program or of the standard library.
fn is_of_package(file: &str) -> bool {
    file.contains("/registry/src/") || file.contains("\\registry\\src\\")
}
