//! NumPy's `.npy`: what can be read can be written, and is the same when it is read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use weft_run::buffer::file::{Format, decode_npy, encode};

fuzz_target!(|bytes: &[u8]| {
    let Ok(buffer) = decode_npy(bytes) else { return };
    let written = encode(&buffer, Format::Npy).expect("a buffer can be written");
    let again = decode_npy(&written).expect("what was written can be read");
    assert!(again == buffer, "{} became {}", buffer.signature(), again.signature());
});
