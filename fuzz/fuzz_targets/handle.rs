#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tool_search_fuzz::handle::run(data));
