//! Programs: modules that are linked, and decoded to what is executed.
//!
//! Goes in: the trees of modules. Comes out: a [`Program`], in which every name is an address, a register's number
//! or a place in the code, and every instruction one that is known.
//!
//! - [`layout`]: sizes of types and variables
//! - [`link`]: symbols, over all modules
//! - `decode`: bodies of functions; `operand` for what their operands are, `access` and `atomic` for what accesses
//!   memory, `together` for what the threads of a warp do together
//! - [`code`]: what they become

pub mod link;

pub(crate) mod code;
pub(crate) mod layout;

mod access;
mod atomic;
mod decode;
mod operand;
mod together;

use std::collections::BTreeMap;

use crate::memory::bytes::Bytes;
use code::Code;

/// A program that can be run.
pub struct Program {
    /// The functions that have a body.
    pub(crate) codes: Vec<Code>,
    /// The kernels by name, as indices into the functions.
    pub(crate) kernels: BTreeMap<String, usize>,
    /// The variables in global memory.
    pub(crate) globals: Vec<GlobalVariable>,
    /// `.const`
    pub(crate) constants: Bytes,
    /// How much `.shared` memory the variables of a block take, in bytes; dynamic memory lies behind them.
    pub(crate) dynamic_shared: u64,
}

/// A variable in global memory.
#[derive(Clone, Debug)]
pub(crate) struct GlobalVariable {
    pub(crate) name: String,
    pub(crate) address: u64,
    /// Its value at the start.
    pub(crate) image: Vec<u8>,
}

impl Program {
    /// The names of the kernels.
    pub fn kernels(&self) -> impl Iterator<Item = &str> {
        self.kernels.keys().map(String::as_str)
    }
}
