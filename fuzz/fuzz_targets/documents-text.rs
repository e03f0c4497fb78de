//! libFuzzer's way into the target `documents-text`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| (rread_fuzz::target("documents-text").run)(data));
