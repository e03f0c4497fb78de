//! libFuzzer's way into the target `documents-office`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| (rread_fuzz::target("documents-office").run)(data));
