//! libFuzzer's way into the target `index`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| (rread_fuzz::target("index").run)(data));
