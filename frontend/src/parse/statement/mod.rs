//! Statements (C17 6.8).
//!
//! - [`condition`]: what is in the parentheses of `if`, `switch` and `while`; [`range_for`]: the declaration of a `for`
//! - [`unroll`]: `#pragma unroll`; [`asm`]: inline PTX

mod asm;
mod condition;
mod range_for;
mod unroll;

use smallvec::SmallVec;
use thin_vec::ThinVec;

use super::height::Bounded;
use super::name::scope::Meaning;
use super::{Parsed, Statements};
use crate::ast::{AttrKind, Condition, ExprId, Name, StmtId, StmtKind, Written};
use crate::diag::{Code, Diagnostic};
use crate::source::Span;
use crate::token::{Keyword, Punct, TokenKind};
use condition::Head;
use unroll::UnrollPragma;

/// The links of an `if` and its `else if`s, each with where it begins and its `constexpr`.
struct IfChain {
    links: SmallVec<[(Span, Written, Condition, StmtId); 2]>,
    last: Option<StmtId>,
    n_scopes: usize,
}

/// What stands before a statement: built around it from the inside out.
enum Prefix {
    Label(Name),
    Case(ExprId, Option<ExprId>),
    Unroll(Option<ExprId>),
    Default,
}

/// Each with where it begins.
type Prefixes = SmallVec<[(Prefix, Span); 2]>;

/// What is remembered of statements.
#[derive(Default)]
pub(super) struct StatementFacts {
    /// Those of the blocks that are being read, the outermost block's first.
    waiting: Vec<StmtId>,
}

impl Statements<'_> {
    /// A function's body, in the scope of its parameters (C17 6.2.1p4).
    pub(super) fn function_body(&mut self) -> Parsed<StmtId> {
        self.body_open = Some(self.pos);
        let body = self.measured(Self::block_items).map(|(block, _)| block);
        self.body_open = None;
        body
    }

    /// Whether the function lacks a `}`, and what only stands at file scope follows.
    fn begins_next_declaration(&self) -> bool {
        let is_outer =
            matches!(self.kind(), TokenKind::Keyword(Keyword::Device | Keyword::Constant | Keyword::Typedef));
        is_outer
            && self.token().at_line_start
            && self.body_open.is_some_and(|open| {
                self.kind_of(open) == TokenKind::Punct(Punct::LBrace) && self.matching(open).is_none()
            })
    }

    /// `block = "{" statement* "}"`
    pub(super) fn block(&mut self) -> Parsed<StmtId> {
        self.scopes.enter();
        let block = self.block_items();
        self.scopes.leave();
        block
    }

    /// Whether the text ends here, or what only stands at file scope follows.
    fn lacks_closing_brace(&self) -> bool {
        match self.kind() {
            TokenKind::Keyword(_) => self.begins_function() || self.begins_next_declaration(),
            kind => kind == TokenKind::Eof,
        }
    }

    fn block_items(&mut self) -> Parsed<StmtId> {
        // Where it is missing, that was said.
        let open = self.eat(Punct::LBrace).unwrap_or(self.prev_span().end());
        let first = self.statement_facts.waiting.len();
        while !self.is(Punct::RBrace) {
            if self.lacks_closing_brace() {
                // Where one `}` is missing, the blocks around end here as well.
                let _reported = self.expect_close(Punct::RBrace, open);
                break;
            }
            let stmt = self.statement_or_error();
            self.statement_facts.waiting.push(stmt);
        }
        self.eat(Punct::RBrace);
        let stmts = self.parser.unit.push_stmt_list(&self.parser.statement_facts.waiting[first..]);
        self.statement_facts.waiting.truncate(first);
        let span = self.span_from(open);
        Ok(self.push_stmt(StmtKind::Block(stmts), span))
    }

    /// A statement; after a mistake, what the text goes on with. Takes at least one token.
    fn statement_or_error(&mut self) -> StmtId {
        let start = self.pos;
        let result = self.statement();
        match result {
            Ok(stmt) => stmt,
            Err(_) => {
                let span = self.tokens[start].span;
                let failed = self.pos;
                // A bracket too many is the whole mistake.
                if failed == start && (self.is(Punct::RParen) || self.is(Punct::RBracket)) {
                    self.bump();
                } else {
                    self.skip_statement();
                }
                if self.pos == start {
                    self.bump();
                }
                self.refuse_skipped_names(start, failed);
                let span = self.span_from(span);
                self.push_stmt(StmtKind::Error, span)
            }
        }
    }

    /// What a declaration declares behind its mistake is not known: no uses of it are to be reported.
    fn refuse_skipped_names(&mut self, start: usize, failed: usize) {
        let end = self.pos;
        self.go_to(start);
        let is_declaration = self.is_declaration();
        self.go_to(end);
        if !is_declaration {
            return;
        }
        for idx in failed..end {
            if let TokenKind::Ident(symbol) = self.kind_of(idx)
                && self.scopes.meaning(symbol) == Meaning::Unknown
            {
                let name = Name { symbol, span: self.tokens[idx].span };
                self.declarations().declare_refused(name, Meaning::Ordinary);
            }
        }
    }

    /// `statement = (label)* unlabelled-statement`
    fn statement(&mut self) -> Parsed<StmtId> {
        self.measured(|p| p.nested(Self::labelled_statement)).map(|(stmt, _)| stmt)
    }

    /// The statement that another one governs. It is a scope of its own (C17 6.8.4p3).
    fn substatement(&mut self) -> Parsed<StmtId> {
        self.scopes.enter();
        let is_missing = self.is(Punct::RBrace) || self.is_eof();
        let result = if is_missing {
            let message = format!("expected a statement, found {}", self.describe());
            Err(self.parser.error(Diagnostic::new(Code::ExpectedToken, self.span(), message)))
        } else {
            Ok(self.statement_or_error())
        };
        self.scopes.leave();
        result
    }

    /// `label = identifier ":" | "case" assignment ["..." assignment] ":" | "default" ":"`
    fn labelled_statement(&mut self) -> Parsed<StmtId> {
        if !self.may_begin_prefix() {
            return self.unlabelled_statement();
        }
        let mut prefixes = Prefixes::new();
        loop {
            while let Some(UnrollPragma { span, count }) = self.unroll_pragma() {
                prefixes.push((Prefix::Unroll(count), span));
            }
            if let Some(fallthrough) = self.statement_attributes()? {
                let body = self.push_stmt(StmtKind::Fallthrough, fallthrough);
                return self.prefixed(prefixes, body);
            }
            let start = self.span();
            let prefix = match self.kind() {
                TokenKind::Ident(symbol) if self.is_at(1, Punct::Colon) => {
                    self.bump();
                    Prefix::Label(Name { symbol, span: start })
                }
                TokenKind::Keyword(Keyword::Case) => {
                    self.bump();
                    let first = self.expressions().assignment()?;
                    let is_range = self.eat(Punct::Ellipsis).is_some();
                    Prefix::Case(first, if is_range { Some(self.expressions().assignment()?) } else { None })
                }
                TokenKind::Keyword(Keyword::Default) => {
                    self.bump();
                    Prefix::Default
                }
                _ => break,
            };
            if self.eat(Punct::Colon).is_none() {
                self.expected(Punct::Colon);
            }
            prefixes.push((prefix, start));
        }
        if prefixes.is_empty() {
            return self.unlabelled_statement();
        }
        let body = if self.is(Punct::RBrace) {
            // C23 6.8.1p1: a label may end a block. nvcc takes it with a warning.
            let span = self.prev_span().end();
            self.push_stmt(StmtKind::Empty, span)
        } else {
            self.unlabelled_statement()?
        };
        self.prefixed(prefixes, body)
    }

    /// Whether something may stand here before the statement itself.
    fn may_begin_prefix(&self) -> bool {
        use Keyword as K;
        let may_begin = match self.kind() {
            TokenKind::Ident(_) => self.is_at(1, Punct::Colon),
            TokenKind::Keyword(keyword) => {
                matches!(keyword, K::Case | K::Default | K::Attribute | K::GnuAttribute2)
            }
            kind => kind == TokenKind::Punct(Punct::LBracket),
        };
        may_begin || !self.pragmas.is_empty()
    }

    /// The statement with what stands before it.
    fn prefixed(&mut self, prefixes: Prefixes, mut body: StmtId) -> Parsed<StmtId> {
        for (prefix, start) in prefixes.into_iter().rev() {
            let span = self.span_from(start);
            self.raise(span)?;
            let kind = match prefix {
                Prefix::Label(name) => StmtKind::Label { name, body },
                Prefix::Case(first, last) => StmtKind::Case { first, last, body },
                Prefix::Unroll(count) => StmtKind::Unroll { pragma: start, count, body },
                Prefix::Default => StmtKind::Default { body },
            };
            body = self.push_stmt(kind, span);
        }
        Ok(body)
    }

    /// The attributes before a statement; those before a declaration are left to it. Gives the place of a
    /// `[[fallthrough]];`, which is a statement by itself (C++17 10.6.5).
    fn statement_attributes(&mut self) -> Parsed<Option<Span>> {
        let (start, at) = (self.pos, self.span());
        let mut attrs = ThinVec::new();
        while matches!(self.kind(), TokenKind::Keyword(Keyword::Attribute | Keyword::GnuAttribute2))
            || self.is(Punct::LBracket) && self.is_at(1, Punct::LBracket)
        {
            self.types().attributes(&mut attrs)?;
        }
        if attrs.is_empty() {
            return Ok(None);
        }
        if self.types_ref().begins_decl() {
            self.go_to(start);
            return Ok(None);
        }
        let mut fallthrough = None;
        for attr in &attrs {
            let (AttrKind::Gnu { name, .. } | AttrKind::Unknown(name)) = &attr.kind else { continue };
            let spelling = self.interner.spelling(name.symbol);
            match spelling.trim_matches('_') {
                "fallthrough" if matches!(attr.kind, AttrKind::Gnu { .. }) => fallthrough = Some(attr.span),
                // Hints that the optimiser does without, and what quiets warnings.
                "likely" | "unlikely" | "hot" | "cold" | "unused" | "maybe_unused" => {}
                _ => {
                    let (code, message) = match attr.kind {
                        AttrKind::Unknown(_) => {
                            (Code::UnknownAttributes, format!("unknown attribute `{spelling}` ignored"))
                        }
                        _ => {
                            let message = format!("attribute `{spelling}` on a statement ignored");
                            (Code::IgnoredAttributes, message)
                        }
                    };
                    self.sink.emit(Diagnostic::new(code, attr.span, message));
                }
            }
        }
        let Some(fallthrough) = fallthrough else { return Ok(None) };
        if self.eat(Punct::Semi).is_none() {
            let message = "`fallthrough` attribute is only allowed on empty statements";
            return Err(self.refuse(Code::MisplacedAttribute, fallthrough, message));
        }
        Ok(Some(self.span_from(at)))
    }

    fn unlabelled_statement(&mut self) -> Parsed<StmtId> {
        use Keyword as K;
        let start = self.span();
        match self.kind() {
            TokenKind::Punct(Punct::LBrace) => self.block(),
            TokenKind::Punct(Punct::Semi) => {
                self.bump();
                Ok(self.push_stmt(StmtKind::Empty, start))
            }
            TokenKind::Keyword(keyword) => match keyword {
                K::If => self.if_statement(),
                K::While => self.while_statement(),
                K::Do => self.do_statement(),
                K::For => self.for_statement(),
                K::Switch => self.switch_statement(),
                K::Goto => {
                    self.bump();
                    let label = self.expect_ident("the name of a label")?;
                    self.simple(StmtKind::Goto(label), start)
                }
                K::Break => self.keyword_statement(StmtKind::Break),
                K::Continue => self.keyword_statement(StmtKind::Continue),
                K::Return => self.return_statement(),
                K::Asm | K::GnuAsm | K::GnuAsm2 => self.asm_statement(),
                K::Try => {
                    self.refusals().refuse_try();
                    let span = self.span_from(start);
                    Ok(self.push_stmt(StmtKind::Error, span))
                }
                K::Else => {
                    let message = "`else` without an `if`";
                    Err(self.error(Diagnostic::new(Code::ExpectedExpression, start, message)))
                }
                _ => self.declaration_or_expression(),
            },
            TokenKind::Ident(_)
            | TokenKind::Number(_)
            | TokenKind::Char(_)
            | TokenKind::Str(_)
            | TokenKind::Punct(_)
            | TokenKind::Other(_)
            | TokenKind::PragmaStart(_)
            | TokenKind::PragmaEnd
            | TokenKind::Eof => self.declaration_or_expression(),
        }
    }

    fn declaration_or_expression(&mut self) -> Parsed<StmtId> {
        if self.is_declaration() {
            return self.declaration_statement();
        }
        let start = self.span();
        let expr = self.expressions().expression()?;
        self.simple(StmtKind::Expr(expr), start)
    }

    fn declaration_statement(&mut self) -> Parsed<StmtId> {
        if self.declarations_ref().is_alias() {
            let decl = self.declarations().alias()?;
            let span = decl.span;
            return Ok(self.push_decl(decl, span));
        }
        if self.names_ref().is_using_std() {
            let start = self.span();
            self.skip_statement();
            let span = self.span_from(start);
            return Ok(self.push_stmt(StmtKind::Empty, span));
        }
        if self.names_ref().begins_using() {
            return self.using_statement();
        }
        if self.refusals().refuse_block_construct()? {
            let span = self.prev_span();
            return Ok(self.push_stmt(StmtKind::Error, span));
        }
        let decl = self.declarations().declaration(false)?;
        let span = decl.span;
        Ok(self.push_decl(decl, span))
    }

    /// `using` in a block; of several names, each is a statement of its own.
    fn using_statement(&mut self) -> Parsed<StmtId> {
        let mut decls = self.names().using()?;
        let last = decls.pop().expect("invariant: at least one is declared");
        for decl in decls {
            let span = decl.span;
            let stmt = self.push_decl(decl, span);
            self.statement_facts.waiting.push(stmt);
        }
        let span = last.span;
        Ok(self.push_decl(last, span))
    }

    /// Whether a declaration comes next. What can be one is one (C++17 9.8p1).
    pub(super) fn is_declaration(&self) -> bool {
        // The shorter way to what most statements are: no declaration begins with the name of a variable.
        if let TokenKind::Ident(symbol) = self.kind()
            && matches!(self.scopes.meaning(symbol), Meaning::Ordinary | Meaning::Template)
            && !self.is_at(1, Punct::ColonColon)
        {
            return false;
        }
        if !self.types_ref().begins_decl() {
            return self.may_name_unknown_type_in_block();
        }
        !self.types_ref().is_functional_cast() || self.is_parenthesised_declarator()
    }

    /// A declaration with an unknown type, which must not pass for a product.
    fn may_name_unknown_type_in_block(&self) -> bool {
        let TokenKind::Ident(_) = self.kind() else { return false };
        match self.kind_at(1) {
            TokenKind::Punct(Punct::Star) => {
                let ends =
                    matches!(self.kind_at(3), TokenKind::Punct(Punct::Semi | Punct::Eq | Punct::Comma));
                self.declarations_ref().may_name_unknown_type() && ends
            }
            // `std::min(a, b);` is an expression, `std::size_t n` is not.
            TokenKind::Punct(Punct::ColonColon) => {
                let mut idx = self.pos + 1;
                while self.kind_of(idx) == TokenKind::Punct(Punct::ColonColon)
                    && matches!(self.kind_of(idx + 1), TokenKind::Ident(_))
                {
                    idx += 2;
                }
                match self.kind_of(idx) {
                    TokenKind::Ident(_) => true,
                    TokenKind::Punct(Punct::Lt) => self.closes_angles_before_name(idx),
                    _ => false,
                }
            }
            // A macro or a type that is not there: `foo x;`, and not a missing operator.
            TokenKind::Ident(_) => {
                let is_variable = matches!(self.kind(), TokenKind::Ident(symbol) if self.scopes.meaning(symbol) == Meaning::Ordinary);
                !is_variable && !self.tokens[self.pos + 1].at_line_start
            }
            TokenKind::Keyword(_) => {
                self.declarations_ref().may_name_unknown_type() && !self.tokens[self.pos + 1].at_line_start
            }
            TokenKind::Punct(Punct::Lt) if self.names_ref().begins_path() => {
                self.names_ref().is_path_before_name()
            }
            TokenKind::Punct(Punct::Lt) => {
                self.declarations_ref().may_name_unknown_type()
                    && self.closes_angles_before_name(self.pos + 1)
            }
            _ => false,
        }
    }

    /// `foo<int> x`: whether a name follows the `>`.
    fn closes_angles_before_name(&self, open: usize) -> bool {
        let mut idx = open + 1;
        loop {
            match self.kind_of(idx) {
                TokenKind::Punct(Punct::Gt) => return matches!(self.kind_of(idx + 1), TokenKind::Ident(_)),
                TokenKind::Punct(Punct::Comma | Punct::Star)
                | TokenKind::Ident(_)
                | TokenKind::Keyword(_)
                | TokenKind::Number(_) => idx += 1,
                _ => return false,
            }
        }
    }

    /// Whether `T (…)` declares: what stands in the parentheses is a declarator, and something that
    /// goes on with a declaration follows.
    fn is_parenthesised_declarator(&self) -> bool {
        let open = self.pos + 1;
        if self.kind_of(open) != TokenKind::Punct(Punct::LParen) {
            return false;
        }
        let mut idx = open + 1;
        let mut has_name = false;
        while let TokenKind::Punct(Punct::Star | Punct::Amp | Punct::AmpAmp | Punct::LParen)
        | TokenKind::Keyword(_)
        | TokenKind::Ident(_) = self.kind_of(idx)
        {
            has_name = matches!(self.kind_of(idx), TokenKind::Ident(_));
            idx += 1;
            if has_name {
                break;
            }
        }
        let is_declarator = has_name
            && matches!(self.kind_of(idx), TokenKind::Punct(Punct::RParen | Punct::LBracket | Punct::LParen));
        let Some(after) = self.matching(open).filter(|_| is_declarator) else { return false };
        matches!(
            self.kind_of(after),
            TokenKind::Punct(
                Punct::Semi | Punct::Eq | Punct::Comma | Punct::LParen | Punct::LBracket | Punct::LBrace
            )
        )
    }

    /// Ends a statement by its `;`.
    fn simple(&mut self, kind: StmtKind, start: Span) -> Parsed<StmtId> {
        let is_whole = self.expect_semi();
        let span = self.span_from(start);
        Ok(self.push_stmt(if is_whole { kind } else { StmtKind::Error }, span))
    }

    fn keyword_statement(&mut self, kind: StmtKind) -> Parsed<StmtId> {
        let start = self.bump().span;
        self.simple(kind, start)
    }

    /// `return-statement = "return" [expression | braced-list] ";"`
    fn return_statement(&mut self) -> Parsed<StmtId> {
        let start = self.bump().span;
        let value = match self.kind() {
            // In `return` `}` it is the `;` that is missing.
            TokenKind::Punct(Punct::Semi | Punct::RBrace) => None,
            TokenKind::Punct(Punct::LBrace) => Some(self.expressions().braced_value()?),
            _ => Some(self.expressions().expression()?),
        };
        self.simple(StmtKind::Return(value), start)
    }

    /// `if-statement = "if" ["constexpr"] "(" condition ")" statement ["else" statement]`
    ///
    /// A chain of `else if` is read in a loop: it may be long, and does not nest in the reader's eye.
    fn if_statement(&mut self) -> Parsed<StmtId> {
        let mut chain = IfChain { links: SmallVec::new(), last: None, n_scopes: 0 };
        let result = self.if_chain(&mut chain);
        for _ in 0..chain.n_scopes {
            self.scopes.leave();
        }
        result?;
        let mut last = chain.last;
        for (start, constexpr, cond, then) in chain.links.into_iter().rev() {
            let span = self.span_from(start);
            self.raise(span)?;
            last = Some(self.push_stmt(StmtKind::If { constexpr, cond, then, otherwise: last }, span));
        }
        Ok(last.expect("invariant: the chain has a link"))
    }

    fn if_chain(&mut self, chain: &mut IfChain) -> Parsed<()> {
        loop {
            let start = self.bump().span;
            let constexpr = Written::from(self.eat_keyword(Keyword::Constexpr));
            // What a condition declares is known in the `else` branch as well (C++17 9.4p2).
            self.scopes.enter();
            chain.n_scopes += 1;
            let cond = self.condition(Head::Selection)?;
            let then = self.substatement()?;
            chain.links.push((start, constexpr, cond, then));
            if self.eat_keyword(Keyword::Else).is_none() {
                return Ok(());
            }
            if !self.is_keyword(Keyword::If) {
                chain.last = Some(self.substatement()?);
                return Ok(());
            }
        }
    }

    /// `while-statement = "while" "(" condition ")" statement`
    fn while_statement(&mut self) -> Parsed<StmtId> {
        self.governed(Head::Loop, |cond, body| StmtKind::While { cond, body })
    }

    /// `switch-statement = "switch" "(" condition ")" statement`
    fn switch_statement(&mut self) -> Parsed<StmtId> {
        self.governed(Head::Selection, |cond, body| StmtKind::Switch { cond, body })
    }

    fn governed(&mut self, head: Head, kind: fn(Condition, StmtId) -> StmtKind) -> Parsed<StmtId> {
        let start = self.bump().span;
        self.scopes.enter();
        let parts = self.condition(head).and_then(|cond| Ok((cond, self.substatement()?)));
        self.scopes.leave();
        let (cond, body) = parts?;
        let span = self.span_from(start);
        Ok(self.push_stmt(kind(cond, body), span))
    }

    /// `do-statement = "do" statement "while" "(" expression ")" ";"`
    fn do_statement(&mut self) -> Parsed<StmtId> {
        let start = self.bump().span;
        let body = self.substatement()?;
        if self.eat_keyword(Keyword::While).is_none() {
            let message = format!("expected `while` after the body of `do`, found {}", self.describe());
            let diagnostic = Diagnostic::new(Code::ExpectedToken, self.span(), message)
                .with_label(start, "to match this `do`");
            return Err(self.error(diagnostic));
        }
        let open = self.expect(Punct::LParen)?;
        let cond = self.expressions().expression()?;
        self.expect_close(Punct::RParen, open)?;
        self.simple(StmtKind::DoWhile { body, cond }, start)
    }

    /// `for-statement = "for" "(" (declaration | [expression] ";") [condition] ";" [expression] ")" statement`
    fn for_statement(&mut self) -> Parsed<StmtId> {
        let start = self.bump().span;
        self.scopes.enter();
        let result = self.for_parts(start);
        self.scopes.leave();
        result
    }

    fn for_parts(&mut self, start: Span) -> Parsed<StmtId> {
        let (open, is_open) = self.open_head();
        let inside = self.pos;
        let (mut init, mut cond, mut step, mut range) = (None, None, None, None);
        let header = self
            .for_header(&mut init, &mut cond, &mut step, &mut range)
            .and_then(|()| self.close_head(open, is_open));
        if let Err(reported) = header {
            self.skip_to_close(inside, reported)?;
        }
        let body = self.substatement()?;
        let span = self.span_from(start);
        Ok(match (init, range) {
            (Some(decl), Some(range)) => self.push_stmt(StmtKind::RangeFor { decl, range, body }, span),
            _ => self.push_stmt(StmtKind::For { init, cond, step, body }, span),
        })
    }

    fn for_header(
        &mut self,
        init: &mut Option<StmtId>,
        cond: &mut Option<Condition>,
        step: &mut Option<ExprId>,
        range: &mut Option<ExprId>,
    ) -> Parsed<()> {
        let start = self.span();
        if self.is_declaration() {
            *init = Some(self.for_declaration(start, range)?);
            if range.is_some() {
                return Ok(());
            }
        } else if !self.is(Punct::Semi) {
            let expr = self.expressions().expression()?;
            let span = self.span_from(start);
            if self.is(Punct::Colon) {
                let message = "range-based `for` requires a type for its variable";
                return Err(self.refuse(Code::ExpectedType, span, message));
            }
            self.expect(Punct::Semi)?;
            *init = Some(self.push_stmt(StmtKind::Expr(expr), span));
        } else {
            self.bump();
        }
        if !self.is(Punct::Semi) {
            *cond = Some(self.condition_parts(Head::Loop)?);
        }
        self.expect(Punct::Semi)?;
        if !self.is(Punct::RParen) {
            *step = Some(self.expressions().expression()?);
        }
        Ok(())
    }
}
