//! The table of built-in functions: names, overloads, and the operation behind each.
//!
//! A row is a name with its overloads as CUDA's headers declare them for device code; there is a
//! file for each of CUDA's chapters:
//!
//! - `sync`: barriers
//! - `warp`: shuffles
//! - `atomic`: atomic functions
//! - `math`: mathematical functions
//! - `half`, `bfloat`: what `cuda_fp16.h` and `cuda_bf16.h` declare
//! - `vector`: `make_float4` and the like, which are no overloads and have no operation
//! - `constant`: infinities and NaNs, which have none either
//!
//! Names are found by a hash table that the Rust compiler makes: a search costs one comparison or
//! two, whatever the number of rows, and nothing is set up at run time.

mod atomic;
mod bfloat;
mod constant;
mod half;
mod math;
mod sync;
mod vector;
mod warp;

use super::super::half::Header;
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
pub(super) struct Overload {
    pub(super) builtin: Builtin,
    pub(super) ret: Type,
    pub(super) params: &'static [Type],
    /// The values of the last parameters, which the call may leave out.
    pub(super) defaults: &'static [i128],
}

/// Rows: `"name": RET(PARAM, …), RET(PARAM, …) default VALUE => Family(Operation);`
macro_rules! functions {
    ($($name:literal: $($ret:ident($($param:expr),*) $(default $default:literal)?),+ => $builtin:expr;)*) => {
        pub(super) const FUNCTIONS: &[$crate::sema::builtin::table::Function] = &[$(
            $crate::sema::builtin::table::Function {
                name: $name,
                overloads: &[$(
                    $crate::sema::builtin::table::Overload {
                        builtin: $builtin,
                        ret: $ret,
                        params: &[$($param),*],
                        defaults: &[$($default)?],
                    },
                )+],
            },
        )*];
    };
}
use functions;

static TABLES: &[&[Function]] = &[
    sync::FUNCTIONS,
    warp::FUNCTIONS,
    atomic::FUNCTIONS,
    math::FUNCTIONS,
    constant::FUNCTIONS,
    vector::FUNCTIONS,
    half::FUNCTIONS,
    bfloat::FUNCTIONS,
];

/// The header without which nobody has the functions of a table.
fn header_of(table_idx: usize) -> Option<Header> {
    match TABLES.len() - table_idx {
        1 => Some(Header::Bf16),
        2 => Some(Header::Fp16),
        _ => None,
    }
}

/// The functions, in the order of the tables, with the header that each wants.
pub(in crate::sema) fn all() -> impl Iterator<Item = (Option<Header>, &'static Function)> {
    let tables = TABLES.iter().enumerate();
    tables.flat_map(|(idx, table)| table.iter().map(move |function| (header_of(idx), function)))
}

/// The functions of the name: one of what needs no header, and one of each header.
pub(in crate::sema) fn named(name: &str) -> impl Iterator<Item = (Option<Header>, &'static Function)> {
    let start = hash(name.as_bytes());
    let slots = (start..start + N_SLOTS).map_while(|slot| SLOTS[slot % N_SLOTS]);
    slots.filter_map(move |(table_idx, function_idx)| {
        let table_idx = usize::from(table_idx);
        let function = &TABLES[table_idx][usize::from(function_idx)];
        (function.name == name).then(|| (header_of(table_idx), function))
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
        let table = TABLES[table_idx];
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
                found.len() == 1 && std::ptr::eq(found[0].1, function),
                "{} is there twice",
                function.name
            );
        }
        for name in ["", "f", "min_", "__syncthread"] {
            assert!(named(name).next().is_none(), "{name}");
        }
    }
}
