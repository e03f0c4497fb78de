//! libFuzzer's way into the target `encodings`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| (rread_fuzz::target("encodings").run)(data));
