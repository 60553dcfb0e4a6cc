//! Random units: types of every kind, and signatures with them.
//!
//! Structs and unions nest, have bit-fields of every type, arrays, vectors, halves, pointers and enums, and
//! every mix of packing and alignment that nvcc accepts; some are empty. Functions take up to twelve
//! parameters, return every kind of type, and some are variadic. The same seed gives the same unit.

use super::model::{Enum, Member, Record, SCALARS, Scalar, ScalarKind, Signature, Ty, Unit, VECTORS, Vector};
use crate::random::Random;

/// The maximum number of parameters.
const MAX_PARAMS: usize = 12;
/// The maximum size of a struct, in bytes.
const MAX_SIZE: u32 = 384;
/// The maximum size of all parameters; for kernels, every PTX version supports this.
const MAX_TOTAL: u32 = 3500;
/// The maximum nesting of anonymous structs and unions.
const MAX_DEPTH: u32 = 2;
/// The number of `SCALARS` that are not alternative spellings; integers come first.
const N_INTEGERS: usize = 14;
const N_SCALARS: usize = 21;

const ALIGNMENTS: [u32; 12] = [1, 2, 4, 4, 8, 8, 16, 16, 16, 32, 64, 128];
const PACKS: [u32; 5] = [1, 2, 4, 8, 16];

/// A unit with this number of functions.
pub fn unit(seed: u64, n_functions: usize) -> Unit {
    let mut generator = Generator { random: Random::new(seed), unit: Unit::default(), n_members: 0 };
    generator.enums();
    for idx in 0..6 + n_functions / 5 {
        let record = generator.record(idx);
        generator.unit.records.push(record);
    }
    for idx in 0..n_functions {
        let function = generator.function(idx);
        generator.unit.functions.push(function);
    }
    generator.unit
}

struct Generator {
    random: Random,
    unit: Unit,
    /// Member names are unique, since those of anonymous records belong to the outer record.
    n_members: usize,
}

/// The packing and alignment of a record. nvcc lays out other mixes differently for the device and the host,
/// and rejects them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// Not packed; members may be, and may have alignments.
    Natural,
    /// `packed`; members may have alignments.
    Packed,
    /// `packed` and `aligned`.
    PackedAligned,
    /// Under `#pragma pack`.
    Pragma,
}

/// Whether current headers give a type constructors.
fn has_constructor(ty: &Ty) -> bool {
    matches!(ty, Ty::Vector(vector) if vector.is_pair_of_halves()) || is_half(ty)
}

fn is_half(ty: &Ty) -> bool {
    matches!(ty, Ty::Scalar(scalar) if matches!(scalar.kind, ScalarKind::Half | ScalarKind::Bfloat))
}

/// An upper bound of a type's size, in bytes.
fn bound(unit: &Unit, ty: &Ty) -> u32 {
    match ty {
        Ty::Void => 0,
        Ty::Scalar(scalar) => match scalar.kind {
            ScalarKind::Bool => 1,
            ScalarKind::Int(bits, _) => bits / 8,
            ScalarKind::F32 => 4,
            ScalarKind::F64 => 8,
            ScalarKind::Half | ScalarKind::Bfloat => 2,
        },
        Ty::Enum(_) => 4,
        Ty::Pointer(..) => 8,
        Ty::Vector(vector) => vector.n * bound(unit, &Ty::Scalar(vector.element)),
        Ty::Array(element, n) => n * bound(unit, element),
        Ty::Record(tag) => unit.record(tag).map_or(0, |record| record_bound(unit, record)),
        Ty::Anonymous(record) => record_bound(unit, record),
    }
}

fn record_bound(unit: &Unit, record: &Record) -> u32 {
    let padded = |size: u32, align: u32| size.next_multiple_of(align.max(16));
    let members = record.members.iter();
    let sizes = members.map(|member| padded(bound(unit, &member.ty), written_alignment(&member.attributes)));
    padded(sizes.sum::<u32>().max(1), record_alignment(unit, record))
}

fn written_alignment(attributes: &str) -> u32 {
    let number = attributes.split("aligned(").nth(1).and_then(|rest| rest.split(')').next());
    number.and_then(|number| number.parse().ok()).unwrap_or(1)
}

fn record_alignment(unit: &Unit, record: &Record) -> u32 {
    let of = |ty: &Ty| alignment(unit, ty);
    let members =
        record.members.iter().map(|member| written_alignment(&member.attributes).max(of(&member.ty)));
    members.max().unwrap_or(1).max(written_alignment(&record.attributes))
}

/// An upper bound of a type's alignment, by its attributes.
fn alignment(unit: &Unit, ty: &Ty) -> u32 {
    match ty {
        Ty::Record(tag) => unit.record(tag).map_or(1, |record| record_alignment(unit, record)),
        Ty::Anonymous(record) => record_alignment(unit, record),
        Ty::Array(element, _) => alignment(unit, element),
        Ty::Void | Ty::Scalar(_) | Ty::Enum(_) | Ty::Pointer(..) | Ty::Vector(_) => 1,
    }
}

impl Generator {
    fn enums(&mut self) {
        for (idx, underlying) in
            [None, None, Some("short"), Some("unsigned char"), Some("long long")].iter().enumerate()
        {
            let least = if *underlying == Some("unsigned char") || idx == 0 {
                0
            } else {
                -1 - self.random.below(99) as i64
            };
            let most = 1 + self.random.below(100) as i64;
            self.unit.enums.push(Enum {
                name: format!("E{idx}"),
                underlying: underlying.map(str::to_owned),
                enumerators: vec![(format!("LEAST{idx}"), least), (format!("MOST{idx}"), most)],
            });
        }
    }

    fn record(&mut self, idx: usize) -> Record {
        let style = *self.random.of(&[
            Style::Natural,
            Style::Natural,
            Style::Natural,
            Style::Packed,
            Style::PackedAligned,
            Style::Pragma,
        ]);
        let is_union = self.random.once_in(6);
        let is_empty = self.random.once_in(40);
        let mut record = self.body(is_union, style, 0, is_empty);
        record.name = format!("S{idx}");
        record.pack = (style == Style::Pragma).then(|| *self.random.of(&PACKS));
        record
    }

    fn body(&mut self, is_union: bool, style: Style, depth: u32, is_empty: bool) -> Record {
        let attributes = self.of_record(style);
        let mut record =
            Record { is_union, name: String::new(), attributes, members: Vec::new(), pack: None };
        let n_members = if is_empty { 0 } else { 1 + self.random.below(6) };
        let is_plain = is_union || style != Style::Natural;
        for _ in 0..n_members {
            let member = match self.random.below(10) {
                0..3 => self.bit_field(style, is_union),
                3 if depth < MAX_DEPTH => self.anonymous(style, depth),
                _ => self.member(style, is_plain),
            };
            record.members.push(member);
            if record_bound(&self.unit, &record) > MAX_SIZE {
                record.members.pop();
            }
        }
        if record.members.is_empty() && (depth > 0 || !is_empty) {
            record.members.push(self.plain("int"));
        }
        record
    }

    fn plain(&mut self, ty: &'static str) -> Member {
        let ty = Scalar::named(ty).map_or(Ty::Void, Ty::Scalar);
        Member { ty, name: Some(self.name()), width: None, attributes: String::new() }
    }

    fn name(&mut self) -> String {
        self.n_members += 1;
        format!("m{}", self.n_members)
    }

    fn of_record(&mut self, style: Style) -> String {
        let align = *self.random.of(&ALIGNMENTS);
        match style {
            Style::Natural | Style::Pragma if self.random.once_in(4) => {
                format!("__attribute__((aligned({align})))")
            }
            Style::Natural | Style::Pragma => String::new(),
            Style::Packed => "__attribute__((packed))".to_owned(),
            Style::PackedAligned => format!("__attribute__((packed, aligned({align})))"),
        }
    }

    /// The attributes of a member that is not a bit-field.
    fn of_member(&mut self, style: Style, may_be_packed: bool) -> String {
        let mut list = Vec::new();
        if style != Style::Pragma && may_be_packed && self.random.once_in(16) {
            list.push("packed".to_owned());
        }
        if matches!(style, Style::Natural | Style::Packed) && self.random.once_in(12) {
            list.push(format!("aligned({})", self.random.of(&ALIGNMENTS)));
        }
        if list.is_empty() { String::new() } else { format!("__attribute__(({}))", list.join(", ")) }
    }

    fn bit_field(&mut self, style: Style, is_union: bool) -> Member {
        let (ty, bits, least) = if self.random.once_in(8) {
            // Wide enough for the enumerators, and no wider than the smallest underlying type.
            (Ty::Enum(format!("E{}", self.random.below(2))), 32, 8)
        } else {
            let scalar = SCALARS[self.random.below(N_INTEGERS)];
            let bits = match scalar.kind {
                ScalarKind::Int(bits, _) => bits,
                _ => 1,
            };
            (Ty::Scalar(scalar), bits, 1)
        };
        let is_enum = least == 8;
        let width = least + self.random.below((bits + 1 - least) as usize) as u32;
        let unnamed = |width| (None, Some(width), String::new());
        let (name, width, attributes) = match self.random.below(10) {
            0 if style == Style::Natural && !is_union => unnamed(0),
            1 if style != Style::Pragma && !is_enum => unnamed(width),
            _ => {
                let attributes = match self.random.below(24) {
                    0 if style != Style::Pragma => "__attribute__((packed))".to_owned(),
                    1 if style == Style::Natural => "__attribute__((aligned(16)))".to_owned(),
                    _ => String::new(),
                };
                (Some(self.name()), Some(width), attributes)
            }
        };
        Member { ty, name, width, attributes }
    }

    fn anonymous(&mut self, style: Style, depth: u32) -> Member {
        let inner = match style {
            Style::Pragma => Style::Pragma,
            Style::Natural | Style::Packed | Style::PackedAligned => {
                *self.random.of(&[Style::Natural, Style::Packed, Style::PackedAligned])
            }
        };
        let is_union = self.random.once_in(2);
        // A type with a constructor cannot be in a union.
        let mut record = self.body(is_union, inner, depth + 1, false);
        let unit = &self.unit;
        record.members.retain(|member| !member.ty.has(unit, &has_constructor));
        if record.members.is_empty() {
            record.members.push(self.plain("char"));
        }
        Member { ty: Ty::Anonymous(Box::new(record)), name: None, width: None, attributes: String::new() }
    }

    fn member(&mut self, style: Style, is_plain: bool) -> Member {
        let mut ty = self.ty(self.unit.records.len());
        while is_plain && ty.has(&self.unit, &has_constructor) {
            ty = self.ty(0);
        }
        if self.random.once_in(5) && !matches!(&ty, Ty::Pointer(_, after) if !after.is_empty()) {
            for _ in 0..1 + self.random.below(2) {
                ty = Ty::Array(Box::new(ty), 1 + self.random.below(3) as u32);
            }
        }
        let may_be_packed = !ty.has(&self.unit, &has_constructor);
        let name = self.name();
        Member { name: Some(name), width: None, attributes: self.of_member(style, may_be_packed), ty }
    }

    /// The type of a member or parameter; structs are among the first `n_records`.
    fn ty(&mut self, n_records: usize) -> Ty {
        match self.random.below(20) {
            0..8 => Ty::Scalar(SCALARS[self.random.below(N_SCALARS)]),
            8 => Ty::Enum(format!("E{}", self.random.below(self.unit.enums.len()))),
            9..11 => self.pointer(),
            11..14 => self.vector(),
            14 => {
                let names = ["cudaTextureObject_t", "cudaSurfaceObject_t", "size_t", "uint8_t", "int64_t"];
                Scalar::named(self.random.of::<&str>(&names)).map_or(Ty::Void, Ty::Scalar)
            }
            _ if n_records == 0 => Ty::Scalar(SCALARS[self.random.below(16)]),
            _ => Ty::Record(self.unit.records[self.random.below(n_records)].name.clone()),
        }
    }

    fn vector(&mut self) -> Ty {
        let (name, ..) = *self.random.of(VECTORS);
        Vector::named(name).map_or(Ty::Void, Ty::Vector)
    }

    fn pointer(&mut self) -> Ty {
        let to = SCALARS[self.random.below(16)].name;
        let (before, after) = match self.random.below(8) {
            0 => ("void *".to_owned(), ""),
            1 => (format!("const {to} *"), ""),
            2 => (format!("{to} **"), ""),
            3 => (format!("{to} (*"), ")[3]"),
            4 => (format!("{to} (*"), ")(int, const char *)"),
            5 => ("void (*".to_owned(), ")(float, ...)"),
            6 if !self.unit.records.is_empty() => {
                let idx = self.random.below(self.unit.records.len());
                (format!("{} *", self.unit.records[idx].name), "")
            }
            _ => (format!("{to} *"), ""),
        };
        Ty::Pointer(before, after.to_owned())
    }

    fn function(&mut self, idx: usize) -> Signature {
        let is_kernel = self.random.once_in(8);
        let n_params =
            if self.random.once_in(3) { self.random.below(MAX_PARAMS + 1) } else { self.random.below(5) };
        let mut total = 0;
        let mut params = Vec::new();
        for _ in 0..n_params {
            let ty = self.ty(self.unit.records.len());
            let size = bound(&self.unit, &ty).next_multiple_of(16);
            if total + size <= MAX_TOTAL {
                total += size;
                params.push(ty);
            }
        }
        let returns = if is_kernel || self.random.once_in(8) { Ty::Void } else { self.returned() };
        let variadic = (!is_kernel && !params.is_empty() && self.random.once_in(10)).then(|| {
            let n = self.random.below(7);
            (0..n).map(|_| self.variadic_type()).collect()
        });
        // The last named parameter of a variadic function must have a promoted type.
        if let (Some(_), Some(last)) = (&variadic, params.last_mut()) {
            *last = Scalar::named("int").map_or(Ty::Void, Ty::Scalar);
        }
        let name = format!("{}{idx}x", if is_kernel { "k" } else { "f" });
        Signature { name, is_c: self.random.once_in(3), is_kernel, returns, params, variadic }
    }

    /// A return type, without a part after the function's name.
    fn returned(&mut self) -> Ty {
        loop {
            let ty = self.ty(self.unit.records.len());
            if !matches!(&ty, Ty::Pointer(_, after) if !after.is_empty()) {
                return ty;
            }
        }
    }

    /// A variadic argument's type: unchanged by promotion, and trivially copyable. Without `__int128`: nvcc
    /// 13.5 fails at `va_arg` of one, and of a struct with one, with an error or a segmentation fault. Not
    /// packed: nvcc's functions look for those elsewhere than nvcc's calls put them.
    fn variadic_type(&mut self) -> Ty {
        const PROMOTED: [&str; 8] = [
            "int",
            "unsigned int",
            "long",
            "unsigned long",
            "long long",
            "unsigned long long",
            "double",
            "double",
        ];
        loop {
            let ty = match self.random.below(8) {
                0..4 => Scalar::named(self.random.of::<&str>(&PROMOTED)).map_or(Ty::Void, Ty::Scalar),
                4 => self.pointer(),
                5 => self.vector(),
                _ => Ty::Record(self.unit.records[self.random.below(self.unit.records.len())].name.clone()),
            };
            let is_excluded = |ty: &Ty| has_constructor(ty) || ty.is_wide();
            if !ty.has(&self.unit, &is_excluded) && !ty.has_packed(&self.unit) {
                return ty;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conformance::parse::parse;

    #[test]
    fn the_seed_decides() {
        assert_eq!(unit(7, 40), unit(7, 40));
        assert_ne!(unit(7, 40), unit(8, 40));
    }

    #[test]
    fn printed_signatures_round_trip() {
        for seed in 0..20 {
            let made = unit(seed, 60);
            let text = made.to_string();
            let read = parse(&text).expect("what is printed can be read");
            for (line, again) in text.lines().zip(read.to_string().lines()) {
                assert_eq!(line, again);
            }
            assert!(read == made, "the texts are the same, and the values are not, for seed {seed}");
        }
    }

    #[test]
    fn every_kind_of_type_occurs() {
        let text: String = (0..8).map(|seed| unit(seed, 250).to_string()).collect();
        let shapes =
            SCALARS[..N_SCALARS].iter().map(|scalar| scalar.name).chain(VECTORS.iter().map(|v| v.0)).chain([
                "union S",
                " union ",
                "__global__",
                "extern \"C\"",
                "...",
                " : 0;",
                "packed",
                "#pragma pack",
                "aligned(128)",
                "][",
                "{ }",
                ")[3]",
                "(*",
                "E2",
                "E3",
                "E4",
                "cudaTextureObject_t",
                "__int128 m",
                "E0 m",
            ]);
        for shape in shapes {
            assert!(text.contains(shape), "{shape}");
        }
    }

    #[test]
    fn up_to_twelve_parameters() {
        let most = (0..8).flat_map(|seed| unit(seed, 250).functions).map(|f| f.params.len()).max();
        assert_eq!(most, Some(MAX_PARAMS));
    }
}
