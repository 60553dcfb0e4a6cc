//! The tree of a module (PTX ISA "Directives", "Instruction Operands").
//!
//! Names and modifiers are parts of the text, without the dots before them.

use smallvec::SmallVec;

use super::place::Place;

/// A module: one text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Module<'t> {
    /// `.version`
    pub version: (u32, u32),
    /// `.target`: the architecture first, then what else is said.
    pub targets: Vec<&'t str>,
    /// `.address_size` in bits: 32 or 64.
    pub address_size: u32,
    /// Where that stands; the beginning where it does not.
    pub address_place: Place,
    /// The variables at module scope, in order.
    pub variables: Vec<Variable<'t>>,
    /// The functions and kernels, in order; of one that is declared and defined, both.
    pub functions: Vec<Function<'t>>,
    /// `.alias name, aliasee;`
    pub aliases: Vec<Alias<'t>>,
    /// `.file`: the number and the name.
    pub files: Vec<(u32, &'t str)>,
    /// `.section`: the name, and the text between its braces.
    pub sections: Vec<(&'t str, &'t str)>,
}

/// Who sees a symbol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Linkage {
    /// This module alone.
    #[default]
    Internal,
    /// `.extern`: it is defined elsewhere.
    Extern,
    /// `.visible`
    Visible,
    /// `.weak`
    Weak,
    /// `.common`
    Common,
}

/// State spaces (PTX ISA "State Spaces").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// `.reg`
    Reg,
    /// `.sreg`
    Sreg,
    /// `.const`
    Const,
    /// `.global`
    Global,
    /// `.local`
    Local,
    /// `.param`
    Param,
    /// `.shared`
    Shared,
    /// `.tex`, deprecated.
    Tex,
}

/// Fundamental types, and those that stand for handles (PTX ISA "Types").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "they are PTX's own names")]
pub enum Type {
    S8,
    S16,
    S32,
    S64,
    U8,
    U16,
    U32,
    U64,
    F16,
    F16x2,
    Bf16,
    Bf16x2,
    F32,
    F32x2,
    F64,
    B8,
    B16,
    B32,
    B64,
    B128,
    Pred,
    Texref,
    Samplerref,
    Surfref,
}

impl Type {
    /// The type that a word names, without the dot before it.
    pub fn named(word: &str) -> Option<Type> {
        Some(match word {
            "s8" => Type::S8,
            "s16" => Type::S16,
            "s32" => Type::S32,
            "s64" => Type::S64,
            "u8" => Type::U8,
            "u16" => Type::U16,
            "u32" => Type::U32,
            "u64" => Type::U64,
            "f16" => Type::F16,
            "f16x2" => Type::F16x2,
            "bf16" => Type::Bf16,
            "bf16x2" => Type::Bf16x2,
            "f32" => Type::F32,
            "f32x2" => Type::F32x2,
            "f64" => Type::F64,
            "b8" => Type::B8,
            "b16" => Type::B16,
            "b32" => Type::B32,
            "b64" => Type::B64,
            "b128" => Type::B128,
            "pred" => Type::Pred,
            "texref" => Type::Texref,
            "samplerref" => Type::Samplerref,
            "surfref" => Type::Surfref,
            _ => return None,
        })
    }

    /// The word for it, without a dot.
    pub fn name(self) -> &'static str {
        match self {
            Type::S8 => "s8",
            Type::S16 => "s16",
            Type::S32 => "s32",
            Type::S64 => "s64",
            Type::U8 => "u8",
            Type::U16 => "u16",
            Type::U32 => "u32",
            Type::U64 => "u64",
            Type::F16 => "f16",
            Type::F16x2 => "f16x2",
            Type::Bf16 => "bf16",
            Type::Bf16x2 => "bf16x2",
            Type::F32 => "f32",
            Type::F32x2 => "f32x2",
            Type::F64 => "f64",
            Type::B8 => "b8",
            Type::B16 => "b16",
            Type::B32 => "b32",
            Type::B64 => "b64",
            Type::B128 => "b128",
            Type::Pred => "pred",
            Type::Texref => "texref",
            Type::Samplerref => "samplerref",
            Type::Surfref => "surfref",
        }
    }
}

/// A variable: in a space, a parameter, or registers.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable<'t> {
    /// Who sees it.
    pub linkage: Linkage,
    /// Where it is.
    pub space: Space,
    /// `.align` in bytes.
    pub align: Option<u64>,
    /// The type of an element of an element.
    pub ty: Type,
    /// How many of these are one element: 1, or `.v2` and `.v4`.
    pub vector: u32,
    /// The name; of parameterized ones, what precedes the number.
    pub name: &'t str,
    /// `name<n>`: how many there are, named by the numbers below.
    pub count: Option<u32>,
    /// The dimensions, from the outside; the first may be left open.
    pub dims: SmallVec<[Option<u64>; 1]>,
    /// The initial value.
    pub init: Option<Initializer<'t>>,
    /// `.ptr` of a kernel's parameter: the space and alignment of what it points to.
    pub ptr: Option<(Option<Space>, Option<u64>)>,
    /// `.attribute(…)`: its names.
    pub attributes: Vec<&'t str>,
    /// The place of the name.
    pub place: Place,
}

/// An initial value.
#[derive(Clone, Debug, PartialEq)]
pub enum Initializer<'t> {
    /// One element.
    Value(Constant<'t>),
    /// `{ … }`
    List(Vec<Initializer<'t>>),
    /// `filter_mode = linear`: a property of a texture, sampler or surface.
    Property(&'t str, Property<'t>),
}

/// What a property is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property<'t> {
    /// A word.
    Word(&'t str),
    /// A number.
    Number(u64),
}

/// A constant, or an address that is known when the module is loaded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Constant<'t> {
    /// An integer in 64 bits of two's complement.
    Int(u64),
    /// The bits of a `.f32`.
    F32(u32),
    /// A `.f64`.
    F64(f64),
    /// The address of a variable or function.
    Symbol(SymbolAddress<'t>),
}

/// An address with what is made of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SymbolAddress<'t> {
    /// The symbol.
    pub name: &'t str,
    /// What is added to its address.
    pub addend: i64,
    /// `generic(name)`: the generic address, and not the one in the symbol's space.
    pub is_generic: bool,
    /// `mask(name)`: the byte of the address that it selects.
    pub mask: Option<u64>,
    /// The place of the name.
    pub place: Place,
}

/// `.alias`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alias<'t> {
    /// The other name.
    pub name: &'t str,
    /// The function that has it.
    pub aliasee: &'t str,
    /// Where it stands.
    pub place: Place,
}

/// A function or kernel, or its declaration.
#[derive(Clone, Debug, PartialEq)]
pub struct Function<'t> {
    /// Who sees it.
    pub linkage: Linkage,
    /// `.entry`, and not `.func`.
    pub is_entry: bool,
    /// The name.
    pub name: &'t str,
    /// What it takes and gives.
    pub prototype: Prototype<'t>,
    /// What is said about its launches and its code: names and values.
    pub directives: Vec<(&'t str, Vec<Constant<'t>>)>,
    /// The instructions; none of a declaration.
    pub body: Option<Block<'t>>,
    /// The place of the name.
    pub place: Place,
}

/// What a function takes and gives.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Prototype<'t> {
    /// What it gives.
    pub returns: Vec<Variable<'t>>,
    /// What it takes.
    pub params: Vec<Variable<'t>>,
    /// `.noreturn`
    pub is_noreturn: bool,
}

/// What is between braces, with its end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Block<'t> {
    /// In order.
    pub statements: Vec<Statement<'t>>,
    /// The closing brace.
    pub end: Place,
}

/// A statement of a body.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement<'t> {
    /// Registers and variables.
    Variable(Variable<'t>),
    /// `label:`
    Label(&'t str, Place),
    /// An instruction.
    Instruction(Instruction<'t>),
    /// `{ … }`, which names of its own.
    Block(Block<'t>),
    /// `.loc`
    Loc(Loc<'t>),
    /// `.pragma`: its strings.
    Pragma(Vec<&'t str>),
    /// `label: .branchtargets label, …;`
    BranchTargets(&'t str, Vec<&'t str>, Place),
    /// `label: .calltargets function, …;`
    CallTargets(&'t str, Vec<&'t str>, Place),
    /// `label: .callprototype …;`
    CallPrototype(&'t str, Prototype<'t>, Place),
}

/// `.loc`: where in the source what follows comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loc<'t> {
    /// The number of the file.
    pub file: u32,
    /// The line, from one; zero for none.
    pub line: u32,
    /// The column.
    pub column: u32,
    /// `function_name label, inlined_at file line column`: what was inlined, and where.
    pub inlined: Option<Inlined<'t>>,
}

/// What was inlined, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inlined<'t> {
    /// The label of its name.
    pub name: &'t str,
    /// File, line and column of the call.
    pub at: (u32, u32, u32),
}

/// An instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Instruction<'t> {
    /// `@p` or `@!p`
    pub guard: Option<Guard<'t>>,
    /// Its name, without modifiers.
    pub opcode: &'t str,
    /// The modifiers, in order.
    pub modifiers: SmallVec<[&'t str; 4]>,
    /// The operands, in order.
    pub operands: SmallVec<[Operand<'t>; 4]>,
    /// The place of the name.
    pub place: Place,
}

/// Under which condition an instruction is carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guard<'t> {
    /// The predicate.
    pub name: &'t str,
    /// Where it is false.
    pub is_negated: bool,
}

/// An operand.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand<'t> {
    /// A register, variable, label or function.
    Name(&'t str),
    /// A part of a vector register or special register: `%tid.x`.
    Part(&'t str, &'t str),
    /// A constant; an address with an offset among them.
    Constant(Constant<'t>),
    /// `!p`
    Not(&'t str),
    /// `-a` of a register, or of a part of one.
    Negated(Box<Operand<'t>>),
    /// `p|q`: two destinations.
    Pair(Box<(Operand<'t>, Operand<'t>)>),
    /// `_`: the value is dropped.
    Sink,
    /// `{a, b}`
    Vector(Vec<Operand<'t>>),
    /// `(a, b)` of a call.
    List(Vec<Operand<'t>>),
    /// `[base+offset]`
    Address(Address<'t>),
    /// `a[1]`, `a[%r1]`: an element of an array, as an address or its value.
    Element(&'t str, Box<Operand<'t>>),
    /// `[a, {x, y}]` and similar ones: what textures and the tensor instructions have.
    Parts(Vec<Operand<'t>>),
}

/// A place in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address<'t> {
    /// A register or variable; none for a number alone.
    pub base: Option<&'t str>,
    /// In bytes.
    pub offset: i64,
}
