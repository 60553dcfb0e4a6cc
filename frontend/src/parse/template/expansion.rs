//! Expansions of packs (C++17 17.5.3), where the tokens of a template are read again.
//!
//! The lengths of packs are known then: the tokens of a pattern are read once on trial, which says what packs it has, and then once for
//! each element, with the names of packs meaning that element. In the signature of a template, which is read for no arguments, lengths
//! are open: the syntax has the pattern alone.

use thin_vec::ThinVec;

use crate::ast::{Name, Nodes, TypeSpec};
use crate::diag::{Code, Diagnostic, Reported, Severity};
use crate::limits::MAX_PACK_TOKENS;
use crate::parse::name::scope::PackLen;
use crate::parse::{Parsed, Parser, Types};
use crate::source::Span;
use crate::token::{Keyword, Punct, Token, TokenKind};

/// What is known of packs where tokens are read again.
#[derive(Default)]
pub(in crate::parse) struct PackFacts {
    /// The template has packs, or `...` among its tokens.
    pub(in crate::parse) is_possible: bool,
    /// The element that names of packs mean: none outside of patterns.
    element: Option<u32>,
    /// What packs the pattern has that is being read.
    named: Vec<(Name, PackLen)>,
    /// A pattern is read only to see what packs it has.
    is_trial: bool,
    /// Tokens of which a first half was taken, as they were.
    split: Vec<(usize, Token)>,
    /// How many tokens were read for elements.
    n_tokens: usize,
}

/// A pattern that was read on trial.
pub(in crate::parse) struct Pattern<T> {
    /// What was read. Its nodes are gone, unless a length is open.
    pub(in crate::parse) value: T,
    packs: Vec<(Name, PackLen)>,
    start: usize,
    end: usize,
}

impl<T> Pattern<T> {
    /// Whether it has a pack that is to be expanded.
    pub(in crate::parse) fn has_packs(&self) -> bool {
        !self.packs.is_empty()
    }
}

/// What replaces an expansion.
pub(in crate::parse) enum Expanded<T> {
    Elements(Vec<T>),
    /// The pattern: the length is open.
    Pattern(T),
}

impl<'a> Parser<'a> {
    /// Whether what begins at the current token, up to a comma or a closing bracket, ends in `...`.
    pub(in crate::parse) fn begins_expansion(&self) -> bool {
        if !self.pack_facts.is_possible {
            return false;
        }
        let mut at = self.pos;
        loop {
            at = match self.kind_of(at) {
                TokenKind::Eof
                | TokenKind::Punct(
                    Punct::Comma | Punct::RParen | Punct::RBracket | Punct::RBrace | Punct::Semi,
                ) => return false,
                // `sizeof...` expands nothing.
                TokenKind::Punct(Punct::Ellipsis) if !self.is_after_sizeof(at) => return true,
                _ if at == self.angle_end => return false,
                _ => self.after(at),
            };
        }
    }

    fn is_after_sizeof(&self, at: usize) -> bool {
        at > 0 && self.kind_of(at - 1) == TokenKind::Keyword(Keyword::Sizeof)
    }

    /// Whether the parentheses at the current token have `...` among their tokens, which makes them a fold.
    pub(in crate::parse) fn begins_fold(&self) -> bool {
        let Some(end) = self.matching(self.pos).filter(|_| self.pack_facts.is_possible) else { return false };
        let mut at = self.pos + 1;
        while at + 1 < end {
            if self.kind_of(at) == TokenKind::Punct(Punct::Ellipsis) {
                return true;
            }
            at = self.after(at);
        }
        false
    }

    /// The token after the one at a place, or after what it opens.
    fn after(&self, at: usize) -> usize {
        match self.kind_of(at) {
            TokenKind::Punct(Punct::LParen | Punct::LBracket | Punct::LBrace) => {
                self.matching(at).unwrap_or(at + 1)
            }
            TokenKind::Punct(Punct::Lt) if self.templates_ref().may_open_list(at) => {
                // A `>>` that closes another list, too, is its end.
                self.templates_ref().end_of_angles(at).unwrap_or(at + 1)
            }
            _ => at + 1,
        }
    }

    /// What a name that is a pack's means here: an element, or none where nothing expands it. `None`: the name itself does.
    pub(in crate::parse) fn element_named(&mut self, name: Name) -> Option<Option<u32>> {
        let len = self.scopes.pack_len(name.symbol)?;
        let facts = &mut self.pack_facts;
        if facts.element.is_some() {
            facts.named.push((name, len));
        }
        match (len, facts.element) {
            (PackLen::Open, Some(_)) => None,
            (_, element) => Some(element),
        }
    }

    /// The type that a name is, which may be that of a pack.
    pub(in crate::parse) fn named_type_spec(&mut self, name: Name) -> TypeSpec {
        match self.pack_facts.is_possible {
            true => match self.element_named(name) {
                Some(idx) => TypeSpec::Element(Box::new((name, idx))),
                None => TypeSpec::Named(name),
            },
            false => TypeSpec::Named(name),
        }
    }

    /// Whether the pattern that is being read has had the name of a pack.
    pub(in crate::parse) fn has_named_pack(&self) -> bool {
        !self.pack_facts.named.is_empty()
    }

    /// `expansion = pattern "..."`
    pub(in crate::parse) fn expansion<T>(
        &mut self,
        read: impl Fn(&mut Parser<'a>) -> Parsed<T>,
    ) -> Parsed<Expanded<T>> {
        let pattern = self.pattern(&read)?;
        let Some(ellipsis) = self.eat(Punct::Ellipsis) else { return Err(self.expected(Punct::Ellipsis)) };
        self.elements(pattern, ellipsis, read)
    }

    /// Reads on trial what may be a pattern.
    pub(in crate::parse) fn pattern<T>(
        &mut self,
        read: impl Fn(&mut Parser<'a>) -> Parsed<T>,
    ) -> Parsed<Pattern<T>> {
        let (start, n_split) = (self.pos, self.pack_facts.split.len());
        let nodes = self.here_in_unit();
        let aside = self.sink.aside();
        let said = std::mem::replace(self.sink, aside);
        let (result, packs) = self.reading(0, true, read);
        let found = std::mem::replace(self.sink, said).into_emitted();
        let mut errors = found.into_iter().filter(|found| found.severity == Severity::Error);
        let value = match (result, errors.next()) {
            (Ok(value), None) => value,
            (result, first) => {
                let reported = first.map(|error| self.sink.error(error));
                errors.for_each(|error| self.sink.emit(error));
                return Err(reported
                    .or_else(|| self.sink.reported())
                    .or(result.err())
                    .expect("invariant: what fails has reported"));
            }
        };
        let end = self.pos;
        if !packs.iter().any(|&(_, len)| len == PackLen::Open) && !self.pack_facts.is_trial {
            self.unit.truncate(&nodes);
        }
        self.mend_split(n_split);
        Ok(Pattern { value, packs, start, end })
    }

    /// Reads a pattern for each of its elements.
    pub(in crate::parse) fn elements<T>(
        &mut self,
        pattern: Pattern<T>,
        ellipsis: Span,
        read: impl Fn(&mut Parser<'a>) -> Parsed<T>,
    ) -> Parsed<Expanded<T>> {
        let len = self.common_len(&pattern.packs, ellipsis)?;
        let len = match len {
            PackLen::Open => return Ok(Expanded::Pattern(pattern.value)),
            // Nothing is made of them.
            _ if self.pack_facts.is_trial => return Ok(Expanded::Elements(vec![pattern.value])),
            PackLen::Known(len) => len,
        };
        let (after, n_split) = (self.pos, self.pack_facts.split.len());
        let mut elements = Vec::new();
        for idx in 0..len {
            self.count_tokens(pattern.end - pattern.start, ellipsis)?;
            self.go_to(pattern.start);
            let (element, _) = self.reading(idx, false, &read);
            self.mend_split(n_split);
            elements.push(element?);
        }
        self.go_to(after);
        Ok(Expanded::Elements(elements))
    }

    /// Reads again what was read on trial and is no pattern.
    pub(in crate::parse) fn without_expansion<T>(
        &mut self,
        pattern: Pattern<T>,
        read: impl Fn(&mut Parser<'a>) -> Parsed<T>,
    ) -> Parsed<T> {
        if self.pack_facts.is_trial {
            self.pack_facts.named.extend(pattern.packs);
            return Ok(pattern.value);
        }
        self.count_tokens(pattern.end - pattern.start, self.tokens[pattern.start].span)?;
        let after = self.pos;
        self.go_to(pattern.start);
        let value = read(self)?;
        self.go_to(after.max(self.pos));
        Ok(value)
    }

    /// Runs `read` with the names of packs meaning an element, and gives the packs that it has named.
    fn reading<T>(
        &mut self,
        element: u32,
        is_trial: bool,
        read: impl Fn(&mut Parser<'a>) -> Parsed<T>,
    ) -> (Parsed<T>, Vec<(Name, PackLen)>) {
        let facts = &mut self.pack_facts;
        let is_trial = is_trial || facts.is_trial;
        let outer = (facts.element.replace(element), std::mem::replace(&mut facts.is_trial, is_trial));
        let named = std::mem::take(&mut facts.named);
        let result = read(self);
        let facts = &mut self.pack_facts;
        (facts.element, facts.is_trial) = outer;
        (result, std::mem::replace(&mut facts.named, named))
    }

    /// How many elements the packs of one pattern have.
    fn common_len(&mut self, packs: &[(Name, PackLen)], ellipsis: Span) -> Parsed<PackLen> {
        let Some(&(first, len)) = packs.first() else {
            let message = "pack expansion does not contain any unexpanded parameter packs";
            return Err(self.sink.error(Diagnostic::new(Code::InvalidTemplate, ellipsis, message)));
        };
        for &(name, other) in packs {
            if let (PackLen::Known(ours), PackLen::Known(theirs)) = (len, other)
                && ours != theirs
            {
                let message = format!(
                    "pack expansion contains parameter packs `{}` and `{}` that have different lengths ({ours} vs. \
                     {theirs})",
                    self.interner.spelling(first.symbol),
                    self.interner.spelling(name.symbol)
                );
                let diagnostic = Diagnostic::new(Code::InvalidTemplate, ellipsis, message)
                    .with_label(first.span, format!("this pack has length {ours}"))
                    .with_label(name.span, format!("this pack has length {theirs}"));
                return Err(self.sink.error(diagnostic));
            }
        }
        Ok(if packs.iter().any(|&(_, len)| len == PackLen::Open) { PackLen::Open } else { len })
    }

    /// The work on one text is bounded.
    fn count_tokens(&mut self, n_tokens: usize, span: Span) -> Parsed<()> {
        self.pack_facts.n_tokens += n_tokens;
        if self.pack_facts.n_tokens <= MAX_PACK_TOKENS {
            return Ok(());
        }
        let message = format!("the pack expansions of this instance have more than {MAX_PACK_TOKENS} tokens");
        Err(self.sink.error(Diagnostic::new(Code::NestingTooDeep, span, message)))
    }

    /// Notes that the first half of the token at a place is taken: it may be read again.
    pub(in crate::parse) fn note_split(&mut self, at: usize) {
        if self.pack_facts.element.is_some() {
            let token = self.tokens[at];
            self.pack_facts.split.push((at, token));
        }
    }

    /// Makes tokens whole again of which a half was taken.
    fn mend_split(&mut self, n_kept: usize) {
        while self.pack_facts.split.len() > n_kept
            && let Some((at, token)) = self.pack_facts.split.pop()
        {
            self.tokens[at] = token;
        }
    }

    /// No nodes, after all that there are.
    fn here_in_unit(&self) -> Nodes {
        self.unit.nodes_since(&self.unit.nodes())
    }

    /// Reports a name that is no pack's, where one must be.
    pub(in crate::parse) fn not_a_pack(&mut self, name: Name) -> Reported {
        let spelling = self.interner.spelling(name.symbol);
        let message = format!("`{spelling}` does not refer to the name of a parameter pack");
        self.sink.error(Diagnostic::new(Code::InvalidTemplate, name.span, message))
    }
}

impl Types<'_> {
    /// Whether the base class that begins at the current token is expanded.
    pub(in crate::parse) fn is_expanded_base(&self) -> bool {
        let end = self.base_end(self.pos);
        self.pack_facts.is_possible && self.kind_of(end) == TokenKind::Punct(Punct::Ellipsis)
    }

    /// Whether the member initializer that begins at the current token is expanded.
    pub(in crate::parse) fn is_expanded_initializer(&self) -> bool {
        if !self.pack_facts.is_possible {
            return false;
        }
        let open = self.base_end(self.pos);
        self.kind_of(self.after(open)) == TokenKind::Punct(Punct::Ellipsis)
    }

    /// Where the name of a base class ends that begins at a token: before `...`, what initializes it, or what follows it in a list.
    fn base_end(&self, mut at: usize) -> usize {
        loop {
            at = match self.kind_of(at) {
                TokenKind::Eof
                | TokenKind::Punct(
                    Punct::Ellipsis | Punct::LParen | Punct::LBrace | Punct::Comma | Punct::Semi,
                ) => return at,
                _ => self.after(at),
            };
        }
    }

    /// Adds an item of a list, or what it expands to.
    pub(in crate::parse) fn push_expanded<T>(
        &mut self,
        list: &mut ThinVec<T>,
        is_expansion: bool,
        read: impl Fn(&mut Parser<'_>) -> Parsed<T>,
    ) -> Parsed<()> {
        if !is_expansion {
            list.push(read(&mut self.parser)?);
            return Ok(());
        }
        match self.parser.expansion(read)? {
            Expanded::Elements(elements) => list.extend(elements),
            Expanded::Pattern(pattern) => list.push(pattern),
        }
        Ok(())
    }
}
