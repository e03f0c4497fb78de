//! Facts of this build.

use rread_answer::receipt::BuildInfo;

/// The Cargo features that a build may have, and whether this one has them.
const FEATURES: [(&str, bool); 9] = [
    ("cloud", cfg!(feature = "cloud")),
    ("cluster", cfg!(feature = "cluster")),
    ("documents", cfg!(feature = "documents")),
    ("highlight", cfg!(feature = "highlight")),
    ("mcp", cfg!(feature = "mcp")),
    ("sql", cfg!(feature = "sql")),
    ("sqlite", cfg!(feature = "sqlite")),
    ("thumbnails", cfg!(feature = "thumbnails")),
    ("view", cfg!(feature = "view")),
];

pub(super) fn info() -> BuildInfo {
    BuildInfo {
        version: env!("CARGO_PKG_VERSION"),
        commit: option_env!("RREAD_COMMIT").filter(|commit| !commit.is_empty()),
        target: env!("RREAD_TARGET"),
        features: FEATURES.iter().filter(|(_, is_built)| *is_built).map(|(name, _)| *name).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_feature_of_the_full_program_is_known() {
        let manifest = include_str!("../../../Cargo.toml");
        let full = manifest.lines().find_map(|line| line.strip_prefix("full = [")).unwrap();
        let full: Vec<&str> =
            full.trim_end_matches(']').split(", ").map(|name| name.trim_matches('"')).collect();
        let known = FEATURES.map(|(name, _)| name);
        assert_eq!(known.as_slice(), full);
    }
}
