//! libFuzzer's way into the target `documents-xls`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| (rread_fuzz::target("documents-xls").run)(data));
