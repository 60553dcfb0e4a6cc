//! The leaves of a type: every number in it, how C writes it from 64-bit words and reads it back, and the
//! expected result.
//!
//! A leaf takes one word; a 128-bit integer takes two. The expected result is computed here from the words,
//! without any compiler: the value, truncated to the leaf's bits, and extended by its sign. In a union only
//! one member can hold a value: the one with the most bits.

use super::model::{Member, Record, Scalar, ScalarKind, Ty, Unit};

/// A number in a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// The expression that accesses it: `p0.a[1].x`.
    pub path: String,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Bool,
    /// The number of bits, whether they are signed, and the type as written.
    Int(u32, bool, String),
    F32,
    F64,
    Half,
    Bfloat,
    /// The type as written.
    Pointer(String),
    /// The first and the last enumerator.
    Enum([(String, i64); 2]),
}

/// The leaves of a value of the type, in order.
pub fn leaves(unit: &Unit, ty: &Ty, path: &str) -> Vec<Leaf> {
    let mut found = Vec::new();
    collect(unit, ty, path, None, &mut found);
    found
}

fn collect(unit: &Unit, ty: &Ty, path: &str, width: Option<u32>, found: &mut Vec<Leaf>) {
    let mut leaf = |kind: Kind| found.push(Leaf { path: path.to_owned(), kind });
    match ty {
        Ty::Void => {}
        Ty::Scalar(scalar) => leaf(of_scalar(*scalar, width)),
        Ty::Enum(tag) => {
            let list = unit.enumeration(tag).map_or(&[][..], |own| &own.enumerators);
            if let (Some(first), Some(last)) = (list.first(), list.last()) {
                leaf(Kind::Enum([first.clone(), last.clone()]));
            }
        }
        Ty::Vector(vector) => {
            for name in ["x", "y", "z", "w"].iter().take(vector.n as usize) {
                collect(unit, &Ty::Scalar(vector.element), &format!("{path}.{name}"), None, found);
            }
        }
        Ty::Pointer(..) => leaf(Kind::Pointer(ty.declare(""))),
        Ty::Record(tag) => {
            if let Some(record) = unit.record(tag) {
                of_record(unit, record, path, found);
            }
        }
        Ty::Anonymous(record) => of_record(unit, record, path, found),
        Ty::Array(element, n) => {
            (0..*n).for_each(|idx| collect(unit, element, &format!("{path}[{idx}]"), None, found));
        }
    }
}

fn of_record(unit: &Unit, record: &Record, path: &str, found: &mut Vec<Leaf>) {
    let member = |member: &Member| {
        let mut own = Vec::new();
        match (&member.ty, &member.name) {
            (Ty::Anonymous(_), _) => collect(unit, &member.ty, path, None, &mut own),
            (_, Some(name)) => collect(unit, &member.ty, &format!("{path}.{name}"), member.width, &mut own),
            (_, None) => {}
        }
        own
    };
    let members = record.members.iter().map(member);
    if record.is_union {
        let n_bits = |own: &Vec<Leaf>| own.iter().map(Leaf::n_bits).sum::<u32>();
        // The first of the widest members.
        let mut widest: Vec<Leaf> = Vec::new();
        for own in members {
            if n_bits(&own) > n_bits(&widest) {
                widest = own;
            }
        }
        found.extend(widest);
    } else {
        found.extend(members.flatten());
    }
}

fn of_scalar(scalar: Scalar, width: Option<u32>) -> Kind {
    match scalar.kind {
        ScalarKind::Bool => Kind::Bool,
        ScalarKind::Int(bits, signed) => Kind::Int(width.unwrap_or(bits), signed, scalar.name.to_owned()),
        ScalarKind::F32 => Kind::F32,
        ScalarKind::F64 => Kind::F64,
        ScalarKind::Half => Kind::Half,
        ScalarKind::Bfloat => Kind::Bfloat,
    }
}

impl Leaf {
    fn n_bits(&self) -> u32 {
        match &self.kind {
            Kind::Bool => 1,
            Kind::Int(bits, ..) => *bits,
            Kind::F32 => 32,
            Kind::F64 | Kind::Pointer(_) => 64,
            Kind::Half | Kind::Bfloat => 16,
            Kind::Enum(_) => 32,
        }
    }

    /// Whether its type has 128 bits: then it takes two words, even for a narrow bit-field.
    fn is_wide(&self) -> bool {
        matches!(&self.kind, Kind::Int(_, _, ty) if ty.contains("__int128"))
    }

    /// The number of its words.
    pub fn n_words(&self) -> usize {
        if self.is_wide() { 2 } else { 1 }
    }

    /// The statement that sets it from the words of `in` at `at`.
    pub fn set(&self, at: usize) -> String {
        let (path, word) = (&self.path, format!("in[{at}]"));
        match &self.kind {
            Kind::Bool => format!("{path} = ({word} & 1) != 0;"),
            Kind::Int(_, _, ty) if self.is_wide() => {
                format!("{path} = ({ty})((unsigned __int128)in[{}] << 64 | {word});", at + 1)
            }
            Kind::Int(_, _, ty) => format!("{path} = ({ty}){word};"),
            Kind::F32 => format!("{path} = __int_as_float((int){word});"),
            Kind::F64 => format!("{path} = __longlong_as_double((long long){word});"),
            Kind::Half => format!("{path} = __ushort_as_half((unsigned short){word});"),
            Kind::Bfloat => format!("{path} = __ushort_as_bfloat16((unsigned short){word});"),
            Kind::Pointer(ty) => format!("{path} = ({ty}){word};"),
            Kind::Enum([(first, _), (last, _)]) => format!("{path} = ({word} & 1) ? {last} : {first};"),
        }
    }

    /// The statements that write its value to the words of `out` at `at`.
    pub fn write_out(&self, at: usize) -> String {
        let path = &self.path;
        match &self.kind {
            Kind::Int(..) if self.is_wide() => format!(
                "out[{at}] = (unsigned long long)(__int128){path}; out[{}] = (unsigned long long)((__int128){path} >> 64);",
                at + 1
            ),
            Kind::Bool | Kind::Int(..) | Kind::Pointer(_) => {
                format!("out[{at}] = (unsigned long long){path};")
            }
            Kind::Enum(_) => format!("out[{at}] = (unsigned long long)(long long){path};"),
            Kind::F32 => format!("out[{at}] = (unsigned int)__float_as_int({path});"),
            Kind::F64 => format!("out[{at}] = (unsigned long long)__double_as_longlong({path});"),
            Kind::Half => format!("out[{at}] = __half_as_ushort({path});"),
            Kind::Bfloat => format!("out[{at}] = __bfloat16_as_ushort({path});"),
        }
    }

    /// The expected output words after the value was set from `words`.
    pub fn expected(&self, words: &[u64]) -> Vec<u64> {
        let low = words.first().copied().unwrap_or_default();
        match &self.kind {
            Kind::Bool => vec![low & 1],
            Kind::Int(bits, signed, _) => {
                let high = words.get(1).filter(|_| self.is_wide()).copied().unwrap_or_default();
                let value = u128::from(high) << 64 | u128::from(low);
                let unused = 128 - bits;
                let value = if *signed {
                    ((value << unused) as i128 >> unused) as u128
                } else {
                    value << unused >> unused
                };
                let halves = [value as u64, (value >> 64) as u64];
                halves[..self.n_words()].to_vec()
            }
            Kind::F32 => vec![low & 0xffff_ffff],
            Kind::Half | Kind::Bfloat => vec![low & 0xffff],
            Kind::F64 | Kind::Pointer(_) => vec![low],
            Kind::Enum(ends) => vec![ends[usize::from(low & 1 != 0)].1 as u64],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conformance::parse::parse;

    fn of(text: &str) -> Vec<Leaf> {
        let unit = parse(text).expect("the text is right");
        leaves(&unit, &unit.functions[0].params[0], "p")
    }

    #[test]
    fn every_number_is_a_leaf() {
        let found =
            of("struct S { char a[2]; short2 v; struct { int : 3; bool b; }; }; __device__ void f(S s);");
        let paths: Vec<&str> = found.iter().map(|leaf| leaf.path.as_str()).collect();
        assert_eq!(paths, ["p.a[0]", "p.a[1]", "p.v.x", "p.v.y", "p.b"]);
    }

    #[test]
    fn of_a_union_the_widest_member_holds_the_value() {
        let found = of("union U { char c; int i[2]; double d; }; __device__ void f(U u);");
        assert_eq!(found.iter().map(|leaf| leaf.path.as_str()).collect::<Vec<_>>(), ["p.i[0]", "p.i[1]"]);
    }

    #[test]
    fn values_are_cut_and_extended() {
        let expected = |text: &str, words: &[u64]| of(text)[0].expected(words);
        assert_eq!(expected("__device__ void f(signed char c);", &[0x1ff]), [u64::MAX]);
        assert_eq!(expected("__device__ void f(unsigned char c);", &[0x1ff]), [0xff]);
        assert_eq!(expected("struct S { int b : 3; }; __device__ void f(S s);", &[4]), [-4_i64 as u64]);
        assert_eq!(expected("__device__ void f(__int128 i);", &[1, 2]), [1, 2]);
        assert_eq!(
            expected("struct S { __int128 b : 70; }; __device__ void f(S s);", &[5, 0x20]),
            [5, -32_i64 as u64]
        );
        assert_eq!(expected("enum E { A = -3, B = 9 }; __device__ void f(E e);", &[2]), [-3_i64 as u64]);
    }
}
