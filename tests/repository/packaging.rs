//! What is said of the program where it is handed on: the oldest Rust, the tests that the documentation names, the files of a release.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The oldest Rust, as `Cargo.toml` has it.
const OLDEST: &str = env!("CARGO_PKG_RUST_VERSION");

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap()
}

/// What cargo knows of this package and what it is made of; `None` where some of that was never fetched.
pub(super) fn metadata(features: &[&str]) -> Option<Value> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--format-version", "1", "--offline", "--locked", "--filter-platform", HOST]);
    let output = cargo.args(features).current_dir(root()).output().unwrap();
    output.status.success().then(|| serde_json::from_slice(&output.stdout).unwrap())
}

/// The system that is fetched for; any would do.
const HOST: &str = if cfg!(windows) {
    "x86_64-pc-windows-msvc"
} else if cfg!(target_os = "macos") {
    "aarch64-apple-darwin"
} else {
    "x86_64-unknown-linux-gnu"
};

fn version(text: &str) -> Vec<u64> {
    let mut numbers: Vec<u64> = text.split('.').map(|number| number.parse().unwrap()).collect();
    numbers.resize(3, 0);
    numbers
}

#[test]
fn no_dependency_asks_for_a_newer_rust() {
    let all = metadata(&["--all-features"]);
    if all.is_none() {
        eprintln!("skipped: dependencies of features that are not on, which are not fetched");
    }
    let Some(known) = all.or_else(|| metadata(&[])) else {
        eprintln!("skipped: the dependencies are not all fetched");
        return;
    };
    let packages = known["packages"].as_array().unwrap();
    assert!(packages.len() > 100, "{}", packages.len());
    for package in packages {
        let Some(oldest) = package["rust_version"].as_str() else { continue };
        assert!(
            version(oldest) <= version(OLDEST),
            "{} {} needs Rust {oldest}",
            package["name"],
            package["version"]
        );
    }
}

#[test]
fn the_readme_says_the_oldest_rust() {
    assert!(read("README.md").contains(&format!(" {OLDEST} or later and a C compiler")));
}

/// The text of every Rust file under `folder`.
fn source(folder: &Path) -> String {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .filter_map(|path| match path.extension() {
            _ if path.is_dir() => Some(source(&path)),
            Some(extension) if extension == "rs" => fs::read_to_string(path).ok(),
            _ => None,
        })
        .collect()
}

#[test]
fn tests_that_the_documentation_names_are_there() {
    let code: String = ["src", "crates", "tests"].map(|folder| source(&root().join(folder))).concat();
    let text = read("docs/security.md");
    let is_test = |name: &&str| {
        name.matches('_').count() > 1
            && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
    };
    let names: Vec<&str> = text.split('`').skip(1).step_by(2).filter(is_test).collect();
    assert!(names.len() > 30, "{names:?}");
    for name in names {
        assert!(
            code.contains(&format!("\nfn {name}()")) || code.contains(&format!("    fn {name}()")),
            "{name}"
        );
    }
}

/// The pages in the root, in `docs/` and in `docs/dev/`.
fn pages() -> Vec<PathBuf> {
    ["*.md", "docs/*.md", "docs/dev/*.md"].into_iter().flat_map(matching).collect()
}

#[test]
fn files_that_the_documentation_names_are_there() {
    let folders =
        ["src/", "crates/", "tests/", "benches/", "fuzz/", "fixtures/", "docs/", ".ci/", ".github/"];
    let mut count = 0;
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        let code = text.split('`').skip(1).step_by(2);
        // Capital letters stand for a name of the reader's choice.
        let is_path = |word: &&str| {
            folders.iter().any(|folder| word.starts_with(folder))
                && !word.contains(|c: char| c.is_whitespace() || c.is_ascii_uppercase() || "*:".contains(c))
        };
        for path in code.filter(is_path) {
            assert!(root().join(path).exists(), "{}: {path}", page.display());
            count += 1;
        }
    }
    assert!(count > 50, "{count}");
}

#[test]
fn the_map_of_the_source_names_what_is_there() {
    let text = read("docs/dev/architecture.md");
    let (_, map) = text.split_once("## Where things are\n\n```text\n").unwrap();
    let (map, _) = map.split_once("```").unwrap();
    let mut folder = "";
    for line in map.lines() {
        let names = line.trim_start().split("   ").next().unwrap();
        if !line.starts_with(' ') {
            folder = "";
        }
        for name in names.split(", ").filter(|name| !name.contains('*')) {
            assert!(root().join(folder).join(name).exists(), "{folder}{name}");
        }
        if !line.starts_with(' ') {
            folder = names.split(", ").next().unwrap();
        }
    }
}

/// The files that `pattern`, which may have a `*` in its last part, is about.
fn matching(pattern: &str) -> Vec<PathBuf> {
    let path = root().join(pattern);
    let Some((start, end)) = pattern.rsplit('/').next().unwrap().split_once('*') else {
        return path.is_file().then_some(path).into_iter().collect();
    };
    let names = fs::read_dir(path.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path());
    names
        .filter(|path| {
            let name = path.file_name().unwrap().to_str().unwrap();
            name.starts_with(start) && name.ends_with(end)
        })
        .collect()
}

#[test]
fn the_debian_package_has_what_is_there() {
    let known = metadata(&["--no-deps"]).unwrap();
    let packages = known["packages"].as_array().unwrap();
    let ours = packages.iter().find(|package| package["name"] == "rread").unwrap();
    let assets = ours["metadata"]["deb"]["assets"].as_array().unwrap();
    let assets: Vec<&str> = assets.iter().map(|asset| asset[0].as_str().unwrap()).collect();
    let mut packed = Vec::new();
    // These are made for each release.
    let made = ["target/release/rread", "target/LICENSES-THIRD-PARTY.txt"];
    assert!(made.iter().all(|asset| assets.contains(asset)), "{assets:?}");
    for asset in assets {
        let files = matching(asset);
        assert!(made.contains(&asset) || !files.is_empty(), "{asset}");
        packed.extend(files);
    }
    let pages = ["man/*", "docs/*.md", "docs/dev/*.md", "docs/*.svg"].into_iter().flat_map(matching);
    for page in pages {
        assert!(packed.contains(&page), "{}", page.display());
    }
}

#[test]
fn the_published_crate_has_its_build_script() {
    let mut cargo = Command::new(env!("CARGO"));
    let list = ["package", "--list", "--allow-dirty", "--offline", "--locked", "--package", "rread"];
    let output = cargo.args(list).current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let files = String::from_utf8(output.stdout).unwrap();
    assert!(files.lines().any(|file| file == "build.rs"), "{files}");
}

/// The targets that a text names after `before`, up to the next quote, comma or blank.
fn targets(text: &str, before: &str) -> BTreeSet<String> {
    let ends = |c: char| c == '"' || c == ',' || c.is_whitespace();
    text.split(before).skip(1).map(|rest| rest.split(ends).next().unwrap().to_owned()).collect()
}

#[test]
fn the_workflow_builds_every_platform_that_has_packages() {
    let table: String = read(".ci/packages/table.py").split_whitespace().collect();
    let mut packed = targets(&table, "Platform(\"");
    // Only for trials from Linux.
    assert!(packed.remove("x86_64-pc-windows-gnu"));
    assert_eq!(packed, targets(&read(".github/workflows/release.yml"), "{ target: "));
    assert!(packed.len() > 6, "{packed:?}");
}
