//! How much the randomised tests try: everything with `RREAD_THOROUGH`, a fixed sample without it.

/// `all` if `RREAD_THOROUGH` is set, otherwise `few`.
pub fn cases<T>(all: T, few: T) -> T {
    if std::env::var_os("RREAD_THOROUGH").is_some() { all } else { few }
}
