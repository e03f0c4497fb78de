//! libFuzzer's way into the target `writers`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| (rread_fuzz::target("writers").run)(data));
