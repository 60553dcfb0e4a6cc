//! Unqualified lookup and declarations of names, and the errors of names that are taken or unknown.

use super::{Binding, Entity};
use crate::ast::Name;
use crate::diag::similar::{nearest, similar};
use crate::diag::{Code, Diagnostic, Fix, Reported};
use crate::ir::{Func, Namespace, Quals, Ty, TypedefData};
use crate::predeclared::{Predeclared, SpecialVar};
use crate::sema::builtin::FunctionId;
use crate::sema::call::overload::Overloads;
use crate::sema::{BuiltinRecords, Names};
use crate::source::Span;
use crate::token::Symbol;

/// Keeps what is nearer than what is there.
fn closer<'n>(best: &mut Option<(usize, &'n str)>, found: Option<(usize, &'n str)>) {
    if let Some((distance, _)) = found
        && best.is_none_or(|(least, _)| distance < least)
    {
        *best = found;
    }
}

impl<'a> Names<'a> {
    /// The ordinary name, or a tag that no ordinary name of its scope hides.
    #[inline(always)]
    pub(in crate::sema) fn lookup(&self, symbol: Symbol) -> Option<Binding> {
        if self.scopes.is_in_stack(symbol) {
            return self.scopes.lookup(symbol);
        }
        self.lookup_in_namespaces(symbol)
    }

    /// Makes the name known in the innermost scope, unless it is taken there.
    pub(in crate::sema) fn declare(&mut self, name: Name, entity: Entity) -> Result<(), Reported> {
        if let Some(previous) = self.scopes.get_here(name.symbol) {
            return Err(self.redefinition(name, previous));
        }
        if self.horizon.is_some() {
            self.templates().refuse_shadowing(name)?;
        }
        self.scopes.bind(name.symbol, entity, name.span);
        Ok(())
    }

    /// Looks at a variable of a block or a parameter before its name is bound: whether it hides another.
    pub(in crate::sema) fn warn_shadow(&mut self, name: Name) {
        if !self.sink.is_on(Code::Shadow) || self.scopes.get_here(name.symbol).is_some() {
            return;
        }
        let Some(Binding { entity, span: Some(span) }) = self.lookup(name.symbol) else { return };
        let what = match entity {
            Entity::Local(_)
            | Entity::Member(_)
            | Entity::Element(..)
            | Entity::Captured(_)
            | Entity::Enclosing => "local variable",
            Entity::Global(global) if self.module.globals[global].owner.is_some() => "local variable",
            Entity::Field(_) => "data member",
            Entity::Global(_) | Entity::Const(_) => "variable at file scope",
            Entity::Func(_)
            | Entity::Overloads(_)
            | Entity::Typedef(_)
            | Entity::Enumerator(..)
            | Entity::Special(_)
            | Entity::Constant(_)
            | Entity::TemplateParam(_)
            | Entity::Template(_)
            | Entity::Pack(_)
            | Entity::Namespace(_)
            | Entity::Several
            | Entity::Host(_)
            | Entity::Poison => return,
        };
        let message = format!("declaration of `{}` shadows a {what}", self.spelling(name.symbol));
        let diagnostic = Diagnostic::new(Code::Shadow, name.span, message)
            .with_label(span, "previous declaration is here");
        self.sink.emit(diagnostic);
    }

    /// The error of a name that is taken.
    pub(in crate::sema) fn redefinition(&mut self, name: Name, previous: Binding) -> Reported {
        if previous.entity == Entity::Poison {
            return self.poisoned();
        }
        let spelling = self.spelling(name.symbol);
        let as_what = match previous.entity {
            Entity::Namespace(_) => " as different kind of symbol",
            _ => "",
        };
        let message = format!("redefinition of `{spelling}`{as_what}");
        let mut diagnostic = Diagnostic::new(Code::Redefinition, name.span, message);
        if let Some(span) = previous.span {
            diagnostic = diagnostic.with_label(span, "previously declared here");
        }
        self.sink.error(diagnostic)
    }

    /// Whether the parser has said what is wrong with the declaration that has its name here.
    pub(in crate::sema) fn is_refused_here(&self, name: Name) -> bool {
        self.unit.refused.is_at(name)
    }

    /// Whether the parser has refused a declaration of the name.
    pub(in crate::sema) fn is_refused(&self, symbol: Symbol) -> bool {
        self.unit.refused.has(symbol)
    }

    /// Makes later uses of a wrong name in this scope silent: one message is enough. In declarations of the host it may be dropped.
    pub(in crate::sema) fn silence(&mut self, name: Name) {
        if self.tries_host_code {
            self.known.names.wrong_in_host_code.insert(name.symbol);
        } else {
            self.scopes.bind(name.symbol, Entity::Poison, name.span);
        }
    }

    /// The error of a name that nothing declares.
    pub(in crate::sema) fn undeclared(&mut self, name: Name, what: &str) -> Reported {
        // An error that was reported may be why nothing declares the name.
        let is_explained =
            self.known.names.wrong_in_host_code.contains(&name.symbol) && self.sink.reported().is_some();
        if is_explained || self.is_refused(name.symbol) {
            return self.poisoned();
        }
        let spelling = self.spelling(name.symbol);
        let of_param = self.calls().parameter_in_default_arg(name);
        if let Some(reported) = of_param {
            return reported;
        }
        if crate::sema::name::known_function::is_known(spelling) {
            self.silence(name);
            let message = format!("function `{spelling}` is not supported yet");
            return self.error(Code::UnsupportedBuiltin, name.span, message);
        }
        if crate::sema::name::host_function::is_host(spelling) {
            self.silence(name);
            let message = format!("`{spelling}` is a host function, which device code cannot call");
            let mut diagnostic = Diagnostic::new(Code::UnsupportedHostCode, name.span, message);
            if let Some(advice) = crate::sema::name::host_function::advice(spelling) {
                diagnostic = diagnostic.with_help(advice);
            }
            return self.sink.error(diagnostic);
        }
        if let Some(lacking) = crate::sema::name::lacking::find(spelling) {
            self.silence(name);
            let mut diagnostic =
                Diagnostic::new(lacking.code, name.span, format!("`{spelling}` {}", lacking.phrase));
            if let Some(instead) = lacking.instead {
                diagnostic = diagnostic.with_help(format!("use {instead}"));
            } else if let Some(prefix) = lacking.prefix
                && self.sink.shows_more()
                && let Some((candidate, _)) = self.similar_name(spelling)
                && let (Some(rest), Some(meant)) =
                    (spelling.strip_prefix(prefix), candidate.strip_prefix(prefix))
                && similar(rest, [meant].into_iter()).is_some()
            {
                let title = format!("did you mean `{candidate}`?");
                diagnostic = diagnostic.with_fix(Fix::new(title, name.span, candidate));
            }
            return self.sink.error(diagnostic);
        }
        let message = format!("use of undeclared {what} `{spelling}`");
        let mut diagnostic = Diagnostic::new(Code::UndeclaredIdentifier, name.span, message);
        let declares_builtin = crate::sema::builtin::named(spelling).next().and_then(|(header, _)| header);
        let header = declares_builtin.map(|header| header.name());
        if let Some(header) = header.or_else(|| crate::predeclared::header_of(spelling)) {
            self.silence(name);
            return self.sink.error(diagnostic.with_fix(Fix::include(spelling, header)));
        }
        if self.known.nested_names.contains_key(&name.symbol) {
            diagnostic = self.types_ref().note_nested(name.symbol, diagnostic);
        } else if self.sink.shows_more()
            && let Some((candidate, span)) = self.similar_name(spelling)
        {
            let title = format!("did you mean `{candidate}`?");
            diagnostic = diagnostic.with_fix(Fix::new(title, name.span, candidate));
            if let Some(span) = span {
                diagnostic = diagnostic.with_label(span, format!("`{candidate}` declared here"));
            }
        }
        self.silence(name);
        self.sink.error(diagnostic)
    }

    /// The visible name nearest in spelling, innermost scopes first.
    fn similar_name(&self, spelling: &str) -> Option<(&'a str, Option<Span>)> {
        let is_good = |binding: &Binding| binding.entity != Entity::Poison;
        let mut best = None;
        for namespace in self.scopes.namespaces.around(self.scopes.namespaces.current()) {
            let found = self.similar_member(namespace, spelling).map(|(name, _)| name);
            closer(&mut best, nearest(spelling, found.into_iter()));
        }
        for depth in (0..=self.scopes.depth).rev() {
            let good = self.scopes.names.of_scope(depth).filter(|entry| is_good(&entry.meaning));
            closer(&mut best, nearest(spelling, good.map(|entry| self.spelling(entry.symbol))));
        }
        closer(&mut best, nearest(spelling, SpecialVar::ALL.iter().map(|var| var.name())));
        let builtins =
            crate::sema::builtin::all().filter(|&(header, _)| self.builtins_ref().has_header(header));
        closer(&mut best, nearest(spelling, builtins.map(|(_, function)| function.name)));
        let (_, name) = best?;
        let binding = self.interner.lookup(name).and_then(|symbol| self.lookup(symbol));
        Some((name, binding.and_then(|binding| binding.span)))
    }

    /// Declares what the compiler knows by itself and the text names. It is at file scope, so that a second meaning
    /// there is an error, as it is to nvcc.
    pub(in crate::sema) fn declare_named(&mut self, named: &[(Symbol, Predeclared)]) {
        for &(symbol, predeclared) in named {
            match predeclared {
                Predeclared::Scalar(name, scalar) => {
                    let ty = scalar.ty(self.module.types.model());
                    self.declare_builtin_typedef(symbol, name, ty);
                }
                Predeclared::Vector(vector) => {
                    let ty = self.builtins().vector_ty(vector);
                    self.bind_record(symbol, ty);
                }
                Predeclared::Dim3 => {
                    let (_, ty) = self.builtin_records().dim3;
                    self.bind_record(symbol, ty);
                }
                Predeclared::Half(half) => {
                    let ty = self.builtins().half_ty(half);
                    self.bind_builtin(symbol, Entity::Typedef(ty));
                }
                Predeclared::VaListTag => {
                    let ty = self.calls().va_list_tag();
                    self.bind_record(symbol, ty);
                }
                Predeclared::VaList(name) => {
                    let list = self.calls().va_list_ty();
                    self.declare_builtin_typedef(symbol, name, list);
                }
                Predeclared::Variable(var) => self.bind_builtin(symbol, Entity::Special(var)),
                Predeclared::Constant(value) => self.bind_builtin(symbol, Entity::Constant(value)),
            }
        }
    }

    fn declare_builtin_typedef(&mut self, symbol: Symbol, name: &str, ty: Ty) {
        let data = TypedefData {
            name: name.to_owned(),
            namespace: Namespace::GLOBAL,
            ty,
            align: None,
            is_builtin: true,
            span: Span::default(),
        };
        let (_, ty) = self.module.types.add_typedef(data);
        self.bind_builtin(symbol, Entity::Typedef(ty));
    }

    /// Gives a struct of the compiler's its name, as a tag and, as in C++, as a type.
    fn bind_record(&mut self, symbol: Symbol, ty: Ty) {
        self.scopes.bind_builtin_tag(symbol, ty);
        self.bind_builtin(symbol, Entity::Typedef(ty));
    }

    /// Gives a name of the compiler's its meaning at file scope.
    fn bind_builtin(&mut self, symbol: Symbol, entity: Entity) {
        self.cx.scopes.names.bind(symbol, Binding { entity, span: None }, self.scopes.depth);
    }

    /// Binds the name of a built-in function.
    pub(in crate::sema::name) fn bind_function(&mut self, symbol: Symbol, func: Func) {
        self.bind_builtin(symbol, Entity::Func(func));
    }

    /// Gives a declared function its name in the innermost scope, beside those that have it there; at file scope a built-in
    /// one has it, too.
    pub(in crate::sema) fn bind_overload(&mut self, name: Name, func: Func, builtin: Option<FunctionId>) {
        if self.scopes.has_namespaces() && !self.scopes.is_file_scope() {
            self.known.names.of_blocks.insert(name.span);
        }
        let here = self.scopes.get_here(name.symbol).map(|binding| binding.entity);
        let host = self.known.names.host_definitions.get(&(self.scopes.namespace(), name.symbol));
        let builtin = builtin.filter(|_| self.scopes.is_global());
        let entity = match here {
            Some(Entity::Overloads(id)) => {
                self.known.overloads[id].add(func);
                Entity::Overloads(id)
            }
            Some(Entity::Func(other)) if other != func => {
                let funcs = [other, func].into_iter().collect();
                Entity::Overloads(self.known.overloads.push(Overloads { funcs, ..Overloads::default() }))
            }
            _ if (builtin.is_some() || host.is_some()) && self.scopes.is_file_scope() => {
                let funcs = [func].into_iter().collect();
                let host = host.cloned().unwrap_or_default();
                Entity::Overloads(self.known.overloads.push(Overloads {
                    funcs,
                    builtin,
                    host,
                    ..Overloads::default()
                }))
            }
            _ => Entity::Func(func),
        };
        self.scopes.bind(name.symbol, entity, name.span);
    }

    /// The types of the built-in variables.
    pub(in crate::sema) fn builtin_records(&self) -> BuiltinRecords {
        self.known.builtin_records.expect("invariant: the built-in structs are declared first")
    }

    /// The type of a built-in variable, which is const.
    pub(in crate::sema) fn special_ty(&mut self, var: SpecialVar) -> Ty {
        let records = self.builtin_records();
        let ty = match var {
            SpecialVar::ThreadIdx | SpecialVar::BlockIdx => records.uint3,
            SpecialVar::BlockDim | SpecialVar::GridDim => records.dim3.1,
            SpecialVar::WarpSize => Ty::INT,
        };
        self.module.types.with_quals(ty, Quals::CONST)
    }
}
