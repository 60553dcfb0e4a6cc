//! Reads the tokens of a template again, for one of its instances.

use thin_vec::ThinVec;

use crate::Dialect;
use crate::ast::{
    Access, ClassId, Decl, DeclKind, DeclSpecs, ExprId, FunctionDef, InitDeclarator, InitDeclarators,
    MethodId, MethodText, Name, TemplateArgsId, TranslationUnit, TypeNameId, TypeSpec,
};
use crate::diag::Sink;
use crate::namespace::Namespace;
use crate::parse::name::scope::{Meaning, PackLen};
use crate::parse::template::guide::ConstructorText;
use crate::parse::types::SpecsOf;
use crate::parse::{Kept, Parsed, Parser};
use crate::token::{Interner, Punct, Symbol, Token, TokenKind};

/// Lends the names that the parser knows at a hand-over, to read templates again.
pub(crate) struct Rereader {
    pub(in crate::parse) kept: Kept,
    pub(in crate::parse) dialect: Dialect,
}

/// A parameter of a template in an instance, or another name that the text has around it.
#[derive(Clone, Copy)]
pub(crate) struct Bound {
    pub(crate) symbol: Symbol,
    pub(crate) kind: BoundKind,
    /// How long it is, if it is a pack.
    pub(crate) pack: Option<PackLen>,
}

/// What such a name means to the parser.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum BoundKind {
    Value,
    Type,
    /// A template of types.
    TypeTemplate,
    /// The same, where the name alone may be an instance in its own text (C++17 17.6.1).
    InjectedName,
    /// A template of functions or variables that is a member.
    Template,
}

/// What is read again.
#[derive(Clone, Copy)]
pub(crate) struct Text<'t> {
    /// They end in `Eof`.
    pub(crate) tokens: &'t [Token],
    /// The namespace that has the template.
    pub(crate) namespace: Namespace,
    pub(crate) params: &'t [Bound],
    /// The instance of a class template whose member they declare, with the classes around it, from the outside in.
    pub(crate) classes: &'t [ClassId],
    /// The class that has the template within its braces.
    pub(crate) class: Option<InClass<'t>>,
}

/// A class whose scope the text is read in.
#[derive(Clone, Copy)]
pub(crate) struct InClass<'t> {
    pub(crate) tag: Symbol,
    /// It and those around it, from the outside in.
    pub(crate) classes: &'t [ClassId],
}

/// Syntax of its own, and what was to be found in it.
pub(crate) type Reread<T> = (TranslationUnit, Parsed<T>);

impl Rereader {
    /// The declaration of a function without its body: the only one of the unit.
    pub(crate) fn head(&mut self, text: Text<'_>, interner: &Interner, sink: &mut Sink) -> Reread<()> {
        self.read(text, interner, sink, |parser| {
            let start = parser.span();
            let (specs, declarator) = match parser.types_ref().special_ahead(None) {
                Some(special) => {
                    let mut specs = parser.types().special_specs(special)?;
                    let declarator = parser.types().special_declarator(special, &mut specs)?;
                    (specs, declarator)
                }
                None => {
                    let specs = parser.types().decl_specs(SpecsOf::Declaration)?;
                    (specs, parser.types().declarator()?)
                }
            };
            let declarators = [InitDeclarator { declarator, init: None }].into_iter().collect();
            let span = parser.span_from(start);
            parser.unit.decls.push(Decl { kind: DeclKind::Declarators { specs, declarators }, span });
            Ok(())
        })
    }

    /// The definition of a function, body included: the only declaration of the unit.
    pub(crate) fn definition(&mut self, text: Text<'_>, interner: &Interner, sink: &mut Sink) -> Reread<()> {
        self.read(text, interner, sink, |parser| {
            let decl = parser.declarations().declaration(true)?;
            parser.warn_unused_pragmas();
            parser.unit.decls.push(decl);
            Ok(())
        })
    }

    /// A member function that a member template makes, its body kept as tokens.
    pub(crate) fn member(
        &mut self,
        access: Access,
        text: Text<'_>,
        interner: &Interner,
        sink: &mut Sink,
    ) -> Reread<Option<MethodId>> {
        self.read(text, interner, sink, |parser| {
            let Some(class) = text.class else { return Ok(None) };
            let name = Name { symbol: class.tag, span: parser.span() };
            parser.templates().member_again(access, name)
        })
    }

    /// The members of a struct, the bodies of its functions kept as tokens: the only declaration of the unit.
    pub(crate) fn class(&mut self, text: Text<'_>, interner: &Interner, sink: &mut Sink) -> Reread<()> {
        self.read(text, interner, sink, |parser| {
            parser.keeps_bodies = true;
            if let Some(class) = text.class {
                parser.types().set_open_classes(class.classes);
            }
            let start = parser.span();
            let specs = parser.types().decl_specs(SpecsOf::Declaration)?;
            parser.warn_unused_pragmas();
            let span = parser.span_from(start);
            let kind = DeclKind::Declarators { specs, declarators: InitDeclarators::new() };
            parser.unit.decls.push(Decl { kind, span });
            Ok(())
        })
    }

    /// The body of a member function of an instance: in the only declaration of the unit, of which nothing else matters.
    pub(crate) fn method_body(
        &mut self,
        text: Text<'_>,
        method: &MethodText,
        interner: &Interner,
        sink: &mut Sink,
    ) -> Reread<()> {
        self.read(text, interner, sink, |parser| {
            let (span, before) = (parser.span(), parser.unit.nodes());
            let (inits, body) = parser.types().kept_body(method)?;
            parser.warn_unused_pragmas();
            let specs = DeclSpecs::new(TypeSpec::Error, span);
            let declarator = parser.types_ref().empty_declarator(span);
            let nodes = parser.unit.nodes_since(&before);
            let kind = DeclKind::Function(Box::new(FunctionDef { specs, declarator, inits, body, nodes }));
            parser.unit.decls.push(Decl { kind, span });
            Ok(())
        })
    }

    /// The constructors of a class template. `instance` is the class with its parameters as arguments.
    pub(crate) fn constructors(
        &mut self,
        text: Text<'_>,
        instance: &[Token],
        interner: &Interner,
        sink: &mut Sink,
    ) -> Reread<Vec<ConstructorText>> {
        self.read(text, interner, sink, |parser| parser.templates().constructors(instance))
    }

    /// What another name for types stands for.
    pub(crate) fn alias(
        &mut self,
        text: Text<'_>,
        interner: &Interner,
        sink: &mut Sink,
    ) -> Reread<TypeNameId> {
        self.read(text, interner, sink, |parser| {
            // `using name attribute* =`
            parser.bump();
            parser.bump();
            let mut attrs = ThinVec::new();
            while parser.types().attributes(&mut attrs)? {}
            parser.expect(Punct::Eq)?;
            let (ty, _) = parser.types().kept_type_name()?;
            parser.expect_semi();
            Ok(ty)
        })
    }

    /// The type of a parameter for values.
    pub(crate) fn parameter(
        &mut self,
        text: Text<'_>,
        interner: &Interner,
        sink: &mut Sink,
    ) -> Reread<TypeNameId> {
        self.read(text, interner, sink, |parser| parser.types().parameter_type())
    }

    /// A type as a default argument.
    pub(crate) fn type_name(
        &mut self,
        text: Text<'_>,
        interner: &Interner,
        sink: &mut Sink,
    ) -> Reread<TypeNameId> {
        self.read(text, interner, sink, |parser| {
            let (ty, _) = parser.types().kept_type_name()?;
            parser.end_of_reread()?;
            Ok(ty)
        })
    }

    /// A value as a default argument.
    pub(crate) fn value(&mut self, text: Text<'_>, interner: &Interner, sink: &mut Sink) -> Reread<ExprId> {
        self.read(text, interner, sink, |parser| {
            let value = parser.expressions().template_value()?;
            parser.end_of_reread()?;
            Ok(value)
        })
    }

    /// The arguments of a template, from `<` on.
    pub(crate) fn template_args(
        &mut self,
        text: Text<'_>,
        interner: &Interner,
        sink: &mut Sink,
    ) -> Reread<TemplateArgsId> {
        self.read(text, interner, sink, |parser| {
            let args = parser.templates().template_args()?;
            parser.end_of_reread()?;
            Ok(args)
        })
    }

    /// A declaration of host code, or a parameter: the only one of the unit. Initial values that cannot be read are left out.
    pub(crate) fn host_declaration(
        &mut self,
        text: Text<'_>,
        interner: &Interner,
        sink: &mut Sink,
    ) -> Reread<()> {
        self.read(text, interner, sink, |parser| {
            let start = parser.span();
            let specs = parser.types().decl_specs(SpecsOf::Declaration)?;
            let mut declarators = InitDeclarators::new();
            while !parser.is_eof() {
                let declarator = parser.types().declarator()?;
                let end = parser.templates_ref().end_of_argument(parser.pos, parser.tokens.len() - 1);
                let mark = parser.sink.mark();
                let init = parser.declarations().declaration_initializer().ok().flatten();
                let is_whole = parser.pos == end && parser.sink.n_errors_since(mark) == 0;
                parser.sink.rewind(mark);
                parser.go_to(end);
                declarators.push(InitDeclarator { declarator, init: init.filter(|_| is_whole) });
                if parser.eat(Punct::Comma).is_none() {
                    parser.end_of_reread()?;
                }
            }
            let span = parser.span_from(start);
            parser.unit.decls.push(Decl { kind: DeclKind::Declarators { specs, declarators }, span });
            Ok(())
        })
    }

    fn read<'a, T>(
        &mut self,
        text: Text<'_>,
        interner: &'a Interner,
        sink: &'a mut Sink,
        read: impl FnOnce(&mut Parser<'a>) -> Parsed<T>,
    ) -> Reread<T> {
        let kept = std::mem::take(&mut self.kept);
        let mut parser = Parser::new(kept, self.dialect, interner, sink);
        let outer = parser.scopes.namespace();
        parser.scopes.go_to_namespace(text.namespace);
        let classes = text.class.map_or(&[][..], |class| class.classes);
        classes.iter().for_each(|&class| parser.scopes.enter_members(class));
        parser.scopes.enter();
        for param in text.params {
            match (param.pack, param.kind) {
                (Some(len), kind) => {
                    parser.scopes.declare_pack(param.symbol, kind == BoundKind::Type, len);
                }
                (None, BoundKind::Type) => parser.scopes.declare(param.symbol, Meaning::Type),
                (None, BoundKind::Value) => parser.scopes.declare(param.symbol, Meaning::Ordinary),
                (None, BoundKind::TypeTemplate) => parser.scopes.declare(param.symbol, Meaning::TypeTemplate),
                (None, BoundKind::InjectedName) => parser.scopes.declare_injected(param.symbol),
                (None, BoundKind::Template) => parser.scopes.declare(param.symbol, Meaning::Template),
            }
        }
        let is_ellipsis = |token: &Token| token.kind == TokenKind::Punct(Punct::Ellipsis);
        parser.pack_facts.is_possible =
            text.params.iter().any(|param| param.pack.is_some()) || text.tokens.iter().any(is_ellipsis);
        parser.is_again = true;
        parser.type_params = text
            .params
            .iter()
            .filter(|param| param.kind == BoundKind::Type)
            .map(|param| param.symbol)
            .collect();
        parser.own_params = text.params.iter().map(|param| param.symbol).collect();
        parser.instance_classes = text.classes.iter().copied().collect();
        parser.set_tokens(text.tokens.to_vec());
        let result = read(&mut parser);
        // Those that a definition outside of its class has opened.
        parser.types().close_classes();
        (0..=classes.len()).for_each(|_| parser.scopes.leave());
        parser.scopes.go_to_namespace(outer);
        let unit = std::mem::take(&mut parser.unit);
        self.kept = parser.into_kept();
        (unit, result)
    }
}

impl Parser<'_> {
    /// Reports what follows where the tokens should end.
    fn end_of_reread(&mut self) -> Parsed<()> {
        if self.is_eof() { Ok(()) } else { Err(self.expected(Punct::Gt)) }
    }
}
