//! libFuzzer's way into the target `captures`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| (rread_fuzz::target("captures").run)(data));
