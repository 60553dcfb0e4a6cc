//! The test bench of Weft.
//!
//! Tests are data: a file in one of the folders beside `src/` is a test, and its folder determines its kind. The bench
//! runs `weftc` as a program, and NVIDIA's tools for comparison; it links no LLVM, so it builds in seconds and cannot
//! share a mistake with the compiler.
//!
//! - [`directive`]: `//@ key: value` lines, the settings of a test
//! - [`launches`]: `//@ launch: …` and so on, the launches of a test's kernels
//! - [`annotation`]: `//~ ERROR[code]` lines, the diagnostics that a test expects
//! - [`filecheck`]: CHECK lines, which the output must match
//! - [`golden`]: `.stderr` files, which the output must equal
//! - [`tools`]: `weftc`, and the tools that may be missing
//! - [`ptx_prototype`]: the functions and parameters in a PTX text
//! - [`ptx_variable`]: the variables in a PTX text, with their bytes and addresses
//! - [`signature`]: random signatures for both compilers, from [`random`] numbers
//! - [`class_layouts`]: random classes with bases, on whose layouts both compilers must agree
//! - [`layouts`]: random structs and unions, on whose layouts both compilers must agree
//! - [`names`]: random declarations, whose symbols must be the same in both compilers
//! - [`constexprs`]: random `constexpr` functions, and the constants that they compute
//! - [`overloads`]: random calls of overloaded functions, and which of them each means
//! - [`expression`]: random constant expressions, and their folded values
//! - [`preprocessed`]: compares the tokens of two preprocessors; [`macros`]: random macros for both
//! - [`cuda_macros`]: CUDA's predefined macros, target by target
//! - [`builtins`]: a function for each built-in one, and the declarations in NVIDIA's headers
//! - [`known_names`]: the names that nvcc knows without a declaration
//! - [`asm_corpus`]: the `asm` statements in CUDA's headers
//! - [`atomics`]: the matrix of atomic operations, and the guide's mappings
//! - [`math`]: mathematical functions, and their results from the PTX of two compilers
//! - [`halves`]: half-precision functions, likewise
//! - [`isa`]: the instructions of PTX ISA 1.1, and the sources that reach them
//! - [`page`]: a documentation page as files and commands
//! - [`site`]: the documentation's pages and links; [`reference`]: pages generated from the compiler's tables
//! - [`constructs`]: the tables of docs/reference/language.md, and the tests that they name
//! - [`damage`]: damaged test inputs, and the frontend's results for them
//! - [`bounds`]: programs that are deeply nested, long or have very many of something
//! - [`mistake`]: programs with inserted mistakes, and their number of errors
//! - [`examples`]: the examples, and the same computations in Rust
//! - [`dwarf`]: debug information as a tree, compared with nvcc's
//! - [`random_asm`]: random `asm` statements, programs of them, and mistakes in them
//! - [`random_program`]: Csmith's programs as kernels, and their results on the host and from PTX
//! - [`cxx_program`]: random programs of C++17, and their results on the host and from PTX
//! - [`textures`]: calls of all texture and surface functions
//! - [`transfers`]: copies and fills of bytes, and their expected results
//! - [`line_table`]: the source lines of a cubin's code
//! - [`litmus`]: litmus tests in C
//! - [`printed`]: random calls of `printf`, for the device and for the host
//! - [`nvcc_headers`]: which of CUDA's headers nvcc need not read for a program
//! - [`runner`]: turns the data folders into trials, with a module for each kind of test
//!
//! The suites (`suites/*.rs`) only collect trials and print totals.

pub mod annotation;
pub mod asm_corpus;
pub mod atomics;
pub mod binaries;
pub mod bounds;
pub mod builtins;
pub mod class_layouts;
pub mod conformance;
pub mod constexprs;
pub mod constructs;
pub mod cuda_macros;
pub mod cxx_program;
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
pub mod lookups;
pub mod macros;
pub mod math;
pub mod mistake;
pub mod mutated_ptx;
pub mod names;
pub mod nvcc_headers;
pub mod overloads;
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

/// Why a test fails: the complete text for whoever fixes it.
pub type Failure = String;
