//! Declarations of host code: names with their types, as far as those are known.

use std::ops::Range;

use super::walk::Walk;
use crate::ast::{
    Chunk, ChunkKind, DeclKind, DeclSpecs, InitDeclarator, InitId, InitKind, Storage, TranslationUnit,
    TypeSpec,
};
use crate::diag::{Reported, Sink};
use crate::ir::{LocalData, Quals, Ty};
use crate::parse::{self, Bound, BoundKind, Reread, Rereader};
use crate::sema::constant::const_eval::{Mode, Value};
use crate::sema::conversion::Target;
use crate::sema::name::scope::{Binding, Entity, HostEntity};
use crate::sema::types::SpecifierContext;
use crate::source::Span;
use crate::token::{Interner, Keyword, Punct, Symbol, Token, TokenKind};

impl<'a> Walk<'_, 'a> {
    /// Has the parser read tokens, which need no end.
    pub(super) fn read<T>(
        &mut self,
        mut tokens: Vec<Token>,
        read: impl FnOnce(&mut Rereader, parse::Text<'_>, &Interner, &mut Sink) -> Reread<T>,
    ) -> Option<(&'a TranslationUnit, T)> {
        self.declare_globals(&tokens);
        let last = *tokens.last()?;
        tokens.push(Token { kind: TokenKind::Eof, ..last });
        let mut params: Vec<Bound> = Vec::new();
        for token in &tokens {
            if let TokenKind::Ident(symbol) = token.kind
                && let Some(is_type) = self.names.is_type(symbol)
                && params.iter().all(|param| param.symbol != symbol)
            {
                let kind = if is_type { BoundKind::Type } else { BoundKind::Value };
                params.push(Bound { symbol, kind, pack: None });
            }
        }
        let (cx, scope) = (&mut *self.cx, self.scope);
        let rereader = cx.rereader.take()?;
        let mark = cx.sink.mark();
        let text = parse::Text {
            tokens: &tokens,
            namespace: scope.namespace,
            params: &params,
            classes: &[],
            class: None,
        };
        let (unit, found) = read(rereader, text, cx.interner, cx.sink);
        cx.rereader = Some(rereader);
        let is_right = cx.sink.n_errors_since(mark) == 0;
        cx.sink.rewind(mark);
        let found = found.ok().filter(|_| is_right)?;
        Some((cx.units.push_get(Box::new(unit)), found))
    }

    /// Checks something of what was read; none if it is wrong.
    pub(super) fn check<R>(
        &mut self,
        unit: &'a TranslationUnit,
        check: impl FnOnce(&mut crate::sema::Templates<'a>) -> Result<R, Reported>,
    ) -> Option<R> {
        let mark = self.cx.sink.mark();
        let result = self.cx.in_unit(unit, check);
        let is_right = self.cx.sink.n_errors_since(mark) == 0;
        self.cx.sink.rewind(mark);
        result.ok().filter(|_| is_right)
    }

    /// The value of an integer constant.
    pub(super) fn constant(&mut self, range: Range<usize>) -> Option<i128> {
        let (unit, value) = self.read(self.tokens[range].to_vec(), Rereader::value)?;
        self.check(unit, |cx| {
            cx.in_scratch(|cx| {
                let value = cx.expressions().check_rvalue(value)?;
                match cx.constants().eval(value, Mode::Required) {
                    Ok(Value::Int(value)) => Ok(value),
                    _ => Err(cx.poisoned()),
                }
            })
        })
    }

    /// Declares what the tokens declare, if they are a declaration. What of it cannot be read has no type.
    pub(super) fn declare(&mut self, range: Range<usize>) {
        if !self.may_declare(&range) {
            return;
        }
        if self.kind(range.start) == TokenKind::Keyword(Keyword::Using) {
            return self.declare_alias(range);
        }
        let read = self.read(self.tokens[range.clone()].to_vec(), Rereader::host_declaration);
        let decl = read.and_then(|(unit, ())| Some((unit, &unit.decls.first()?.kind)));
        let Some((unit, DeclKind::Declarators { specs, declarators })) = decl else {
            return self.declare_names(range);
        };
        if declarators.is_empty() {
            // Enumerators.
            let _known =
                self.check(unit, |cx| cx.types().resolve_specs(specs, SpecifierContext::Alone).map(|_| ()));
            return;
        }
        for declared in declarators {
            let Some(name) = declared.declarator.name else { continue };
            let is_typedef = matches!(specs.storage, Some((Storage::Typedef, _)));
            match self.check(unit, |cx| ty_of(cx, specs, declared)) {
                Some(ty) if is_typedef => {
                    self.names.declare(name.symbol, true);
                    self.cx.scopes.bind(name.symbol, Entity::Typedef(ty), name.span);
                }
                Some(ty) if self.cx.module.types.func(ty).is_none() => {
                    self.declare_variable(name.symbol, name.span, ty);
                    self.note_value(unit, specs, declared, ty);
                }
                Some(_) | None => self.declare_unknown(name.symbol, name.span, is_typedef),
            }
        }
    }

    /// Whether the tokens may be a declaration.
    fn may_declare(&self, range: &Range<usize>) -> bool {
        range.len() >= 2
            && match self.kind(range.start) {
                TokenKind::Ident(_) => self.follows_type(range),
                TokenKind::Keyword(keyword) => !matches!(
                    keyword,
                    Keyword::Return
                        | Keyword::Goto
                        | Keyword::Throw
                        | Keyword::Delete
                        | Keyword::New
                        | Keyword::This
                        | Keyword::Sizeof
                        | Keyword::StaticAssert
                        | Keyword::StaticCast
                        | Keyword::ReinterpretCast
                        | Keyword::ConstCast
                        | Keyword::Friend
                        | Keyword::Break
                        | Keyword::Continue
                ),
                TokenKind::Punct(punct) => punct == Punct::ColonColon && self.follows_type(range),
                _ => false,
            }
    }

    /// Whether a declarator may follow the name that the tokens begin with: it is that of a type then.
    fn follows_type(&self, range: &Range<usize>) -> bool {
        let mut at = range.start;
        loop {
            at += usize::from(self.is(at, Punct::ColonColon));
            if !matches!(self.kind(at), TokenKind::Ident(_)) {
                return false;
            }
            at += 1;
            if self.is(at, Punct::Lt) {
                let Some((close, None)) = self.close_angle(at) else { return false };
                at = close + 1;
            }
            if !self.is(at, Punct::ColonColon) {
                break;
            }
        }
        let is_called = matches!(self.kind(range.start), TokenKind::Ident(symbol)
            if self.kernels.contains(&symbol) || self.host.has(symbol));
        at < range.end
            && !is_called
            && match self.kind(at) {
                TokenKind::Ident(_) | TokenKind::Keyword(_) => true,
                TokenKind::Punct(Punct::Star | Punct::Amp | Punct::AmpAmp) => true,
                TokenKind::Punct(Punct::LParen) => {
                    self.is(at + 1, Punct::Star) || self.is(at + 1, Punct::Amp)
                }
                _ => false,
            }
    }

    /// `using name = type`
    fn declare_alias(&mut self, range: Range<usize>) {
        let (TokenKind::Ident(symbol), true) =
            (self.kind(range.start + 1), self.is(range.start + 2, Punct::Eq))
        else {
            return;
        };
        let span = self.tokens[range.start + 1].span;
        let read = self.read(self.tokens[range.start + 3..range.end].to_vec(), Rereader::type_name);
        let ty = read.and_then(|(unit, name)| {
            self.check(unit, |cx| cx.types().resolve_type_name(&unit.type_names[name]))
        });
        match ty {
            Some(ty) => {
                self.names.declare(symbol, true);
                self.cx.scopes.bind(symbol, Entity::Typedef(ty), span);
            }
            None => self.declare_unknown(symbol, span, true),
        }
    }

    pub(super) fn declare_variable(&mut self, symbol: Symbol, span: Span, ty: Ty) {
        let data = LocalData {
            name: None,
            ty,
            align: None,
            is_param: false,
            is_grid_constant: false,
            is_referenced: true,
            span,
        };
        let local = self.func_cx().locals.push(data);
        self.names.declare(symbol, false);
        self.cx.scopes.bind(symbol, Entity::Local(local), span);
    }

    /// Declares the variables of the host at file scope that the tokens name.
    fn declare_globals(&mut self, tokens: &[Token]) {
        for token in tokens {
            let TokenKind::Ident(symbol) = token.kind else { continue };
            if let Some(Binding { entity: Entity::Host(HostEntity::Variable), span: Some(span) }) =
                self.cx.names_ref().lookup(symbol)
                && let Some(&ty) = self.cx.known.names.host_variables.get(&span)
            {
                self.declare_variable(symbol, span, ty);
            }
        }
    }

    /// A name of which no more is known.
    pub(super) fn declare_unknown(&mut self, symbol: Symbol, span: Span, is_type: bool) {
        self.names.declare(symbol, is_type);
        self.cx.scopes.bind(symbol, Entity::Poison, span);
    }

    /// The tag of a class of the host.
    pub(super) fn declare_unknown_type(&mut self, range: Range<usize>) {
        let tag = range.into_iter().find_map(|at| match self.kind(at) {
            TokenKind::Ident(symbol) => Some((symbol, self.tokens[at].span)),
            _ => None,
        });
        if let Some((symbol, span)) = tag {
            self.declare_unknown(symbol, span, true);
        }
    }

    /// What the tokens of a declaration that cannot be read may declare.
    fn declare_names(&mut self, range: Range<usize>) {
        let is_typedef = self.kind(range.start) == TokenKind::Keyword(Keyword::Typedef);
        let mut at = range.start;
        while at < range.end {
            if let TokenKind::Ident(symbol) = self.kind(at)
                && at > range.start
                && (at + 1 == range.end
                    || matches!(
                        self.kind(at + 1),
                        TokenKind::Punct(
                            Punct::Comma
                                | Punct::Eq
                                | Punct::LParen
                                | Punct::LBrace
                                | Punct::LBracket
                                | Punct::Colon
                        )
                    ))
                && matches!(
                    self.kind(at - 1),
                    TokenKind::Ident(_)
                        | TokenKind::Keyword(_)
                        | TokenKind::Punct(
                            Punct::Gt | Punct::Shr | Punct::Star | Punct::Amp | Punct::AmpAmp | Punct::Comma
                        )
                )
            {
                self.declare_unknown(symbol, self.tokens[at].span, is_typedef);
            }
            at = self.after(at);
        }
        // `auto [a, b] = …`
        if let Some(open) = self.find(range.clone(), Punct::LBracket)
            && open > range.start
            && !matches!(self.kind(open - 1), TokenKind::Ident(_))
        {
            for at in open + 1..self.close(open).min(range.end) {
                if let TokenKind::Ident(symbol) = self.kind(at) {
                    self.declare_unknown(symbol, self.tokens[at].span, false);
                }
            }
        }
    }

    /// The members of a struct, which its functions name.
    pub(super) fn declare_members(&mut self, record: Symbol) {
        let binding = self.cx.names_ref().lookup(record);
        let Some(Entity::Typedef(ty)) = binding.map(|binding| binding.entity) else { return };
        let Some(record) = self.cx.module.types.record(ty) else { return };
        let fields = self.cx.module.types.records[record].fields.clone().unwrap_or_default();
        let tokens = self.tokens;
        for token in tokens {
            if let TokenKind::Ident(symbol) = token.kind
                && self.names.is_type(symbol).is_none()
                && let spelling = self.cx.spelling(symbol)
            {
                if let Some(field) = fields.iter().find(|field| field.name.as_deref() == Some(spelling)) {
                    self.declare_variable(symbol, field.span, field.ty);
                } else if let Some(&nested) = self.cx.known.class_names.get(&(record, symbol)) {
                    self.names.declare(symbol, matches!(nested.entity, Entity::Typedef(_)));
                    self.cx.scopes.bind(symbol, nested.entity, token.span);
                }
            }
        }
    }

    /// Remembers the value of a constant.
    fn note_value(
        &mut self,
        unit: &'a TranslationUnit,
        specs: &'a DeclSpecs,
        declared: &'a InitDeclarator,
        ty: Ty,
    ) {
        let is_const = specs.constexpr.is_some() || self.cx.module.types.quals(ty).contains(Quals::CONST);
        let Some(init) = declared.init.and_then(|init| single_value(unit, init)).filter(|_| is_const) else {
            return;
        };
        let value = self.check(unit, |cx| {
            cx.in_scratch(|cx| {
                let value = cx.expressions().check_rvalue(init)?;
                let ty = cx.module.types.unqualified(ty);
                let value = cx.conversions().convert(value, ty, Target::Argument(None))?;
                cx.constants().eval(value, Mode::Required).map_err(|_| cx.poisoned())
            })
        });
        if let (Some(value), Some(name)) = (value, declared.declarator.name)
            && let Some(Entity::Local(local)) =
                self.cx.names_ref().lookup(name.symbol).map(|binding| binding.entity)
        {
            self.func_cx().local_values.insert(local, value);
        }
    }
}

/// The expression that an initial value is.
fn single_value(unit: &TranslationUnit, init: InitId) -> Option<crate::ast::ExprId> {
    match &unit.inits[init].kind {
        InitKind::Expr(value) => Some(*value),
        InitKind::List(items) => match &items[..] {
            [item] if item.designators.is_empty() => single_value(unit, item.init),
            _ => None,
        },
        InitKind::Parens(_) => None,
    }
}

/// The type of what is declared.
fn ty_of<'a>(
    cx: &mut crate::sema::Templates<'a>,
    specs: &'a DeclSpecs,
    declared: &'a InitDeclarator,
) -> Result<Ty, Reported> {
    let unit = cx.unit;
    if let TypeSpec::Auto = specs.ty {
        let init = declared.init.and_then(|init| single_value(unit, init));
        // `auto` or `auto *`, which have the type of the value.
        let n_pointers = declared.declarator.chunks.len();
        let is_pointer = |chunk: &Chunk| matches!(chunk.kind, ChunkKind::Pointer(_));
        let is_simple =
            n_pointers == 0 || n_pointers == 1 && declared.declarator.chunks.iter().all(is_pointer);
        let Some(init) = init.filter(|_| is_simple) else { return Err(cx.poisoned()) };
        let value = cx.expressions().check_rvalue(init)?;
        let ty = cx.ty_of(value);
        return match (n_pointers, cx.module.types.pointee(ty)) {
            (0, _) => cx.types().qualified(ty, &specs.quals),
            (_, Some(pointee)) => {
                let pointee = cx.types().qualified(pointee, &specs.quals)?;
                Ok(cx.module.types.pointer_to(pointee))
            }
            (_, None) => Err(cx.poisoned()),
        };
    }
    let base = cx.types().base_of(specs, &declared.declarator)?;
    let ty = cx.types().declared_ty(base, &declared.declarator)?.ty;
    if specs.constexpr.is_some() {
        return Ok(cx.module.types.with_quals(ty, Quals::CONST));
    }
    Ok(ty)
}
