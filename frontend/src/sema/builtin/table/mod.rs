//! The table of built-in functions: names, overloads, and the operation behind each.
//!
//! A row is a name with its overloads as CUDA's headers declare them for device code; there is a
//! file for each of CUDA's chapters:
//!
//! - `sync`: barriers and fences
//! - `warp`: shuffles
//! - `atomic`: atomic functions
//! - `matrix`: products of matrices by a warp
//! - `memory`: loads and stores with cache hints
//! - `bytes`: copies and fills of memory
//! - `address`: state spaces of addresses
//! - `cluster`: clusters of blocks, and grids that wait for others
//! - `asynchronous`: what the headers of barriers and pipelines are made of
//! - `thread`: clocks, sleep, traps
//! - `hint`: hints to the optimiser
//! - `math`: mathematical functions
//! - `library`: mathematical functions that libdevice defines
//! - `integer`: integer intrinsics
//! - `float`, `convert`: functions that round as their names say
//! - `rounded`: functions that round as an argument says
//! - `simd`, `dpx`: SIMD intrinsics
//! - `system`: assertions, memory of the device's heap
//! - `half`, `bfloat`: what `cuda_fp16.h` and `cuda_bf16.h` declare
//! - `own`: what CUDA's headers define some of these by
//! - `vector`: `make_float4` and the like, which are no overloads and have no operation
//! - `texture`: textures and surfaces, which have no overloads
//! - `generic`: what takes no one type, which has no overloads
//! - `constant`: infinities and NaNs, which have none either
//!
//! Names are found by a hash table that the Rust compiler makes: a search costs one comparison or
//! two, whatever the number of rows, and nothing is set up at run time.

mod address;
mod asynchronous;
mod atomic;
mod bfloat;
mod bytes;
mod cluster;
mod constant;
mod convert;
mod dpx;
mod float;
mod generic;
mod half;
mod hint;
mod integer;
mod library;
mod math;
mod matrix;
mod memory;
mod own;
mod rounded;
mod simd;
mod sync;
mod system;
mod texture;
mod thread;
mod vector;
mod warp;

use super::half::Header;
use super::ty::Type;
use crate::ir::Builtin;

/// A built-in function.
#[derive(Debug)]
pub(in crate::sema) struct Function {
    pub(in crate::sema) name: &'static str,
    pub(super) overloads: &'static [Overload],
}

/// What a built-in function takes and gives, and the operation that does it.
#[derive(Debug)]
pub(in crate::sema) struct Overload {
    pub(super) builtin: Builtin,
    pub(super) ret: Type,
    pub(super) params: &'static [Type],
    /// The values of the last parameters, which the call may leave out.
    pub(super) defaults: &'static [i128],
}

/// Rows: `"name": RET(PARAM, …), RET(PARAM, …) default VALUE => Family(Operation);`, where others may follow behind a comma.
macro_rules! functions {
    ($($name:literal: $($($ret:ident($($param:expr),*) $(default $default:literal)?),+ => $builtin:expr),+;)*) => {
        pub(in crate::sema::builtin) const FUNCTIONS: &[$crate::sema::builtin::table::Function] = &[$(
            $crate::sema::builtin::table::Function {
                name: $name,
                overloads: &[$($(
                    $crate::sema::builtin::table::Overload {
                        builtin: $builtin,
                        ret: $ret,
                        params: &[$($param),*],
                        defaults: &[$($default)?],
                    },
                )+)+],
            },
        )*];
    };
}
use functions;

/// The tables, each with the header without which nobody has its functions.
static TABLES: &[(Option<Header>, &[Function])] = &[
    (None, sync::FUNCTIONS),
    (None, warp::FUNCTIONS),
    (None, atomic::FUNCTIONS),
    (None, matrix::FUNCTIONS),
    (None, memory::FUNCTIONS),
    (None, bytes::FUNCTIONS),
    (None, address::FUNCTIONS),
    (None, cluster::FUNCTIONS),
    (None, thread::FUNCTIONS),
    (None, hint::FUNCTIONS),
    (None, math::FUNCTIONS),
    (None, library::FUNCTIONS),
    (None, integer::FUNCTIONS),
    (None, float::FUNCTIONS),
    (None, convert::FUNCTIONS),
    (None, rounded::FUNCTIONS),
    (None, simd::FUNCTIONS),
    (None, dpx::FUNCTIONS),
    (None, system::FUNCTIONS),
    (None, texture::FUNCTIONS),
    (None, generic::FUNCTIONS),
    (None, constant::FUNCTIONS),
    (None, vector::FUNCTIONS),
    (None, own::FUNCTIONS),
    (None, own::atomic::FUNCTIONS),
    (Some(Header::Barriers), asynchronous::FUNCTIONS),
    (Some(Header::Declaration), own::declared::FUNCTIONS),
    (Some(Header::Fp16), half::FUNCTIONS),
    (Some(Header::Fp16), memory::OF_HALVES),
    (Some(Header::Bf16), bfloat::FUNCTIONS),
    (Some(Header::Bf16), memory::OF_BFLOATS),
];

/// The functions, in the order of the tables, with the header that each wants.
pub(in crate::sema) fn all() -> impl Iterator<Item = (Option<Header>, &'static Function)> {
    TABLES.iter().flat_map(|&(header, table)| table.iter().map(move |function| (header, function)))
}

/// The place of a function in the tables: smaller than a reference.
#[derive(Clone, Copy, Debug)]
pub(in crate::sema) struct FunctionId {
    table_idx: u8,
    function_idx: u16,
}

impl Function {
    /// Whether nvcc knows it by itself, whatever its operation: CUDA's headers define others by it.
    pub(super) fn is_own(&self) -> bool {
        own::has(self.name)
    }
}

impl FunctionId {
    pub(in crate::sema) fn function(self) -> &'static Function {
        let (_, table) = TABLES[usize::from(self.table_idx)];
        &table[usize::from(self.function_idx)]
    }

    fn header(self) -> Option<Header> {
        TABLES[usize::from(self.table_idx)].0
    }
}

/// The functions of the name: one of what needs no header, and one of each header.
pub(in crate::sema) fn named(name: &str) -> impl Iterator<Item = (Option<Header>, FunctionId)> {
    let start = hash(name.as_bytes());
    let slots = (start..start + N_SLOTS).map_while(|slot| SLOTS[slot % N_SLOTS]);
    slots.filter_map(move |(table_idx, function_idx)| {
        let id = FunctionId { table_idx, function_idx };
        (id.function().name == name).then_some((id.header(), id))
    })
}

/// A power of two, at least twice the number of functions, so that searches end soon.
const N_SLOTS: usize = 4096;

/// Where the functions are in [`TABLES`], each in the first free slot from its name's hash on.
static SLOTS: [Option<(u8, u16)>; N_SLOTS] = {
    let mut slots = [None; N_SLOTS];
    let mut n_functions = 0;
    let mut table_idx = 0;
    while table_idx < TABLES.len() {
        let (_, table) = TABLES[table_idx];
        let mut function_idx = 0;
        while function_idx < table.len() {
            let mut slot = hash(table[function_idx].name.as_bytes());
            while slots[slot].is_some() {
                slot = (slot + 1) % N_SLOTS;
            }
            slots[slot] = Some((table_idx as u8, function_idx as u16));
            function_idx += 1;
        }
        n_functions += table.len();
        table_idx += 1;
    }
    assert!(2 * n_functions <= N_SLOTS);
    slots
};

/// The slot in which the search for a name begins (Fowler, Noll and Vo's hash, variant 1a).
const fn hash(name: &[u8]) -> usize {
    let mut hash: u32 = 0x811c_9dc5;
    let mut byte_idx = 0;
    while byte_idx < name.len() {
        hash = (hash ^ name[byte_idx] as u32).wrapping_mul(0x0100_0193);
        byte_idx += 1;
    }
    (hash ^ hash >> 16) as usize % N_SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_is_found_by_its_name_once() {
        for (header, function) in all() {
            let found: Vec<_> = named(function.name).filter(|&(of, _)| of == header).collect();
            assert!(
                found.len() == 1 && std::ptr::eq(found[0].1.function(), function),
                "{} is there twice",
                function.name
            );
        }
        for name in ["", "f", "min_", "__syncthread"] {
            assert!(named(name).next().is_none(), "{name}");
        }
    }
}
