//! Expressions (C17 6.5; functional and named casts C++17 8.2.3 to 8.2.11).
//!
//! - [`literal`]: literals; [`init`]: initializers; [`fold`]: folds; [`lambda`]: lambda expressions

mod fold;
mod generic_lambda;
mod init;
mod lambda;
pub(super) mod literal;
mod object;

use smallvec::SmallVec;
use thin_vec::thin_vec;

use super::height::Bounded;
use super::name::scope::Meaning;
use super::template::expansion::Expanded;
use super::{Expressions, Parsed};
use crate::ast::{
    BinaryOp, Designator, ExprId, ExprKind, ExprNode, Name, NamedCast, TypeNameId, TypeTrait, UnaryOp,
};
use crate::predeclared::named_texture_op;
use crate::source::Span;
use crate::token::{Keyword, Punct, Symbol, TokenKind};

/// How tightly a binary operator binds: `||` is 1, `*` is 10.
fn binary_op(punct: Punct) -> Option<(BinaryOp, u8)> {
    Some(match punct {
        Punct::PipePipe => (BinaryOp::LogOr, 1),
        Punct::AmpAmp => (BinaryOp::LogAnd, 2),
        Punct::Pipe => (BinaryOp::BitOr, 3),
        Punct::Caret => (BinaryOp::BitXor, 4),
        Punct::Amp => (BinaryOp::BitAnd, 5),
        Punct::EqEq => (BinaryOp::Eq, 6),
        Punct::Ne => (BinaryOp::Ne, 6),
        Punct::Lt => (BinaryOp::Lt, 7),
        Punct::Gt => (BinaryOp::Gt, 7),
        Punct::Le => (BinaryOp::Le, 7),
        Punct::Ge => (BinaryOp::Ge, 7),
        Punct::Shl => (BinaryOp::Shl, 8),
        Punct::Shr => (BinaryOp::Shr, 8),
        Punct::Plus => (BinaryOp::Add, 9),
        Punct::Minus => (BinaryOp::Sub, 9),
        Punct::Star => (BinaryOp::Mul, 10),
        Punct::Slash => (BinaryOp::Div, 10),
        Punct::Percent => (BinaryOp::Rem, 10),
        _ => return None,
    })
}

/// The operator of an assignment, and for `=` none.
fn assign_op(punct: Punct) -> Option<Option<BinaryOp>> {
    Some(match punct {
        Punct::Eq => None,
        Punct::StarEq => Some(BinaryOp::Mul),
        Punct::SlashEq => Some(BinaryOp::Div),
        Punct::PercentEq => Some(BinaryOp::Rem),
        Punct::PlusEq => Some(BinaryOp::Add),
        Punct::MinusEq => Some(BinaryOp::Sub),
        Punct::ShlEq => Some(BinaryOp::Shl),
        Punct::ShrEq => Some(BinaryOp::Shr),
        Punct::AmpEq => Some(BinaryOp::BitAnd),
        Punct::CaretEq => Some(BinaryOp::BitXor),
        Punct::PipeEq => Some(BinaryOp::BitOr),
        _ => return None,
    })
}

fn prefix_op(punct: Punct) -> Option<UnaryOp> {
    Some(match punct {
        Punct::Plus => UnaryOp::Plus,
        Punct::Minus => UnaryOp::Neg,
        Punct::Tilde => UnaryOp::BitNot,
        Punct::Bang => UnaryOp::Not,
        Punct::Star => UnaryOp::Deref,
        Punct::Amp => UnaryOp::AddrOf,
        Punct::PlusPlus => UnaryOp::PreInc,
        Punct::MinusMinus => UnaryOp::PreDec,
        _ => return None,
    })
}

impl Expressions<'_> {
    /// `expression = assignment ("," assignment)*`
    #[inline]
    pub(super) fn expression(&mut self) -> Parsed<ExprId> {
        let first = self.assignment()?;
        if self.is(Punct::Comma) { self.rest_of_expression(first) } else { Ok(first) }
    }

    /// The commas behind the first part of an expression, with its other parts.
    #[inline(never)]
    fn rest_of_expression(&mut self, mut lhs: ExprId) -> Parsed<ExprId> {
        while let Some(op_span) = self.eat(Punct::Comma) {
            let rhs = self.assignment()?;
            lhs = self.push_binary(BinaryOp::Comma, op_span, lhs, rhs)?;
        }
        Ok(lhs)
    }

    /// `assignment = conditional [("=" | "*=" | …) (assignment | braced-list)]`
    pub(super) fn assignment(&mut self) -> Parsed<ExprId> {
        self.nested(|p| {
            let operand = p.operand()?;
            if p.is_behind_expression() {
                return Ok(operand);
            }
            let lhs = p.conditional(operand)?;
            let TokenKind::Punct(punct) = p.kind() else { return Ok(lhs) };
            let Some(op) = assign_op(punct) else { return Ok(lhs) };
            let op_span = p.bump().span;
            let rhs = if p.is(Punct::LBrace) { p.braced_value()? } else { p.assignment()? };
            let span = p.span_of(lhs).to(p.span_of(rhs));
            p.push_expr(ExprKind::Assign { op, op_span, lhs, rhs }, span)
        })
    }

    /// A value as an argument of a template.
    pub(super) fn template_value(&mut self) -> Parsed<ExprId> {
        let operand = self.operand()?;
        self.conditional(operand)
    }

    /// A bit-field's width: a `=` behind it belongs to the member.
    pub(super) fn assignment_without_eq(&mut self) -> Parsed<ExprId> {
        self.nested(|p| {
            let operand = p.operand()?;
            p.conditional(operand)
        })
    }

    /// Whether what most expressions end before comes next: then there is no need to look for each operator.
    fn is_behind_expression(&self) -> bool {
        use Punct as P;
        matches!(self.kind(), TokenKind::Punct(P::Semi | P::RParen | P::Comma | P::RBracket))
    }

    /// `conditional = binary ["?" [expression] ":" assignment]`, of which the first operand has been read. Inlined,
    /// since each expression is one.
    #[inline(always)]
    fn conditional(&mut self, operand: ExprId) -> Parsed<ExprId> {
        let cond = self.operators(operand, 1)?;
        if self.eat(Punct::Question).is_none() {
            return Ok(cond);
        }
        // GNU C "Conditionals with Omitted Operands"
        let then = if self.is(Punct::Colon) { None } else { Some(self.expression()?) };
        self.expect(Punct::Colon)?;
        let otherwise = self.assignment()?;
        let span = self.span_of(cond).to(self.span_of(otherwise));
        let expr = self.push_expr(ExprKind::Conditional { cond, then, otherwise }, span)?;
        self.unit.unparenthesised.push(expr);
        Ok(expr)
    }

    /// An operand of a binary operator, which is a `cast`. The shorter way to what most are, inlined where most of
    /// them stand.
    #[inline(always)]
    fn operand(&mut self) -> Parsed<ExprId> {
        if let TokenKind::Ident(symbol) = self.kind() {
            let name = self.identifier(symbol)?;
            return self.postfix(name);
        }
        let primary = match self.kind() {
            TokenKind::Number(symbol) => self.number_literal(symbol)?,
            TokenKind::Punct(Punct::LParen) if self.is_before_expression() => self.in_parentheses()?,
            _ => return self.cast(),
        };
        self.postfix(primary)
    }

    /// Whether an expression begins behind the current token, as a glance tells.
    fn is_before_expression(&self) -> bool {
        match self.kind_at(1) {
            TokenKind::Ident(symbol) => {
                matches!(self.scopes.meaning(symbol), Meaning::Ordinary | Meaning::Template)
            }
            kind => matches!(kind, TokenKind::Number(_) | TokenKind::Punct(Punct::LParen)),
        }
    }

    /// `binary(p) = cast (operator cast)*`, by precedence climbing: of the operators that bind at
    /// least as tightly as `min`. The first operand has been read.
    fn operators(&mut self, mut lhs: ExprId, min: u8) -> Parsed<ExprId> {
        loop {
            let TokenKind::Punct(punct) = self.kind() else { return Ok(lhs) };
            let Some((op, precedence)) = binary_op(punct) else {
                if punct == Punct::LaunchOpen {
                    lhs = self.refusals().refuse_launch(lhs)?;
                    continue;
                }
                return Ok(lhs);
            };
            if precedence < min || self.pos == self.angle_end {
                return Ok(lhs);
            }
            if op == BinaryOp::Lt && self.refusals().begins_template_arguments() {
                lhs = self.refusals().refuse_template_call(lhs)?;
                continue;
            }
            let op_span = self.bump().span;
            let mut rhs = self.operand()?;
            if self.is_before_operator(precedence + 1) {
                rhs = self.operators(rhs, precedence + 1)?;
            }
            lhs = self.push_binary(op, op_span, lhs, rhs)?;
        }
    }

    /// Whether [`Expressions::operators`] would take the next token.
    fn is_before_operator(&self, min: u8) -> bool {
        let TokenKind::Punct(punct) = self.kind() else { return false };
        let is_operator =
            binary_op(punct).map_or(punct == Punct::LaunchOpen, |(_, precedence)| precedence >= min);
        is_operator && self.pos != self.angle_end
    }

    #[inline(always)]
    fn push_binary(&mut self, op: BinaryOp, op_span: Span, lhs: ExprId, rhs: ExprId) -> Parsed<ExprId> {
        let (left, right) = (&self.unit.exprs[lhs], &self.unit.exprs[rhs]);
        let span = left.span.to(right.span);
        let is_operator = |node: &ExprNode| matches!(node.kind, ExprKind::Binary { .. });
        let lacks_parentheses = is_operator(left) || is_operator(right);
        let expr = self.push_expr(ExprKind::Binary { op, op_span, lhs, rhs }, span)?;
        if lacks_parentheses {
            self.unit.unparenthesised.push(expr);
        }
        Ok(expr)
    }

    pub(super) fn span_of(&self, expr: ExprId) -> Span {
        self.unit.exprs[expr].span
    }

    /// `cast = "(" type-name ")" (cast | braced-list) | unary`
    fn cast(&mut self) -> Parsed<ExprId> {
        let is_type = self.is(Punct::LParen) && self.types_ref().begins_type_at(1);
        if !is_type {
            return self.unary();
        }
        let open = self.bump();
        if self.types_ref().is_functional_cast() {
            // `(float(x))` is an expression in parentheses.
            self.parser.go_to(self.pos - 1);
            return self.unary();
        }
        self.nested(|p| {
            let (ty, below) = p.types().kept_type_name()?;
            p.expect_close(Punct::RParen, open.span)?;
            if p.is(Punct::LBrace) {
                let literal = p.compound_literal(ty, below, open.span, true)?;
                return p.postfix(literal);
            }
            let operand = p.cast()?;
            let span = open.span.to(p.span_of(operand));
            p.push_expr_over(ExprKind::Cast { ty, operand }, span, below)
        })
    }

    fn compound_literal(
        &mut self,
        ty: TypeNameId,
        below: u16,
        start: Span,
        is_object: bool,
    ) -> Parsed<ExprId> {
        let (init, height) = self.measured(Self::direct_list)?;
        let span = self.span_from(start);
        self.push_expr_over(ExprKind::CompoundLiteral { ty, init, is_object }, span, below.max(height))
    }

    /// `unary = postfix | operator cast | ("sizeof" | "alignof") (unary | "(" type-name ")")`
    fn unary(&mut self) -> Parsed<ExprId> {
        let token = self.token();
        match token.kind {
            TokenKind::Punct(Punct::ColonColon) if self.is_allocation(1) => {
                self.bump();
                self.nested(|p| p.allocation(token.span))
            }
            TokenKind::Punct(punct) => {
                let Some(op) = prefix_op(punct) else { return self.primary_and_postfix() };
                self.bump();
                self.nested(|p| {
                    let operand = p.cast()?;
                    let span = token.span.to(p.span_of(operand));
                    let expr = p.push_expr(ExprKind::Unary { op, op_span: token.span, operand }, span)?;
                    if op == UnaryOp::Not {
                        p.unit.unparenthesised.push(expr);
                    }
                    Ok(expr)
                })
            }
            TokenKind::Keyword(Keyword::New | Keyword::Delete) => self.nested(|p| p.allocation(token.span)),
            TokenKind::Keyword(Keyword::Sizeof) => {
                self.size_query(ExprKind::SizeofExpr, ExprKind::SizeofType)
            }
            TokenKind::Keyword(Keyword::Alignof | Keyword::GnuAlignof | Keyword::GnuAlignof2) => {
                self.size_query(ExprKind::AlignofExpr, ExprKind::AlignofType)
            }
            TokenKind::Keyword(Keyword::Offsetof) => {
                let offset = self.nested(Self::offsetof)?;
                self.postfix(offset)
            }
            TokenKind::Keyword(Keyword::Extension) => {
                self.bump();
                if self.is_keyword(Keyword::Extension) {
                    return Err(self.expected_expression());
                }
                self.nested(Self::cast)
            }
            _ => self.primary_and_postfix(),
        }
    }

    fn size_query(
        &mut self,
        of_expr: fn(ExprId) -> ExprKind,
        of_type: fn(TypeNameId) -> ExprKind,
    ) -> Parsed<ExprId> {
        let start = self.bump().span;
        if self.is(Punct::Ellipsis) {
            return self.sizeof_pack(start);
        }
        self.nested(|p| {
            let open = p.span();
            if p.is(Punct::LParen) && p.types_ref().begins_type_at(1) {
                p.bump();
                if p.types_ref().is_functional_cast() {
                    p.parser.go_to(p.pos - 1);
                } else {
                    let (ty, below) = p.types().kept_type_name()?;
                    p.expect_close(Punct::RParen, open)?;
                    if p.is(Punct::LBrace) {
                        let literal = p.compound_literal(ty, below, open, true)?;
                        let operand = p.postfix(literal)?;
                        return p.parser.push_expr(of_expr(operand), p.span_from(start));
                    }
                    return p.parser.push_expr_over(of_type(ty), p.span_from(start), below);
                }
            }
            let operand = p.unary()?;
            p.parser.push_expr(of_expr(operand), p.span_from(start))
        })
    }

    /// `"__builtin_offsetof" "(" type-name "," identifier ("." identifier | "[" assignment "]")* ")"`
    ///
    /// GNU C "Offsetof"; the macro `offsetof` of C17 7.19p3 is this.
    fn offsetof(&mut self) -> Parsed<ExprId> {
        let start = self.bump().span;
        let open = self.expect(Punct::LParen)?;
        let (kind, below) = self.measured(|p| {
            let (ty, _) = p.types().kept_type_name()?;
            p.expect(Punct::Comma)?;
            let mut path = thin_vec![Designator::Field(p.expect_ident("the name of a member")?)];
            path.extend(p.designators()?);
            let path = p.unit.paths.push(path);
            Ok(ExprKind::Offsetof { ty, path })
        })?;
        self.expect_close(Punct::RParen, open)?;
        self.parser.push_expr_over(kind, self.span_from(start), below)
    }

    /// `trait "(" type-name ["," type-name] ")"`
    #[inline(never)]
    fn type_trait(&mut self, asked: TypeTrait) -> Parsed<ExprId> {
        let start = self.bump().span;
        let open = self.expect(Punct::LParen)?;
        let (kind, below) = self.measured(|p| {
            let (ty, _) = p.types().kept_type_name()?;
            let mut other = None;
            if asked.is_of_two() {
                p.expect(Punct::Comma)?;
                other = Some(p.types().kept_type_name()?.0);
            }
            Ok(ExprKind::TypeTrait { asked, ty, other })
        })?;
        self.expect_close(Punct::RParen, open)?;
        self.parser.push_expr_over(kind, self.span_from(start), below)
    }

    fn primary_and_postfix(&mut self) -> Parsed<ExprId> {
        let primary = self.primary()?;
        self.postfix(primary)
    }

    /// `postfix = primary ("[" expression "]" | "(" args ")" | ("." | "->") identifier | "++" | "--")*`
    #[inline]
    fn postfix(&mut self, base: ExprId) -> Parsed<ExprId> {
        if self.is_before_postfix() { self.postfix_operators(base) } else { Ok(base) }
    }

    fn is_before_postfix(&self) -> bool {
        use Punct as P;
        let TokenKind::Punct(punct) = self.kind() else { return false };
        matches!(punct, P::LBracket | P::LParen | P::Dot | P::Arrow | P::PlusPlus | P::MinusMinus)
    }

    fn postfix_operators(&mut self, mut base: ExprId) -> Parsed<ExprId> {
        loop {
            let TokenKind::Punct(punct) = self.kind() else { return Ok(base) };
            let start = self.span_of(base);
            let token_span = self.span();
            base = match punct {
                Punct::LBracket => {
                    self.bump();
                    let index = self.expression()?;
                    let close = self.expect_close(Punct::RBracket, token_span)?;
                    self.push_expr(ExprKind::Index { base, index }, start.to(close))?
                }
                Punct::LParen => {
                    self.bump();
                    let args = self.call_args(Punct::RParen, token_span)?;
                    let args = self.unit.push_args(&args);
                    let span = self.span_from(start);
                    self.push_expr(ExprKind::Call { callee: base, args }, span)?
                }
                Punct::Dot | Punct::Arrow => {
                    self.bump();
                    if self.begins_qualified_member() {
                        base = self.qualified_member(base, punct == Punct::Arrow)?;
                        continue;
                    }
                    if self.begins_conversion() {
                        base = self.conversion_call(base, punct == Punct::Arrow)?;
                        continue;
                    }
                    let is_said = self.eat_keyword(Keyword::Template).is_some();
                    let name = match self.kind() {
                        TokenKind::Keyword(Keyword::Operator) => self.types().operator_name()?,
                        _ => self.expect_ident("the name of a member")?,
                    };
                    let member = ExprKind::Member { base, arrow: punct == Punct::Arrow, name };
                    let member = self.push_expr(member, start.to(name.span))?;
                    match self.templates_ref().begins_member_args(name.symbol, is_said) {
                        true => self.templates().template_id(member)?,
                        false => member,
                    }
                }
                Punct::PlusPlus | Punct::MinusMinus => {
                    let op_span = self.bump().span;
                    let op = if punct == Punct::PlusPlus { UnaryOp::PostInc } else { UnaryOp::PostDec };
                    self.push_expr(ExprKind::Unary { op, op_span, operand: base }, start.to(op_span))?
                }
                _ => return Ok(base),
            };
        }
    }

    /// `args = [arg ("," arg)*] close`, of which the opening bracket has been read;
    /// `arg = (assignment | braced-list) ["..."]`
    pub(super) fn call_args(&mut self, close: Punct, open: Span) -> Parsed<SmallVec<[ExprId; 8]>> {
        let mut args = SmallVec::new();
        if self.eat(close).is_some() {
            return Ok(args);
        }
        loop {
            if self.begins_expansion() {
                match self.parser.expansion(|p| p.expressions().call_arg())? {
                    Expanded::Elements(elements) => args.extend(elements),
                    Expanded::Pattern(pattern) => {
                        let span = self.span_of(pattern);
                        args.push(self.push_expr(ExprKind::Expansion(pattern), span)?);
                    }
                }
            } else {
                args.push(self.call_arg()?);
            }
            if self.eat(Punct::Comma).is_none() {
                self.expect_close(close, open)?;
                return Ok(args);
            }
        }
    }

    fn call_arg(&mut self) -> Parsed<ExprId> {
        if self.is(Punct::LBrace) { self.braced_value() } else { self.assignment() }
    }

    /// `primary = identifier | literal | "(" expression ")" | named-cast | functional-cast`
    fn primary(&mut self) -> Parsed<ExprId> {
        let token = self.token();
        match token.kind {
            TokenKind::Ident(symbol) => self.identifier(symbol),
            TokenKind::Number(symbol) => self.number_literal(symbol),
            TokenKind::Char(symbol) => self.character_literal(symbol),
            TokenKind::Str(_) => self.string_literal(),
            TokenKind::Punct(Punct::LParen) => self.parenthesised(),
            TokenKind::Keyword(keyword) => self.keyword_primary(keyword),
            TokenKind::Punct(_)
            | TokenKind::Other(_)
            | TokenKind::PragmaStart(_)
            | TokenKind::PragmaEnd
            | TokenKind::Eof => self.refusals().odd_primary(),
        }
    }

    /// Inlined, since most operands are names.
    #[inline(always)]
    fn identifier(&mut self, symbol: Symbol) -> Parsed<ExprId> {
        if self.is_at(1, Punct::ColonColon)
            || matches!(self.scopes.meaning(symbol), Meaning::Type | Meaning::TypeTemplate)
        {
            return self.qualified_name_or_type();
        }
        if self.is_at(1, Punct::Lt)
            && self.types_ref().begins_type_at(2)
            && self.begins_specialization(symbol)
        {
            let span = self.bump().span;
            let name = self.push_expr(ExprKind::Ident(symbol), span)?;
            return self.templates().template_id(name);
        }
        if self.is_at(1, Punct::LParen)
            && self.types_ref().begins_type_at(2)
            && let Some(asked) = TypeTrait::named(self.interner.spelling(symbol))
        {
            return self.nested(|p| p.type_trait(asked));
        }
        let span = self.bump().span;
        let kind = match self.pack_facts.is_possible {
            true => self.name_or_element(Name { symbol, span }),
            false => ExprKind::Ident(symbol),
        };
        let name = self.push_expr(kind, span)?;
        if self.is(Punct::Lt) && self.scopes.meaning(symbol) == Meaning::Template {
            return match self.templates_ref().begins_template_args() {
                true => self.templates().template_id(name),
                false => Err(self.templates().missing_angle()),
            };
        }
        Ok(name)
    }

    /// A name, which may be that of a pack.
    #[inline(never)]
    fn name_or_element(&mut self, name: Name) -> ExprKind {
        match self.parser.element_named(name) {
            Some(idx) => ExprKind::Element { pack: name.symbol, idx },
            None => ExprKind::Ident(name.symbol),
        }
    }

    /// Whether `<` behind the name, with a type behind it, opens the argument of a template that is built in.
    fn begins_specialization(&mut self, symbol: Symbol) -> bool {
        if named_texture_op(self.interner.spelling(symbol)).is_none() {
            return false;
        }
        self.parser.go_to(self.pos + 2);
        let is_cast = self.types_ref().is_functional_cast();
        self.parser.go_to(self.pos - 2);
        !is_cast
    }

    /// What is more than a name.
    #[inline(never)]
    fn qualified_name_or_type(&mut self) -> Parsed<ExprId> {
        if self.names_ref().begins_path() { self.names().qualified_expr() } else { self.functional_cast() }
    }

    fn parenthesised(&mut self) -> Parsed<ExprId> {
        let is_fold = self.begins_fold();
        let open = self.bump().span;
        if is_fold {
            return self.nested(|p| p.fold(open));
        }
        if self.is(Punct::LBrace) {
            return self.statement_expr(open);
        }
        // `(foo)x` with an unknown `foo` can only be meant as a cast.
        if let TokenKind::Ident(symbol) = self.kind()
            && self.scopes.meaning(symbol) == Meaning::Unknown
            && self.is_at(1, Punct::RParen)
            && matches!(self.kind_at(2), TokenKind::Ident(_) | TokenKind::Number(_))
        {
            let name = Name { symbol, span: self.span() };
            self.types().unknown_type(name);
            self.bump();
            let operand = self.nested(Self::cast)?;
            let span = open.to(self.span_of(operand));
            return Ok(self.error_expr(span));
        }
        self.rest_of_parentheses(open)
    }

    /// `"(" expression ")"`
    #[inline(never)]
    fn in_parentheses(&mut self) -> Parsed<ExprId> {
        let is_fold = self.begins_fold();
        let open = self.bump().span;
        if is_fold {
            return self.nested(|p| p.fold(open));
        }
        self.rest_of_parentheses(open)
    }

    /// What stands behind the `(` at `open`.
    #[inline(always)]
    fn rest_of_parentheses(&mut self, open: Span) -> Parsed<ExprId> {
        let inner = self.expression()?;
        let close = self.expect_close(Punct::RParen, open)?;
        self.push_expr(ExprKind::Paren(inner), open.to(close))
    }

    /// `"(" block ")"`, of which the parenthesis has been read (GNU C "Statements and Declarations in
    /// Expressions").
    fn statement_expr(&mut self, open: Span) -> Parsed<ExprId> {
        let (block, height) = self.measured(|p| p.nested(|p| p.statements().block()))?;
        // Of such a block it is not known what its value is.
        if let Some(reported) = self.sink.reported().filter(|_| self.is_too_deep) {
            return Err(reported);
        }
        let close = self.expect_close(Punct::RParen, open)?;
        self.push_expr_over(ExprKind::Statements(block), open.to(close), height)
    }

    /// A braced list as a value, of the type that takes it.
    pub(super) fn braced_value(&mut self) -> Parsed<ExprId> {
        let (init, height) = self.measured(Self::initializer)?;
        let span = self.unit.inits[init].span;
        self.push_expr_over(ExprKind::Braced(init), span, height)
    }

    fn keyword_primary(&mut self, keyword: Keyword) -> Parsed<ExprId> {
        let span = self.span();
        let kind = match keyword {
            Keyword::True => ExprKind::Bool(true),
            Keyword::False => ExprKind::Bool(false),
            Keyword::Nullptr => ExprKind::Nullptr,
            Keyword::StaticCast => return self.named_cast(NamedCast::Static),
            Keyword::ReinterpretCast => return self.named_cast(NamedCast::Reinterpret),
            Keyword::ConstCast => return self.named_cast(NamedCast::Const),
            Keyword::VaArg => return self.va_arg(),
            _ if self.types_ref().is_functional_cast() => return self.functional_cast(),
            _ => return self.refusals().odd_primary(),
        };
        self.bump();
        self.push_expr(kind, span)
    }

    /// `named-cast = ("static_cast" | …) "<" type-name ">" "(" expression ")"`
    fn named_cast(&mut self, cast: NamedCast) -> Parsed<ExprId> {
        let start = self.bump().span;
        let angle = self.expect(Punct::Lt)?;
        let (ty, below) = self.nested(|p| p.types().kept_type_name())?;
        self.expect_close(Punct::Gt, angle)?;
        let open = self.expect(Punct::LParen)?;
        let operand = self.expression()?;
        let close = self.expect_close(Punct::RParen, open)?;
        self.push_expr_over(ExprKind::NamedCast { cast, ty, operand }, start.to(close), below)
    }

    /// `"__builtin_va_arg" "(" assignment "," type-name ")"`
    fn va_arg(&mut self) -> Parsed<ExprId> {
        let start = self.bump().span;
        let open = self.expect(Punct::LParen)?;
        let list = self.assignment()?;
        self.expect(Punct::Comma)?;
        let (ty, below) = self.nested(|p| p.types().kept_type_name())?;
        let close = self.expect_close(Punct::RParen, open)?;
        self.push_expr_over(ExprKind::VaArg { list, ty }, start.to(close), below)
    }

    /// `functional-cast = simple-type ("(" args ")" | braced-list)`
    pub(super) fn functional_cast(&mut self) -> Parsed<ExprId> {
        let n_tokens = self.names_ref().n_simple_type_tokens();
        let close = match self.kind_at(n_tokens) {
            TokenKind::Punct(Punct::LParen) => Punct::RParen,
            TokenKind::Punct(Punct::LBrace) => Punct::RBrace,
            _ => return Err(self.expected_expression()),
        };
        let start = self.span();
        let ty = self.types().simple_type_name()?;
        let ty = self.unit.type_names.push(ty);
        if close == Punct::RBrace {
            return self.compound_literal(ty, 0, start, false);
        }
        let open = self.bump().span;
        let args = self.call_args(close, open)?;
        let args = self.unit.push_args(&args);
        let span = self.span_from(start);
        self.push_expr(ExprKind::FunctionalCast { ty, args }, span)
    }
}
