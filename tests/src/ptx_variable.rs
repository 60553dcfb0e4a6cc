//! The variables that a PTX text defines in global and constant memory, with their values.
//!
//! In: PTX of either compiler. Out: [`Variable`]s: size, alignment, and a [`Cell`] for each byte, so that it
//! does not matter whether a compiler writes words, bytes, or bytes of an address. Without an initial value
//! all bytes are zero. Omitted: `.extern` declarations, and shared and local memory, which have no initial
//! values.
//!
//! Compilers name internal entities differently: [`own_name`] is the common part of such names; string
//! literals are compared by their bytes.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use crate::Failure;
use crate::ptx_prototype::tokens;

/// A variable of a PTX text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// `.global` or `.const`, without the dot.
    pub space: String,
    /// Whether it is external.
    pub shown: bool,
    /// The alignment in bytes.
    pub align: u64,
    /// Its value, byte by byte.
    pub cells: Vec<Cell>,
}

/// A byte of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// A value.
    Byte(u8),
    /// A byte of an address.
    Address {
        /// The symbol.
        symbol: String,
        /// Whether it is a generic address, rather than one in the symbol's state space.
        generic: bool,
        /// The number added to it.
        addend: i64,
        /// The index of the byte in the sum, from the lowest.
        idx: usize,
    },
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cell::Byte(value) => write!(f, "{value:02x}"),
            Cell::Address { symbol, generic, addend, idx } => {
                let kind = if *generic { "generic " } else { "" };
                write!(f, "({kind}{symbol}{addend:+})[{idx}]")
            }
        }
    }
}

/// Parses all variables of a PTX text, by name.
///
/// # Errors
///
/// PTX in another form than that of either compiler.
pub fn parse(ptx: &str) -> Result<BTreeMap<String, Variable>, Failure> {
    let mut reader = Reader { tokens: tokens(ptx), at: 0 };
    let mut found = BTreeMap::new();
    let mut depth = 0_usize;
    while let Some(token) = reader.next() {
        match token {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            ".global" | ".const" if depth == 0 => {
                let linkage = reader.at.checked_sub(2).and_then(|at| reader.tokens.get(at)).copied();
                let shown = matches!(linkage, Some(".visible" | ".weak" | ".common"));
                let (name, variable) = reader.variable(token, shown)?;
                if linkage != Some(".extern") {
                    found.insert(name, variable);
                }
            }
            _ => {}
        }
    }
    Ok(found)
}

/// The source name in the name of an internal entity: `_ZL1v` and `__nv_static_18__030ac9c7_4_a_cu_i_v` are
/// both `static v`. Other names are unchanged.
pub fn own_name(symbol: &str) -> String {
    own_part(symbol).map_or_else(|| symbol.to_owned(), |name| format!("static {name}"))
}

fn own_part(symbol: &str) -> Option<&str> {
    if let Some(rest) = symbol.strip_prefix("__nv_static_") {
        let (len, rest) = rest.split_once('_')?;
        return rest.get(len.parse().ok()?..)?.strip_prefix('_');
    }
    let sourced = match symbol.strip_prefix("_ZN") {
        Some(nested) => nested.split_once("_INTERNAL_").and_then(|(len, rest)| {
            // The length includes `_INTERNAL_`.
            rest.get(len.parse::<usize>().ok()?.checked_sub("_INTERNAL_".len())?..)
        }),
        None => symbol.strip_prefix("_ZL"),
    }?;
    let digits = sourced.find(|c: char| !c.is_ascii_digit())?;
    sourced[digits..].get(..sourced[..digits].parse().ok()?)
}

/// Compares the variables of two texts: each external variable of either must be in both, equal in state
/// space, size, alignment and every byte; so must internal ones with the same name.
///
/// # Errors
///
/// Every variable at which they differ.
pub fn compare(
    expected: &BTreeMap<String, Variable>,
    actual: &BTreeMap<String, Variable>,
) -> Result<usize, Failure> {
    let (expected_names, actual_names) = (by_own_name(expected), by_own_name(actual));
    let mut n_compared = 0;
    let mut failure = String::new();
    for (name, wanted) in &expected_names {
        // Writing to a `String` cannot fail.
        let _ = match actual_names.get(name) {
            Some(got) => {
                n_compared += 1;
                match difference((wanted, expected), (got, actual)) {
                    Some(difference) => writeln!(failure, "{name}: {difference}"),
                    None => Ok(()),
                }
            }
            None if wanted.shown => writeln!(failure, "{name} is missing"),
            None => Ok(()),
        };
    }
    for (name, _) in actual_names.iter().filter(|(name, v)| v.shown && !expected_names.contains_key(*name)) {
        let _ = writeln!(failure, "{name} is not expected");
    }
    if failure.is_empty() { Ok(n_compared) } else { Err(failure) }
}

/// All variables except string literals, which have no own name.
fn by_own_name(variables: &BTreeMap<String, Variable>) -> BTreeMap<String, &Variable> {
    let named = variables.iter().filter(|(name, _)| !is_string(name));
    named.map(|(name, variable)| (own_name(name), variable)).collect()
}

fn is_string(name: &str) -> bool {
    name.starts_with("$str")
}

type Side<'v> = (&'v Variable, &'v BTreeMap<String, Variable>);

/// The difference of two variables; `expected` first.
fn difference((wanted, expected): Side<'_>, (got, actual): Side<'_>) -> Option<String> {
    let head = |v: &Variable| (v.space.clone(), v.shown, v.align, v.cells.len());
    if head(wanted) != head(got) {
        let describe = |v: &Variable| {
            let shown = if v.shown { "visible" } else { "internal" };
            format!(".{} {shown}, {} bytes, alignment {}", v.space, v.cells.len(), v.align)
        };
        return Some(format!("expected {}; actual {}", describe(wanted), describe(got)));
    }
    let differs = |(_, (a, b)): &(usize, (&Cell, &Cell))| !same_cell((a, expected), (b, actual));
    let (at, (a, b)) = wanted.cells.iter().zip(&got.cells).enumerate().find(differs)?;
    let row = |v: &Variable| v.cells.iter().map(Cell::to_string).collect::<Vec<_>>().join(" ");
    Some(format!("byte {at}: expected {a}; actual {b}\n  expected {}\n  actual   {}", row(wanted), row(got)))
}

type CellSide<'v> = (&'v Cell, &'v BTreeMap<String, Variable>);

fn same_cell((wanted, expected): CellSide<'_>, (got, actual): CellSide<'_>) -> bool {
    match (wanted, got) {
        (
            Cell::Address { symbol, generic, addend, idx },
            Cell::Address { symbol: symbol_2, generic: generic_2, addend: addend_2, idx: idx_2 },
        ) => {
            let same_place = (generic, addend, idx) == (generic_2, addend_2, idx_2);
            same_place
                && match (expected.get(symbol), actual.get(symbol_2)) {
                    (Some(a), Some(b)) if is_string(symbol) => {
                        is_string(symbol_2) && difference((a, expected), (b, actual)).is_none()
                    }
                    _ => own_name(symbol) == own_name(symbol_2),
                }
        }
        (Cell::Byte(a), Cell::Byte(b)) => a == b,
        (Cell::Byte(_), Cell::Address { .. }) | (Cell::Address { .. }, Cell::Byte(_)) => false,
    }
}

struct Reader<'p> {
    tokens: Vec<&'p str>,
    at: usize,
}

impl<'p> Reader<'p> {
    fn peek(&self) -> &'p str {
        self.tokens.get(self.at).copied().unwrap_or("")
    }

    fn next(&mut self) -> Option<&'p str> {
        let token = self.tokens.get(self.at).copied();
        self.at += usize::from(token.is_some());
        token
    }

    fn eat(&mut self, wanted: &str) -> bool {
        let found = self.peek() == wanted;
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, wanted: &str) -> Result<(), Failure> {
        if self.eat(wanted) {
            Ok(())
        } else {
            Err(format!("PTX: `{wanted}` expected, `{}` found", self.peek()))
        }
    }

    /// `.global .attribute(.managed) .align 8 .u64 t[4] = {1, generic(a)+4};`, after the state space.
    fn variable(&mut self, space: &str, shown: bool) -> Result<(String, Variable), Failure> {
        let (mut align, mut ty) = (None, "");
        while self.peek().starts_with('.') {
            match self.next().unwrap_or("") {
                ".align" => align = self.next().and_then(|n| n.parse().ok()),
                ".attribute" => while self.next().is_some_and(|token| token != ")") {},
                directive => ty = directive,
            }
        }
        let name = self.next().ok_or("PTX: a variable without a name")?.to_owned();
        let located = |e: Failure| format!("{name}: {e}");
        let width = width(ty).map_err(located)?;
        let mut len = 1;
        while self.eat("[") {
            let n = if self.peek() == "]" { "0" } else { self.next().unwrap_or("") };
            len *= n.parse::<usize>().map_err(|_| located(format!("PTX: `{n}` is no length")))?;
            self.expect("]").map_err(located)?;
        }
        let mut cells = Vec::new();
        if self.eat("=") {
            let list = self.eat("{");
            while !self.eat("}") {
                self.element(width, &mut cells).map_err(located)?;
                if !list {
                    break;
                }
                self.eat(",");
            }
        }
        if cells.len() > len * width {
            return Err(located(format!("PTX: {} bytes in {}", cells.len(), len * width)));
        }
        cells.resize(len * width, Cell::Byte(0));
        self.expect(";").map_err(located)?;
        let space = space[1..].to_owned();
        Ok((name, Variable { space, shown, align: align.unwrap_or(width as u64), cells }))
    }

    /// A number, an address, or one byte of an address, after its mask.
    fn element(&mut self, width: usize, cells: &mut Vec<Cell>) -> Result<(), Failure> {
        let negative = self.eat("-");
        let token = self.next().unwrap_or("");
        let mask = hexadecimal(token).filter(|_| self.peek() == "(");
        if let Some(mask) = mask {
            self.expect("(")?;
            let first = self.next().unwrap_or("");
            let address = self.address(first)?;
            self.expect(")")?;
            cells.push(address_cell(&address, (mask.trailing_zeros() / 8) as usize));
        } else if token.starts_with(|c: char| c.is_ascii_digit()) {
            let value = number(token).ok_or_else(|| format!("PTX: `{token}` is not a number"))?;
            let value = if negative { value.wrapping_neg() } else { value };
            cells.extend(value.to_le_bytes().into_iter().take(width).map(Cell::Byte));
        } else {
            let address = self.address(token)?;
            cells.extend((0..width).map(|idx| address_cell(&address, idx)));
        }
        Ok(())
    }

    /// `symbol+4` or `generic(symbol)+4`, after the first token.
    fn address(&mut self, first: &str) -> Result<(String, bool, i64), Failure> {
        let generic = first == "generic" && self.eat("(");
        let symbol = if generic { self.next().unwrap_or("") } else { first }.to_owned();
        if generic {
            self.expect(")")?;
        }
        let sign = if self.eat("+") { 1 } else { -i64::from(self.eat("-")) };
        let addend = match sign {
            0 => 0,
            _ => {
                // `+-3` adds a negative number.
                let sign = if self.eat("-") { -sign } else { sign };
                let token = self.next().unwrap_or("");
                sign * token.parse::<i64>().map_err(|_| format!("PTX: `{token}` is not a number"))?
            }
        };
        Ok((symbol, generic, addend))
    }
}

fn address_cell((symbol, generic, addend): &(String, bool, i64), idx: usize) -> Cell {
    Cell::Address { symbol: symbol.clone(), generic: *generic, addend: *addend, idx }
}

/// Decimal, hexadecimal, or the bits of a float.
fn number(token: &str) -> Option<u128> {
    match token.get(..2) {
        Some("0f" | "0d" | "0F" | "0D") => u128::from_str_radix(&token[2..], 16).ok(),
        _ => hexadecimal(token).or_else(|| token.parse().ok()),
    }
}

fn hexadecimal(token: &str) -> Option<u128> {
    let digits = token.strip_prefix("0x").or_else(|| token.strip_prefix("0X"))?;
    u128::from_str_radix(digits, 16).ok()
}

/// The size of a fundamental type in bytes; opaque ones (`.texref` …) have none.
fn width(ty: &str) -> Result<usize, Failure> {
    match ty {
        ".b8" | ".u8" | ".s8" => Ok(1),
        ".b16" | ".u16" | ".s16" | ".f16" => Ok(2),
        ".b32" | ".u32" | ".s32" | ".f32" => Ok(4),
        ".b64" | ".u64" | ".s64" | ".f64" => Ok(8),
        ".b128" => Ok(16),
        ".texref" | ".samplerref" | ".surfref" => Ok(0),
        _ => Err(format!("PTX: `{ty}` is not a type of a variable")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: &str = ".visible .global .align 8 .u64 t[3] = {1, generic(a)+4, f};\n\
        .visible .const .align 4 .f32 g = 0f3FC00000;\n.extern .global .align 4 .u32 a;\n\
        .visible .global .align 1 .b8 z[2];\n.func f() { .reg .b32 %r; }\n";

    #[test]
    fn words_and_bytes_are_the_same() {
        let words = parse(WORDS).expect("PTX");
        assert_eq!(words.keys().collect::<Vec<_>>(), ["g", "t", "z"]);
        assert_eq!(words["g"].cells, [0, 0, 0xc0, 0x3f].map(Cell::Byte));
        assert_eq!(words["t"].cells[9].to_string(), "(generic a+4)[1]");
        let mask = |address: &str| -> String {
            let one = |idx: usize| format!("0xFF{}({address})", "00".repeat(idx));
            (0..8).map(one).collect::<Vec<_>>().join(", ")
        };
        let bytes = format!("{{1, 0, 0, 0, 0, 0, 0, 0, {}, {}}}", mask("generic(a)+4"), mask("f"));
        let bytes = WORDS.replace(".u64 t[3]", ".b8 t[24]").replace("{1, generic(a)+4, f}", &bytes);
        assert_eq!(compare(&words, &parse(&bytes).expect("PTX")), Ok(3));
    }

    #[test]
    fn every_difference_is_found() {
        let words = parse(WORDS).expect("PTX");
        let differs = |from: &str, to: &str, why: &str| {
            let failure = compare(&words, &parse(&WORDS.replace(from, to)).expect("PTX")).expect_err(why);
            assert!(failure.contains(why), "{failure}\nlacks `{why}`");
        };
        differs("{1,", "{2,", "t: byte 0: expected 01; actual 02");
        differs("(a)+4", "(a)+8", "byte 8");
        differs("(a)+4", "(b)+4", "byte 8");
        differs("generic(a)+4", "a+4", "byte 8");
        differs(".align 4 .f32", ".align 8 .f32", "alignment 8");
        differs(".const", ".global", "actual .global");
        differs("z[2]", "z[3]", "3 bytes");
        differs(" z[2]", " y[2]", "z is missing\ny is not expected");
        differs(".visible .const", ".const", "internal");
    }

    #[test]
    fn names_of_either_compiler_are_matched() {
        let theirs = parse(
            ".global .align 4 .u32 __nv_static_18__a903014c_4_c_cu_a_si = 7;\n\
             .global .align 1 .b8 $str$1[2] = {120};\n\
             .visible .global .align 8 .u64 p[2] = {generic($str$1), _ZN27_INTERNAL_a903014c_4_c_cu_a4sfunEi};",
        );
        let ours = ".global .align 4 .u32 _ZL2si = 7;\n.global .align 1 .b8 $str[2] = {120};\n\
                    .visible .global .align 8 .u64 p[2] = {generic($str), _ZL4sfuni};";
        let theirs = theirs.expect("PTX");
        assert_eq!(compare(&theirs, &parse(ours).expect("PTX")), Ok(2));
        for wrong in [ours.replace("120", "121"), ours.replace("sfun", "sfan"), ours.replace("= 7", "= 8")] {
            compare(&theirs, &parse(&wrong).expect("PTX")).expect_err("a difference");
        }
    }
}
