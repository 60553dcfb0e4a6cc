//! The test bench of Weft.
//!
//! Tests are data: a file in one of the folders beside `src/` is a test, and its folder says what
//! kind. The bench runs `weftc` as a program, and NVIDIA's tools beside it; it links no LLVM, so
//! it builds in seconds and cannot share a mistake with the compiler.
//!
//! - [`directive`]: `//@ key: value` lines, what a test asks for
//! - [`launches`]: `//@ launch: …` and its kin, how the kernels of a test are run
//! - [`annotation`]: `//~ ERROR[code]` lines, the diagnostics that a test expects
//! - [`filecheck`]: CHECK lines, what the output must say
//! - [`golden`]: `.stderr` files, compared to the byte
//! - [`tools`]: `weftc`, and the tools that may be absent
//! - [`ptx_prototype`]: the functions and parameters that a PTX text declares
//! - [`ptx_variable`]: the variables of a PTX text, with the bytes and addresses that they hold
//! - [`signature`]: random signatures for both compilers, from [`random`] numbers
//! - [`layouts`]: random structs and unions, whose layouts both compilers must agree on
//! - [`names`]: random declarations, whose symbols both compilers must make
//! - [`expression`]: random expressions over constants, and what they are folded to
//! - [`preprocessed`]: the tokens that two preprocessors make; [`macros`]: random macros for both
//! - [`cuda_macros`]: CUDA's macros, target by target
//! - [`builtins`]: a function for each built-in one, and what NVIDIA's headers declare
//! - [`known_names`]: the names that nvcc knows without a declaration
//! - [`asm_corpus`]: the `asm` statements of CUDA's headers
//! - [`atomics`]: the matrix of atomic operations, and the guide's mappings
//! - [`math`]: mathematical functions, and what two compilers' PTX computes of the same numbers
//! - [`halves`]: functions of half precision, likewise
//! - [`isa`]: the instructions of PTX ISA 1.1, and the sources that reach them
//! - [`page`]: a page of the documentation as files and commands
//! - [`site`]: the documentation's pages and links; [`reference`]: pages that the compiler's tables determine
//! - [`constructs`]: the tables of docs/reference/language.md, and the tests that they name
//! - [`damage`]: test inputs cut, thinned and altered, and what the frontend makes of them
//! - [`bounds`]: programs that nest, are long or have very many of something
//! - [`mistake`]: programs with mistakes put into them, and how many errors they have
//! - [`examples`]: the examples beside the same in Rust
//! - [`dwarf`]: debug information as a tree, compared with nvcc's
//! - [`random_asm`]: random `asm` statements, programs of them, and mistakes in them
//! - [`random_program`]: Csmith's programs as kernels, what they compute on the host and from PTX
//! - [`textures`]: calls of all functions of textures and surfaces
//! - [`transfers`]: copies and fills of bytes, and what they must leave
//! - [`line_table`]: which lines the code of a cubin comes from
//! - [`litmus`]: what a few threads may come to, in C
//! - [`printed`]: random calls of `printf`, for the device and for the host
//! - [`runner`]: from the data folders to trials, one module a kind of test
//!
//! The suites themselves (`suites/*.rs`) only collect trials and print totals.

pub mod annotation;
pub mod asm_corpus;
pub mod atomics;
pub mod binaries;
pub mod bounds;
pub mod builtins;
pub mod conformance;
pub mod constructs;
pub mod cuda_macros;
pub mod damage;
pub mod directive;
pub mod dwarf;
pub mod examples;
pub mod expression;
pub mod filecheck;
pub mod golden;
pub mod group_matrices;
pub mod halves;
pub mod isa;
pub mod known_names;
pub mod launches;
pub mod layouts;
pub mod line_table;
pub mod litmus;
pub mod macros;
pub mod math;
pub mod mistake;
pub mod mutated_ptx;
pub mod names;
pub mod page;
pub mod preprocessed;
pub mod print_calls;
pub mod print_flags;
pub mod printed;
pub mod ptx_prototype;
pub mod ptx_variable;
pub mod random;
pub mod random_asm;
pub mod random_program;
pub mod reference;
pub mod runner;
pub mod sampling;
pub mod signature;
pub mod site;
pub mod small_floats;
pub mod textures;
pub mod tools;
pub mod transfers;

/// Why a test fails: the whole text for whoever has to mend it.
pub type Failure = String;
