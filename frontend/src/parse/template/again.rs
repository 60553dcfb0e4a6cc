//! Reads the tokens of a template again, for one of its instances.

use crate::Dialect;
use crate::ast::{Decl, DeclKind, ExprId, InitDeclarator, TranslationUnit, TypeNameId};
use crate::diag::Sink;
use crate::namespace::Namespace;
use crate::parse::name::scope::Meaning;
use crate::parse::types::SpecsOf;
use crate::parse::{Kept, Parsed, Parser};
use crate::token::{Interner, Symbol, Token};

/// What the parser knows where it hands something over: the names by which templates are read again.
pub(crate) struct Rereader {
    pub(in crate::parse) kept: Kept,
    pub(in crate::parse) dialect: Dialect,
}

/// A parameter of a template, in an instance.
#[derive(Clone, Copy)]
pub(crate) struct Bound {
    pub(crate) symbol: Symbol,
    pub(crate) is_type: bool,
}

/// Where the text of a template stands.
#[derive(Clone, Copy)]
pub(crate) struct Place<'p> {
    pub(crate) namespace: Namespace,
    pub(crate) params: &'p [Bound],
}

impl Rereader {
    /// The declaration of a function without its body: the only one of the unit, if it could be read.
    pub(crate) fn head(
        &mut self,
        tokens: &[Token],
        place: Place<'_>,
        interner: &Interner,
        sink: &mut Sink,
    ) -> TranslationUnit {
        self.read(tokens, place, interner, sink, |parser| {
            let start = parser.span();
            let mut specs = parser.types().decl_specs(SpecsOf::Declaration)?;
            specs.extern_c = None.into();
            let declarator = parser.types().declarator()?;
            let declarators = [InitDeclarator { declarator, init: None }].into_iter().collect();
            let span = parser.span_from(start);
            parser.unit.decls.push(Decl { kind: DeclKind::Declarators { specs, declarators }, span });
            Ok(())
        })
        .0
    }

    /// The definition of a function, body included: the only declaration of the unit, if it could be read.
    pub(crate) fn definition(
        &mut self,
        tokens: &[Token],
        place: Place<'_>,
        interner: &Interner,
        sink: &mut Sink,
    ) -> TranslationUnit {
        self.read(tokens, place, interner, sink, |parser| {
            let decl = parser.declarations().declaration(true)?;
            parser.warn_unused_pragmas();
            parser.unit.decls.push(decl);
            Ok(())
        })
        .0
    }

    /// The type of a parameter for values: of the only declaration of the unit.
    pub(crate) fn parameter(
        &mut self,
        tokens: &[Token],
        place: Place<'_>,
        interner: &Interner,
        sink: &mut Sink,
    ) -> (TranslationUnit, Option<TypeNameId>) {
        let (unit, ty) = self.read(tokens, place, interner, sink, |parser| parser.types().parameter_type());
        (unit, ty.ok())
    }

    /// A type as a default argument.
    pub(crate) fn type_name(
        &mut self,
        tokens: &[Token],
        place: Place<'_>,
        interner: &Interner,
        sink: &mut Sink,
    ) -> (TranslationUnit, Option<TypeNameId>) {
        let (unit, ty) = self.read(tokens, place, interner, sink, |parser| {
            let (ty, _) = parser.types().kept_type_name()?;
            parser.end_of_reread()?;
            Ok(ty)
        });
        (unit, ty.ok())
    }

    /// A value as a default argument.
    pub(crate) fn value(
        &mut self,
        tokens: &[Token],
        place: Place<'_>,
        interner: &Interner,
        sink: &mut Sink,
    ) -> (TranslationUnit, Option<ExprId>) {
        let (unit, value) = self.read(tokens, place, interner, sink, |parser| {
            let value = parser.expressions().template_value()?;
            parser.end_of_reread()?;
            Ok(value)
        });
        (unit, value.ok())
    }

    fn read<'a, T>(
        &mut self,
        tokens: &[Token],
        place: Place<'_>,
        interner: &'a Interner,
        sink: &'a mut Sink,
        read: impl FnOnce(&mut Parser<'a>) -> Parsed<T>,
    ) -> (TranslationUnit, Parsed<T>) {
        let kept = std::mem::take(&mut self.kept);
        let mut parser = Parser::new(kept, self.dialect, interner, sink);
        let outer = parser.scopes.namespace();
        parser.scopes.go_to_namespace(place.namespace);
        parser.scopes.enter();
        for param in place.params {
            let meaning = if param.is_type { Meaning::Type } else { Meaning::Ordinary };
            parser.scopes.declare(param.symbol, meaning);
        }
        parser.is_again = true;
        parser.set_tokens(tokens.to_vec());
        let result = read(&mut parser);
        parser.scopes.leave();
        parser.scopes.go_to_namespace(outer);
        let unit = std::mem::take(&mut parser.unit);
        self.kept = parser.into_kept();
        (unit, result)
    }
}

impl Parser<'_> {
    /// Reports what follows where the tokens should end.
    fn end_of_reread(&mut self) -> Parsed<()> {
        if self.is_eof() { Ok(()) } else { Err(self.expected(crate::token::Punct::Gt)) }
    }
}
