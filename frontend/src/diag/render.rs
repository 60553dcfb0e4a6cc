//! From diagnostics to text.
