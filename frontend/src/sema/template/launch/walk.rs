//! Host code, statement by statement, by its tokens.

use std::ops::Range;

use cranelift_entity::packed_option::ReservedValue;
use hashbrown::{HashMap, HashSet};

use super::Found;
use super::generic_lambda::GenericLambda;
use super::host_template::HostTemplates;
use super::tokens::Closers;
use crate::ir::{Func, Ty};
use crate::limits::MAX_NESTING;
use crate::sema::Templates;
use crate::sema::context::Evaluation;
use crate::sema::statement::FuncCx;
use crate::sema::template::text::Text;
use crate::token::{Keyword, Punct, Symbol, Token, TokenKind};

/// A way through host code, with the names that are known where it is.
pub(super) struct Walk<'w, 'a> {
    pub(super) cx: &'w mut Templates<'a>,
    pub(super) scope: &'w Text,
    pub(super) tokens: &'w [Token],
    pub(super) closers: Closers,
    pub(super) names: LocalNames,
    pub(super) kernels: &'w HashSet<Symbol>,
    pub(super) found: &'w mut Found,
    pub(super) host: &'w mut HostTemplates,
    /// Whether what is walked is part of the program is not known.
    pub(super) is_doubtful: bool,
    /// The branch of an `if constexpr` that is not taken.
    pub(super) is_dropped: bool,
    pub(super) nesting: u32,
    pub(super) generics: Vec<GenericLambda>,
}

/// The names that blocks, parameters and classes declare.
#[derive(Default)]
pub(super) struct LocalNames {
    /// Whether they are types, the innermost last.
    meanings: HashMap<Symbol, Vec<bool>>,
    scopes: Vec<Vec<Symbol>>,
}

impl LocalNames {
    pub(super) fn declare(&mut self, symbol: Symbol, is_type: bool) {
        self.meanings.entry(symbol).or_default().push(is_type);
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(symbol);
        }
    }

    /// Whether the name is a type, if it is a local one.
    pub(super) fn is_type(&self, symbol: Symbol) -> Option<bool> {
        self.meanings.get(&symbol)?.last().copied()
    }

    fn leave(&mut self) {
        for symbol in self.scopes.pop().unwrap_or_default() {
            if let Some(meanings) = self.meanings.get_mut(&symbol) {
                meanings.pop();
            }
        }
    }
}

/// Where a statement is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In a class, or in no block at all: functions may be defined.
    Outside,
    Block,
}

/// A statement that no keyword begins.
enum Simple {
    /// It ends before the token.
    Statement(usize),
    /// A function, with the parentheses of its parameters and the brace of its body.
    Function { params: usize, body: usize },
    /// The brace of the definition of a class.
    Class(usize),
}

impl<'w, 'a> Walk<'w, 'a> {
    pub(super) fn new(
        cx: &'w mut Templates<'a>,
        scope: &'w Text,
        tokens: &'w [Token],
        kernels: &'w HashSet<Symbol>,
        found: &'w mut Found,
        host: &'w mut HostTemplates,
    ) -> Self {
        let closers = Closers::of(tokens);
        Walk {
            cx,
            scope,
            tokens,
            closers,
            names: LocalNames::default(),
            kernels,
            found,
            host,
            is_doubtful: false,
            is_dropped: false,
            nesting: 0,
            generics: Vec::new(),
        }
    }

    /// Walks a whole item, which may be a member of a struct.
    pub(super) fn item(&mut self, record: Option<Symbol>) {
        self.in_function(|walk| {
            if let Some(record) = record {
                walk.declare_members(record);
            }
            walk.all_statements();
        });
    }

    pub(super) fn all_statements(&mut self) {
        self.statements(0..self.tokens.len() - 1, Place::Outside);
    }

    /// Has variables that are those of a function of its own.
    pub(super) fn in_function(&mut self, work: impl FnOnce(&mut Self)) {
        self.cx.evaluation = Evaluation::Unevaluated;
        self.cx.func = Some(Box::new(FuncCx::new(Func::reserved_value(), Ty::VOID)));
        self.scoped(work);
    }

    /// Has the names that are declared forgotten after it.
    pub(super) fn scoped(&mut self, work: impl FnOnce(&mut Self)) {
        if self.nesting >= MAX_NESTING {
            return;
        }
        self.nesting += 1;
        self.cx.scopes.push();
        self.names.scopes.push(Vec::new());
        work(self);
        self.leave_generics();
        self.names.leave();
        self.cx.scopes.pop();
        self.nesting -= 1;
    }

    fn statements(&mut self, range: Range<usize>, place: Place) {
        let mut at = range.start;
        while at < range.end {
            at = self.statement(at, place).max(at + 1);
        }
    }

    pub(super) fn block(&mut self, open: usize) -> usize {
        let close = self.close(open);
        self.scoped(|walk| walk.statements(open + 1..close, Place::Block));
        close + 1
    }

    /// Walks the statement that begins at the token, and gives the one after it.
    fn statement(&mut self, at: usize, place: Place) -> usize {
        if self.nesting >= MAX_NESTING {
            return self.tokens.len();
        }
        match self.kind(at) {
            TokenKind::Punct(Punct::LBrace) => self.block(at),
            TokenKind::Keyword(keyword) => match keyword {
                Keyword::For => self.headed(at + 1, place, Self::for_head),
                Keyword::If if self.kind(at + 1) == TokenKind::Keyword(Keyword::Constexpr) => {
                    self.constexpr_if(at + 2, place)
                }
                Keyword::If => {
                    let mut after = at;
                    self.scoped(|walk| {
                        after = walk.headed(at + 1, place, Self::condition);
                        if walk.kind(after) == TokenKind::Keyword(Keyword::Else) {
                            after = walk.nested_statement(after + 1, place);
                        }
                    });
                    after
                }
                Keyword::While | Keyword::Switch => self.headed(at + 1, place, Self::condition),
                Keyword::Catch => self.headed(at + 1, place, |walk, range| {
                    walk.declare(range);
                }),
                Keyword::Do | Keyword::Else | Keyword::Try => at + 1,
                Keyword::Case | Keyword::Default => {
                    let end = self.tokens.len() - 1;
                    self.find(at + 1..end, Punct::Colon).map_or(end, |colon| colon + 1)
                }
                Keyword::Public | Keyword::Private | Keyword::Protected => at + 2,
                Keyword::Template => self.template(at),
                Keyword::Extern if matches!(self.kind(at + 1), TokenKind::Str(_)) => at + 2,
                _ => self.simple(at, place),
            },
            TokenKind::Ident(_) if self.is(at + 1, Punct::Colon) && place == Place::Block => at + 2,
            TokenKind::Punct(Punct::Semi) => at + 1,
            _ => self.simple(at, place),
        }
    }

    /// A statement with parentheses before it, whose declarations are its own.
    fn headed(&mut self, open: usize, place: Place, head: impl FnOnce(&mut Self, Range<usize>)) -> usize {
        if !self.is(open, Punct::LParen) {
            return open;
        }
        let close = self.close(open);
        let mut after = close + 1;
        self.scoped(|walk| {
            head(walk, open + 1..close);
            after = walk.statement(after, place);
        });
        after
    }

    fn nested_statement(&mut self, at: usize, place: Place) -> usize {
        let mut after = at + 1;
        self.scoped(|walk| after = walk.statement(at, place));
        after
    }

    /// `declaration; condition; step`, or `declaration : range`
    fn for_head(&mut self, range: Range<usize>) {
        let end = self.find(range.clone(), Punct::Semi).or_else(|| self.find(range.clone(), Punct::Colon));
        self.declare(range.start..end.unwrap_or(range.end));
        self.uses(range);
    }

    /// `[declaration;] condition`, which may be a declaration, too.
    fn condition(&mut self, range: Range<usize>) {
        let mut start = range.start;
        if let Some(semi) = self.find(range.clone(), Punct::Semi) {
            self.declare(start..semi);
            start = semi + 1;
        }
        self.declare(start..range.end);
        self.uses(range);
    }

    /// The branch that is taken alone, if that is known (C++17 9.4.1p2).
    fn constexpr_if(&mut self, open: usize, place: Place) -> usize {
        let close = self.close(open);
        let mut after = close + 1;
        self.scoped(|walk| {
            let is_true = walk.constant(open + 1..close).map(|value| value != 0);
            let is_doubtful = std::mem::replace(&mut walk.is_doubtful, is_true.is_none());
            walk.is_doubtful |= is_doubtful;
            after = walk.branch(after, place, is_true != Some(false));
            if walk.kind(after) == TokenKind::Keyword(Keyword::Else) {
                after = walk.branch(after + 1, place, is_true != Some(true));
            }
            walk.is_doubtful = is_doubtful;
        });
        after
    }

    /// A branch, whose uses do not count if it is not taken.
    fn branch(&mut self, at: usize, place: Place, is_taken: bool) -> usize {
        let is_dropped = self.is_dropped;
        self.is_dropped |= !is_taken;
        let after = self.nested_statement(at, place);
        self.is_dropped = is_dropped;
        after
    }

    /// A template within a class, which may be instantiated with any arguments.
    fn template(&mut self, at: usize) -> usize {
        let Some((close, _)) = self.close_angle(at + 1) else { return at + 1 };
        let mut after = close + 1;
        let is_doubtful = std::mem::replace(&mut self.is_doubtful, true);
        self.scoped(|walk| {
            for param in walk.split(at + 2..close) {
                let end = walk.find(param.clone(), Punct::Eq).unwrap_or(param.end);
                if let TokenKind::Ident(symbol) = walk.kind(end - 1) {
                    let is_type = matches!(
                        walk.kind(param.start),
                        TokenKind::Keyword(Keyword::Class | Keyword::Typename)
                    );
                    walk.declare_unknown(symbol, walk.tokens[end - 1].span, is_type);
                }
            }
            after = walk.statement(close + 1, Place::Outside);
        });
        self.is_doubtful = is_doubtful;
        after
    }

    /// The token after a template within a class.
    fn after_template(&self, at: usize) -> usize {
        let after = self.close_angle(at + 1).map_or(at + 1, |(close, _)| close + 1);
        match self.classify(after, Place::Outside) {
            Simple::Statement(semi) => semi + 1,
            Simple::Function { body, .. } | Simple::Class(body) => self.close(body) + 1,
        }
    }

    fn simple(&mut self, at: usize, place: Place) -> usize {
        match self.classify(at, place) {
            Simple::Statement(end) => {
                self.declare(at..end);
                self.uses(at..end);
                end + 1
            }
            Simple::Function { params, body } => {
                let close = self.close(params);
                self.scoped(|walk| {
                    if let Some(record) = walk.class_of(params) {
                        walk.declare_members(record);
                    }
                    walk.scoped(|walk| {
                        walk.parameters(params + 1..close);
                        // The name itself is no use.
                        if matches!(walk.kind(params - 1), TokenKind::Ident(_)) {
                            walk.uses(at..params - 1);
                        }
                        walk.uses(params + 1..body);
                        walk.block(body);
                    });
                });
                self.close(body) + 1
            }
            Simple::Class(open) => {
                let close = self.close(open);
                self.declare_unknown_type(at..open);
                self.scoped(|walk| {
                    walk.members(open + 1..close);
                    walk.statements(open + 1..close, Place::Outside);
                });
                close + 1
            }
        }
    }

    /// Declares what a class has, for its functions: the order does not matter to them.
    fn members(&mut self, range: Range<usize>) {
        let mut at = range.start;
        while at < range.end {
            at = match self.kind(at) {
                TokenKind::Keyword(Keyword::Public | Keyword::Private | Keyword::Protected) => at + 2,
                TokenKind::Punct(Punct::Semi) => at + 1,
                TokenKind::Keyword(Keyword::Template) => self.after_template(at),
                _ => match self.classify(at, Place::Outside) {
                    Simple::Statement(end) => {
                        self.declare(at..end);
                        end + 1
                    }
                    Simple::Function { params, body } => {
                        if let TokenKind::Ident(symbol) = self.kind(params - 1) {
                            self.declare_unknown(symbol, self.tokens[params - 1].span, false);
                        }
                        self.close(body) + 1
                    }
                    Simple::Class(body) => self.close(body) + 1,
                },
            }
            .max(at + 1);
        }
    }

    /// `Class::` before the name whose parameters begin at the token.
    fn class_of(&self, params: usize) -> Option<Symbol> {
        let colons = params.checked_sub(2)?;
        let colons = if self.is(colons, Punct::Tilde) { colons.checked_sub(1)? } else { colons };
        match self.kind(colons.checked_sub(1)?) {
            TokenKind::Ident(symbol) if self.is(colons, Punct::ColonColon) => Some(symbol),
            _ => None,
        }
    }

    /// What a statement that no keyword begins is, and where it ends.
    fn classify(&self, start: usize, place: Place) -> Simple {
        let (mut at, mut params, mut has_value) = (start, None, false);
        let is_class = {
            let word = match self.kind(start) {
                TokenKind::Keyword(Keyword::Typedef) => start + 1,
                _ => start,
            };
            matches!(self.kind(word), TokenKind::Keyword(Keyword::Struct | Keyword::Class | Keyword::Union))
        };
        while at < self.tokens.len() - 1 {
            match self.kind(at) {
                TokenKind::Punct(Punct::Semi | Punct::RBrace | Punct::RParen) => break,
                TokenKind::Punct(Punct::Eq) => {
                    has_value |= self.kind(at - 1) != TokenKind::Keyword(Keyword::Operator)
                }
                TokenKind::Punct(Punct::LParen) if params.is_none() && self.may_have_params(start, at) => {
                    params = Some(at);
                }
                TokenKind::Punct(Punct::LBrace) if place == Place::Outside && !has_value => match params {
                    // `: member{value}` before the body of a constructor.
                    Some(params) if !self.is_member_value(params, at) => {
                        return Simple::Function { params, body: at };
                    }
                    None if is_class => return Simple::Class(at),
                    _ => {}
                },
                TokenKind::Punct(Punct::LBrace) if is_class && params.is_none() && !has_value => {
                    return Simple::Class(at);
                }
                _ => {}
            }
            at = self.after(at);
        }
        Simple::Statement(at)
    }

    /// Whether a parenthesis may hold the parameters of a function: it follows a name.
    fn may_have_params(&self, start: usize, at: usize) -> bool {
        at > start
            && match self.kind(at - 1) {
                TokenKind::Ident(_) => true,
                TokenKind::Punct(punct) => {
                    at - start > 1 && self.kind(at - 2) == TokenKind::Keyword(Keyword::Operator)
                        || matches!(punct, Punct::Gt)
                }
                _ => false,
            }
    }

    /// Whether a brace after the parameters is the value of a member, not the body.
    fn is_member_value(&self, params: usize, brace: usize) -> bool {
        let colon = self.find(self.close(params) + 1..brace, Punct::Colon);
        colon.is_some() && matches!(self.kind(brace - 1), TokenKind::Ident(_))
    }

    /// Notes the uses of kernels among the tokens, and walks the lambdas.
    pub(super) fn uses(&mut self, range: Range<usize>) {
        let mut at = range.start;
        while at < range.end {
            at = match self.kind(at) {
                TokenKind::Keyword(
                    Keyword::Sizeof | Keyword::Decltype | Keyword::Noexcept | Keyword::Typeid,
                ) if self.is(at + 1, Punct::LParen) => self.close(at + 1) + 1,
                TokenKind::Punct(Punct::LBracket) => self.lambda(at, range.clone()).unwrap_or(at + 1),
                TokenKind::Ident(symbol) if !self.is_dropped => {
                    if self.kernels.contains(&symbol) {
                        self.kernel(at, range.start);
                    }
                    if self.host.has(symbol) {
                        self.host_use(at, range.start);
                    }
                    if !self.generics.is_empty() && !self.is_declared_here(at) {
                        self.generic_use(at);
                    }
                    at + 1
                }
                _ => at + 1,
            }
        }
    }

    /// `[captures] (parameters) … { body }`
    fn lambda(&mut self, open: usize, within: Range<usize>) -> Option<usize> {
        let end = within.end;
        let follows_value = open > within.start
            && matches!(
                self.kind(open - 1),
                TokenKind::Ident(_)
                    | TokenKind::Keyword(Keyword::This | Keyword::Operator | Keyword::Delete)
                    | TokenKind::Punct(Punct::RParen | Punct::RBracket | Punct::RBrace | Punct::LBracket)
                    | TokenKind::Str(_)
            );
        if follows_value {
            return None;
        }
        let after = self.close(open) + 1;
        let params = self.is(after, Punct::LParen).then_some(after);
        let after = self.after_params(after);
        let brace = self.find(after..end, Punct::LBrace)?;
        if self.find(after..brace, Punct::Semi).is_some() || self.find(after..brace, Punct::Comma).is_some() {
            return None;
        }
        let is_auto = |at| self.kind(at) == TokenKind::Keyword(Keyword::Auto);
        match params {
            Some(params) if (params..self.close(params)).any(is_auto) => {
                if !self.keep_generic(open, params, brace) {
                    self.walk_doubtful(params, brace);
                }
            }
            _ => self.scoped(|walk| {
                if let Some(params) = params {
                    walk.parameters(params + 1..walk.close(params));
                }
                walk.block(brace);
            }),
        }
        Some(self.close(brace) + 1)
    }

    /// Whether the name is what a declaration with a value declares.
    fn is_declared_here(&self, at: usize) -> bool {
        self.is(at + 1, Punct::Eq)
    }

    fn after_params(&self, at: usize) -> usize {
        if self.is(at, Punct::LParen) { self.close(at) + 1 } else { at }
    }

    pub(super) fn parameters(&mut self, range: Range<usize>) {
        for param in self.split(range) {
            self.declare(param);
        }
    }

    /// The function whose variables those of the host code are.
    pub(super) fn func_cx(&mut self) -> &mut FuncCx {
        self.cx.statements().func_cx()
    }

    /// An instance is needed where it is named.
    pub(super) fn need(&mut self, func: Func, at: usize) {
        let span = self.tokens[at].span;
        self.found.instances.push((func, span));
    }
}
