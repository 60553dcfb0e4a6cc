//! Runs kernels, and does what a host program does for them.
//!
//! In: PTX modules from any compiler, the name of a kernel, its launch parameters and its arguments. Out: its buffers,
//! and what it printed. This crate does not depend on Weft's language.
//!
//! A kernel can be run in a test:
//!
//! ```
//! use weft_run::Launch;
//!
//! const SAXPY: &str = "
//! .version 6.4
//! .target sm_75
//! .address_size 64
//! .visible .entry saxpy(.param .u32 n, .param .f32 a, .param .u64 x, .param .u64 y)
//! {
//!     .reg .pred %p;
//!     .reg .b32 %r<6>;
//!     .reg .f32 %f<4>;
//!     .reg .b64 %rd<6>;
//!     mov.u32 %r1, %ctaid.x;
//!     mov.u32 %r2, %ntid.x;
//!     mov.u32 %r3, %tid.x;
//!     mad.lo.s32 %r4, %r1, %r2, %r3;
//!     ld.param.u32 %r5, [n];
//!     setp.ge.u32 %p, %r4, %r5;
//!     @%p ret;
//!     ld.param.f32 %f1, [a];
//!     ld.param.u64 %rd1, [x];
//!     ld.param.u64 %rd2, [y];
//!     mul.wide.u32 %rd3, %r4, 4;
//!     add.u64 %rd4, %rd1, %rd3;
//!     add.u64 %rd5, %rd2, %rd3;
//!     ld.global.f32 %f2, [%rd4];
//!     ld.global.f32 %f3, [%rd5];
//!     fma.rn.f32 %f3, %f1, %f2, %f3;
//!     st.global.f32 [%rd5], %f3;
//!     ret;
//! }";
//!
//! # fn main() -> Result<(), weft_run::Error> {
//! let launch = Launch::new().module("saxpy.ptx", SAXPY).grid(2).block(256);
//! let report = launch
//!     .clone()
//!     .arg(300_u32)
//!     .arg(2.0_f32)
//!     .arg(vec![1.0_f32; 300])
//!     .arg((0..300_u16).map(f32::from).collect::<Vec<f32>>())
//!     .run()?;
//! let y = report.buffer(3).to_vec::<f32>();
//! assert_eq!(y[..3], [2.0, 3.0, 4.0]);
//!
//! // The same, as `weftc run` takes its arguments.
//! let texts = ["300", "2", "f32[300]=ones", "y=f32[300]=iota"];
//! let same = texts.into_iter().fold(launch, Launch::arg_text).run()?;
//! assert_eq!(same.buffer("y"), report.buffer(3));
//! # Ok(())
//! # }
//! ```
//!
//! - [`launch`]: a builder for runs
//! - [`argument`]: arguments as texts and as values
//! - [`parameter`]: the parameters of kernels
//! - [`kernel`]: kernels by name
//! - [`variable`]: variables at module scope
//! - [`element`], [`buffer`]: buffers and their element types
//! - [`device`]: the emulator and GPUs
//! - [`report`]: the results of a run
//! - [`profile`]: execution counts, line by line
//! - [`trace`]: each instruction as it is executed
//! - [`print_calls`]: the calls of `vprintf`
//! - [`mod@compare`]: compares results with expected values
//! - [`error`]: why a run failed

pub mod argument;
pub mod bounded;
pub mod buffer;
pub mod compare;
pub mod device;
pub mod element;
pub mod error;
pub mod kernel;
pub mod launch;
pub mod parameter;
pub mod print_calls;
pub mod profile;
pub mod report;
pub mod trace;
pub mod variable;

mod ptx_text;

#[cfg(test)]
mod tests;

pub use argument::Argument;
pub use buffer::Buffer;
pub use compare::{Tolerance, compare};
pub use element::{Element, ElementType};
pub use error::Error;
pub use launch::Launch;
pub use profile::Profile;
pub use report::Report;
