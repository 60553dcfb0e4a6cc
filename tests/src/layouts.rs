//! Random structs and unions, on whose layouts and bytes both compilers must agree.
//!
//! A file has records of scalars, arrays, pointers, bit-fields, earlier records and anonymous ones, with
//! every mix of `packed`, alignments and `#pragma pack`; for each one its size, its alignment, the offsets of
//! its members, and an object with values. The same seed gives the same file.

use std::fmt::Write as _;

use crate::directive::Machine;
use crate::random::Random;

/// The integer types with their width in bits, and whether they are signed.
const INTEGERS: [(&str, usize, bool); 16] = [
    ("bool", 1, false),
    ("char", 8, true),
    ("signed char", 8, true),
    ("unsigned char", 8, false),
    ("short", 16, true),
    ("unsigned short", 16, false),
    ("char16_t", 16, false),
    ("int", 32, true),
    ("unsigned", 32, false),
    ("wchar_t", 32, true),
    ("long", 64, true),
    ("unsigned long", 64, false),
    ("long long", 64, true),
    ("unsigned long long", 64, false),
    ("__int128", 128, true),
    ("unsigned __int128", 128, false),
];

const ALIGNMENTS: [usize; 6] = [1, 2, 4, 8, 16, 32];
const PACKS: [usize; 5] = [1, 2, 4, 8, 16];
const MAX_MEMBERS: usize = 8;
/// The maximum nesting of records.
const MAX_DEPTH: usize = 3;

const PRELUDE: &str = "\
enum Color { RED, GREEN, BLUE };
enum Small : short { LEAST = -7, MOST = 300 };
__device__ int target[4];
";

/// A file with `n_records` structs and unions.
pub fn source(seed: u64, n_records: usize, machine: Machine) -> String {
    let mut generator = Generator {
        random: Random::new(seed),
        text: PRELUDE.to_owned(),
        records: Vec::new(),
        n_members: 0,
        machine,
    };
    for idx in 0..n_records {
        generator.record(idx);
    }
    generator.text
}

struct Generator {
    random: Random,
    text: String,
    /// The values of an object of each record so far, in braces, and the record's nesting depth.
    records: Vec<(String, usize)>,
    /// Member names are unique, since those of anonymous records belong to the outer record.
    n_members: usize,
    machine: Machine,
}

/// The packing and alignment of a record. nvcc lays out other mixes differently for the device and the host,
/// and rejects them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Style {
    /// Not packed; members may be, and may have alignments.
    #[default]
    Natural,
    /// `packed`; members may have alignments.
    Packed,
    /// `packed` and `aligned`.
    PackedAligned,
    /// Under `#pragma pack`.
    Pragma,
}

/// The members of a record.
#[derive(Default)]
struct Body {
    style: Style,
    text: String,
    values: Vec<String>,
    /// The names of members with an offset.
    names: Vec<String>,
    depth: usize,
}

impl Generator {
    // Writing to a `String` cannot fail.
    fn record(&mut self, idx: usize) {
        let is_union = self.random.once_in(6);
        let style = self.style();
        let body = self.body(is_union, style, 1);
        let attributes = self.of_record(style);
        let pack = (style == Style::Pragma).then(|| *self.random.of(&PACKS));
        if let Some(pack) = pack {
            let _ = writeln!(self.text, "#pragma pack(push, {pack})");
        }
        let word = if is_union { "union" } else { "struct" };
        let (before, after) =
            if self.random.once_in(2) { (attributes, "".into()) } else { ("".into(), attributes) };
        let _ = writeln!(self.text, "{word}{before} R{idx} {{{} }}{after};", body.text);
        if pack.is_some() {
            self.text.push_str("#pragma pack(pop)\n");
        }
        let offsets: String =
            body.names.iter().map(|name| format!(", __builtin_offsetof(R{idx}, {name})")).collect();
        let values = format!("{{{}}}", body.values.join(", "));
        let _ = writeln!(
            self.text,
            "__device__ unsigned long layout{idx}[] = {{sizeof(R{idx}), alignof(R{idx}){offsets}}};\n\
             __device__ R{idx} object{idx} = {values};"
        );
        self.records.push((values, body.depth));
    }

    fn body(&mut self, is_union: bool, style: Style, depth: usize) -> Body {
        let mut body = Body { style, depth, ..Body::default() };
        for member_idx in 0..1 + self.random.below(MAX_MEMBERS) {
            let is_first = member_idx == 0;
            let n_values = body.values.len();
            match self.random.below(10) {
                // nvcc cannot initialize a bit-field of a union.
                0..4 if !(is_union && is_first) => self.bit_field(&mut body),
                4 if depth < MAX_DEPTH => self.anonymous(&mut body),
                5 if !self.records.is_empty() => self.nested(&mut body),
                _ => self.scalar(&mut body),
            }
            if is_union {
                body.values.truncate(n_values.max(1));
            }
        }
        body
    }

    fn style(&mut self) -> Style {
        *self.random.of(&[Style::Natural, Style::Natural, Style::Packed, Style::PackedAligned, Style::Pragma])
    }

    /// The attributes of a record.
    fn of_record(&mut self, style: Style) -> String {
        let align = *self.random.of(&ALIGNMENTS);
        match style {
            Style::Natural | Style::Pragma if self.random.once_in(3) => {
                format!(" __attribute__((aligned({align})))")
            }
            Style::Natural | Style::Pragma => String::new(),
            Style::Packed => " __attribute__((packed))".to_owned(),
            Style::PackedAligned => format!(" __attribute__((packed, aligned({align})))"),
        }
    }

    /// The attributes of a member, one time in `n` each.
    fn attributes(&mut self, style: Style, n: usize) -> String {
        let mut list = Vec::new();
        if style != Style::Pragma && self.random.once_in(n) {
            list.push("packed".to_owned());
        }
        if matches!(style, Style::Natural | Style::Packed) && self.random.once_in(n) {
            list.push(format!("aligned({})", self.random.of(&ALIGNMENTS)));
        }
        if list.is_empty() { String::new() } else { format!(" __attribute__(({}))", list.join(", ")) }
    }

    /// The attributes of a bit-field, whose alignment must not be below its type's unless it is packed.
    fn of_bit_field(&mut self, style: Style) -> String {
        match self.random.below(16) {
            0 if style != Style::Pragma => " __attribute__((packed))".to_owned(),
            1 if style == Style::Natural => " __attribute__((aligned(16)))".to_owned(),
            2 if style == Style::Packed => {
                format!(" __attribute__((aligned({})))", self.random.of(&ALIGNMENTS))
            }
            _ => String::new(),
        }
    }

    fn name(&mut self) -> String {
        self.n_members += 1;
        format!("m{}", self.n_members)
    }

    fn scalar(&mut self, body: &mut Body) {
        let (ty, value) = match self.random.below(8) {
            0 => ("float".into(), "-1.5f".into()),
            1 => ("double".into(), "2.25".into()),
            2 => ("int *".into(), (*self.random.of(self.addresses())).to_owned()),
            3 => ("Color".into(), "BLUE".into()),
            4 => ("Small".into(), (*self.random.of(&["LEAST", "MOST"])).to_owned()),
            _ => {
                let (ty, bits, signed) = self.integer_ty();
                (ty.to_owned(), self.integer(bits, signed))
            }
        };
        let name = self.name();
        let attributes = self.attributes(body.style, 10);
        let (dimension, value) = match self.random.below(4) {
            0 => ("[2]", format!("{{{value}, {value}}}")),
            1 => ("[2][1]", format!("{{{{{value}}}, {{{value}}}}}")),
            _ => ("", value),
        };
        let _ = write!(body.text, " {ty} {name}{dimension}{attributes};");
        body.values.push(value);
        body.names.push(name);
    }

    fn bit_field(&mut self, body: &mut Body) {
        let (ty, bits, signed, value) = match self.random.below(6) {
            0 => ("Color", 32, false, Some("GREEN")),
            _ => {
                let (ty, bits, signed) = self.integer_ty();
                (ty, bits, signed, None)
            }
        };
        match self.random.below(8) {
            0 if body.style == Style::Natural => {
                let _ = write!(body.text, " {ty} : 0;");
            }
            1 if body.style != Style::Pragma => {
                let _ = write!(body.text, " {ty} : {};", 1 + self.random.below(bits));
            }
            _ => {
                let least = if value.is_some() { 3 } else { 1 };
                let width = least + self.random.below(bits + 1 - least);
                let (name, attributes) = (self.name(), self.of_bit_field(body.style));
                let _ = write!(body.text, " {ty} {name} : {width}{attributes};");
                let value = value.map_or_else(|| self.integer(width, signed), str::to_owned);
                body.values.push(value);
            }
        }
    }

    fn anonymous(&mut self, body: &mut Body) {
        let is_union = self.random.once_in(2);
        let style = match body.style {
            Style::Pragma => Style::Pragma,
            _ => *self.random.of(&[Style::Natural, Style::Packed, Style::PackedAligned]),
        };
        let inner = self.body(is_union, style, body.depth + 1);
        let word = if is_union { "union" } else { "struct" };
        let attributes = self.of_record(style);
        let _ = write!(body.text, " {word}{attributes} {{{} }};", inner.text);
        body.values.push(format!("{{{}}}", inner.values.join(", ")));
        body.names.extend(inner.names);
    }

    fn nested(&mut self, body: &mut Body) {
        let idx = self.random.below(self.records.len());
        let (values, depth) = self.records[idx].clone();
        if depth >= MAX_DEPTH {
            return self.scalar(body);
        }
        body.depth = body.depth.max(depth + 1);
        let (name, attributes) = (self.name(), self.attributes(body.style, 10));
        let (dimension, values) =
            if self.random.once_in(4) { ("[2]", format!("{{{values}, {values}}}")) } else { ("", values) };
        let _ = write!(body.text, " R{idx} {name}{dimension}{attributes};");
        body.values.push(values);
        body.names.push(name);
    }

    /// Values of a pointer. After a 32-bit address cicc 13.5 omits padding, so that what follows is not where
    /// cicc itself says that it is (tests/ptx/padding_behind_addresses.src).
    fn addresses(&self) -> &'static [&'static str] {
        match self.machine {
            Machine::Bits64 => &["&target[1]", "target + 3", "nullptr"],
            Machine::Bits32 => &["nullptr"],
        }
    }

    /// A type with its width on the machine.
    fn integer_ty(&mut self) -> (&'static str, usize, bool) {
        let (ty, bits, signed) = *self.random.of(&INTEGERS);
        let is_narrow = self.machine == Machine::Bits32 && matches!(ty, "long" | "unsigned long");
        (ty, if is_narrow { 32 } else { bits }, signed)
    }

    /// A value of this number of bits.
    fn integer(&mut self, bits: usize, signed: bool) -> String {
        let magnitude_bits = bits - usize::from(signed);
        let draw = self.random.draw();
        let kept = magnitude_bits.min(62);
        let low = draw & ((1 << kept) - 1);
        let value =
            if magnitude_bits > 100 { format!("((__int128){low} << 60 | 5)") } else { low.to_string() };
        if signed && self.random.once_in(2) { format!("-{value}") } else { value }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_decides() {
        assert_eq!(source(5, 30, Machine::Bits64), source(5, 30, Machine::Bits64));
        assert_ne!(source(5, 30, Machine::Bits64), source(6, 30, Machine::Bits64));
    }

    #[test]
    fn every_shape_occurs() {
        let text = source(1, 100, Machine::Bits64);
        for shape in [
            "union R",
            " : 0;",
            "packed",
            "aligned",
            "pragma pack",
            " union {",
            " struct {",
            "__int128",
            "[2][1]",
            "Color m",
        ] {
            assert!(text.contains(shape), "{shape}");
        }
    }
}
