//! Conformance of a CUDA C compiler to NVIDIA's PTX interoperability guide, compared with nvcc.
//!
//! The input is a unit: types, and functions and kernels that use them. It is compared at four levels: the
//! prototypes in the PTX, the layouts and the registers, linking both ways, and the results in all four
//! pairings of caller and callee.
//!
//! - [`model`]: the data structure of a unit; [`parse`]: parses one from C
//! - [`generate`]: random units
//! - [`leaves`]: the numbers in a value, how C writes and reads each, and the expected result
//! - [`probe`]: the sources that are compiled for a unit
//! - [`producer`]: the compilers: nvcc, and the one under test
//! - [`machine`]: runs linked modules on the emulator
//! - [`registers`]: the registers of parameters, from nvdisasm
//! - [`levels`]: the comparison; [`verdict`]: its outcome; [`blame`]: the functions that a message is about
//! - [`table`]: the clause table
//! - [`campaign`]: thousands of random units; [`shrink`]: shrinks findings

pub mod blame;
pub mod campaign;
pub mod generate;
pub mod leaves;
pub mod levels;
pub mod machine;
pub mod model;
pub mod parse;
pub mod probe;
pub mod producer;
pub mod registers;
pub mod shrink;
pub mod table;
pub mod verdict;
