//! Runs PTX on the CPU.
//!
//! PTX text goes in, of any producer: this crate knows nothing of Weft.
//!
//! - [`ptx`]: PTX text as a tree
//! - [`program`]: modules that are linked and decoded
//! - [`compute`]: what instructions compute
//! - [`exec`]: executes kernels
//! - [`litmus`]: all that the memory model lets a few threads come to
//! - [`tensor`]: tensor maps, and the tiles that they say
//! - [`texture`]: textures, samplers and surfaces
//! - [`memory`]: memory as a grid sees it
//! - [`profile`]: what was executed, counted

pub mod compute;
pub mod exec;
pub mod litmus;
pub mod memory;
pub mod profile;
pub mod program;
pub mod ptx;
pub mod tensor;
pub mod texture;
