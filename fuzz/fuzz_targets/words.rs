//! Bytes as numbers of words: every input is a row of tokens. The text goes to the file that `WEFT_FUZZ_TEXT`
//! names, if it names one.

#![no_main]

use std::{env, fs};

use libfuzzer_sys::fuzz_target;

fuzz_target!(|numbers: &[u8]| {
    let text = weft_fuzz::words::text_of(numbers);
    if let Some(path) = env::var_os("WEFT_FUZZ_TEXT") {
        let _ = fs::write(path, &text);
    }
    weft_fuzz::stages::run(text.as_bytes());
});
