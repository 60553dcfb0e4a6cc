//! Sizes, alignments and offsets of types.
//!
//! The frontend needs them for `sizeof` and for constant addresses, lowering for everything, so
//! they stand here, once.
