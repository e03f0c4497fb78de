//! Whole answers and messages as text for `insta::assert_snapshot!`.

use serde_json::Value;

/// Everything that a run wrote to standard output and then to standard error, and its exit code if it failed. JSON has a
/// line for each member. The version of a file, which contains its times, is `…`.
pub fn of_run(stdout: &[u8], stderr: &str, code: i32) -> String {
    let stdout = match serde_json::from_slice(stdout) {
        Ok(json @ Value::Object(_)) => serde_json::to_string_pretty(&json).unwrap() + "\n",
        _ => String::from_utf8(stdout.to_vec()).unwrap(),
    };
    // The end of standard output stays visible.
    let end = if stdout.is_empty() || stdout.ends_with('\n') { "" } else { "⏎\n" };
    let code = if code == 0 { String::new() } else { format!("exit code {code}\n") };
    masked(&format!("{stdout}{end}{stderr}{code}"))
}

/// `text` with `…` for the versions of files in it.
pub fn masked(text: &str) -> String {
    let line = |line: &str| match ["version: ", "\"version\": \""]
        .iter()
        .find(|key| line.trim_start().starts_with(**key))
    {
        Some(key) => {
            let (before, version) = line.split_at(line.find(key).unwrap() + key.len());
            let after = version.trim_start_matches(|c: char| c.is_alphanumeric() || "-_".contains(c));
            format!("{before}…{after}\n")
        }
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}
