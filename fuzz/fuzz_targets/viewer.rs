//! libFuzzer's way into the target `viewer`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| (rread_fuzz::target("viewer").run)(data));
