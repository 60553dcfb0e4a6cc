//! Generic lambda expressions (C++17 8.1.5p5): a class whose call operator is a template.
//!
//! An instance is made where it is called, when the function around the lambda may be checked no more: so what the names in the text mean
//! there is kept, and what the lambda captures is found by its tokens, before there is an instance.

use std::mem;
use std::rc::Rc;

use hashbrown::HashSet;

use super::{Captured, Closure, LambdaCx, Source, Variable, VariableKind};
use crate::ast::{Lambda, Name, TemplateDecl};
use crate::diag::Reported;
use crate::ir::{Func, Record};
use crate::sema::Expressions;
use crate::sema::context::Cx;
use crate::sema::name::scope::{Binding, Entity};
use crate::source::Span;
use crate::token::{Keyword, Punct, Symbol, Token, TokenKind};

/// What the text of a generic lambda has around it.
pub(in crate::sema) struct Surroundings {
    /// What its names mean in the function around it, but for variables.
    pub(in crate::sema) names: Vec<(Symbol, Binding)>,
    /// The variables of functions around it that it does not capture.
    uncaptured: Vec<(Symbol, VariableKind, Span)>,
    captures: Vec<Captured>,
    /// The captures that have names.
    pub(in crate::sema) own: Vec<(Symbol, u32, Span)>,
    /// The captured packs: which captures their elements are.
    pub(in crate::sema) packs: Vec<(Symbol, Vec<u32>, Span)>,
    is_mutable: bool,
    /// The function around it and the lambdas that it is in, and the class of that.
    func: Func,
    class: Option<Record>,
}

impl<'a> Expressions<'a> {
    /// Captures the elements of a pack, unless the brackets have done it: by the default, or not at all.
    fn captured_pack(
        &mut self,
        cx: &mut LambdaCx,
        pack: u32,
        name: Name,
    ) -> Result<Option<(Symbol, Vec<u32>, Span)>, Reported> {
        let mut elements = Vec::new();
        for element in 0.. {
            let Some(Entity::Captured(variable)) = self.templates_ref().param_of_pack(pack, element) else {
                break;
            };
            let is_same = |captured: &Captured| matches!(captured.source, Source::Variable(other, ..) if other == variable);
            if let Some(idx) = cx.captures.iter().position(is_same) {
                elements.push(idx as u32);
                continue;
            }
            let Some(kind) = cx.default else { return Ok(None) };
            let (held, ty) = self.held_type(name, Some(element), variable);
            let binding = Binding { entity: held, span: Some(name.span) };
            self.capture_variable(cx, variable, name, binding, ty, kind)?;
            elements.push(cx.captures.len() as u32 - 1);
        }
        Ok(Some((name.symbol, elements, name.span)))
    }

    /// Makes the class of a generic lambda.
    pub(super) fn make_generic_closure(
        &mut self,
        current: Func,
        lambda: &'a Lambda,
        template: &Rc<TemplateDecl>,
    ) -> Result<Closure, Reported> {
        self.declarations().refuse_kernel_lambda(&lambda.specs, &lambda.declarator)?;
        let (mut cx, variables) = self.begin_closure(current, lambda)?;
        let closure = cx.closure;
        let ty = self.module.types.record_ty(closure);
        let around = self.surroundings(&mut cx, lambda, &template.tokens, &variables)?;
        if self.lambdas().open.is_empty() {
            self.lambdas().variables.clear();
        }
        self.types().complete_closure(closure);
        self.templates().declare_call_operator(closure, current, template, around)?;
        Ok(Closure { ty, captures: cx.captures })
    }

    /// What the names in the tokens mean here. With a capture default, variables among them are captured.
    fn surroundings(
        &mut self,
        cx: &mut LambdaCx,
        lambda: &'a Lambda,
        tokens: &[Token],
        variables: &[(Symbol, Binding)],
    ) -> Result<Surroundings, Reported> {
        let params = own_params(tokens);
        let dependent = dependent_statements(tokens, &params);
        let (mut seen, mut names, mut uncaptured) = (HashSet::new(), Vec::new(), Vec::new());
        let mut packs: Vec<(Symbol, Vec<u32>, Span)> = Vec::new();
        let mut names_this = false;
        for (idx, token) in tokens.iter().enumerate() {
            names_this |= token.kind == TokenKind::Keyword(Keyword::This);
            let TokenKind::Ident(symbol) = token.kind else { continue };
            let before = idx.checked_sub(1).map(|before| tokens[before].kind);
            let is_member =
                matches!(before, Some(TokenKind::Punct(Punct::Dot | Punct::Arrow | Punct::ColonColon)));
            if is_member || params.contains(&symbol) || !seen.insert(symbol) {
                continue;
            }
            names_this |= self.names_member(symbol);
            let Some(binding) = self.scopes.block_binding(symbol) else { continue };
            let name = Name { symbol, span: token.span };
            let found = variables.iter().rfind(|(known, _)| *known == symbol);
            let Some(&(_, Binding { entity: Entity::Captured(variable), span: declared })) = found else {
                if let Some(&(_, Binding { entity: Entity::Pack(pack), .. })) = found {
                    packs.extend(self.captured_pack(cx, pack, name)?);
                }
                if !matches!(binding.entity, Entity::Pack(_) | Entity::Local(_)) {
                    names.push((symbol, binding));
                }
                continue;
            };
            let is_listed = |captured: &Captured| matches!(captured.source, Source::Variable(_, other, _) if other.symbol == symbol);
            if cx.captures.iter().any(is_listed) {
                continue;
            }
            // A constant is captured where what is around it depends on the arguments (C++17 8.1.5.2p7).
            let is_kept = cx.default.is_some() && dependent.contains(&symbol);
            if !is_kept && let Some(constant) = self.names().enclosing_constant(binding) {
                names.push((symbol, Binding { entity: constant, ..binding }));
                continue;
            }
            let (held, ty) = self.held_type(name, None, variable);
            if self.lambdas().variables[variable as usize].kind == VariableKind::Other {
                continue;
            }
            match cx.default {
                Some(kind) => {
                    let binding = Binding { entity: held, span: declared };
                    self.capture_variable(cx, variable, name, binding, ty, kind)?;
                }
                None => {
                    let referred = self.conversions_ref().unreferenced(ty);
                    let span = declared.unwrap_or(name.span);
                    uncaptured.push((symbol, VariableKind::Uncaptured(referred), span));
                }
            }
        }
        self.capture_this(cx, names_this, lambda.introducer);
        let own = (0..).zip(&cx.captures).filter_map(|(idx, captured)| match captured.source {
            Source::Variable(_, name, _) if packs.iter().any(|(pack, ..)| *pack == name.symbol) => None,
            Source::Variable(_, name, _) => Some((name.symbol, idx, name.span)),
            Source::Init(_) => {
                let name = lambda.captures.get(idx as usize)?.name?;
                Some((name.symbol, idx, name.span))
            }
            Source::This => None,
        });
        Ok(Surroundings {
            own: own.collect(),
            packs,
            names,
            uncaptured,
            captures: cx.captures.clone(),
            is_mutable: lambda.is_mutable,
            func: self.own_function().unwrap_or(cx.around),
            class: self.own_method().map(|method| method.class),
        })
    }

    /// Whether a name is that of a member of objects.
    fn names_member(&self, symbol: Symbol) -> bool {
        match self.names_ref().lookup(symbol).map(|binding| binding.entity) {
            Some(Entity::Field(_)) => true,
            Some(Entity::Func(func)) => self.calls_ref().takes_object(func),
            Some(Entity::Overloads(id)) => {
                let overloads = self.calls_ref().overloads_of(id);
                overloads.funcs.iter().any(|&func| self.calls_ref().takes_object(func))
                    || overloads.templates.iter().any(|&template| self.templates_ref().has_object(template))
            }
            _ => false,
        }
    }

    fn capture_this(&mut self, cx: &mut LambdaCx, is_named: bool, span: Span) {
        let is_known = cx.captures.iter().any(|captured| matches!(captured.source, Source::This));
        if !is_named || is_known || cx.default.is_none() {
            return;
        }
        if let Some(pointer) = self.this_pointer(span) {
            let ty = self.ty_of(pointer);
            self.add_capture(cx, Captured { source: Source::This, ty, span }, None);
        }
    }

    /// Checks something with the names that the text of a generic lambda has.
    pub(in crate::sema) fn within_lambda(
        &mut self,
        closure: Record,
        around: &Surroundings,
        check: &mut dyn FnMut(&mut Cx<'a>),
    ) {
        let open = mem::take(&mut self.lambdas().open);
        let variables = mem::take(&mut self.lambdas().variables);
        self.lambdas().open.push(LambdaCx {
            closure,
            func: around.func,
            default: None,
            is_mutable: around.is_mutable,
            captures: around.captures.clone(),
            around: around.func,
            outer: None,
        });
        let mut within = |cx: &mut Cx<'a>| {
            cx.scopes.push();
            for &(symbol, binding) in &around.names {
                cx.scopes.bind(symbol, binding.entity, binding.span.unwrap_or_default());
            }
            let own = around.own.iter().map(|&(symbol, idx, span)| (symbol, VariableKind::Own(idx), span));
            for (symbol, kind, span) in own.chain(around.uncaptured.iter().copied()) {
                let entity = cx.expressions().add_variable(Variable { level: 0, kind });
                cx.scopes.bind(symbol, entity, span);
            }
            for (symbol, elements, span) in &around.packs {
                let own = |&idx: &u32| {
                    cx.expressions().add_variable(Variable { level: 0, kind: VariableKind::Own(idx) })
                };
                let elements = elements.iter().map(own).collect();
                let pack = cx.templates().pack_of_entities(elements);
                cx.scopes.bind(*symbol, pack, *span);
            }
            check(cx);
            cx.scopes.pop();
        };
        match around.class {
            Some(class) => self.within_class(class, within),
            None => within(self),
        }
        self.lambdas().open = open;
        self.lambdas().variables = variables;
    }
}

/// The names in statements that name a parameter, or what such a statement declares.
fn dependent_statements(tokens: &[Token], params: &HashSet<Symbol>) -> HashSet<Symbol> {
    let mut dependent = params.clone();
    let mut named = HashSet::new();
    let ends =
        |token: &Token| matches!(token.kind, TokenKind::Punct(Punct::Semi | Punct::LBrace | Punct::RBrace));
    for statement in tokens.split(ends) {
        let ident = |token: &Token| match token.kind {
            TokenKind::Ident(symbol) => Some(symbol),
            _ => None,
        };
        if !statement.iter().filter_map(ident).any(|symbol| dependent.contains(&symbol)) {
            continue;
        }
        named.extend(statement.iter().filter_map(ident));
        for pair in statement.windows(2) {
            if let (TokenKind::Ident(symbol), TokenKind::Punct(Punct::Eq)) = (pair[0].kind, pair[1].kind) {
                dependent.insert(symbol);
            }
        }
    }
    named
}

/// The names of the parameters, which come first among the tokens.
fn own_params(tokens: &[Token]) -> HashSet<Symbol> {
    let mut names = HashSet::new();
    let mut depth = 0_u32;
    // `auto operator()` comes before them.
    for pair in tokens.windows(2).skip(5) {
        match (pair[0].kind, pair[1].kind) {
            (TokenKind::Punct(Punct::LParen | Punct::LBracket), _) => depth += 1,
            (TokenKind::Punct(Punct::RParen | Punct::RBracket), _) => {
                depth -= 1;
                if depth == 0 {
                    break;
                }
            }
            (
                TokenKind::Ident(symbol),
                TokenKind::Punct(Punct::Comma | Punct::RParen | Punct::Eq | Punct::LBracket),
            ) => {
                names.insert(symbol);
            }
            _ => {}
        }
    }
    names
}
