//! The text of `--emit=ir`.
