//! Conformance to NVIDIA's PTX interoperability guide, of any compiler of CUDA C, with nvcc beside it.
//!
//! What is asked about is a unit: types, and functions and kernels over them. It is compared at four levels: the
//! prototypes in the PTX, the layouts and the registers, linking both ways, and what is computed in all four pairings of
//! caller and callee.
//!
//! - [`model`]: a unit as a value; [`parse`]: read from C
//! - [`generate`]: random units
//! - [`leaves`]: the numbers in a value, how C writes and reads each, and what then is to be read
//! - [`probe`]: the sources that ask compilers about a unit
//! - [`producer`]: who compiles them: nvcc, and the compiler that is looked at
//! - [`machine`]: linked modules on the emulator
//! - [`registers`]: what nvdisasm tells of parameters
//! - [`levels`]: the comparison; [`verdict`]: what comes of it; [`blame`]: of which functions a message speaks
//! - [`table`]: the clause table
//! - [`campaign`]: random units by the thousand; [`shrink`]: findings made small

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
