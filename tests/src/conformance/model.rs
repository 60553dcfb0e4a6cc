//! The types and signatures of a unit.
//!
//! A unit is the declarations of one source: enums, structs and unions, and functions and kernels that use
//! them. It is parsed from C ([`parse`](super::parse)) and printed as C, which parses as the same unit. All
//! sources for compilers derive from it.

use std::collections::BTreeSet;
use std::fmt;

/// The declarations of one source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unit {
    /// In source order.
    pub enums: Vec<Enum>,
    /// In source order, after the enums.
    pub records: Vec<Record>,
    /// Functions and kernels.
    pub functions: Vec<Signature>,
}

/// An enumeration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enum {
    /// Its tag.
    pub name: String,
    /// The underlying type, if it is specified.
    pub underlying: Option<String>,
    /// The enumerators with their values; not empty.
    pub enumerators: Vec<(String, i64)>,
}

/// A struct or a union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Whether it is a union.
    pub is_union: bool,
    /// Its tag; empty for an anonymous one.
    pub name: String,
    /// The attributes after the keyword, as written.
    pub attributes: String,
    /// Members in their order.
    pub members: Vec<Member>,
    /// The value of `#pragma pack` for it.
    pub pack: Option<u32>,
}

/// A member of a struct or union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its type.
    pub ty: Ty,
    /// `None` for an unnamed bit-field, or an anonymous struct or union.
    pub name: Option<String>,
    /// The width of a bit-field, in bits.
    pub width: Option<u32>,
    /// The attributes after the declarator, as written.
    pub attributes: String,
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ty {
    /// `void`, as a return type.
    Void,
    /// A scalar.
    Scalar(Scalar),
    /// An enum, by tag.
    Enum(String),
    /// A CUDA vector.
    Vector(Vector),
    /// A pointer: the text before and after the declared name.
    Pointer(String, String),
    /// A struct or union, by tag.
    Record(String),
    /// An anonymous member, whose members belong to the outer record.
    Anonymous(Box<Record>),
    /// The element type, and the length.
    Array(Box<Ty>, u32),
}

/// A numeric type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// Its spelling.
    pub name: &'static str,
    /// Its kind.
    pub kind: ScalarKind,
}

/// The kind of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarKind {
    /// `bool`
    Bool,
    /// The number of bits, and whether it is signed.
    Int(u32, bool),
    /// `float`
    F32,
    /// `double`
    F64,
    /// `__half`
    Half,
    /// `__nv_bfloat16`
    Bfloat,
}

/// A CUDA vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vector {
    /// Its spelling, `uchar3`.
    pub name: &'static str,
    /// Its elements, `x`, `y`, `z` and `w`.
    pub element: Scalar,
    /// The number of elements.
    pub n: u32,
}

/// A function or kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// Its source name.
    pub name: String,
    /// `extern "C"`
    pub is_c: bool,
    /// `__global__`
    pub is_kernel: bool,
    /// Its return type.
    pub returns: Ty,
    /// Its parameter types.
    pub params: Vec<Ty>,
    /// The types of variadic arguments in a call; `None` if it is not variadic.
    pub variadic: Option<Vec<Ty>>,
}

const fn int(name: &'static str, bits: u32, signed: bool) -> Scalar {
    Scalar { name, kind: ScalarKind::Int(bits, signed) }
}

/// Every scalar, in each of its spellings. Sizes are those of a 64-bit host.
pub const SCALARS: [Scalar; 49] = [
    Scalar { name: "bool", kind: ScalarKind::Bool },
    int("char", 8, true),
    int("signed char", 8, true),
    int("unsigned char", 8, false),
    int("short", 16, true),
    int("unsigned short", 16, false),
    int("int", 32, true),
    int("unsigned int", 32, false),
    int("long", 64, true),
    int("unsigned long", 64, false),
    int("long long", 64, true),
    int("unsigned long long", 64, false),
    int("__int128", 128, true),
    int("unsigned __int128", 128, false),
    Scalar { name: "float", kind: ScalarKind::F32 },
    Scalar { name: "double", kind: ScalarKind::F64 },
    Scalar { name: "__half", kind: ScalarKind::Half },
    Scalar { name: "__nv_bfloat16", kind: ScalarKind::Bfloat },
    int("char16_t", 16, false),
    int("char32_t", 32, false),
    int("wchar_t", 32, true),
    // Alternative spellings.
    int("signed", 32, true),
    int("unsigned", 32, false),
    int("signed int", 32, true),
    int("signed short", 16, true),
    int("short int", 16, true),
    int("unsigned short int", 16, false),
    int("signed long", 64, true),
    int("long int", 64, true),
    int("unsigned long int", 64, false),
    int("signed long long", 64, true),
    int("long long int", 64, true),
    int("unsigned long long int", 64, false),
    int("signed __int128", 128, true),
    // Names from headers.
    int("int8_t", 8, true),
    int("uint8_t", 8, false),
    int("int16_t", 16, true),
    int("uint16_t", 16, false),
    int("int32_t", 32, true),
    int("uint32_t", 32, false),
    int("int64_t", 64, true),
    int("uint64_t", 64, false),
    int("size_t", 64, false),
    int("ptrdiff_t", 64, true),
    int("intptr_t", 64, true),
    int("uintptr_t", 64, false),
    // Handles: PTX Interop 1.4, 2.3 (E).
    int("cudaTextureObject_t", 64, false),
    int("cudaSurfaceObject_t", 64, false),
    Scalar { name: "half", kind: ScalarKind::Half },
];

macro_rules! vectors {
    ($($name:literal $element:literal $n:literal),* $(,)?) => {
        /// Every CUDA vector, and the pairs of halves.
        pub const VECTORS: &[(&str, &str, u32)] = &[$(($name, $element, $n)),*];
    };
}

vectors!(
    "char1" "signed char" 1, "char2" "signed char" 2, "char3" "signed char" 3, "char4" "signed char" 4,
    "uchar1" "unsigned char" 1, "uchar2" "unsigned char" 2, "uchar3" "unsigned char" 3, "uchar4" "unsigned char" 4,
    "short1" "short" 1, "short2" "short" 2, "short3" "short" 3, "short4" "short" 4,
    "ushort1" "unsigned short" 1, "ushort2" "unsigned short" 2, "ushort3" "unsigned short" 3,
    "ushort4" "unsigned short" 4,
    "int1" "int" 1, "int2" "int" 2, "int3" "int" 3, "int4" "int" 4,
    "uint1" "unsigned int" 1, "uint2" "unsigned int" 2, "uint3" "unsigned int" 3, "uint4" "unsigned int" 4,
    "long1" "long" 1, "long2" "long" 2, "long3" "long" 3, "long4" "long" 4,
    "ulong1" "unsigned long" 1, "ulong2" "unsigned long" 2, "ulong3" "unsigned long" 3, "ulong4" "unsigned long" 4,
    "longlong1" "long long" 1, "longlong2" "long long" 2, "longlong3" "long long" 3, "longlong4" "long long" 4,
    "ulonglong1" "unsigned long long" 1, "ulonglong2" "unsigned long long" 2, "ulonglong3" "unsigned long long" 3,
    "ulonglong4" "unsigned long long" 4,
    "float1" "float" 1, "float2" "float" 2, "float3" "float" 3, "float4" "float" 4,
    "double1" "double" 1, "double2" "double" 2, "double3" "double" 3, "double4" "double" 4,
    "__half2" "__half" 2, "__nv_bfloat162" "__nv_bfloat16" 2,
);

impl Scalar {
    /// The scalar with this spelling.
    pub fn named(name: &str) -> Option<Scalar> {
        SCALARS.into_iter().find(|scalar| scalar.name == name)
    }
}

impl Vector {
    /// The vector with this name.
    pub fn named(name: &str) -> Option<Vector> {
        let &(name, element, n) = VECTORS.iter().find(|(own, ..)| *own == name)?;
        Some(Vector { name, element: Scalar::named(element)?, n })
    }

    /// Whether current headers give it constructors, so that it is passed by address.
    pub fn is_pair_of_halves(&self) -> bool {
        matches!(self.element.kind, ScalarKind::Half | ScalarKind::Bfloat)
    }
}

impl Ty {
    /// The declaration of a name; with an empty name, the type's spelling.
    pub fn declare(&self, name: &str) -> String {
        let spaced = |ty: &str| if name.is_empty() { ty.to_owned() } else { format!("{ty} {name}") };
        match self {
            Ty::Void => spaced("void"),
            Ty::Scalar(scalar) => spaced(scalar.name),
            Ty::Vector(vector) => spaced(vector.name),
            Ty::Enum(tag) | Ty::Record(tag) => spaced(tag),
            Ty::Pointer(before, after) => format!("{before}{name}{after}"),
            Ty::Anonymous(record) => record.to_string(),
            Ty::Array(element, n) => {
                let mut dimensions = format!("[{n}]");
                let mut element = element;
                while let Ty::Array(inner, n) = &**element {
                    dimensions.push_str(&format!("[{n}]"));
                    element = inner;
                }
                element.declare(&format!("{name}{dimensions}"))
            }
        }
    }

    /// The tags that it uses, including those of anonymous members.
    pub fn tags(&self, into: &mut BTreeSet<String>) {
        match self {
            Ty::Enum(tag) | Ty::Record(tag) => {
                into.insert(tag.clone());
            }
            Ty::Array(element, _) => element.tags(into),
            Ty::Anonymous(record) => record.members.iter().for_each(|member| member.ty.tags(into)),
            Ty::Pointer(before, after) => {
                let words = before.split(' ').chain(after.split(|c: char| !c.is_alphanumeric()));
                into.extend(words.map(str::to_owned));
            }
            Ty::Void | Ty::Scalar(_) | Ty::Vector(_) => {}
        }
    }

    /// Whether it contains a packed record.
    pub fn has_packed(&self, unit: &Unit) -> bool {
        self.has(unit, &|ty| matches!(ty, Ty::Record(tag) if unit.record(tag).is_some_and(Record::is_packed)))
    }

    /// Whether it is a 128-bit integer.
    pub fn is_wide(&self) -> bool {
        matches!(self, Ty::Scalar(scalar) if scalar.name.contains("__int128"))
    }

    /// Whether any part of its type satisfies the test.
    pub fn has(&self, unit: &Unit, test: &dyn Fn(&Ty) -> bool) -> bool {
        test(self)
            || match self {
                Ty::Array(element, _) => element.has(unit, test),
                Ty::Anonymous(record) => record.members.iter().any(|member| member.ty.has(unit, test)),
                Ty::Record(tag) => {
                    unit.record(tag).is_some_and(|record| record.members.iter().any(|m| m.ty.has(unit, test)))
                }
                Ty::Void | Ty::Scalar(_) | Ty::Enum(_) | Ty::Vector(_) | Ty::Pointer(..) => false,
            }
    }
}

impl Record {
    /// Whether any attribute in it is `packed`, not counting the records that it contains.
    pub fn is_packed(&self) -> bool {
        let is_packed = |member: &Member| {
            member.attributes.contains("packed")
                || matches!(&member.ty, Ty::Anonymous(inner) if inner.is_packed())
        };
        self.pack.is_some() || self.attributes.contains("packed") || self.members.iter().any(is_packed)
    }
}

impl Signature {
    /// All types that it passes, the return type last.
    pub fn types(&self) -> impl Iterator<Item = &Ty> {
        self.params.iter().chain(self.variadic.iter().flatten()).chain([&self.returns])
    }

    /// Its declaration with parameter names, without the semicolon.
    pub fn declaration(&self) -> String {
        let linkage = if self.is_c { "extern \"C\" " } else { "" };
        let word = if self.is_kernel { "__global__" } else { "__device__" };
        format!("{linkage}{word} {}", self.returns.declare(&format!("{}({})", self.name, self.list(true))))
    }

    /// The declaration of a pointer to it.
    pub fn pointer(&self, name: &str) -> String {
        self.returns.declare(&format!("(*{name})({})", self.list(false)))
    }

    fn list(&self, is_named: bool) -> String {
        let name = |idx: usize| if is_named { format!("p{idx}") } else { String::new() };
        let params = self.params.iter().enumerate().map(|(idx, ty)| ty.declare(&name(idx)));
        params.chain(self.variadic.as_ref().map(|_| "...".to_owned())).collect::<Vec<_>>().join(", ")
    }

    /// Whether a symbol is that of this function.
    pub fn is_symbol(&self, symbol: &str) -> bool {
        symbol == self.name
            || symbol.strip_prefix("_Z").is_some_and(|rest| {
                rest.strip_prefix(&self.name.len().to_string())
                    .is_some_and(|rest| rest.starts_with(&self.name))
            })
    }
}

impl Unit {
    /// The struct or union with this tag.
    pub fn record(&self, tag: &str) -> Option<&Record> {
        self.records.iter().find(|record| record.name == tag)
    }

    /// The enum with this tag.
    pub fn enumeration(&self, tag: &str) -> Option<&Enum> {
        self.enums.iter().find(|own| own.name == tag)
    }

    /// The unit with only some of its functions, and without unused types.
    pub fn only(&self, keep: impl Fn(&Signature) -> bool) -> Unit {
        let functions: Vec<Signature> = self.functions.iter().filter(|f| keep(f)).cloned().collect();
        let mut tags = BTreeSet::new();
        functions.iter().flat_map(Signature::types).for_each(|ty| ty.tags(&mut tags));
        let mut records = Vec::new();
        for record in self.records.iter().rev() {
            if tags.contains(&record.name) {
                record.members.iter().for_each(|member| member.ty.tags(&mut tags));
                records.push(record.clone());
            }
        }
        records.reverse();
        let enums = self.enums.iter().filter(|own| tags.contains(&own.name)).cloned().collect();
        Unit { enums, records, functions }
    }

    /// The unit of one function, or of one record, with the types that it needs.
    pub fn alone(&self, name: &str) -> Unit {
        if self.functions.iter().any(|function| function.name == name) {
            return self.only(|function| function.name == name);
        }
        let function = Signature {
            name: "f".to_owned(),
            is_c: true,
            is_kernel: false,
            returns: Ty::Void,
            params: vec![Ty::Record(name.to_owned())],
            variadic: None,
        };
        Unit { functions: vec![function], ..self.clone() }.only(|_| true)
    }

    /// The types as C.
    pub fn types(&self) -> String {
        let enums = self.enums.iter().map(|own| format!("{own};\n"));
        let records = self.records.iter().map(|record| match record.pack {
            None => format!("{record};\n"),
            Some(pack) => format!("#pragma pack(push, {pack})\n{record};\n#pragma pack(pop)\n"),
        });
        enums.chain(records).collect()
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.types())?;
        for function in &self.functions {
            writeln!(f, "{function};")?;
        }
        Ok(())
    }
}

impl fmt::Display for Signature {
    /// The unit as C, with the types of variadic arguments in a comment.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.declaration();
        match (&self.variadic, text.strip_suffix(')')) {
            (Some(given), Some(text)) => {
                let given: Vec<String> = given.iter().map(|ty| ty.declare("")).collect();
                write!(f, "{text} /* {} */)", given.join(", "))
            }
            (Some(_) | None, _) => f.write_str(&text),
        }
    }
}

impl fmt::Display for Enum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "enum {}", self.name)?;
        if let Some(underlying) = &self.underlying {
            write!(f, " : {underlying}")?;
        }
        let list: Vec<String> =
            self.enumerators.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        write!(f, " {{ {} }}", list.join(", "))
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_union { "union" } else { "struct" })?;
        for word in [&self.attributes, &self.name] {
            if !word.is_empty() {
                write!(f, " {word}")?;
            }
        }
        f.write_str(" {")?;
        for member in &self.members {
            write!(f, " {member};")?;
        }
        f.write_str(" }")
    }
}

impl fmt::Display for Member {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.ty.declare(self.name.as_deref().unwrap_or("")))?;
        if let Some(width) = self.width {
            write!(f, " : {width}")?;
        }
        if !self.attributes.is_empty() {
            write!(f, " {}", self.attributes)?;
        }
        Ok(())
    }
}
