//! The matrix of atomic operations: operation, order, scope, type and state space; and whether a compiler's
//! PTX for each cell is a mapping of the interoperability guide's chapter 4.
//!
//! - [`cell`]: the cells, and a C function for each
//! - [`sequence`]: functions with several operations
//! - [`mapping`]: the guide's mappings, and which of them a function's instructions are

pub mod cell;
pub mod mapping;
pub mod sequence;

pub use cell::{Cell, Op, Order, Space, cells, source};
pub use mapping::{Mapping, accesses, functions, is_stronger, mapping, weakened};
