//! The hash that the table of known names is built with (`build.rs`) and searched with.

/// FNV-1a: names are short, and the table is asked about each identifier of a program once.
pub(crate) fn hash(name: &str) -> usize {
    name.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
        as usize
}
