//! From text to tree: the module, its variables and functions (PTX ISA "Directives").

use smallvec::SmallVec;

use super::lex::{Lexer, Token};
use super::place::{Place, SyntaxError};
use super::syntax::{
    Alias, Block, Function, Initializer, Linkage, Module, Property, Prototype, Space, Type, Variable,
};

/// The greatest alignment that is taken, in bytes.
const MAX_ALIGN: u64 = 1 << 20;

/// How deep initializers and blocks may nest.
pub(super) const MAX_DEPTH: u32 = 200;

/// The value, or what is wrong with the text.
pub(super) type Parsed<T> = Result<T, SyntaxError>;

/// Reads a module.
///
/// # Errors
/// The first place that is no PTX.
pub fn parse(text: &str) -> Result<Module<'_>, SyntaxError> {
    Parser { text, tokens: tokens(text)?, pos: 0, depth: 0 }.module()
}

/// Reads statements as they are in the body of a function.
///
/// # Errors
/// As [`parse`].
pub fn parse_statements(text: &str) -> Result<Block<'_>, SyntaxError> {
    let mut parser = Parser { text, tokens: tokens(text)?, pos: 0, depth: 0 };
    let mut statements = Vec::new();
    while parser.token() != Token::End {
        parser.statement(&mut statements)?;
    }
    Ok(Block { statements, end: parser.place() })
}

fn tokens(text: &str) -> Parsed<Vec<(Token<'_>, Place)>> {
    if u32::try_from(text.len()).is_err() {
        return Err(SyntaxError::new("the text is larger than 4 GiB", Place(0), ""));
    }
    let mut lexer = Lexer::new(text);
    let mut tokens = Vec::with_capacity(text.len() / 4);
    loop {
        let (token, place) = lexer.next()?;
        tokens.push((token, place));
        if token == Token::End {
            return Ok(tokens);
        }
    }
}

pub(super) struct Parser<'t> {
    text: &'t str,
    /// The last is the end.
    tokens: Vec<(Token<'t>, Place)>,
    /// Below their number.
    pos: usize,
    /// How many blocks or lists are open.
    pub(super) depth: u32,
}

impl<'t> Parser<'t> {
    pub(super) fn token(&self) -> Token<'t> {
        self.tokens[self.pos].0
    }

    pub(super) fn place(&self) -> Place {
        self.tokens[self.pos].1
    }

    /// What stands so many tokens after the current one.
    pub(super) fn token_at(&self, ahead: usize) -> Token<'t> {
        self.tokens.get(self.pos + ahead).map_or(Token::End, |&(token, _)| token)
    }

    pub(super) fn skip(&mut self, n_tokens: usize) {
        self.pos = (self.pos + n_tokens).min(self.tokens.len() - 1);
    }

    pub(super) fn is(&self, punct: u8) -> bool {
        self.token() == Token::Punct(punct)
    }

    /// Takes the punctuation if it comes next.
    pub(super) fn eat(&mut self, punct: u8) -> bool {
        let is_next = self.is(punct);
        self.skip(usize::from(is_next));
        is_next
    }

    pub(super) fn expect(&mut self, punct: u8) -> Parsed<()> {
        if self.eat(punct) { Ok(()) } else { Err(self.expected(&format!("`{}`", punct as char))) }
    }

    pub(super) fn expect_word(&mut self, what: &str) -> Parsed<(&'t str, Place)> {
        let Token::Word(word) = self.token() else { return Err(self.expected(what)) };
        let place = self.place();
        self.skip(1);
        Ok((word, place))
    }

    pub(super) fn expect_string(&mut self) -> Parsed<&'t str> {
        let Token::Str(text) = self.token() else { return Err(self.expected("a string")) };
        self.skip(1);
        Ok(text)
    }

    pub(super) fn expect_u32(&mut self, what: &str) -> Parsed<u32> {
        let Token::Int(value, _) = self.token() else { return Err(self.expected(what)) };
        let value = u32::try_from(value).map_err(|_| self.error("the number is too large"))?;
        self.skip(1);
        Ok(value)
    }

    pub(super) fn error(&self, message: impl Into<String>) -> SyntaxError {
        SyntaxError::new(message, self.place(), self.text)
    }

    /// The error is the last token.
    fn error_before(&mut self, message: impl Into<String>) -> SyntaxError {
        self.pos -= 1;
        self.error(message)
    }

    pub(super) fn expected(&self, what: &str) -> SyntaxError {
        self.error(format!("expected {what}, found {}", self.token().describe()))
    }

    /// The words of a list, up to what is none.
    pub(super) fn words(&mut self, what: &str) -> Parsed<Vec<&'t str>> {
        let mut words = vec![self.expect_word(what)?.0];
        while self.eat(b',') {
            words.push(self.expect_word(what)?.0);
        }
        Ok(words)
    }

    fn module(&mut self) -> Parsed<Module<'t>> {
        let mut module = Module { address_size: 64, ..Module::default() };
        while self.token() != Token::End {
            self.module_item(&mut module)?;
        }
        if module.version == (0, 0) {
            return Err(self.error("missing `.version` directive"));
        }
        Ok(module)
    }

    fn module_item(&mut self, module: &mut Module<'t>) -> Parsed<()> {
        let Token::Dot(directive) = self.token() else { return Err(self.expected("a directive")) };
        match directive {
            "version" => {
                self.skip(1);
                module.version = self.version()?;
            }
            "target" => {
                self.skip(1);
                module.targets = self.words("a target")?;
            }
            "address_size" => {
                module.address_place = self.place();
                self.skip(1);
                module.address_size = self.expect_u32("a number of bits")?;
            }
            "file" => {
                self.skip(1);
                module.files.push(self.file()?);
            }
            "section" => {
                self.skip(1);
                module.sections.push(self.section()?);
            }
            "alias" => {
                self.skip(1);
                let (name, place) = self.expect_word("a function")?;
                self.expect(b',')?;
                let (aliasee, _) = self.expect_word("a function")?;
                self.expect(b';')?;
                module.aliases.push(Alias { name, aliasee, place });
            }
            "pragma" => {
                self.skip(1);
                self.pragma()?;
            }
            _ => self.symbol(module)?,
        }
        Ok(())
    }

    /// `8.4` reads as a number elsewhere, and 8.10 is not 8.1.
    fn version(&mut self) -> Parsed<(u32, u32)> {
        let start = self.place().0 as usize;
        let rest = &self.text[start..];
        let len = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let numbers = rest[..len].split_once('.');
        let version = numbers.and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?)));
        let version = version.ok_or_else(|| self.expected("a version"))?;
        while (self.place().0 as usize) < start + len && self.token() != Token::End {
            self.skip(1);
        }
        Ok(version)
    }

    /// `file = ".file" number string ["," number "," number]`
    fn file(&mut self) -> Parsed<(u32, &'t str)> {
        let number = self.expect_u32("a number")?;
        let name = self.expect_string()?;
        while self.eat(b',') {
            self.integer()?;
        }
        Ok((number, name))
    }

    /// `section = ".section" .name "{" … "}"`: its content is left as it is.
    fn section(&mut self) -> Parsed<(&'t str, &'t str)> {
        let Token::Dot(name) = self.token() else { return Err(self.expected("the name of a section")) };
        self.skip(1);
        let start = self.place().0 as usize + 1;
        self.expect(b'{')?;
        while !self.is(b'}') {
            if self.token() == Token::End {
                return Err(self.expected("`}`"));
            }
            self.skip(1);
        }
        let content = &self.text[start..self.place().0 as usize];
        self.skip(1);
        Ok((name, content))
    }

    /// `pragma = ".pragma" string ("," string)* ";"`
    pub(super) fn pragma(&mut self) -> Parsed<Vec<&'t str>> {
        let mut strings = vec![self.expect_string()?];
        while self.eat(b',') {
            strings.push(self.expect_string()?);
        }
        self.expect(b';')?;
        Ok(strings)
    }

    /// A variable or a function, with its linkage.
    fn symbol(&mut self, module: &mut Module<'t>) -> Parsed<()> {
        let mut linkage = Linkage::Internal;
        while let Token::Dot(word) = self.token() {
            linkage = match word {
                "extern" => Linkage::Extern,
                "visible" => Linkage::Visible,
                "weak" => Linkage::Weak,
                "common" => Linkage::Common,
                "entry" | "func" => {
                    self.skip(1);
                    module.functions.push(self.function(linkage, word == "entry")?);
                    return Ok(());
                }
                _ => {
                    let variables = self.variables(linkage)?;
                    self.expect(b';')?;
                    module.variables.extend(variables);
                    return Ok(());
                }
            };
            self.skip(1);
        }
        Err(self.expected("a variable or a function"))
    }

    /// `function = [params] name [params] directive* (block | ";")`
    fn function(&mut self, linkage: Linkage, is_entry: bool) -> Parsed<Function<'t>> {
        // nvcc writes it before the name as well.
        let is_noreturn = self.eat_noreturn();
        let returns = if self.is(b'(') { self.params()? } else { Vec::new() };
        let (name, place) = self.expect_word("the name of a function")?;
        let params = if self.is(b'(') { self.params()? } else { Vec::new() };
        let mut prototype = Prototype { returns, params, is_noreturn };
        let mut directives = Vec::new();
        while let Token::Dot(directive) = self.token() {
            self.skip(1);
            match directive {
                "noreturn" => prototype.is_noreturn = true,
                "pragma" => drop(self.pragma()?),
                _ => {
                    let mut values = Vec::new();
                    if !matches!(self.token(), Token::Dot(_) | Token::Punct(b'{' | b';')) {
                        values.push(self.constant()?);
                        while self.eat(b',') {
                            values.push(self.constant()?);
                        }
                    }
                    directives.push((directive, values));
                }
            }
        }
        let body = if self.eat(b';') { None } else { Some(self.block()?) };
        Ok(Function { linkage, is_entry, name, prototype, directives, body, place })
    }

    fn eat_noreturn(&mut self) -> bool {
        let is_next = self.token() == Token::Dot("noreturn");
        self.skip(usize::from(is_next));
        is_next
    }

    /// `params = "(" [variable ("," variable)*] ")"`
    pub(super) fn params(&mut self) -> Parsed<Vec<Variable<'t>>> {
        self.expect(b'(')?;
        let mut params = Vec::new();
        while !self.is(b')') {
            let head = self.variable_head(Linkage::Internal)?;
            params.push(self.variable(&head)?);
            if !self.eat(b',') {
                break;
            }
        }
        self.expect(b')')?;
        Ok(params)
    }

    /// What `callprototype` has after its label: `[params] "_" [params] [".noreturn"]`.
    pub(super) fn call_prototype(&mut self) -> Parsed<Prototype<'t>> {
        let returns = if self.is(b'(') { self.params()? } else { Vec::new() };
        self.expect_word("`_`")?;
        let params = if self.is(b'(') { self.params()? } else { Vec::new() };
        let is_noreturn = self.eat_noreturn();
        while let Token::Dot(_) = self.token() {
            self.skip(1);
            while matches!(self.token(), Token::Int(..) | Token::Punct(b',')) {
                self.skip(1);
            }
        }
        Ok(Prototype { returns, params, is_noreturn })
    }

    /// `variables = head name … ("," name …)*`, without the `;`.
    pub(super) fn variables(&mut self, linkage: Linkage) -> Parsed<Vec<Variable<'t>>> {
        let head = self.variable_head(linkage)?;
        let mut variables = vec![self.variable(&head)?];
        while self.eat(b',') {
            variables.push(self.variable(&head)?);
        }
        Ok(variables)
    }

    /// Space, alignment and type: what several names share.
    fn variable_head(&mut self, linkage: Linkage) -> Parsed<Variable<'t>> {
        let (mut space, mut ty) = (None, None);
        let mut head = Variable {
            linkage,
            space: Space::Reg,
            align: None,
            ty: Type::B8,
            vector: 1,
            name: "",
            count: None,
            dims: SmallVec::new(),
            init: None,
            ptr: None,
            attributes: Vec::new(),
            place: self.place(),
        };
        while let Token::Dot(word) = self.token() {
            let is_pointee = head.ptr.is_some();
            self.skip(1);
            match word {
                "align" => {
                    let align = self.integer()?;
                    if !align.is_power_of_two() {
                        return Err(self.error(format!("alignment is {align}; it must be a power of two")));
                    }
                    if align > MAX_ALIGN {
                        let message = format!("alignment is {align}; the maximum is {MAX_ALIGN}");
                        return Err(self.error(message));
                    }
                    match &mut head.ptr {
                        Some((_, pointee)) => *pointee = Some(align),
                        None => head.align = Some(align),
                    }
                }
                "ptr" => head.ptr = Some((None, None)),
                "v2" => head.vector = 2,
                "v4" => head.vector = 4,
                "v8" => head.vector = 8,
                "attribute" => head.attributes = self.attributes()?,
                _ => match (space_named(word), Type::named(word)) {
                    (Some(pointee), _) if is_pointee => head.ptr = Some((Some(pointee), None)),
                    (Some(_), _) if space.is_some() => return Err(self.error_before("a second state space")),
                    (None, Some(_)) if ty.is_some() => return Err(self.error_before("a second type")),
                    (Some(named), _) => space = Some(named),
                    (None, Some(named)) => ty = Some(named),
                    (None, None) => {
                        return Err(self.error_before(format!("unknown directive `.{word}`")));
                    }
                },
            }
        }
        head.space = space.ok_or_else(|| self.expected("a state space"))?;
        head.ty = ty.ok_or_else(|| self.expected("a type"))?;
        Ok(head)
    }

    /// `"(" .name ["(" … ")"] ("," .name …)* ")"`
    fn attributes(&mut self) -> Parsed<Vec<&'t str>> {
        self.expect(b'(')?;
        let mut names = Vec::new();
        loop {
            let Token::Dot(name) = self.token() else { return Err(self.expected("an attribute")) };
            self.skip(1);
            names.push(name);
            if self.eat(b'(') {
                while !self.eat(b')') {
                    self.integer()?;
                    self.eat(b',');
                }
            }
            if !self.eat(b',') {
                break;
            }
        }
        self.expect(b')')?;
        Ok(names)
    }

    /// `variable = name ["<" number ">"] ("[" [number] "]")* ["=" initializer]`
    fn variable(&mut self, head: &Variable<'t>) -> Parsed<Variable<'t>> {
        let (name, place) = self.expect_word("a name")?;
        let mut variable = Variable { name, place, ..head.clone() };
        if self.eat(b'<') {
            variable.count = Some(self.expect_u32("a number")?);
            self.expect(b'>')?;
        }
        while self.eat(b'[') {
            let dim = if self.is(b']') { None } else { Some(self.integer()?) };
            variable.dims.push(dim);
            self.expect(b']')?;
        }
        if self.eat(b'=') {
            variable.init = Some(self.initializer()?);
        }
        Ok(variable)
    }

    /// `initializer = constant | word "=" (word | integer) | "{" [initializer ("," initializer)*] "}"`
    fn initializer(&mut self) -> Parsed<Initializer<'t>> {
        if let (Token::Word(name), Token::Punct(b'=')) = (self.token(), self.token_at(1)) {
            self.skip(2);
            let property = match self.token() {
                Token::Word(word) => {
                    self.skip(1);
                    Property::Word(word)
                }
                _ => Property::Number(self.integer()?),
            };
            return Ok(Initializer::Property(name, property));
        }
        if !self.eat(b'{') {
            return self.constant().map(Initializer::Value);
        }
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error("the initializer is nested too deeply"));
        }
        let mut items = Vec::new();
        while !self.is(b'}') {
            items.push(self.initializer()?);
            if !self.eat(b',') {
                break;
            }
        }
        self.depth -= 1;
        self.expect(b'}')?;
        Ok(Initializer::List(items))
    }
}

fn space_named(word: &str) -> Option<Space> {
    Some(match word {
        "reg" => Space::Reg,
        "sreg" => Space::Sreg,
        "const" => Space::Const,
        "global" => Space::Global,
        "local" => Space::Local,
        "param" => Space::Param,
        "shared" => Space::Shared,
        "tex" => Space::Tex,
        _ => return None,
    })
}
