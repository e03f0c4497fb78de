//! libFuzzer's way into the target `archives`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| (rread_fuzz::target("archives").run)(data));
