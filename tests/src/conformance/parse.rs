//! Parses a unit: C declarations of enums, structs, unions, functions and kernels.
//!
//! ```c
//! enum Colour { RED, BLUE = 100 };
//! struct S { int a : 5; float4 v[2]; } ;
//! extern "C" __device__ S mix(S s, const char *p, Colour c);
//! __device__ int sum(int n, ... /* double, S */);
//! __global__ void kernel(S s, char c);
//! ```
//!
//! It is a small part of C: no initializers, no typedefs, no bodies, one declarator per declaration. A comment after
//! `...` lists the types of variadic arguments in a call. For pointers, only the position of the declared name is parsed.

use super::model::{Enum, Member, Record, Scalar, Signature, Ty, Unit, Vector};
use crate::Failure;

/// Parses a unit.
///
/// # Errors
///
/// What cannot be parsed, with the line.
pub fn parse(text: &str) -> Result<Unit, Failure> {
    let tokens = tokens(text)?;
    let mut parser = Parser { tokens, at: 0, unit: Unit::default(), pack: None };
    while parser.peek().is_some() {
        parser.item().map_err(|why| format!("line {}: {why}", parser.line()))?;
    }
    Ok(parser.unit)
}

#[derive(Clone, Debug)]
struct Token {
    text: String,
    line: usize,
}

/// Words, numbers, strings, punctuation, the comment after `...`, and `#pragma` lines.
fn tokens(text: &str) -> Result<Vec<Token>, Failure> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut rest = text;
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    while let Some(first) = rest.chars().next() {
        let line = 1 + text[..text.len() - rest.len()].matches('\n').count();
        let unended = || format!("line {line}: unended");
        let len = if first.is_whitespace() {
            rest = &rest[first.len_utf8()..];
            continue;
        } else if rest.starts_with("//") {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
            continue;
        } else if rest.starts_with("/*") {
            let len = rest.find("*/").ok_or_else(unended)? + 2;
            if tokens.last().is_none_or(|token| token.text != "...") {
                rest = &rest[len..];
                continue;
            }
            len
        } else if first == '#' {
            rest.find('\n').unwrap_or(rest.len())
        } else if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else if first == '"' {
            rest[1..].find('"').ok_or_else(unended)? + 2
        } else if rest.starts_with("...") {
            3
        } else {
            first.len_utf8()
        };
        tokens.push(Token { text: rest[..len].to_owned(), line });
        rest = &rest[len..];
    }
    Ok(tokens)
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    unit: Unit,
    pack: Option<u32>,
}

const QUALIFIERS: [&str; 4] = ["const", "volatile", "__restrict__", "restrict"];
const SPECIFIERS: [&str; 8] = ["bool", "char", "short", "int", "long", "signed", "unsigned", "__int128"];

impl Parser {
    fn peek(&self) -> Option<&str> {
        self.tokens.get(self.at).map(|token| token.text.as_str())
    }

    fn line(&self) -> usize {
        self.tokens.get(self.at).or(self.tokens.last()).map_or(0, |token| token.line)
    }

    fn next(&mut self) -> Result<String, Failure> {
        let token = self.tokens.get(self.at).ok_or("the text ends")?;
        self.at += 1;
        Ok(token.text.clone())
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.peek() == Some(text);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, text: &str) -> Result<(), Failure> {
        if self.eat(text) {
            Ok(())
        } else {
            Err(format!("`{text}` is expected before `{}`", self.peek().unwrap_or("")))
        }
    }

    /// item = pragma | enum | record | function
    fn item(&mut self) -> Result<(), Failure> {
        let first = self.peek().unwrap_or("").to_owned();
        if first.starts_with('#') {
            self.at += 1;
            return self.pragma(&first);
        }
        if first == "enum" {
            let own = self.enumeration()?;
            self.unit.enums.push(own);
            return self.expect(";");
        }
        if matches!(first.as_str(), "struct" | "union") {
            let mut record = self.record()?;
            if record.name.is_empty() {
                return Err("a struct at file scope without a name".into());
            }
            record.pack = self.pack;
            self.unit.records.push(record);
            return self.expect(";");
        }
        let function = self.function()?;
        self.unit.functions.push(function);
        self.expect(";")
    }

    fn pragma(&mut self, line: &str) -> Result<(), Failure> {
        let words: String = line.split_whitespace().collect();
        if words == "#pragmapack(pop)" {
            self.pack = None;
            return Ok(());
        }
        let pack = words.strip_prefix("#pragmapack(push,").and_then(|rest| rest.strip_suffix(')'));
        self.pack =
            Some(pack.and_then(|pack| pack.parse().ok()).ok_or_else(|| format!("`{line}` means nothing"))?);
        Ok(())
    }

    /// enum = "enum" name [":" type] "{" name ["=" number] {"," …} "}"
    fn enumeration(&mut self) -> Result<Enum, Failure> {
        self.expect("enum")?;
        let name = self.next()?;
        let underlying = if self.eat(":") { Some(self.words().join(" ")) } else { None };
        self.expect("{")?;
        let mut enumerators = Vec::new();
        let mut value = 0;
        while !self.eat("}") {
            let name = self.next()?;
            if self.eat("=") {
                let sign = if self.eat("-") { -1 } else { 1 };
                value = sign * self.next()?.parse::<i64>().map_err(|e| e.to_string())?;
            }
            enumerators.push((name, value));
            value += 1;
            self.eat(",");
        }
        if enumerators.is_empty() {
            return Err(format!("`{name}` has no enumerators"));
        }
        Ok(Enum { name, underlying, enumerators })
    }

    /// The words of a base type, without its declarator.
    fn words(&mut self) -> Vec<String> {
        let mut words = Vec::new();
        while let Some(word) = self.peek() {
            if !SPECIFIERS.contains(&word) {
                break;
            }
            words.push(word.to_owned());
            self.at += 1;
        }
        words
    }

    /// attributes = {"__attribute__" "(" … ")" | "__align__" "(" … ")" | "alignas" "(" … ")"}
    fn attributes(&mut self) -> Result<String, Failure> {
        let mut list = Vec::new();
        while let Some("__attribute__" | "__align__" | "alignas") = self.peek() {
            list.push(format!("{}{}", self.next()?, self.parenthesized()?));
        }
        Ok(list.join(" "))
    }

    /// From `(` to the matching `)`.
    fn parenthesized(&mut self) -> Result<String, Failure> {
        let mut text = String::new();
        let mut depth = 0;
        loop {
            let token = self.next()?;
            depth += i32::from(token == "(") - i32::from(token == ")");
            let is_word = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
            let follows_word = is_word(text.chars().last());
            if follows_word && (is_word(token.chars().next()) || token == "*") || text.ends_with(',') {
                text.push(' ');
            }
            text.push_str(&token);
            if depth == 0 {
                return if text.starts_with('(') { Ok(text) } else { Err("`(` is expected".into()) };
            }
        }
    }

    /// record = ("struct" | "union") attributes [name] "{" {member} "}" attributes
    fn record(&mut self) -> Result<Record, Failure> {
        let is_union = self.next()? == "union";
        let mut attributes = self.attributes()?;
        let name = if self.peek() == Some("{") { String::new() } else { self.next()? };
        self.expect("{")?;
        let mut members = Vec::new();
        while !self.eat("}") {
            members.push(self.member()?);
        }
        let after = self.attributes()?;
        if !attributes.is_empty() && !after.is_empty() {
            attributes.push(' ');
        }
        attributes.push_str(&after);
        Ok(Record { is_union, name, attributes, members, pack: None })
    }

    /// member = record ";" | type [declarator] [":" width] attributes ";"
    fn member(&mut self) -> Result<Member, Failure> {
        if let Some("struct" | "union") = self.peek() {
            let after = self.tokens.get(self.at + 1).map_or("", |token| token.text.as_str());
            if after == "{" || after.starts_with("__a") {
                let record = self.record()?;
                self.expect(";")?;
                let ty = Ty::Anonymous(Box::new(record));
                return Ok(Member { ty, name: None, width: None, attributes: String::new() });
            }
        }
        let (ty, name) = self.declared()?;
        let width = if self.eat(":") { Some(self.number()?) } else { None };
        let attributes = self.attributes()?;
        self.expect(";")?;
        Ok(Member { ty, name, width, attributes })
    }

    fn number(&mut self) -> Result<u32, Failure> {
        let text = self.next()?;
        text.parse().map_err(|_| format!("`{text}` is not a number"))
    }

    /// function = ["extern" "\"C\""] ("__device__" | "__global__") type name "(" [declared {"," declared}] ["..."] ")"
    fn function(&mut self) -> Result<Signature, Failure> {
        let is_c = self.eat("extern");
        if is_c {
            self.expect("\"C\"")?;
        }
        let is_kernel = self.eat("__global__");
        if !is_kernel {
            self.expect("__device__")?;
        }
        let (returns, name) = self.declared()?;
        let name = name.ok_or("a function has a name")?;
        self.expect("(")?;
        let mut params = Vec::new();
        let mut variadic = None;
        while !self.eat(")") {
            if self.eat("...") {
                variadic = Some(self.variadic_types()?);
            } else {
                let (ty, _) = self.declared()?;
                if ty != Ty::Void {
                    params.push(ty);
                }
            }
            self.eat(",");
        }
        Ok(Signature { name, is_c, is_kernel, returns, params, variadic })
    }

    /// The comment after `...`, which lists the types of variadic arguments.
    fn variadic_types(&mut self) -> Result<Vec<Ty>, Failure> {
        let comment = match self.peek() {
            Some(comment) if comment.starts_with("/*") => self.next()?,
            _ => return Ok(Vec::new()),
        };
        let tokens = tokens(comment.trim_start_matches("/*").trim_end_matches("*/"))?;
        let mut inner = Parser { tokens, at: 0, unit: std::mem::take(&mut self.unit), pack: None };
        let mut types = Vec::new();
        let mut outcome = Ok(());
        while inner.peek().is_some() {
            match inner.declared() {
                Ok((ty, _)) => types.push(ty),
                Err(why) => {
                    outcome = Err(why);
                    break;
                }
            }
            inner.eat(",");
        }
        self.unit = inner.unit;
        outcome.map(|()| types)
    }

    /// declared = base {"*" qualifiers} (name | "(" "*" … ")" …) {"[" number "]"}
    fn declared(&mut self) -> Result<(Ty, Option<String>), Failure> {
        let mut base = Vec::new();
        let mut qualified = false;
        loop {
            match self.peek() {
                Some(word) if QUALIFIERS.contains(&word) => {
                    qualified = true;
                    base.push(self.next()?);
                }
                Some("struct" | "union" | "enum") => self.at += 1,
                _ => break,
            }
        }
        let words = self.words();
        let base_ty = if words.is_empty() { self.named()? } else { scalar(&words.join(" "))? };
        base.push(base_ty.declare(""));
        let base = base.join(" ");
        if self.peek() == Some("*") {
            let mut before = base + " ";
            while self.eat("*") {
                before.push('*');
                while self.peek().is_some_and(|word| QUALIFIERS.contains(&word)) {
                    before.push_str(&self.next()?);
                    before.push(' ');
                }
            }
            let name = self.name();
            return self.array(Ty::Pointer(before, String::new()), name);
        }
        if self.peek() == Some("(") && self.tokens.get(self.at + 1).is_some_and(|token| token.text == "*") {
            return self.pointer_to_derived(base);
        }
        if qualified {
            return Err(format!("`{base}` is qualified, and no pointer"));
        }
        let name = self.name();
        self.array(base_ty, name)
    }

    /// `(*name)[3]`, `(*name)(int, char)`, after the base type.
    fn pointer_to_derived(&mut self, base: String) -> Result<(Ty, Option<String>), Failure> {
        self.expect("(")?;
        let mut before = base + " (";
        while self.eat("*") {
            before.push('*');
        }
        let name = self.name();
        self.expect(")")?;
        let mut after = String::from(")");
        loop {
            match self.peek() {
                Some("(") => after.push_str(&self.parenthesized()?),
                Some("[") => {
                    self.at += 1;
                    after.push_str(&format!("[{}]", self.number()?));
                    self.expect("]")?;
                }
                _ => return Ok((Ty::Pointer(before, after), name)),
            }
        }
    }

    /// The declared name, if there is one.
    fn name(&mut self) -> Option<String> {
        let is_name = |text: &str| text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        let is_attribute = |text: &str| matches!(text, "__attribute__" | "__align__" | "alignas");
        let found = self.peek().is_some_and(|text| is_name(text) && !is_attribute(text));
        if found { self.next().ok() } else { None }
    }

    fn array(&mut self, ty: Ty, name: Option<String>) -> Result<(Ty, Option<String>), Failure> {
        let mut dimensions = Vec::new();
        while self.eat("[") {
            dimensions.push(self.number()?);
            self.expect("]")?;
        }
        let array = |ty: Ty, &n: &u32| Ty::Array(Box::new(ty), n);
        Ok((dimensions.iter().rev().fold(ty, array), name))
    }

    /// A type that is one word.
    fn named(&mut self) -> Result<Ty, Failure> {
        let word = self.next()?;
        if word == "void" {
            return Ok(Ty::Void);
        }
        if self.unit.record(&word).is_some() {
            return Ok(Ty::Record(word));
        }
        if self.unit.enumeration(&word).is_some() {
            return Ok(Ty::Enum(word));
        }
        Vector::named(&word).map(Ty::Vector).map_or_else(|| scalar(&word), Ok)
    }
}

fn scalar(words: &str) -> Result<Ty, Failure> {
    Scalar::named(words).map(Ty::Scalar).ok_or_else(|| format!("`{words}` is not a type"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_text_round_trips() {
        let text = "\
enum E { A = 0, B = 100 };
enum F : short { C = -3, D = -2 };
struct S { int a : 5; signed : 6; long long : 0; float4 v[2][3]; E e; struct { char c; union { int i; float f; }; }; };
struct __attribute__((packed, aligned(4))) P { char c; S s __attribute__((aligned(8))); int (*f)(int, const char *); };
#pragma pack(push, 2)
union U { double d; const S *const *p; };
#pragma pack(pop)
extern \"C\" __device__ S mix(S p0, const char *p1, E p2, F p3);
__device__ int sum(int p0, ... /* double, S, int (*)[3], unsigned long long */);
__device__ void none(...  /*  */);
__global__ void kernel(S p0, char p1, float *p2[2]);
";
        let unit = parse(text).expect("it is right");
        assert_eq!((unit.enums.len(), unit.records.len(), unit.functions.len()), (2, 3, 4));
        let printed = unit.to_string();
        assert_eq!(parse(&printed).expect("so is this"), unit);
        assert_eq!(printed, text.replace("...  /*  */", "... /*  */"));
    }

    #[test]
    fn reports_unreadable_text_with_its_line() {
        let why = parse("struct S { int a; };\n__device__ T f(int a);\n").expect_err("there is no T");
        assert_eq!(why, "line 2: `T` is not a type");
    }
}
