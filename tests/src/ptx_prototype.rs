//! The functions and kernels that a PTX text declares or defines, with their parameters.
//!
//! In: a PTX text of either compiler. Out: [`Prototype`]s, without their bodies. What the register
//! ABI depends on is kept: order, kind, size and alignment of each parameter, and the name of the
//! function. What it does not depend on is dropped: the names of parameters, `.ptr` attributes and
//! what they say of the pointee, performance directives.
//!
//! nvlink compares count, size and kind when it links, but not the alignment of aggregates, though
//! the register ABI depends on it. Hence this comparison.

use std::collections::BTreeMap;
use std::fmt;

use crate::Failure;

/// Function or kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// `.func`
    Func,
    /// `.entry`
    Entry,
}

/// Who sees the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Linkage {
    /// `.visible`: defined here, for others too.
    Visible,
    /// `.extern`: defined elsewhere.
    Extern,
    /// `.weak`, `.common`
    Weak,
    /// None of them: this text's own.
    Internal,
}

/// One parameter or returned value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Param {
    /// `b32`, `u64`, `b8` …, without the point.
    pub ty: String,
    /// The value of `.align`, if it is written.
    pub align: Option<u64>,
    /// None for a scalar; the number of elements of an array, which is none for `[]`.
    pub array: Option<Option<u64>>,
}

/// A function or kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prototype {
    /// Function or kernel.
    pub kind: Kind,
    /// Who sees it.
    pub linkage: Linkage,
    /// The symbol.
    pub name: String,
    /// What it returns: none or one.
    pub returns: Vec<Param>,
    /// What it takes, in order.
    pub params: Vec<Param>,
}

impl fmt::Display for Param {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(align) = self.align {
            write!(f, ".align {align} ")?;
        }
        write!(f, ".{}", self.ty)?;
        match self.array {
            None => Ok(()),
            Some(None) => write!(f, "[]"),
            Some(Some(n)) => write!(f, "[{n}]"),
        }
    }
}

impl fmt::Display for Prototype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |params: &[Param]| params.iter().map(Param::to_string).collect::<Vec<_>>().join(", ");
        let kind = match self.kind {
            Kind::Func => ".func",
            Kind::Entry => ".entry",
        };
        write!(f, "{kind} ({}) {} ({})", list(&self.returns), self.name, list(&self.params))
    }
}

/// Reads all prototypes of a PTX text, one a name; where a name is declared and defined, the
/// definition's.
///
/// # Errors
/// What is not PTX as either compiler writes it, and a name that is declared in two ways.
pub fn parse(ptx: &str) -> Result<Vec<Prototype>, Failure> {
    let mut parser = Parser { tokens: tokens(ptx), at: 0 };
    let mut found: BTreeMap<String, Prototype> = BTreeMap::new();
    while let Some(token) = parser.next() {
        match token {
            ".func" | ".entry" => {
                let kind = if token == ".func" { Kind::Func } else { Kind::Entry };
                let linkage = parser.linkage_before();
                let prototype = parser.prototype(kind, linkage)?;
                let earlier = found.get(&prototype.name);
                if let Some(earlier) = earlier.filter(|e| !same_abi(e, &prototype)) {
                    return Err(format!("declared in two ways:\n  {earlier}\n  {prototype}"));
                }
                if earlier.is_none_or(|e| e.linkage == Linkage::Extern || linkage != Linkage::Extern) {
                    found.insert(prototype.name.clone(), prototype);
                }
            }
            "{" => parser.skip_braces()?,
            _ => {}
        }
    }
    Ok(found.into_values().collect())
}

fn same_abi(a: &Prototype, b: &Prototype) -> bool {
    a.kind == b.kind && a.returns == b.returns && a.params == b.params
}

/// Compares what two texts show to others: the visible and extern functions of `expected` must
/// stand in `actual` with the same prototype, and `actual` shows nothing that `expected` has not.
///
/// An extern function that one side has optimised away is no difference.
///
/// # Errors
/// Every name at which they differ.
pub fn compare(expected: &[Prototype], actual: &[Prototype]) -> Result<usize, Failure> {
    let by_name = |list: &[Prototype]| -> BTreeMap<String, Prototype> {
        let shown = list.iter().filter(|p| p.linkage != Linkage::Internal);
        shown.map(|p| (p.name.clone(), p.clone())).collect()
    };
    let (expected, actual) = (by_name(expected), by_name(actual));
    let mut n_compared = 0;
    let mut message = String::new();
    for (name, wanted) in &expected {
        match actual.get(name) {
            Some(got) if same_abi(wanted, got) && wanted.linkage == got.linkage => n_compared += 1,
            Some(got) => message.push_str(&format!(
                "{name} differs:\n  expected {:?} {wanted}\n  actual   {:?} {got}\n",
                wanted.linkage, got.linkage
            )),
            None if wanted.linkage == Linkage::Extern => {}
            None => message.push_str(&format!("{name} is missing:\n  expected {wanted}\n")),
        }
    }
    for (name, got) in &actual {
        if !expected.contains_key(name) && got.linkage != Linkage::Extern {
            message.push_str(&format!("{name} is not expected:\n  actual   {got}\n"));
        }
    }
    if message.is_empty() { Ok(n_compared) } else { Err(message) }
}

/// Words, directives with their point, and single characters; comments and strings left out.
fn tokens(ptx: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '%');
    let mut tokens = Vec::new();
    let mut rest = ptx;
    while let Some(c) = rest.chars().next() {
        let len = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |at| at + 2)
        } else if c == '"' {
            rest[1..].find('"').map_or(rest.len(), |at| at + 2)
        } else if is_word(c) || c == '.' {
            let tail = &rest[1..];
            let len = 1 + tail.find(|c: char| !is_word(c)).unwrap_or(tail.len());
            tokens.push(&rest[..len]);
            len
        } else {
            let len = c.len_utf8();
            if !c.is_whitespace() {
                tokens.push(&rest[..len]);
            }
            len
        };
        rest = &rest[len..];
    }
    tokens
}

struct Parser<'p> {
    tokens: Vec<&'p str>,
    at: usize,
}

impl<'p> Parser<'p> {
    fn peek(&self) -> Option<&'p str> {
        self.tokens.get(self.at).copied()
    }

    fn next(&mut self) -> Option<&'p str> {
        let token = self.peek();
        self.at += usize::from(token.is_some());
        token
    }

    fn expect(&mut self, wanted: &str) -> Result<(), Failure> {
        match self.next() {
            Some(token) if token == wanted => Ok(()),
            other => Err(format!("PTX: `{wanted}` expected, `{}` found", other.unwrap_or("the end"))),
        }
    }

    fn eat(&mut self, wanted: &str) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    /// The linking directive that stands before the token just read.
    fn linkage_before(&self) -> Linkage {
        match self.at.checked_sub(2).and_then(|at| self.tokens.get(at)).copied() {
            Some(".visible") => Linkage::Visible,
            Some(".extern") => Linkage::Extern,
            Some(".weak" | ".common") => Linkage::Weak,
            Some(_) | None => Linkage::Internal,
        }
    }

    fn prototype(&mut self, kind: Kind, linkage: Linkage) -> Result<Prototype, Failure> {
        // `.func .attribute(.unified(1, 2)) (returns) name (params)`
        if self.eat(".attribute") {
            self.expect("(")?;
            while !self.eat(")") {
                self.next().ok_or("PTX: an attribute without an end")?;
            }
        }
        let returns = if self.eat("(") { self.params()? } else { Vec::new() };
        let name = self.next().ok_or("PTX: a function without a name")?.to_owned();
        let params = if self.eat("(") { self.params()? } else { Vec::new() };
        Ok(Prototype { kind, linkage, name, returns, params })
    }

    /// Parameters up to and with the `)`.
    fn params(&mut self) -> Result<Vec<Param>, Failure> {
        let mut params = Vec::new();
        while !self.eat(")") {
            params.push(self.param()?);
            if !self.eat(",") && self.peek() != Some(")") {
                return Err(format!(
                    "PTX: `,` or `)` expected, `{}` found",
                    self.peek().unwrap_or("the end")
                ));
            }
        }
        Ok(params)
    }

    fn param(&mut self) -> Result<Param, Failure> {
        let mut align = None;
        let mut ty = None;
        let mut of_pointee = false;
        while let Some(directive) = self.peek().filter(|token| token.starts_with('.')) {
            self.at += 1;
            match directive {
                ".param" | ".reg" | ".global" | ".const" | ".shared" | ".local" => {}
                ".ptr" => of_pointee = true,
                ".align" => {
                    let value = self.number()?;
                    if !of_pointee {
                        align = Some(value);
                    }
                }
                _ => ty = Some(directive[1..].to_owned()),
            }
        }
        self.next().ok_or("PTX: a parameter without a name")?;
        let array = if self.eat("[") {
            let n = if self.peek() == Some("]") { None } else { Some(self.number()?) };
            self.expect("]")?;
            Some(n)
        } else {
            None
        };
        Ok(Param { ty: ty.ok_or("PTX: a parameter without a type")?, align, array })
    }

    fn number(&mut self) -> Result<u64, Failure> {
        let token = self.next().unwrap_or("the end");
        token.parse().map_err(|_| format!("PTX: a number expected, `{token}` found"))
    }

    /// Goes behind the `}` of a `{` just read.
    fn skip_braces(&mut self) -> Result<(), Failure> {
        let mut depth = 1;
        while depth > 0 {
            match self.next().ok_or("PTX: `{` without `}`")? {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
.version 6.3 // .func comment
.extern .func  (.param .b32 func_retval0) ext
(
	.param .b32 ext_param_0,
	.param .align 8 .b8 ext_vararg[]
)
;
.visible .const .align 4 .b8 tab[16] = {1, 0, 0, 0};
.visible .func  (.param .align 1 .b8 func_retval0[3]) _Z1f1S(
	.param .align 1 .b8 _Z1f1S_param_0[3]
)
{
	prototype_0 : .callprototype (.param .b32 _) _ (.param .b32 _);
	{ .reg .b32 temp; }
}
.func own() { ret; }
.visible .entry k(
	.param .u64 .ptr .global .align 16 k_param_0,
	.param .u8 k_param_1
)
.maxntid 128, 1, 1
{
}
"#;

    fn lines(ptx: &str) -> Vec<String> {
        let prototypes = parse(ptx).expect("well formed");
        prototypes.iter().map(|p| format!("{:?} {p}", p.linkage)).collect()
    }

    #[test]
    fn prototypes_are_read() {
        assert_eq!(
            lines(TEXT),
            [
                "Visible .func (.align 1 .b8[3]) _Z1f1S (.align 1 .b8[3])",
                "Extern .func (.b32) ext (.b32, .align 8 .b8[])",
                "Visible .entry () k (.u64, .u8)",
                "Internal .func () own ()",
            ]
        );
    }

    #[test]
    fn a_declaration_and_its_definition_are_one() {
        let ptx = ".extern .func f(.param .b32 a);\n.visible .func f(.param .b32 b) { ret; }";
        assert_eq!(lines(ptx), ["Visible .func () f (.b32)"]);
        let ptx = ".visible .func f(.param .b32 b);\n.visible .func f(.param .b64 b) { ret; }";
        assert!(parse(ptx).is_err());
    }

    #[test]
    fn broken_text_is_refused() {
        for ptx in [".func f(.param .b32 a", ".func f(.param a)", ".func (.b8 r[x]) f()", "{ { }", ".func"] {
            assert!(parse(ptx).is_err(), "{ptx}");
        }
    }

    /// Each fault that the register ABI would turn into a wrong value is found.
    #[test]
    fn every_fault_is_found() {
        let right =
            ".visible .func (.param .align 16 .b8 r[16]) f(.param .b32 a, .param .align 4 .b8 b[16]) {}";
        let expected = parse(right).expect("well formed");
        assert_eq!(compare(&expected, &expected), Ok(1));
        for (from, to) in [
            (".align 4 .b8 b", ".align 8 .b8 b"),
            (".align 16 .b8 r", ".align 4 .b8 r"),
            (".align 4 .b8 b", ".b8 b"),
            ("b[16]", "b[12]"),
            ("b[16]", "b"),
            (".b32 a", ".u32 a"),
            (".b32 a", ".b64 a"),
            (".param .b32 a, ", ""),
            ("(.param .align 16 .b8 r[16]) ", ""),
            (" f(", " _Z1f("),
            (".func", ".entry"),
            (".visible ", ""),
            (".visible", ".weak"),
            (".visible", ".extern"),
        ] {
            let wrong = right.replacen(from, to, 1);
            assert_ne!(wrong, right, "{from}");
            let actual = parse(&wrong).expect("well formed");
            assert!(compare(&expected, &actual).is_err(), "{from} -> {to} was not found");
        }
        let swapped =
            ".visible .func (.param .align 16 .b8 r[16]) f(.param .align 4 .b8 b[16], .param .b32 a) {}";
        assert!(compare(&expected, &parse(swapped).expect("well formed")).is_err());
        let more = format!("{right}\n.visible .func g() {{}}");
        assert!(compare(&expected, &parse(&more).expect("well formed")).is_err());
    }
}
