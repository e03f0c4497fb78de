//! libFuzzer's way into the target `plans`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| (rread_fuzz::target("plans").run)(data));
