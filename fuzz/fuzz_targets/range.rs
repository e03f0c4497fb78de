//! libFuzzer's way into the target `range`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| (rread_fuzz::target("range").run)(data));
