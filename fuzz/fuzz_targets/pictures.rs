//! libFuzzer's way into the target `pictures`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| (rread_fuzz::target("pictures").run)(data));
