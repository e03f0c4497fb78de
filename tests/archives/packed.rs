//! Archives of a small tree, made by the programs of the system.

use std::fs;
use std::process::Command;

use rread_testkit::rng::Rng;
use rread_testkit::sandbox::Sandbox;

/// The files of the tree: every edge of blocks, and names that need every kind of header.
pub fn files() -> Vec<(String, Vec<u8>)> {
    let mut rng = Rng::new(20);
    let mut bytes = |size: usize| (0..size).map(|_| b"abcdefgh \n"[rng.below(10)]).collect::<Vec<u8>>();
    vec![
        ("empty".to_owned(), Vec::new()),
        ("one".to_owned(), b"1".to_vec()),
        ("block".to_owned(), bytes(512)),
        ("more".to_owned(), bytes(513)),
        ("app/error.log".to_owned(), bytes(300_000)),
        ("app/an odd name: 5 äöü".to_owned(), bytes(1000)),
        (format!("app/{}", "n".repeat(120)), bytes(700)),
        (format!("{}/{}/deep", "d".repeat(140), "e".repeat(200)), bytes(70)),
        ("binary".to_owned(), (0..=255).cycle().take(5000).collect()),
    ]
}

/// A sandbox with the tree in `tree`.
pub fn tree() -> Sandbox {
    let sandbox = Sandbox::new();
    for (name, bytes) in files() {
        let path = sandbox.path("tree").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    sandbox
}

/// Runs a command line of `sh` in the sandbox; false, and loudly, if a program is missing or fails.
pub fn sh(sandbox: &Sandbox, line: &str) -> bool {
    let output = Command::new("sh").args(["-c", line]).current_dir(sandbox.path(".")).output().unwrap();
    if !output.status.success() {
        eprintln!("skipped: {line}: {}", String::from_utf8_lossy(&output.stderr));
    }
    output.status.success()
}

/// Names of archives and the commands that make them of the tree.
pub const COMMANDS: &[(&str, &str)] = &[
    ("tar:gnu.tar", "tar -C tree --format=gnu -cf gnu.tar ."),
    ("tar:pax.tar", "tar -C tree --format=pax -cf pax.tar ."),
    ("tar:names.tar", "cd tree && bsdtar --format=pax -cf ../names.tar *"),
    ("tar:a.tar.gz", "tar -C tree -czf a.tar.gz ."),
    ("tar:a.tgz", "tar -C tree -cf - . | gzip -1 > a.tgz"),
    ("tar:a.tar.zst", "tar -C tree -cf - . | zstd -q > a.tar.zst"),
    ("tar:a.tar.xz", "tar -C tree -cJf a.tar.xz ."),
    ("tar:a.tar.bz2", "tar -C tree -cjf a.tar.bz2 ."),
    ("zip:a.zip", "cd tree && zip -qr ../a.zip ."),
    ("zip:stored.zip", "cd tree && zip -qr0 ../stored.zip ."),
    ("zip:stream.zip", "cd tree && zip -h > ../help && zip -qr - . | cat > ../stream.zip"),
    ("zip:before.zip", "(head -c 1000 /dev/zero; cat a.zip) > before.zip"),
    ("zip:bsd.zip", "cd tree && bsdtar --format=zip -cf ../bsd.zip *"),
    ("zip:python.zip", "cd tree && python3 -m zipfile -c ../python.zip *"),
    ("tar:python.tar", "cd tree && python3 -m tarfile -c ../python.tar *"),
];
