//! What the fuzz targets share.
//!
//! - [`stages`]: the frontend from end to end, and what must hold of it whatever the text
//! - [`headers`]: the headers that a text can include
//! - [`words`]: the words of the language, and texts made of them
//! - [`ptx`]: PTX from a text to a run
//! - [`mutate`]: changes of a text token by token

pub mod headers;
pub mod mutate;
pub mod ptx;
pub mod stages;
pub mod words;
