//! libFuzzer's way into the target `search`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| (rread_fuzz::target("search").run)(data));
