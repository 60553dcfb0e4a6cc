//! Reads the texts of arguments: recursive descent, by the grammar in [`super`].

use std::ops::Range;
use std::path::PathBuf;

use super::ArgumentError;
use super::spec::{BufferSpec, Expected, Literal, Source, Spec, SpecKind, SpecValue};
use crate::buffer::generate::Contents;
use crate::element::{ElementType, Number};

/// The maximum nesting of structs.
const MAX_NESTING: usize = 32;

/// The maximum number of elements of a buffer, so that their size in bytes does not overflow.
const MAX_ELEMENTS: usize = 1 << 48;

pub(super) type Result<T> = std::result::Result<T, ArgumentError>;

pub(super) struct Parser<'t> {
    text: &'t str,
    /// The offset of the next byte.
    pub(super) at: usize,
    nesting: usize,
}

impl<'t> Parser<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Parser { text, at: 0, nesting: 0 }
    }

    /// argument = [ name "=" ] value
    pub(super) fn argument(mut self) -> Result<Spec> {
        let name = self.name_of_argument();
        let value = self.value()?;
        self.end()?;
        Ok(Spec { text: self.text.to_owned(), name, value })
    }

    /// A list or a number is a buffer here.
    pub(super) fn expected(mut self) -> Result<Expected> {
        self.blanks();
        let start = self.at;
        let buffer = match self.word() {
            _ if self.peek() == Some('{') => self.made(None, None)?,
            word if is_contents(word) => self.made(None, None)?,
            _ => {
                let value = self.value()?;
                match value.kind {
                    SpecKind::Buffer(buffer) if buffer.source != Source::Nothing => buffer,
                    SpecKind::Number { ty, literal: Literal::Number(number) } => {
                        BufferSpec { ty, shape: None, source: Source::Contents(Contents::Fill(number)) }
                    }
                    _ => {
                        return Err(self
                            .error(value.span, "expected the contents of a buffer")
                            .help(CONTENTS));
                    }
                }
            }
        };
        let span = start..self.at;
        self.end()?;
        Ok(Expected { text: self.text.to_owned(), buffer, span })
    }

    fn name_of_argument(&mut self) -> Option<String> {
        self.blanks();
        let word = self.word();
        let rest = self.text[self.at + word.len()..].trim_start();
        let is_name = !word.is_empty() && ElementType::named(word).is_none() && rest.starts_with('=');
        is_name.then(|| {
            self.at = self.text.len() - rest.len() + 1;
            word.to_owned()
        })
    }

    /// value = "null" | reference | struct | object | map | buffer | scalar
    fn value(&mut self) -> Result<SpecValue> {
        self.blanks();
        let start = self.at;
        let kind = self.value_kind()?;
        Ok(SpecValue { span: start..self.at, kind })
    }

    fn value_kind(&mut self) -> Result<SpecKind> {
        match self.peek() {
            None => return Err(self.error_here("expected an argument").help(VALUES)),
            Some('{') => return self.structure(),
            Some('&') => return self.reference(),
            Some('[' | '@') => return self.buffer(None).map(SpecKind::Buffer),
            Some(_) => {}
        }
        let start = self.at;
        let word = self.word();
        let next = self.text[start + word.len()..].trim_start().chars().next();
        match (word, next) {
            ("null", _) => {
                self.at += word.len();
                Ok(SpecKind::Null)
            }
            ("hex", Some(':')) => self.hex(),
            ("texture" | "surface", Some('(')) => self.object(),
            ("tensor_map", Some('(')) => self.tensor_map(),
            ("", _) => self.scalar(None),
            (_, Some(':' | '[' | '@' | '=')) => {
                let Some(ty) = ElementType::named(word) else { return Err(self.unknown_type(word)) };
                self.at += word.len();
                self.blanks();
                if self.eat(':') {
                    self.scalar(Some(ty))
                } else {
                    self.buffer(Some(ty)).map(SpecKind::Buffer)
                }
            }
            _ if is_contents(word) => {
                let error = self.error(start..start + word.len(), "the number of elements is missing");
                Err(error.help(format!("add it, as in `f32[1024]={word}`")))
            }
            _ => self.scalar(None),
        }
    }

    /// A value in brackets, where a path ends before the closing bracket or a comma.
    pub(super) fn nested_value(&mut self) -> Result<SpecValue> {
        self.nesting += 1;
        let value = self.value();
        self.nesting -= 1;
        value
    }

    /// scalar = [ type ":" ] number
    fn scalar(&mut self, ty: Option<ElementType>) -> Result<SpecKind> {
        Ok(SpecKind::Number { ty, literal: self.literal()? })
    }

    fn literal(&mut self) -> Result<Literal> {
        self.blanks();
        let start = self.at;
        if self.word() == "bits" && self.text[start + 4..].trim_start().starts_with('(') {
            self.at += 4;
            self.expect('(')?;
            let bits = self.unsigned("the bits of a number")?;
            self.expect(')')?;
            return Ok(Literal::Bits(bits));
        }
        let token = self.number_token();
        self.at += token.len();
        number(token).map(Literal::Number).ok_or_else(|| {
            let found = if token.is_empty() { self.rest_of_word(start) } else { start..self.at };
            let shown = &self.text[found.clone()];
            let message = if shown.is_empty() {
                "expected a number".to_owned()
            } else {
                format!("expected a number, found `{shown}`")
            };
            self.error(found, message)
        })
    }

    pub(super) fn number(&mut self) -> Result<Number> {
        self.blanks();
        let start = self.at;
        match self.literal()? {
            Literal::Number(number) => Ok(number),
            Literal::Bits(_) => Err(self.error(start..self.at, "`bits(…)` is for single values")),
        }
    }

    /// A token that looks like a number: a sign, letters, digits, points, and a sign after the letter of an
    /// exponent.
    fn number_token(&self) -> &'t str {
        let rest = &self.text[self.at..];
        let is_hex = rest.trim_start_matches(['+', '-']).starts_with("0x");
        let mut before = ' ';
        let end = rest.find(|c: char| {
            let is_sign = matches!(c, '+' | '-');
            let goes_on = c.is_ascii_alphanumeric()
                || matches!(c, '_' | '.')
                || is_sign && (before == ' ' || !is_hex && matches!(before, 'e' | 'E'));
            before = c;
            !goes_on
        });
        &rest[..end.unwrap_or(rest.len())]
    }

    fn unsigned(&mut self, what: &str) -> Result<u64> {
        self.blanks();
        let start = self.at;
        let token = self.number_token();
        self.at += token.len();
        match number(token) {
            Some(Number::Int(value)) if u64::try_from(value).is_ok() => Ok(value as u64),
            _ => {
                let span = if token.is_empty() { self.rest_of_word(start) } else { start..self.at };
                Err(self.error(span, format!("expected {what}")))
            }
        }
    }

    /// struct = "{" [ value { "," value } ] "}"
    fn structure(&mut self) -> Result<SpecKind> {
        if self.nesting == MAX_NESTING {
            return Err(self.error_here(format!("structs are nested more than {MAX_NESTING} levels deep")));
        }
        self.nesting += 1;
        let members = self.list(Self::value)?;
        self.nesting -= 1;
        Ok(SpecKind::Struct(members))
    }

    /// Items in braces, separated by commas.
    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        self.expect('{')?;
        let mut items = Vec::new();
        loop {
            self.blanks();
            if self.eat('}') {
                return Ok(items);
            }
            if !items.is_empty() {
                if !self.eat(',') {
                    return Err(self.error_here("expected `,` or `}`"));
                }
                self.blanks();
                if self.eat('}') {
                    return Ok(items);
                }
            }
            items.push(item(self)?);
        }
    }

    /// "hex:" digits
    fn hex(&mut self) -> Result<SpecKind> {
        self.at += "hex".len();
        self.expect(':')?;
        self.blanks();
        let start = self.at;
        let rest = &self.text[start..];
        let end = rest.find(|c: char| !c.is_ascii_hexdigit() && c != '_').unwrap_or(rest.len());
        self.at += end;
        let digits: Vec<u32> = rest[..end].chars().filter_map(|c| c.to_digit(16)).collect();
        if digits.is_empty() || !digits.len().is_multiple_of(2) {
            return Err(self.error(start..self.at, "expected two hexadecimal digits for each byte"));
        }
        Ok(SpecKind::Bytes(digits.chunks(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect()))
    }

    /// reference = "&" name [ "[" integer "]" ]
    fn reference(&mut self) -> Result<SpecKind> {
        self.expect('&')?;
        self.blanks();
        let name = self.word();
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(self.error_here("expected the name of a buffer").help("as in `&x` or `&x[16]`"));
        }
        self.at += name.len();
        self.blanks();
        let mut index = 0;
        if self.eat('[') {
            self.blanks();
            let start = self.at;
            let token = self.number_token();
            self.at += token.len();
            index = match number(token) {
                Some(Number::Int(value)) if i64::try_from(value).is_ok() => value as i64,
                _ => return Err(self.error(start..self.at, "expected the index of an element")),
            };
            self.expect(']')?;
        }
        Ok(SpecKind::Reference { name: name.to_owned(), index })
    }

    /// buffer, after the type
    fn buffer(&mut self, ty: Option<ElementType>) -> Result<BufferSpec> {
        let shape = if self.peek() == Some('[') { self.shape()? } else { None };
        self.blanks();
        if self.eat('@') {
            let path = self.path()?;
            return Ok(BufferSpec { ty, shape, source: Source::File(path) });
        }
        if self.eat('=') {
            self.blanks();
            return self.made(ty, shape);
        }
        Ok(BufferSpec { ty, shape, source: Source::Nothing })
    }

    /// shape = "[" [ integer { "," integer } ] "]"; `None` for empty brackets.
    fn shape(&mut self) -> Result<Option<Vec<usize>>> {
        let start = self.at;
        self.expect('[')?;
        let mut shape = Vec::new();
        self.blanks();
        if self.eat(']') {
            return Ok(None);
        }
        loop {
            shape.push(self.unsigned("the number of elements along an axis")? as usize);
            self.blanks();
            if self.eat(']') {
                break;
            }
            if !self.eat(',') {
                return Err(self.error_here("expected `,` or `]`"));
            }
        }
        let n_elements = shape.iter().try_fold(1_usize, |n, &dim| n.checked_mul(dim));
        if n_elements.is_none_or(|n| n > MAX_ELEMENTS) {
            return Err(self.error(start..self.at, "the buffer is too large"));
        }
        Ok(Some(shape))
    }

    /// contents
    fn made(&mut self, ty: Option<ElementType>, shape: Option<Vec<usize>>) -> Result<BufferSpec> {
        let contents = self.contents()?;
        let shape = match (&contents, shape) {
            // The list determines the number of elements.
            (Contents::List(numbers), None) if ty.is_some() => Some(vec![numbers.len()]),
            (_, shape) => shape,
        };
        Ok(BufferSpec { ty, shape, source: Source::Contents(contents) })
    }

    /// contents = "zeros" | "ones" | "iota" | "fill" "(" number ")" | "random" … | list
    fn contents(&mut self) -> Result<Contents> {
        if self.peek() == Some('{') {
            return self.list(Self::number).map(Contents::List);
        }
        let start = self.at;
        let word = self.word();
        self.at += word.len();
        match word {
            "zeros" => Ok(Contents::Zeros),
            "ones" => Ok(Contents::Ones),
            "iota" => Ok(Contents::Iota),
            "fill" => {
                self.expect('(')?;
                let number = self.number()?;
                self.expect(')')?;
                Ok(Contents::Fill(number))
            }
            "random" => self.random(),
            _ => {
                self.at = start;
                let span = self.rest_of_word(start);
                let shown = &self.text[span.clone()];
                let what = if shown.is_empty() { String::new() } else { format!(", found `{shown}`") };
                let error = self.error(span, format!("expected the contents of a buffer{what}"));
                Err(match similar(word, CONTENTS_NAMES) {
                    Some(meant) => error.help(format!("did you mean `{meant}`?")),
                    None => error.help(CONTENTS),
                })
            }
        }
    }

    /// "random" [ "(" [ seed [ "," number "," number ] ] ")" ], after the word
    fn random(&mut self) -> Result<Contents> {
        self.blanks();
        let (mut seed, mut range) = (None, None);
        if self.eat('(') {
            self.blanks();
            if !self.eat(')') {
                seed = Some(self.unsigned("a seed")?);
                self.blanks();
                if self.eat(',') {
                    let low = self.number()?;
                    self.expect(',')?;
                    range = Some((low, self.number()?));
                }
                self.expect(')')?;
            }
        }
        Ok(Contents::Random { seed, range })
    }

    fn path(&mut self) -> Result<PathBuf> {
        self.blanks();
        let start = self.at;
        if self.eat('"') {
            let Some(length) = self.text[self.at..].find('"') else {
                return Err(self.error(start..self.text.len(), "missing `\"` at the end of the path"));
            };
            let path = &self.text[self.at..self.at + length];
            self.at += length + 1;
            return Ok(PathBuf::from(path));
        }
        let rest = &self.text[start..];
        let end = if self.nesting == 0 { None } else { rest.find([',', '}', ')']) };
        let path = rest[..end.unwrap_or(rest.len())].trim_end();
        self.at += path.len();
        if path.is_empty() {
            return Err(self.error_here("expected the path of a file"));
        }
        Ok(PathBuf::from(path))
    }

    fn unknown_type(&self, word: &str) -> ArgumentError {
        let error = self.error(self.at..self.at + word.len(), format!("unknown type `{word}`"));
        let names: Vec<&str> = ElementType::ALL.iter().map(|ty| ty.name()).collect();
        let meant = match word {
            "float" => Some("f32"),
            "double" => Some("f64"),
            "half" => Some("f16"),
            "int" => Some("i32"),
            "char" => Some("i8"),
            _ => similar(word, &names),
        };
        match meant {
            Some(meant) => error.help(format!("did you mean `{meant}`?")),
            None => error.help(format!("available: {}", names.join(", "))),
        }
    }

    fn end(&mut self) -> Result<()> {
        self.blanks();
        if self.at == self.text.len() {
            return Ok(());
        }
        Err(self.error(self.at..self.text.len(), "expected the end of the argument"))
    }

    pub(super) fn expect(&mut self, c: char) -> Result<()> {
        self.blanks();
        if self.eat(c) { Ok(()) } else { Err(self.error_here(format!("expected `{c}`"))) }
    }

    pub(super) fn eat(&mut self, c: char) -> bool {
        let is_there = self.peek() == Some(c);
        if is_there {
            self.at += c.len_utf8();
        }
        is_there
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    pub(super) fn blanks(&mut self) {
        self.at = self.text.len() - self.text[self.at..].trim_start().len();
    }

    /// Letters, digits and `_`.
    pub(super) fn word(&self) -> &'t str {
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        &rest[..end.unwrap_or(rest.len())]
    }

    /// The text at an offset, up to the next blank or punctuation.
    fn rest_of_word(&self, start: usize) -> Range<usize> {
        let rest = &self.text[start..];
        let end = rest.find(|c: char| c.is_whitespace() || ",{}()[]".contains(c));
        start..start + end.unwrap_or(rest.len())
    }

    pub(super) fn error_here(&self, message: impl Into<String>) -> ArgumentError {
        let width = self.peek().map_or(0, char::len_utf8);
        self.error(self.at..self.at + width, message)
    }

    pub(super) fn error(&self, span: Range<usize>, message: impl Into<String>) -> ArgumentError {
        ArgumentError {
            text: self.text.to_owned(),
            span,
            message: message.into(),
            help: None,
            is_environment: false,
        }
    }
}

impl ArgumentError {
    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

const VALUES: &str = "for example `5`, `f32:1.5`, `f32[1024]=iota`, `@x.npy`, `{1, 2}`, `&x[16]`, `texture(…)`, \
     `null`";

const CONTENTS: &str = "available: zeros, ones, iota, fill(…), random(…), {…} and @file";

const CONTENTS_NAMES: &[&str] = &["zeros", "ones", "iota", "fill", "random"];

fn is_contents(word: &str) -> bool {
    CONTENTS_NAMES.contains(&word)
}

fn similar<'n>(word: &str, names: &[&'n str]) -> Option<&'n str> {
    let near = names.iter().map(|&name| (strsim::damerau_levenshtein(word, name), name)).min();
    near.filter(|&(distance, name)| distance <= name.len() / 2).map(|(_, name)| name)
}

/// The number that a token means.
fn number(token: &str) -> Option<Number> {
    let (is_negative, digits) = match token.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, token.strip_prefix('+').unwrap_or(token)),
    };
    if digits.starts_with(['+', '-', '_']) || digits.ends_with('_') {
        return None;
    }
    let digits = digits.replace('_', "");
    let signed = |value: i128| Number::Int(if is_negative { -value } else { value });
    let integer = |digits: &str, radix| {
        let value = u64::from_str_radix(digits, radix).ok().filter(|_| !digits.starts_with(['+', '-']));
        value.map(|value| signed(value.into()))
    };
    if let Some(digits) = digits.strip_prefix("0x") {
        return integer(digits, 16);
    }
    if let Some(digits) = digits.strip_prefix("0b") {
        return integer(digits, 2);
    }
    let float = |value: f64| Number::Float(if is_negative { -value } else { value });
    match digits.as_str() {
        "true" => Some(signed(1)),
        "false" => Some(signed(0)),
        "inf" => Some(float(f64::INFINITY)),
        "nan" => Some(float(f64::NAN)),
        // `-0` is negative zero, which integers do not have.
        _ if is_negative && digits.chars().all(|c| c == '0') && !digits.is_empty() => {
            Some(Number::Float(-0.0))
        }
        _ if digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') => {
            integer(&digits, 10).or_else(|| digits.parse().ok().map(float))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(text: &str) -> SpecKind {
        Spec::parse(text).unwrap_or_else(|error| panic!("{error}")).value.kind
    }

    fn refused(text: &str) -> String {
        Spec::parse(text).expect_err("it is wrong").to_string()
    }

    fn made(ty: Option<ElementType>, shape: &[usize], contents: Contents) -> SpecKind {
        let source = Source::Contents(contents);
        SpecKind::Buffer(BufferSpec { ty, shape: Some(shape.to_vec()), source })
    }

    #[test]
    fn numbers_in_every_spelling() {
        let number = |text| match kind(text) {
            SpecKind::Number { ty, literal: Literal::Number(number) } => (ty, number),
            other => panic!("{other:?}"),
        };
        assert_eq!(number("5"), (None, Number::Int(5)));
        assert_eq!(number(" -1_000 "), (None, Number::Int(-1000)));
        assert_eq!(number("0x10"), (None, Number::Int(16)));
        assert_eq!(number("0b101"), (None, Number::Int(5)));
        assert_eq!(number("-1.5e+3"), (None, Number::Float(-1500.0)));
        assert_eq!(
            number("u64:0xffff_ffff_ffff_ffff"),
            (Some(ElementType::U64), Number::Int(u64::MAX.into()))
        );
        assert_eq!(number("s32: 7"), (Some(ElementType::I32), Number::Int(7)));
        assert_eq!(number("bf16:-inf"), (Some(ElementType::Bf16), Number::Float(f64::NEG_INFINITY)));
        let bits = SpecKind::Number { ty: Some(ElementType::F32), literal: Literal::Bits(0x7fc0_0001) };
        assert_eq!(kind("f32:bits(0x7fc00001)"), bits);
        assert_eq!(kind("null"), SpecKind::Null);
    }

    #[test]
    fn buffers_in_every_form() {
        let f32 = Some(ElementType::F32);
        let unwritten = BufferSpec { ty: f32, shape: Some(vec![1024]), source: Source::Nothing };
        assert_eq!(kind("f32[1024]"), SpecKind::Buffer(unwritten));
        assert_eq!(kind("f32[1024]=zeros"), made(f32, &[1024], Contents::Zeros));
        assert_eq!(kind("f32[8, 0x10] = ones"), made(f32, &[8, 16], Contents::Ones));
        assert_eq!(kind("[3]=iota"), made(None, &[3], Contents::Iota));
        assert_eq!(
            kind("i8[1]=fill(-1)"),
            made(Some(ElementType::I8), &[1], Contents::Fill(Number::Int(-1)))
        );
        let list = Contents::List(vec![Number::Int(1), Number::Float(2.5)]);
        assert_eq!(kind("f32={1, 2.5}"), made(f32, &[2], list.clone()));
        assert_eq!(kind("f32[2,1]={1, 2.5,}"), made(f32, &[2, 1], list));
        let random = |seed, range| made(f32, &[4], Contents::Random { seed, range });
        assert_eq!(kind("f32[4]=random"), random(None, None));
        assert_eq!(kind("f32[4]=random(7)"), random(Some(7), None));
        let range = Some((Number::Int(-1), Number::Float(0.5)));
        assert_eq!(kind("f32[4]=random(7, -1, 0.5)"), random(Some(7), range));
        let file = |ty, shape, path: &str| {
            SpecKind::Buffer(BufferSpec { ty, shape, source: Source::File(PathBuf::from(path)) })
        };
        assert_eq!(kind("@a b.npy"), file(None, None, "a b.npy"));
        assert_eq!(kind("f32[2]@\"x, y.bin\""), file(f32, Some(vec![2]), "x, y.bin"));
        assert_eq!(Spec::parse("in=f32[2]").expect("named").name.as_deref(), Some("in"));
    }

    #[test]
    fn structs_and_references() {
        let SpecKind::Struct(members) = kind("{1, {f32:2.5, @a.npy}, &x[-3], hex:00_ff}") else {
            panic!("a struct")
        };
        assert_eq!(members.len(), 4);
        assert_eq!(members[1].span, 4..21);
        assert_eq!(members[2].kind, SpecKind::Reference { name: "x".to_owned(), index: -3 });
        assert_eq!(members[3].kind, SpecKind::Bytes(vec![0, 255]));
    }

    /// Texts truncated at each byte, and with each character inserted at each offset.
    #[test]
    fn whatever_is_written_is_read_or_refused() {
        let texts = [
            "x={1, {f32:-2.5e-3, @\"a, b\"}, &y[-1], hex:00_ff}",
            "u8[0x10, 2]=random(7, -1, 2)",
            "é=\u{2003}null",
        ];
        let mut n_refused = 0;
        for text in texts {
            for at in (0..=text.len()).filter(|&at| text.is_char_boundary(at)) {
                for with in
                    ["", "{", "}", "[", "(", ",", "=", ":", "@", "&", "\"", "-", ".", "_", "9", "e", "é", " "]
                {
                    let changed = format!("{}{with}{}", &text[..at], &text[at..]);
                    for text in [changed.as_str(), &changed[..at + with.len()]] {
                        for error in
                            [Spec::parse(text).err(), Expected::parse(text).err()].into_iter().flatten()
                        {
                            n_refused += 1;
                            let is_shown = text.is_empty() || error.to_string().contains('^');
                            assert!(error.span.end <= text.len() && is_shown, "{text}");
                        }
                    }
                }
            }
        }
        assert!(n_refused > 1000, "{n_refused}");
    }

    #[test]
    fn mistakes_are_shown_where_they_are() {
        assert_eq!(refused("f32:x"), "expected a number, found `x`\n  f32:x\n      ^");
        assert_eq!(refused("f23[4]"), "unknown type `f23`; did you mean `f32`?\n  f23[4]\n  ^^^");
        let help = "did you mean `zeros`?";
        let expected = format!(
            "expected the contents of a buffer, found `zeroes`; {help}\n  f32[4]=zeroes\n         ^^^^^^"
        );
        assert_eq!(refused("f32[4]=zeroes"), expected);
        assert_eq!(refused("float[4]"), "unknown type `float`; did you mean `f32`?\n  float[4]\n  ^^^^^");
        assert!(refused("").starts_with("expected an argument"));
        assert!(refused("zeros").starts_with("the number of elements is missing"));
        assert!(refused("5 6").starts_with("expected the end of the argument"));
        assert!(refused("{1, 2").starts_with("expected `,` or `}`"));
        assert!(refused("f32[4294967296,4294967296]").starts_with("the buffer is too large"));
        assert!(refused("hex:0").starts_with("expected two hexadecimal digits"));
        assert!(refused(&"{".repeat(100_000)).starts_with("structs are nested"));
        assert!(refused("f32[é]").starts_with("expected the number of elements"));
    }

    #[test]
    fn expectations_may_omit_type_and_shape() {
        let expected = |text| Expected::parse(text).unwrap_or_else(|error| panic!("{error}")).buffer;
        let fill = BufferSpec {
            ty: None,
            shape: None,
            source: Source::Contents(Contents::Fill(Number::Float(1.5))),
        };
        assert_eq!(expected("1.5"), fill);
        assert_eq!(expected("fill(1.5)"), fill);
        let list = Source::Contents(Contents::List(vec![Number::Int(1), Number::Int(2)]));
        assert_eq!(expected("{1, 2}"), BufferSpec { ty: None, shape: None, source: list });
        assert_eq!(expected("@a.npy").source, Source::File(PathBuf::from("a.npy")));
        for text in ["&x", "f32[4]", "null", "f32:bits(1)", "{1, &x}"] {
            assert!(Expected::parse(text).is_err(), "{text}");
        }
    }
}
