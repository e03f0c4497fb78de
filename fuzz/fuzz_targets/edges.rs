//! libFuzzer's way into the target `edges`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| (rread_fuzz::target("edges").run)(data));
