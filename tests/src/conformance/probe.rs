//! The sources that are compiled for a unit.
//!
//! - [`callee`] defines each function: it writes the leaves of its parameters to `weft_out`, and returns a value whose
//!   leaves it takes from `weft_in`. `given0_F` and so on take the same parameters, and use only one of them: the registers
//!   that ptxas has live at their start are that parameter's.
//! - [`caller`] has kernels that create the arguments from `weft_in`, call, and write the leaves of the result to
//!   `weft_out`: `call_F` calls by name, or through an address in an initialized variable of the caller. For a kernel `K` of
//!   the unit it has the kernel itself and `pack_K`, which writes the bytes of its arguments.
//! - [`layouts`] has functions that return sizes, alignments and offsets, and a kernel for each record that reports them,
//!   and the bytes of an object in which one bit-field after the other is all ones.
//!
//! [`Words`] describes the words: first those of the arguments, then those of the result.

use std::fmt::Write as _;

use super::leaves::{Leaf, leaves};
use super::model::{Member, Record, Signature, Ty, Unit};

/// The words of a call, in order: how each leaf of the arguments and of the result is written and read.
pub struct Words {
    /// The leaves of each parameter, then those of each variadic argument, with the index of their first
    /// word.
    pub arguments: Vec<Vec<(usize, Leaf)>>,
    /// The leaves of the result, named `r`.
    pub result: Vec<(usize, Leaf)>,
    /// The number of words.
    pub n: usize,
}

impl Words {
    /// The words of a signature. Parameters are named `p0`, `p1`, …; variadic arguments continue the
    /// numbering.
    pub fn of(unit: &Unit, signature: &Signature) -> Words {
        let mut n = 0;
        let mut number = |leaves: Vec<Leaf>| -> Vec<(usize, Leaf)> {
            let place = |leaf: Leaf| {
                n += leaf.n_words();
                (n - leaf.n_words(), leaf)
            };
            leaves.into_iter().map(place).collect()
        };
        let passed = signature.params.iter().chain(signature.variadic.iter().flatten());
        let arguments =
            passed.enumerate().map(|(idx, ty)| number(leaves(unit, ty, &format!("p{idx}")))).collect();
        let result = number(leaves(unit, &signature.returns, "r"));
        Words { arguments, result, n }
    }

    /// The expected content of `weft_out` after a call with these words in `weft_in`.
    pub fn expected(&self, input: &[u64]) -> Vec<u64> {
        let mut expected = vec![0; self.n];
        for (at, leaf) in self.arguments.iter().flatten().chain(&self.result) {
            let told = leaf.expected(&input[*at..at + leaf.n_words()]);
            expected[*at..at + told.len()].copy_from_slice(&told);
        }
        expected
    }

    /// The leaf that contains a word.
    pub fn leaf(&self, word: usize) -> Option<&str> {
        let mut all = self.arguments.iter().flatten().chain(&self.result);
        all.find(|(at, leaf)| (*at..at + leaf.n_words()).contains(&word)).map(|(_, leaf)| leaf.path.as_str())
    }
}

/// The beginning of each source.
fn prelude(unit: &Unit) -> String {
    let is_pair = |ty: &Ty| matches!(ty, Ty::Scalar(scalar) if scalar.name.contains("half"));
    let is_half = |ty: &Ty| is_pair(ty) || matches!(ty, Ty::Vector(vector) if vector.name == "__half2");
    let is_bfloat = |ty: &Ty| {
        matches!(ty, Ty::Scalar(scalar) if scalar.name == "__nv_bfloat16")
            || matches!(ty, Ty::Vector(vector) if vector.name == "__nv_bfloat162")
    };
    let names = |name: &str| {
        unit.functions.iter().flat_map(Signature::types).any(|ty| {
            ty.has(
                unit,
                &|ty| matches!(ty, Ty::Pointer(before, behind) if format!("{before}{behind}").contains(name)),
            )
        })
    };
    let has = |test: &dyn Fn(&Ty) -> bool| {
        unit.functions.iter().flat_map(Signature::types).any(|ty| ty.has(unit, test))
            || unit.records.iter().any(|record| Ty::Record(record.name.clone()).has(unit, test))
    };
    let mut text = String::new();
    for (header, is_needed) in [
        ("cuda_fp16.h", has(&is_half) || names("half")),
        ("cuda_bf16.h", has(&is_bfloat) || names("bfloat")),
        ("stdint.h", has(&|ty| matches!(ty, Ty::Scalar(scalar) if scalar.name.ends_with("_t")))),
        ("stdarg.h", unit.functions.iter().any(|function| function.variadic.is_some())),
    ] {
        if is_needed {
            text.push_str(&format!("#include <{header}>\n"));
        }
    }
    text + &unit.types()
}

/// Statements that create a variable of the type from words.
fn make(text: &mut String, ty: &Ty, name: &str, leaves: &[(usize, Leaf)]) {
    // Writing to a `String` cannot fail.
    let _ = writeln!(text, "    {};", ty.declare(name));
    for (at, leaf) in leaves {
        let _ = writeln!(text, "    {}", leaf.set(*at));
    }
}

fn write_leaves(text: &mut String, leaves: &[(usize, Leaf)]) {
    for (at, leaf) in leaves {
        let _ = writeln!(text, "    {}", leaf.write_out(*at));
    }
}

const POINTERS: &str =
    "    const unsigned long long *in = weft_in;\n    unsigned long long *out = weft_out;\n";

/// The parameters for which there are functions that use only one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// All parameters.
    Each,
    /// One parameter per function, which the number selects.
    One(u64),
}

impl Given {
    /// The selected parameters of the function with this index.
    pub fn params(self, idx: usize, signature: &Signature) -> Vec<usize> {
        let n = signature.params.len();
        if signature.is_kernel || signature.variadic.is_some() || n == 0 {
            return Vec::new();
        }
        match self {
            Given::Each => (0..n).collect(),
            Given::One(seed) => vec![(seed as usize).wrapping_add(idx) % n],
        }
    }
}

/// The source with the functions' definitions.
pub fn callee(unit: &Unit, given: Given) -> String {
    let mut text = prelude(unit);
    text.push_str("extern \"C\" { extern __device__ const unsigned long long *weft_in; extern __device__ unsigned long long *weft_out; }\n");
    for (idx, signature) in unit.functions.iter().enumerate().filter(|(_, signature)| !signature.is_kernel) {
        let words = Words::of(unit, signature);
        for param in given.params(idx, signature) {
            let name = format!("given{param}_{}", signature.name);
            let alone = Signature { name, is_c: true, returns: Ty::Void, ..signature.clone() };
            let _ = write!(text, "{}\n{{\n    unsigned long long *out = weft_out;\n", alone.declaration());
            write_leaves(&mut text, &words.arguments[param]);
            text.push_str("}\n");
        }
        let _ = write!(text, "{}\n{{\n{POINTERS}", signature.declaration());
        let n_params = signature.params.len();
        if let (Some(given), Some(last)) = (&signature.variadic, n_params.checked_sub(1)) {
            let _ = writeln!(text, "    va_list list;\n    va_start(list, p{last});");
            for (idx, ty) in given.iter().enumerate() {
                let declared = ty.declare(&format!("p{}", n_params + idx));
                let _ = writeln!(text, "    {declared} = va_arg(list, {});", ty.declare(""));
            }
            text.push_str("    va_end(list);\n");
        }
        words.arguments.iter().for_each(|leaves| write_leaves(&mut text, leaves));
        if signature.returns != Ty::Void {
            make(&mut text, &signature.returns, "r", &words.result);
            text.push_str("    return r;\n");
        }
        text.push_str("}\n");
    }
    text
}

/// The source with their calls, and with the kernels.
pub fn caller(unit: &Unit) -> String {
    let mut text = prelude(unit);
    text.push_str(
        "extern \"C\" { __device__ const unsigned long long *weft_in; __device__ unsigned long long *weft_out; }\n\
         extern \"C\" __global__ void weft_begin(const unsigned long long *in, unsigned long long *out)\n\
         {\n    weft_in = in;\n    weft_out = out;\n}\n",
    );
    for signature in &unit.functions {
        let words = Words::of(unit, signature);
        if signature.is_kernel {
            kernel(&mut text, signature, &words);
            continue;
        }
        let name = &signature.name;
        let _ = writeln!(text, "{};", signature.declaration());
        let is_through = is_called_through_pointer(unit, signature);
        if is_through {
            let _ = writeln!(text, "__device__ {} = {name};", signature.pointer(&format!("pointer_{name}")));
        }
        let _ = write!(text, "extern \"C\" __global__ void call_{name}(int through)\n{{\n{POINTERS}");
        let types = signature.params.iter().chain(signature.variadic.iter().flatten());
        for (idx, (ty, leaves)) in types.zip(&words.arguments).enumerate() {
            make(&mut text, ty, &format!("p{idx}"), leaves);
        }
        let arguments: Vec<String> = (0..words.arguments.len()).map(|idx| format!("p{idx}")).collect();
        let mut call = format!("{name}({})", arguments.join(", "));
        if is_through {
            call = format!("through ? pointer_{call} : {call}");
        }
        let _ = match &signature.returns {
            Ty::Void => writeln!(text, "    {call};"),
            ty => writeln!(text, "    {} = {call};", ty.declare("r")),
        };
        write_leaves(&mut text, &words.result);
        text.push_str("}\n");
    }
    text
}

/// Whether a function is called through a pointer, too. nvcc 13.5 crashes at calls through a pointer that
/// pass an `__int128` and a packed struct, and at some that pass three structs or more.
pub fn is_called_through_pointer(unit: &Unit, signature: &Signature) -> bool {
    let n_records = signature.params.iter().filter(|ty| matches!(ty, Ty::Record(_))).count();
    n_records <= 2 && !(signature.types().any(Ty::is_wide) && signature.types().any(|ty| ty.has_packed(unit)))
}

/// A kernel of the unit, and the one that writes the bytes of its arguments, one argument after the other.
fn kernel(text: &mut String, signature: &Signature, words: &Words) {
    let _ = write!(text, "{}\n{{\n{POINTERS}", signature.declaration());
    words.arguments.iter().for_each(|leaves| write_leaves(text, leaves));
    text.push_str("}\n");
    let name = &signature.name;
    let _ = write!(
        text,
        "extern \"C\" __global__ void pack_{name}(unsigned char *bytes)\n{{\n    \
         const unsigned long long *in = weft_in;\n    unsigned char *from;\n"
    );
    for (idx, (ty, leaves)) in signature.params.iter().zip(&words.arguments).enumerate() {
        make(text, ty, &format!("p{idx}"), leaves);
        let _ = writeln!(
            text,
            "    from = (unsigned char *)&p{idx};\n    \
             for (unsigned long n = 0; n < sizeof(p{idx}); n++) *bytes++ = from[n];"
        );
    }
    text.push_str("}\n");
}

/// The facts that a record's kernel reports, word by word: names for messages.
pub fn facts(record: &Record) -> Vec<String> {
    let mut facts = vec!["size".to_owned(), "alignment".to_owned()];
    each_member(record, &mut |member| {
        if let (Some(name), None) = (&member.name, member.width) {
            facts.push(format!("offset of `{name}`"));
        }
    });
    facts
}

/// The bit-fields of a record, whose bytes follow the facts.
pub fn bit_fields(record: &Record) -> Vec<String> {
    let mut names = Vec::new();
    each_member(record, &mut |member| {
        if let (Some(name), Some(_)) = (&member.name, member.width) {
            names.push(name.clone());
        }
    });
    names
}

/// Visits each member, including those of anonymous members.
fn each_member<'u>(record: &'u Record, f: &mut dyn FnMut(&'u Member)) {
    for member in &record.members {
        match &member.ty {
            Ty::Anonymous(inner) => each_member(inner, f),
            _ => f(member),
        }
    }
}

/// The source that reports layouts. A record of size S reports its facts in words, followed by S bytes for
/// each of its bit-fields.
pub fn layouts(unit: &Unit) -> String {
    let mut text = prelude(unit);
    for record in &unit.records {
        let tag = &record.name;
        let constant = |text: &mut String, what: &str, value: &str| {
            let _ = writeln!(
                text,
                "extern \"C\" __device__ unsigned long long {what}_{tag}() {{ return {value}; }}"
            );
        };
        constant(&mut text, "size", &format!("sizeof({tag})"));
        constant(&mut text, "alignment", &format!("alignof({tag})"));
        let mut body = format!("    out[0] = size_{tag}();\n    out[1] = alignment_{tag}();\n");
        let mut ones = String::new();
        let mut n = 2;
        each_member(record, &mut |member| match (&member.name, member.width) {
            (Some(name), None) => {
                let what = format!("offset_of_{name}");
                constant(&mut text, &what, &format!("__builtin_offsetof({tag}, {name})"));
                let _ = writeln!(body, "    out[{n}] = {what}_{tag}();");
                n += 1;
            }
            (Some(name), Some(_)) => {
                let value = match &member.ty {
                    Ty::Enum(tag) => format!("({tag})-1"),
                    ty => format!("({})-1", ty.declare("")),
                };
                let _ = writeln!(
                    ones,
                    "    for (unsigned long n = 0; n < sizeof(s); n++) own[n] = 0;\n    s.{name} = {value};\n    \
                     for (unsigned long n = 0; n < sizeof(s); n++) *bytes++ = own[n];"
                );
            }
            (None, _) => {}
        });
        let _ =
            write!(text, "extern \"C\" __global__ void layout_{tag}(unsigned long long *out)\n{{\n{body}");
        if !ones.is_empty() {
            let _ = write!(
                text,
                "    {tag} s;\n    unsigned char *own = (unsigned char *)&s;\n    \
                 unsigned char *bytes = (unsigned char *)(out + {n});\n{ones}"
            );
        }
        text.push_str("}\n");
    }
    text
}
