//! Objects of the host, cubins and archives: what they say of their symbols.

#![no_main]

use libfuzzer_sys::fuzz_target;
use weft_objects::object;

fuzz_target!(|bytes: &[u8]| {
    object::interfaces("input", bytes, 90);
});
