//! Inline PTX (Inline PTX Assembly in CUDA, "Assembler (ASM) Statements").

use thin_vec::ThinVec;

use crate::ast::{AsmOperand, AsmStmt, AsmString, ExprKind, StmtId, StmtKind, Written};
use crate::diag::{Code, Diagnostic, Fix};
use crate::parse::{Parsed, Statements};
use crate::token::{Keyword, Punct, TokenKind};

impl Statements<'_> {
    /// `asm-statement = ("asm" | "__asm__" | "__asm") ("volatile" | "inline" | "const")* "(" string [asm-operands] ")" ";"`
    ///
    /// `asm-operands = ":" [outputs [":" [inputs [":" [clobbers]]]]]`
    pub(super) fn asm_statement(&mut self) -> Parsed<StmtId> {
        let start = self.bump().span;
        let volatile = self.asm_qualifiers()?;
        let open = self.expect(Punct::LParen)?;
        let text = self.asm_string("the text of the `asm`")?;
        let mut owed = false;
        let outputs = self.asm_operands(&mut owed)?;
        let inputs = self.asm_operands(&mut owed)?;
        let clobbers = self.asm_clobbers(&mut owed)?;
        if owed || self.is(Punct::Colon) {
            let diagnostic =
                Diagnostic::new(Code::UnsupportedAsm, self.span(), "labels in an `asm` are not supported")
                    .with_note("inline PTX cannot jump out of the `asm`");
            return Err(self.error(diagnostic));
        }
        self.expect_close(Punct::RParen, open)?;
        let is_whole = self.expect_semi();
        let span = self.span_from(start);
        let asm = self.unit.asms.push(AsmStmt { volatile, text, outputs, inputs, clobbers });
        Ok(self.push_stmt(if is_whole { StmtKind::Asm(asm) } else { StmtKind::Error }, span))
    }

    /// What stands between the keyword and the parenthesis. `inline` says how much code the text counts for, and has no
    /// meaning here; `const` never had one, and nvcc takes it with a warning.
    fn asm_qualifiers(&mut self) -> Parsed<Written> {
        let mut volatile = Written::default();
        loop {
            let at = self.span();
            match self.kind() {
                TokenKind::Keyword(Keyword::Volatile | Keyword::GnuVolatile | Keyword::GnuVolatile2) => {
                    volatile = Written::from(Some(at));
                }
                TokenKind::Keyword(Keyword::Inline | Keyword::GnuInline | Keyword::GnuInline2) => {}
                TokenKind::Keyword(Keyword::Const | Keyword::GnuConst | Keyword::GnuConst2) => {
                    let message = "ignored `const` qualifier on `asm`";
                    let fix = Fix::new("remove it", at, "");
                    self.sink.emit(Diagnostic::new(Code::AsmIgnoredQualifier, at, message).with_fix(fix));
                }
                TokenKind::Keyword(Keyword::Goto) => {
                    let diagnostic = Diagnostic::new(Code::UnsupportedAsm, at, "`asm goto` is not supported")
                        .with_note("inline PTX cannot jump out of the `asm`");
                    return Err(self.error(diagnostic));
                }
                _ => return Ok(volatile),
            }
            self.bump();
        }
    }

    fn asm_string(&mut self, what: &str) -> Parsed<AsmString> {
        if !matches!(self.kind(), TokenKind::Str(_)) {
            let message = format!("expected a string literal, {what}, found {}", self.describe());
            return Err(self.parser.error(Diagnostic::new(Code::ExpectedToken, self.span(), message)));
        }
        let expr = self.expressions().string_literal()?;
        let node = &self.unit.exprs[expr];
        match node.kind {
            ExprKind::Str(literal) => Ok(AsmString { literal, span: node.span }),
            // It was said that its parts do not go together.
            _ => Err(self.sink.reported().expect("invariant: a literal without a value was reported")),
        }
    }

    /// Takes the `:` before a part; gives whether something stands behind it. Of `::`, the second one is owed to the
    /// next part.
    fn begins_asm_part(&mut self, owed: &mut bool) -> bool {
        if std::mem::take(owed) || self.eat(Punct::Colon).is_some() {
            return !matches!(
                self.kind(),
                TokenKind::Punct(Punct::Colon | Punct::ColonColon | Punct::RParen)
            );
        }
        *owed = self.eat(Punct::ColonColon).is_some();
        false
    }

    /// `outputs = asm-operand ("," asm-operand)*`
    ///
    /// `asm-operand = ["[" identifier "]"] string "(" expression ")"`
    fn asm_operands(&mut self, owed: &mut bool) -> Parsed<ThinVec<AsmOperand>> {
        let mut operands = ThinVec::new();
        if !self.begins_asm_part(owed) {
            return Ok(operands);
        }
        loop {
            let start = self.span();
            let name = match self.eat(Punct::LBracket) {
                Some(bracket) => {
                    let name = self.expect_ident("the name of an operand")?;
                    self.expect_close(Punct::RBracket, bracket)?;
                    Some(name)
                }
                None => None,
            };
            let constraint = self.asm_string("the constraint of an operand")?;
            let open = self.expect(Punct::LParen)?;
            let expr = self.expressions().expression()?;
            self.expect_close(Punct::RParen, open)?;
            operands.push(AsmOperand { name, constraint, expr, span: self.span_from(start) });
            if self.eat(Punct::Comma).is_none() {
                return Ok(operands);
            }
        }
    }

    /// `clobbers = string ("," string)*`
    fn asm_clobbers(&mut self, owed: &mut bool) -> Parsed<ThinVec<AsmString>> {
        let mut clobbers = ThinVec::new();
        if !self.begins_asm_part(owed) {
            return Ok(clobbers);
        }
        loop {
            clobbers.push(self.asm_string("a clobber")?);
            if self.eat(Punct::Comma).is_none() {
                return Ok(clobbers);
            }
        }
    }
}
