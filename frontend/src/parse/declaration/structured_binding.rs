//! Structured bindings (C++17 11.5), but for what they are of: names for the elements of an array or struct.

use smallvec::{SmallVec, smallvec};
use thin_vec::{ThinVec, thin_vec};

use crate::ast::{
    Chunk, ChunkKind, Decl, DeclKind, DeclSpecs, ExprKind, InitDeclarator, IntLength, IntLit, Name,
    QualSpecs, StructuredBinding, TemplateArg, TemplateArgsId, TypeSpec,
};
use crate::diag::{Code, Diagnostic};
use crate::ir::RefKind;
use crate::parse::name::scope::Meaning;
use crate::parse::{Declarations, Parsed};
use crate::source::Span;
use crate::token::{Punct, TokenKind};

impl Declarations<'_> {
    /// Whether the list of names of a structured binding follows the specifiers.
    pub(in crate::parse) fn begins_binding(&self, specs: &DeclSpecs) -> bool {
        let is_reference = matches!(self.kind(), TokenKind::Punct(Punct::Amp | Punct::AmpAmp));
        matches!(specs.ty, TypeSpec::Auto) && self.is_at(usize::from(is_reference), Punct::LBracket)
    }

    /// `structured-binding = specifiers ["&" | "&&"] "[" identifier ("," identifier)* "]" initializer`, up to the `]`
    pub(in crate::parse) fn binding_names(&mut self, specs: DeclSpecs) -> Parsed<StructuredBinding> {
        let start = self.span();
        let mut chunks = ThinVec::new();
        let kind = match self.kind() {
            TokenKind::Punct(Punct::Amp) => Some(RefKind::Lvalue),
            TokenKind::Punct(Punct::AmpAmp) => Some(RefKind::Rvalue),
            _ => None,
        };
        if let Some(kind) = kind {
            let span = self.bump().span;
            chunks.push(Chunk { kind: ChunkKind::Reference(kind, QualSpecs::default()), span });
        }
        let open = self.expect(Punct::LBracket)?;
        let mut names: SmallVec<[Name; 4]> = smallvec![self.expect_ident("a name")?];
        while self.eat(Punct::Comma).is_some() {
            names.push(self.expect_ident("a name")?);
        }
        for name in &names {
            self.scopes.declare(name.symbol, Meaning::Ordinary);
        }
        if let Err(reported) = self.expect_close(Punct::RBracket, open) {
            self.unit.refused.extend(names);
            return Err(reported);
        }
        let mut declarator = self.types_ref().empty_declarator(self.span_from(open));
        declarator.name = names.first().copied();
        declarator.chunks = chunks;
        while self.types().attributes(&mut declarator.attrs)? {}
        declarator.span = self.span_from(start);
        let list = self.span_from(open);
        let indices = names.iter().zip(0..).map(|(name, idx)| self.index(idx, name.span));
        let indices = indices.collect::<Parsed<_>>()?;
        let declared = InitDeclarator { declarator, init: None };
        Ok(StructuredBinding { specs, declared, names, indices, list })
    }

    /// `<idx>`
    fn index(&mut self, idx: u64, span: Span) -> Parsed<TemplateArgsId> {
        let number = IntLit { value: idx, is_decimal: true, is_unsigned: false, length: IntLength::None };
        let value = self.push_expr(ExprKind::Int(number), span)?;
        Ok(self.unit.template_args.push(thin_vec![TemplateArg::Value(value)]))
    }

    /// A structured binding with its initializer, without the `;`.
    pub(in crate::parse) fn structured_binding(&mut self, specs: DeclSpecs, start: Span) -> Parsed<Decl> {
        let mut binding = self.binding_names(specs)?;
        match self.declaration_initializer() {
            Ok(init) => binding.declared.init = init,
            Err(reported) => {
                self.unit.refused.extend(binding.names);
                return Err(reported);
            }
        }
        if self.is(Punct::Comma) {
            self.unit.refused.extend(binding.names);
            let message = "structured binding must be the only one of its declaration";
            let diagnostic = Diagnostic::new(Code::InvalidStructuredBinding, self.span(), message)
                .with_help("end it by `;` and begin another declaration");
            return Err(self.error(diagnostic));
        }
        Ok(Decl { kind: DeclKind::Binding(Box::new(binding)), span: self.span_from(start) })
    }

    /// What is left of one that was not understood: its names are known.
    pub(in crate::parse) fn broken_binding(&mut self, decl: Decl) -> Decl {
        if let DeclKind::Binding(binding) = decl.kind {
            self.unit.refused.extend(binding.names);
        }
        Decl { kind: DeclKind::Error, span: decl.span }
    }
}
