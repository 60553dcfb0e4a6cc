//! The matrix of atomic operations: what is done, in which order, in which scope, on which type, in which state space; and
//! whether a compiler's PTX for each cell is a mapping of the interoperability guide's chapter 4.
//!
//! - [`cell`]: the cells, and a function of C for each
//! - [`sequence`]: functions of several operations
//! - [`mapping`]: the guide's mappings, and what of them a function's instructions are

pub mod cell;
pub mod mapping;
pub mod sequence;

pub use cell::{Cell, Op, Order, Space, cells, source};
pub use mapping::{Mapping, accesses, functions, is_stronger, mapping, weakened};
