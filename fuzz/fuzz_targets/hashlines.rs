//! libFuzzer's way into the target `hashlines`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| (rread_fuzz::target("hashlines").run)(data));
