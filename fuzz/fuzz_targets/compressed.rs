//! libFuzzer's way into the target `compressed`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| (rread_fuzz::target("compressed").run)(data));
