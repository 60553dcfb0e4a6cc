//! The functions and kernels that a PTX text declares or defines, with their parameters.
//!
//! In: PTX of either compiler. Out: [`Prototype`]s, without their bodies. They include what the register ABI
//! depends on: order, kind, size and alignment of each parameter, and the name of the function. Everything
//! else is dropped: the names of parameters, `.ptr` attributes, performance directives.
//!
//! Bodies are parsed for calls. The parameters that a call site declares must match those of the called
//! function, or of the `.callprototype` that it names; otherwise the text is rejected, since ptxas lays out
//! each side separately.
//!
//! nvlink compares the number, size and kind of parameters, but not the alignment of aggregates, which the
//! register ABI depends on. Hence this comparison.

use std::collections::{BTreeMap, BTreeSet};
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

/// The visibility of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Linkage {
    /// `.visible`: defined here, and visible to others.
    Visible,
    /// `.extern`: defined elsewhere.
    Extern,
    /// `.weak`, `.common`
    Weak,
    /// None of these: internal.
    Internal,
}

/// One parameter or returned value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Param {
    /// `b32`, `u64`, `b8` …, without the dot.
    pub ty: String,
    /// The value of `.align`, if present.
    pub align: Option<u64>,
    /// `None` for a scalar; otherwise the number of elements, which is `None` for `[]`.
    pub array: Option<Option<u64>>,
}

/// A function or kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prototype {
    /// Function or kernel.
    pub kind: Kind,
    /// Its visibility.
    pub linkage: Linkage,
    /// The symbol.
    pub name: String,
    /// The results: none or one.
    pub returns: Vec<Param>,
    /// The parameters, in order.
    pub params: Vec<Param>,
    /// The prototypes of indirect calls in its body: results and parameters.
    pub calls_through: BTreeSet<(Vec<Param>, Vec<Param>)>,
}

impl Param {
    /// Its size in bytes; `None` for an array without a length.
    pub fn size(&self) -> u64 {
        let bits: u64 = self.ty.trim_start_matches(|c: char| !c.is_ascii_digit()).parse().unwrap_or(0);
        bits / 8 * self.array.map_or(1, |n| n.unwrap_or(0))
    }
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
        let kind = match self.kind {
            Kind::Func => ".func",
            Kind::Entry => ".entry",
        };
        write!(f, "{kind} ({}) {} ({})", list(&self.returns), self.name, list(&self.params))?;
        for (returns, params) in &self.calls_through {
            write!(f, "\n    calls through ({}) _ ({})", list(returns), list(params))?;
        }
        Ok(())
    }
}

/// Parses all prototypes of a PTX text, one per name; a definition replaces a declaration.
///
/// # Errors
///
/// PTX in another form than that of either compiler, a name with conflicting declarations, and a call whose
/// arguments do not match its callee's parameters.
pub fn parse(ptx: &str) -> Result<Vec<Prototype>, Failure> {
    let mut parser = Parser { tokens: tokens(ptx), at: 0 };
    let mut found: BTreeMap<String, Prototype> = BTreeMap::new();
    let mut calls: Vec<Call> = Vec::new();
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
                let has_body = parser.at_body();
                if earlier.is_none() || has_body {
                    let name = prototype.name.clone();
                    found.insert(name.clone(), prototype);
                    if has_body {
                        let body = parser.body(&name)?;
                        calls.extend(body.calls);
                        if let Some(prototype) = found.get_mut(&name) {
                            prototype.calls_through = body.prototypes.into_values().collect();
                        }
                    }
                }
            }
            "{" => parser.skip_braces()?,
            _ => {}
        }
    }
    for call in &calls {
        if let Some(callee) = found.get(&call.callee) {
            call.check(&callee.returns, &callee.params)?;
        }
    }
    Ok(found.into_values().collect())
}

/// A direct call, with the parameters that the call site declares.
#[derive(Debug)]
struct Call {
    caller: String,
    callee: String,
    returns: Vec<Param>,
    params: Vec<Param>,
}

impl Call {
    fn check(&self, returns: &[Param], params: &[Param]) -> Result<(), Failure> {
        if passes(&self.returns, returns) && passes(&self.params, params) {
            return Ok(());
        }
        Err(format!(
            "{} calls {} with other parameters:\n  takes ({}) _ ({})\n  given ({}) _ ({})",
            self.caller,
            self.callee,
            list(returns),
            list(params),
            list(&self.returns),
            list(&self.params)
        ))
    }
}

/// Whether the call site's parameters match the callee's; an array without a size matches any, including
/// none.
fn passes(given: &[Param], taken: &[Param]) -> bool {
    let fits = |(given, taken): (&Param, &Param)| match taken.array {
        Some(None) => given.ty == taken.ty && given.align == taken.align && given.array.is_some(),
        Some(Some(_)) | None => given == taken,
    };
    let is_open = taken.last().is_some_and(|last| last.array == Some(None));
    let are_as_many = given.len() == taken.len() || is_open && given.len() + 1 == taken.len();
    are_as_many && given.iter().zip(taken).all(fits)
}

fn list(params: &[Param]) -> String {
    params.iter().map(Param::to_string).collect::<Vec<_>>().join(", ")
}

fn same_abi(a: &Prototype, b: &Prototype) -> bool {
    a.kind == b.kind && a.returns == b.returns && a.params == b.params
}

/// Compares the external functions of two texts: the visible and extern functions of `expected` must be in
/// `actual` with the same prototype, and `actual` must not have others.
///
/// An extern function that one side has optimized away is not a difference.
///
/// # Errors
///
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
            Some(got)
                if same_abi(wanted, got)
                    && wanted.linkage == got.linkage
                    && wanted.calls_through == got.calls_through =>
            {
                n_compared += 1;
            }
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

/// Words, directives with their dot, and single characters; without comments and strings.
pub(crate) fn tokens(ptx: &str) -> Vec<&str> {
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

/// The parsed part of a body.
#[derive(Debug, Default)]
struct Body {
    /// The parameters of call sites; those of each site precede its call.
    params: BTreeMap<String, Param>,
    prototypes: BTreeMap<String, (Vec<Param>, Vec<Param>)>,
    calls: Vec<Call>,
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

    /// The linking directive before the current token.
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
        Ok(Prototype { kind, linkage, name, returns, params, calls_through: BTreeSet::new() })
    }

    /// Parameters up to and including the `)`.
    fn params(&mut self) -> Result<Vec<Param>, Failure> {
        let mut params = Vec::new();
        while !self.eat(")") {
            params.push(self.named_param()?.1);
            if !self.eat(",") && self.peek() != Some(")") {
                return Err(format!(
                    "PTX: `,` or `)` expected, `{}` found",
                    self.peek().unwrap_or("the end")
                ));
            }
        }
        Ok(params)
    }

    fn named_param(&mut self) -> Result<(String, Param), Failure> {
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
        let name = self.next().ok_or("PTX: a parameter without a name")?.to_owned();
        let array = if self.eat("[") {
            let n = if self.peek() == Some("]") { None } else { Some(self.number()?) };
            self.expect("]")?;
            Some(n)
        } else {
            None
        };
        let ty = ty.ok_or_else(|| format!("PTX: `{name}` has no type"))?;
        Ok((name, Param { ty, align, array }))
    }

    fn number(&mut self) -> Result<u64, Failure> {
        let token = self.next().unwrap_or("the end");
        token.parse().map_err(|_| format!("PTX: a number expected, `{token}` found"))
    }

    /// Moves to the `{` of a body, past performance directives; or to the `;` of a declaration.
    fn at_body(&mut self) -> bool {
        while let Some(token) = self.peek() {
            match token {
                "{" => return true,
                ";" => return false,
                // LLVM and nvcc sometimes omit the `;` of a declaration: the next one begins here.
                ".func" | ".entry" | ".visible" | ".extern" | ".weak" => return false,
                _ => self.at += 1,
            }
        }
        false
    }

    /// Parses a body from its `{`.
    fn body(&mut self, caller: &str) -> Result<Body, Failure> {
        let mut body = Body::default();
        let mut depth = 0;
        let (mut before, mut label) = ("", "");
        while let Some(token) = self.next() {
            match token {
                "{" => depth += 1,
                "}" if depth == 1 => return Ok(body),
                "}" => depth -= 1,
                // `.param .b32 param0;` declares a call site's parameter; `ld.param` does not.
                ".param" if matches!(before, "{" | "}" | ";") => {
                    let (name, param) = self.named_param()?;
                    body.params.insert(name, param);
                }
                // `prototype_0 : .callprototype (returns) _ (params) ;`
                ".callprototype" => {
                    let prototype = self.prototype(Kind::Func, Linkage::Internal)?;
                    body.prototypes.insert(label.to_owned(), (prototype.returns, prototype.params));
                }
                "call" => body.calls.extend(self.call(caller, &body)?),
                _ => {}
            }
            if self.peek() == Some(":") {
                label = token;
            }
            before = self.tokens[self.at - 1];
        }
        Err(format!("PTX: the body of {caller} has no end"))
    }

    /// Parses a call after `call`: `.uni (ret), callee, (args), prototype;`, of which everything but the
    /// callee is optional. Returns `None` for an indirect call, after checking it.
    fn call(&mut self, caller: &str, body: &Body) -> Result<Option<Call>, Failure> {
        self.eat(".uni");
        let mut lists: Vec<Vec<Param>> = Vec::new();
        let mut words: Vec<(usize, String)> = Vec::new();
        loop {
            match self.next().ok_or("PTX: a call without an end")? {
                ";" => break,
                "," => {}
                "(" => {
                    let mut list = Vec::new();
                    while !self.eat(")") {
                        let name = self.next().ok_or("PTX: a call without an end")?;
                        if name != "," {
                            let param = body.params.get(name);
                            list.push(param.ok_or_else(|| format!("PTX: `{name}` is not declared"))?.clone());
                        }
                    }
                    lists.push(list);
                }
                word => words.push((lists.len(), word.to_owned())),
            }
        }
        let mut words = words.into_iter();
        let (n_before, callee) = words.next().ok_or("PTX: a call without a callee")?;
        let params = lists.split_off(n_before).into_iter().next().unwrap_or_default();
        let returns = lists.into_iter().next().unwrap_or_default();
        let call = Call { caller: caller.to_owned(), callee, returns, params };
        match words.next().and_then(|(_, label)| body.prototypes.get(&label)) {
            Some((returns, params)) => call.check(returns, params).map(|()| None),
            None => Ok(Some(call)),
        }
    }

    /// Moves past the `}` that matches the current `{`.
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

    const CALLS: &str = "
.extern .func (.param .b32 r) ext(.param .b32 a, .param .align 4 .b8 b[8]);
.visible .func f(.param .b64 p)
{
	ld.param.b64 %rd1, [p];
	{ .reg .b32 temp; .param .b32 param0; .param .align 4 .b8 param1[8]; .param .b32 retval0;
	st.param.b32 [param0], 1;
	call.uni (retval0), ext, (param0, param1);
	ld.param.b32 %r1, [retval0];
	}
	{ .param .align 2 .b8 param0[6];
	prototype_0 : .callprototype ()_ (.param .align 2 .b8 _[6]) ;
	call %rd1, (param0), prototype_0;
	}
	ret;
}
";

    #[test]
    fn calls_are_read_and_checked() {
        assert_eq!(
            lines(CALLS),
            [
                "Extern .func (.b32) ext (.b32, .align 4 .b8[8])",
                "Visible .func () f (.b64)\n    calls through () _ (.align 2 .b8[6])",
            ]
        );
        for (right, wrong) in [
            (".align 4 .b8 param1[8]", ".align 8 .b8 param1[8]"),
            (".align 4 .b8 param1[8]", ".align 4 .b8 param1[12]"),
            (".param .b32 param0", ".param .b64 param0"),
            ("(param0, param1)", "(param1, param0)"),
            ("(param0, param1)", "(param0)"),
            ("(retval0), ", ""),
            (".align 2 .b8 param0[6]", ".align 1 .b8 param0[6]"),
            ("call %rd1, (param0)", "call %rd1, ()"),
        ] {
            let text = CALLS.replacen(right, wrong, 1);
            let message = parse(&text).expect_err(wrong);
            assert!(message.contains("with other parameters"), "{message}");
        }
        let text = CALLS.replace(".align 2", ".align 4");
        let (expected, actual) = (parse(CALLS).expect("well formed"), parse(&text).expect("well formed"));
        assert!(compare(&expected, &actual).is_err());
    }

    #[test]
    fn broken_text_is_refused() {
        for ptx in [".func f(.param .b32 a", ".func f(.param a)", ".func (.b8 r[x]) f()", "{ { }", ".func"] {
            assert!(parse(ptx).is_err(), "{ptx}");
        }
    }

    /// Each error that would give a wrong value with the register ABI is found.
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
