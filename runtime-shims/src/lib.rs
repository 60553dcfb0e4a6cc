//! What ships with the compiler besides itself: the headers that device code includes, and device code
//! behind system calls and mathematics.
//!
//! Nothing ships yet: the language has no preprocessor to include a header with, and every built-in
//! function is an instruction or a few. The crate holds their place in the picture, so that the others
//! need not change shape when the first header comes. See README.md for what belongs here.
