//! libFuzzer's way into the target `from`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| (rread_fuzz::target("from").run)(data));
