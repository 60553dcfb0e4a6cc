//! Random declarations whose symbols must be the same in both compilers, as one source.
//!
//! While [`signature`](crate::signature) varies what the calling convention depends on, this varies what C++
//! names depend on: pointers, qualifiers at every depth, arrays, function types in function types, typedefs,
//! tags, the types of CUDA and of its headers, and variables with the same name in one function. The same
//! seed gives the same file.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::random::Random;

const PRELUDE: &str = "\
struct P { int x; };
struct Forward;
union U { int i; float f; };
enum E { A, B };
typedef struct { int q; } Unnamed;
typedef enum { C, D } Chosen;
typedef float real;
typedef const int cint;
typedef int row[4];
typedef P *ptr;
typedef int fn(int, const P *);
typedef void (*handler)(int, ...);
typedef P pair[2][3];
typedef volatile P vp, *const vpp;
typedef int *const *cpp;
typedef fn *fns[2];
typedef handler returns(fn *, handler);
enum Small : unsigned char { S0 };
enum Big : long long { B0 };
enum \u{dc}ber { UE };
struct Gr\u{f6}\u{df}e { int x; };
struct a_tag_that_is_longer_than_most_$_tags_are { int x; };
using Alias = struct { int x; };
using Function = int (*)(Alias *, fn);
namespace ns {
struct P { int x; struct Inner { int y; }; };
enum class E { A };
typedef struct { int q; } Unnamed;
using Alias = P;
namespace in { struct P { int z; }; enum F { F0 }; typedef ns::P *ptr; }
inline namespace v1 { struct W { int w; }; union U { int i; }; namespace deep { struct D { int d; }; } }
}
namespace other { struct P { int o; }; using ns::in::F; namespace alias = ns::in; }
";

/// Precedes the prelude in some files only: it takes nvcc long to read.
const HALF_HEADERS: &str = "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n";

const HALF_TYPES: [&str; 8] = [
    "__half",
    "__half2",
    "__nv_bfloat16",
    "__nv_bfloat162",
    "half",
    "nv_bfloat162",
    "__half_raw",
    "__nv_bfloat162_raw",
];

const SCALARS: [&str; 26] = [
    "bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "int",
    "unsigned int",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "float",
    "double",
    "real",
    "cint",
    "wchar_t",
    "char16_t",
    "char32_t",
    "__int128",
    "unsigned __int128",
    "size_t",
    "uint64_t",
    "int8_t",
    "va_list *",
];

const TAGGED: [&str; 54] = [
    "P",
    "struct P",
    "U",
    "union U",
    "E",
    "enum E",
    "Unnamed",
    "Chosen",
    "dim3",
    "uint3",
    "ptr",
    "vp",
    "vpp",
    "cpp",
    "Small",
    "Big",
    "\u{dc}ber",
    "Gr\u{f6}\u{df}e",
    "a_tag_that_is_longer_than_most_$_tags_are",
    "Alias",
    "Function",
    "char1",
    "uchar4",
    "short3",
    "ushort2",
    "int4",
    "long1",
    "ulonglong2",
    "float2",
    "float4",
    "double3",
    "double4_32a",
    "longlong4_16a",
    "cudaTextureObject_t",
    "cudaSurfaceObject_t",
    "cudaError_t",
    "cudaStream_t",
    "cudaMemcpyKind",
    "div_t",
    "::P",
    "ns::P",
    "ns::P::Inner",
    "ns::E",
    "ns::Unnamed",
    "ns::Alias",
    "ns::in::P",
    "ns::in::F",
    "ns::in::ptr",
    "ns::W",
    "ns::v1::U",
    "ns::v1::deep::D",
    "other::P",
    "other::F",
    "other::alias::P",
];

/// What functions and variables are declared in.
const NAMESPACES: [&str; 6] = [
    "namespace ns {",
    "namespace ns::in {",
    "namespace ns { inline namespace v1 {",
    "namespace ns::v1::deep {",
    "namespace other {",
    "namespace fresh { namespace in {",
];

/// Those that functions with two parameters can be.
const OPERATORS: [&str; 28] = [
    "+", "-", "*", "/", "%", "^", "&", "|", "<", ">", "<=", ">=", "==", "!=", "&&", "||", "<<", ">>", "+=",
    "-=", "*=", "/=", "%=", "^=", "&=", "|=", "<<=", ">>=",
];

/// The maximum depth of a type.
const MAX_DEPTH: usize = 5;

/// A file with `n_functions` functions, each with a unique name.
pub fn source(seed: u64, n_functions: usize) -> String {
    let has_half = seed.is_multiple_of(4);
    let headers = if has_half { HALF_HEADERS } else { "" };
    let text = format!("{headers}#include <stdarg.h>\n#include <stdint.h>\n{PRELUDE}");
    let mut generator = Generator { random: Random::new(seed), text, has_half };
    for idx in 0..n_functions {
        generator.function(idx);
        generator.variable(idx);
    }
    generator.text
}

/// The symbols of functions, kernels and variables in PTX, except those that depend on the file's name, like
/// nvcc's internal ones.
pub fn symbols(ptx: &str) -> BTreeSet<String> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$');
    let mut found = BTreeSet::new();
    for line in ptx.lines() {
        let words: Vec<&str> = line.split(|c| !is_word(c)).filter(|word| !word.is_empty()).collect();
        let declares = [".func", ".entry", ".global", ".const", ".shared"];
        if line.split_whitespace().any(|word| declares.contains(&word)) {
            let is_ours = |word: &&&str| word.starts_with("_Z") || word.starts_with("name_");
            found.extend(
                words.iter().filter(is_ours).filter(|word| !word.contains("_param_")).map(|&w| w.to_owned()),
            );
        }
    }
    found
}

struct Generator {
    random: Random,
    text: String,
    /// Whether there are half-precision types.
    has_half: bool,
}

enum Ty {
    /// Including its qualifiers.
    Base(String),
    Pointer(Box<Ty>, &'static str),
    /// `&` or `&&`
    Reference(Box<Ty>, &'static str),
    Array(Box<Ty>, usize),
    /// An array without a length.
    Open(Box<Ty>),
    Func(Box<Ty>, Vec<Ty>, bool),
}

impl Ty {
    /// The declaration of `name`.
    fn declare(&self, name: &str) -> String {
        match self {
            Ty::Base(text) => format!("{text} {name}"),
            Ty::Pointer(to, quals) => {
                let inner = format!("*{quals} {name}");
                match **to {
                    Ty::Array(..) | Ty::Open(_) | Ty::Func(..) => to.declare(&format!("({inner})")),
                    Ty::Base(_) | Ty::Pointer(..) | Ty::Reference(..) => to.declare(&inner),
                }
            }
            Ty::Reference(to, sign) => match **to {
                Ty::Array(..) | Ty::Open(_) | Ty::Func(..) => to.declare(&format!("({sign}{name})")),
                Ty::Base(_) | Ty::Pointer(..) | Ty::Reference(..) => to.declare(&format!("{sign}{name}")),
            },
            Ty::Array(elem, len) => elem.declare(&format!("{name}[{len}]")),
            Ty::Open(elem) => elem.declare(&format!("{name}[]")),
            Ty::Func(ret, params, variadic) => {
                let mut list: Vec<String> = params.iter().map(|param| param.declare("")).collect();
                list.extend(variadic.then(|| "...".to_owned()));
                ret.declare(&format!("{name}({})", list.join(", ")))
            }
        }
    }
}

impl Generator {
    fn function(&mut self, idx: usize) {
        // Now and then enough for two-digit substitutions.
        let n_params = if self.random.once_in(12) { 30 } else { self.random.below(8) };
        let mut head = *self.random.of(&[
            "__global__",
            "extern \"C\" __device__",
            "extern \"C\" __global__",
            "inline __device__ __noinline__",
            "__attribute__((weak)) __device__",
            "__device__",
            "__device__",
            "__device__",
            "__host__ __device__",
        ]);
        let is_kernel = head.ends_with("__global__");
        let mut params: Vec<Ty> = (0..n_params).map(|_| self.param(MAX_DEPTH)).collect();
        if is_kernel {
            params.retain(|ty| !matches!(ty, Ty::Base(name) if name == "va_list"));
            params.retain(|ty| !matches!(ty, Ty::Reference(_, "&&")));
        }
        // Some share a name, and differ in a parameter.
        let is_overload = !head.starts_with("extern") && self.random.once_in(5);
        let is_operator = is_overload && !is_kernel && self.random.once_in(2);
        if is_operator {
            params = vec![self.operand()];
        }
        if is_overload {
            params.push(Ty::Pointer(Box::new(Ty::Array(Box::new(Ty::Base("char".to_owned())), idx + 1)), ""));
        }
        let named: Vec<String> =
            params.iter().enumerate().map(|(idx, ty)| ty.declare(&format!("p{idx}"))).collect();
        // The result is not part of the name; `extern "C"` functions must not return a C++ type.
        let mut ret = Ty::Base(if is_kernel { "void" } else { "int" }.to_owned());
        if head.ends_with("__device__") && self.random.once_in(4) {
            let to = self.pointee(2);
            ret = Ty::Pointer(Box::new(to), "");
        }
        // Kernels on the oldest GPUs do not support as many parameters, or variadic arguments.
        let more = if is_kernel || is_operator || !self.random.once_in(8) {
            ""
        } else if named.is_empty() {
            head = "__device__";
            "..."
        } else {
            ", ..."
        };
        let long = if self.random.once_in(16) { "_with$a$longer$name_".repeat(9) } else { String::new() };
        let name = match (is_operator, is_overload) {
            (true, _) => format!("operator{}", self.random.of(&OPERATORS)),
            (false, true) => "name_shared".to_owned(),
            (false, false) => format!("name_{idx}{long}"),
        };
        let list = named.join(", ");
        let declared = ret.declare(&format!("{name}({list}{more})"));
        // Each block adds to `a`, so that neither compiler drops a variable.
        let mut body = "volatile int a = 0;".to_owned();
        let n_blocks = if self.random.once_in(20) { 14 } else { self.random.below(4) };
        // Enough with the same name for two-digit numbers, or several names.
        let names: &[&str] =
            if n_blocks > 4 { &["x"] } else { &["x", "count", "x", "count", "h\u{f6}he", "$"] };
        for _ in 0..n_blocks {
            let name = *self.random.of(names);
            let storage =
                *self.random.of(&["__shared__", "static __device__", "static __device__", "static"]);
            let _ = write!(body, " {{ {storage} volatile int {name}; {name} = a; a = {name} + 1; }}");
        }
        let result = match &ret {
            Ty::Pointer(..) => " return 0;",
            _ if is_kernel => "",
            _ => " return a;",
        };
        // An inline function is only kept if something uses it.
        let address = if head.starts_with("inline") {
            let ty = ret.declare(&format!("(*name_p{idx})({list}{more})"));
            format!(" __device__ {ty} = {name};")
        } else {
            String::new()
        };
        let (open, close) = self.namespace();
        let _ = writeln!(self.text, "{open}{head} {declared} {{ {body}{result} }}{address}{close}");
    }

    /// A file-scope variable.
    fn variable(&mut self, idx: usize) {
        let spaces = [
            "__device__",
            "__constant__",
            "__shared__",
            "extern \"C\" { __device__",
            "inline __device__",
            "__attribute__((weak)) __device__",
        ];
        let space = *self.random.of(&spaces);
        let close = if space.contains('{') { " }" } else { "" };
        let ty = Ty::Pointer(Box::new(self.pointee(3)), "").declare(&format!("name_v{idx}"));
        let init = if space == "__shared__" { "" } else { " = 0" };
        let (open, end) = self.namespace();
        let _ = writeln!(self.text, "{open}{space} {ty}{init};{close}{end}");
    }

    /// What precedes and follows a declaration, so that it is one of a namespace now and then.
    fn namespace(&mut self) -> (String, String) {
        if !self.random.once_in(3) {
            return (String::new(), String::new());
        }
        let open = *self.random.of(&NAMESPACES);
        (format!("{open} "), " }".repeat(open.matches('{').count()))
    }

    /// What a function that is an operator has for its first parameter.
    fn operand(&mut self) -> Ty {
        let ty = Ty::Base(
            (*self.random.of(&["P", "const P", "E", "U", "float4", "ns::E", "ns::in::P"])).to_owned(),
        );
        match self.random.below(3) {
            0 => ty,
            1 => Ty::Reference(Box::new(ty), "&"),
            _ => Ty::Reference(Box::new(ty), "&&"),
        }
    }

    /// What a reference refers to.
    fn referred(&mut self, depth: usize) -> Ty {
        loop {
            match self.pointee(depth) {
                Ty::Base(name) if name.ends_with("void") => {}
                to => return to,
            }
        }
    }

    /// A parameter type.
    fn param(&mut self, depth: usize) -> Ty {
        match self.random.below(14) {
            12 | 13 => {
                let sign = *self.random.of(&["&", "&", "&&"]);
                Ty::Reference(Box::new(self.referred(depth.saturating_sub(1))), sign)
            }
            0 => Ty::Array(Box::new(self.object(depth.saturating_sub(1))), 1 + self.random.below(9)),
            1 => self.func(depth.saturating_sub(1)),
            2 => Ty::Base(
                (*self.random.of(&["handler", "fn", "pair", "fns", "va_list", "returns"])).to_owned(),
            ),
            _ => self.object(depth),
        }
    }

    /// A complete object type that is not an array.
    fn object(&mut self, depth: usize) -> Ty {
        if depth == 0 || self.random.once_in(3) {
            return self.base();
        }
        let to = self.pointee(depth - 1);
        let to_object = match &to {
            Ty::Base(name) => !matches!(name.as_str(), "fn" | "returns"),
            Ty::Func(..) => false,
            Ty::Pointer(..) | Ty::Reference(..) | Ty::Array(..) | Ty::Open(_) => true,
        };
        // `restrict` cannot qualify a pointer to a function.
        let quals: &[&str] = if to_object {
            &["", "", "", " const", " volatile", " const volatile", " __restrict__", " const __restrict__"]
        } else {
            &["", "", " const", " volatile"]
        };
        let quals = *self.random.of(quals);
        Ty::Pointer(Box::new(to), quals)
    }

    fn pointee(&mut self, depth: usize) -> Ty {
        if depth == 0 {
            return self.base();
        }
        match self.random.below(10) {
            9 => Ty::Open(Box::new(self.object(depth - 1))),
            0 => Ty::Array(Box::new(self.object(depth - 1)), 1 + self.random.below(20)),
            1 => {
                let inner = Ty::Array(Box::new(self.object(depth - 1)), 1 + self.random.below(3));
                Ty::Array(Box::new(inner), 2)
            }
            2 => self.func(depth - 1),
            3 => Ty::Base(format!("{}void", self.quals())),
            4 => Ty::Base(format!("{}Forward", self.quals())),
            5 => {
                let names =
                    ["row", "const row", "fn", "pair", "const volatile pair", "fns", "returns", "va_list"];
                Ty::Base((*self.random.of(&names)).to_owned())
            }
            _ => self.object(depth),
        }
    }

    fn func(&mut self, depth: usize) -> Ty {
        let ret = if depth == 0 || self.random.once_in(3) {
            Ty::Base("void".to_owned())
        } else if self.random.once_in(5) {
            Ty::Reference(Box::new(self.referred(depth - 1)), "&")
        } else {
            self.object(depth - 1)
        };
        let n_params = self.random.below(4);
        let params = (0..n_params).map(|_| match depth.checked_sub(2) {
            Some(depth) if self.random.once_in(3) => self.param(depth),
            _ => self.object(depth.saturating_sub(1)),
        });
        let params = params.collect();
        Ty::Func(Box::new(ret), params, self.random.once_in(6))
    }

    fn base(&mut self) -> Ty {
        let name = match self.random.below(6) {
            0 | 1 => *self.random.of(&TAGGED),
            2 if self.has_half => *self.random.of(&HALF_TYPES),
            _ => *self.random.of(&SCALARS),
        };
        Ty::Base(format!("{}{name}", self.quals()))
    }

    fn quals(&mut self) -> &'static str {
        self.random.of::<&str>(&["", "", "", "", "const ", "volatile ", "const volatile "])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_decides() {
        assert_eq!(source(7, 40), source(7, 40));
        assert_ne!(source(7, 40), source(8, 40));
    }

    #[test]
    fn symbols_are_those_that_are_declared() {
        let ptx = "\
.visible .func  (.param .b32 func_retval0) _Z6name_0i(
\t.param .b32 _Z6name_0i_param_0
.global .align 4 .u32 _ZZ6name_0iE1x = 1;
.visible .const .align 4 .u32 name_v0;
\t.shared .align 4 .u32 _ZZ6name_0iE1x_0;
\tcall.uni _Z5otherv, ();
\tld.global.u32 %r1, [_ZZ6name_0iE1y];
";
        let expected = ["_Z6name_0i", "_ZZ6name_0iE1x", "_ZZ6name_0iE1x_0", "name_v0"];
        assert!(symbols(ptx).iter().map(String::as_str).eq(expected));
    }
}
