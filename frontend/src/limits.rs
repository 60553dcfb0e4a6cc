//! The bounds that keep recursion over the AST safe, and the stack size that they require.
//!
//! The parser enforces both; every later pass recurses over a tree within the bounds and need
//! not count. Exceeding them gives one `nesting-too-deep`. docs/reference/limits.md lists them.

/// How deep brackets, blocks, declarators, initializers and prefix operators may nest: the depth
/// of the parser's own recursion. Clang's default is the same (`-fbracket-depth=256`).
pub const MAX_NESTING: u32 = 256;

/// How high the syntax tree may grow, in nodes from a statement or a file-scope initializer down to
/// the deepest literal. Long chains such as `a + b + c + …` and `else if` grow in height without
/// nesting in the text.
pub const MAX_HEIGHT: u16 = 2048;

/// Stack that a thread needs to run the frontend over any input, in bytes: [`MAX_HEIGHT`] times
/// the frames that an unoptimised build spends on one node in its hungriest pass, with room to spare.
pub const STACK_BYTES: usize = 64 << 20;

/// How deep a program may nest, which depends on the stack that there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Depth {
    /// At most [`MAX_NESTING`].
    pub nesting: u32,
    /// At most [`MAX_HEIGHT`].
    pub height: u16,
}

impl Default for Depth {
    fn default() -> Self {
        Depth { nesting: MAX_NESTING, height: MAX_HEIGHT }
    }
}

impl Depth {
    /// With a stack of so many bytes, of which the frontend may use all.
    pub fn for_stack(n_bytes: usize) -> Self {
        let scaled = |most: usize| most.min(most * (n_bytes >> 10) / (STACK_BYTES >> 10));
        Depth { nesting: scaled(MAX_NESTING as usize) as u32, height: scaled(MAX_HEIGHT.into()) as u16 }
    }
}

/// How many arguments the packs of one instance of a template may have.
pub const MAX_PACK_ELEMENTS: usize = 2048;

/// How many tokens the elements of packs may have in one instance of a template, each as often as it is read.
pub const MAX_PACK_TOKENS: usize = 1 << 20;

/// How deep headers may include one another, as in clang and GNU's preprocessor.
pub const MAX_INCLUDE_DEPTH: usize = 200;

/// How many headers may be read in one compilation, each as often as it is read.
pub const MAX_INCLUDES: u32 = 100_000;

/// How many tokens macros may make in one compilation. Fewer in the crate's own tests, which would else take long.
pub const MAX_EXPANDED_TOKENS: u32 = if cfg!(test) { 1 << 16 } else { 4 << 20 };

/// How many tokens the arguments of macros may hold at a time, those of nested calls counted in each call around
/// them. Fewer in the crate's own tests.
pub const MAX_ARGUMENT_TOKENS: usize = if cfg!(test) { 2 << 20 } else { 4 << 20 };

/// How many bytes of literals and names `#` and `##` may make in one compilation; fewer in the crate's own tests.
pub const MAX_MADE_BYTES: usize = if cfg!(test) { 1 << 20 } else { 64 << 20 };

/// How deeply macro invocations may be nested in arguments of others: the depth of the preprocessor's own
/// recursion.
pub const MAX_MACRO_NESTING: u32 = 1024;

/// The maximum size of a kernel's parameters in bytes (PTX ISA "Kernel Function Parameters"), and here of those of a device function
/// returns: LLVM takes results apart, in quadratic time, and fails on much larger ones.
pub const MAX_VALUE_BYTES: u64 = 32_764;

/// How many bytes an argument of a device function may take: PTX has no limit, but ptxas takes minutes for larger ones.
pub const MAX_ARGUMENT_BYTES: u64 = 131_072;

/// Bytes of a variable that has an initial value other than zero: LLVM writes down each element.
pub const MAX_INITIALIZED_BYTES: u64 = 256 << 20;
