//! libFuzzer's way into the target `detect`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| (rread_fuzz::target("detect").run)(data));
