//! Argument-dependent lookup: functions of the namespaces of the arguments' types (C++17 6.4.2).

use super::{Arg, Args, Overloads};
use crate::ast::{ExprId, ExprKind};
use crate::diag::Reported;
use crate::ir::{Namespace, Record, Scalar, TemplateArg, Ty, View};
use crate::sema::Calls;
use crate::sema::expression::Operand;
use crate::sema::name::scope::Entity;
use crate::source::Span;
use crate::token::Symbol;

impl Calls<'_> {
    /// A call of a name of which namespaces may have functions that its arguments make candidates; none if there are no such.
    pub(in crate::sema::call) fn check_call_by_arguments(
        &mut self,
        callee: ExprId,
        args: &[ExprId],
        span: Span,
    ) -> Option<Result<Operand, Reported>> {
        let (symbol, ordinary) = self.found_for_arguments(callee)?;
        let args = match self.check_args(args, true) {
            Ok(args) => args,
            Err(reported) => return Some(Err(reported)),
        };
        let callee_span = self.unit.exprs[callee].span;
        let all = self.with_associated(symbol, &ordinary, &args);
        let is_ordinary = all.funcs.len() == ordinary.funcs.len()
            && all.builtin.is_some() == ordinary.builtin.is_some()
            && all.templates.len() == ordinary.templates.len();
        Some(match all.sole() {
            _ if is_ordinary => match self.expressions().check_expr(callee) {
                Ok(callee) => self.check_call_of(callee, callee_span, args, span),
                Err(reported) => Err(reported),
            },
            Some(func) => {
                self.module.functions[func].is_referenced = true;
                self.check_call_of(Operand::Func(func, callee_span), callee_span, args, span)
            }
            None => self.check_call_among(&all, callee_span, &args, span),
        })
    }

    /// The name that is called, and the functions that ordinary lookup finds, if those of the arguments' namespaces are candidates, too
    /// (C++17 6.4.2p3).
    fn found_for_arguments(&mut self, callee: ExprId) -> Option<(Symbol, Overloads)> {
        // In an instance, functions of the global namespace are found that the text of the template does not know.
        let is_instance = self.horizon.is_some();
        let has_friends = !self.known.names.friend_functions.is_empty();
        if !self.scopes.has_namespaces() && !is_instance && !has_friends {
            return None;
        }
        let ExprKind::Ident(symbol) = self.unit.exprs[callee].kind else { return None };
        let is_friend = has_friends && self.known.names.friend_functions.contains_key(&symbol);
        if !self.known.names_of_namespaces.contains(&symbol) && !is_instance && !is_friend {
            return None;
        }
        let mut found = Overloads::default();
        let binding = self.names_ref().lookup(symbol);
        if binding.and_then(|binding| binding.span).is_some_and(|at| self.known.names.of_blocks.contains(&at))
        {
            return None;
        }
        match binding.map(|binding| binding.entity) {
            // C++17 6.4.2p3: with a member of a class, there is no such lookup.
            Some(Entity::Func(func)) if self.module.functions[func].method.is_some() => return None,
            Some(Entity::Overloads(id)) if self.are_methods(&self.known.overloads[id]) => return None,
            Some(Entity::Func(func)) => found.add(func),
            Some(Entity::Overloads(id)) => found = self.overloads_of(id),
            Some(Entity::Several) => {
                let id = self.names().functions_named(symbol)?;
                found = self.overloads_of(id);
            }
            Some(_) => return None,
            None => {
                found.builtin = self.builtins().builtin_named(symbol);
                // Those that say themselves what they take.
                if found.builtin.is_some_and(|builtin| !builtin.function().has_table()) {
                    return None;
                }
            }
        }
        Some((symbol, found))
    }

    /// The functions of the name that argument-dependent lookup alone finds.
    pub(in crate::sema) fn associated(&mut self, symbol: Symbol, args: &Args) -> Overloads {
        self.with_associated(symbol, &Overloads::default(), args)
    }

    /// Adds the functions of the namespaces of the arguments.
    pub(super) fn with_associated(&mut self, symbol: Symbol, ordinary: &Overloads, args: &Args) -> Overloads {
        let (mut seen, mut namespaces) = (Vec::new(), Vec::new());
        for &arg in args {
            match arg {
                Arg::Value(value) | Arg::Object(_, value) => {
                    self.add_associated(self.ty_of(value), &mut seen, &mut namespaces)
                }
                Arg::Overloaded(id) => {
                    let funcs = self.overloads_behind(id).map(|(overloads, _)| overloads.funcs);
                    for func in funcs.into_iter().flatten() {
                        self.add_associated(self.module.functions[func].ty, &mut seen, &mut namespaces);
                    }
                }
                Arg::Braced(..) => {}
            }
        }
        let mut all = ordinary.clone();
        for namespace in namespaces {
            match self.scopes.member_named(namespace, symbol).map(|binding| binding.entity) {
                Some(Entity::Func(func)) => all.add(func),
                Some(Entity::Overloads(id)) => {
                    // Those of the namespaces are found wherever they are declared.
                    let other = self.known.overloads[id].clone();
                    all.merge(&other);
                }
                _ => {}
            }
            if namespace == Namespace::GLOBAL {
                all.builtin = all.builtin.or_else(|| self.builtins().builtin_named(symbol));
            }
        }
        if let Some(friends) = self.known.names.friend_functions.get(&symbol).cloned() {
            let mut classes = Vec::new();
            for &arg in args {
                if let Arg::Value(value) | Arg::Object(_, value) = arg {
                    self.add_classes(self.ty_of(value), &mut classes);
                }
            }
            friends.iter().filter(|(class, _)| classes.contains(class)).for_each(|&(_, func)| all.add(func));
        }
        if let Some(n_declared) = self.expansions.n_declared {
            all.funcs.retain(|func| func.as_u32() < n_declared);
        }
        all
    }

    /// Adds the classes that a type has to do with, whose friends are found (C++17 6.4.2p4): with a class its bases, and with an instance of
    /// a template what its arguments have to do with.
    fn add_classes(&self, ty: Ty, into: &mut Vec<Record>) {
        let types = &self.module.types;
        match types.view(ty) {
            View::Scalar(Scalar::Pointer(inner) | Scalar::Reference(inner, _)) | View::Array(inner, _) => {
                self.add_classes(inner, into);
            }
            View::Func(func) => {
                func.params.iter().chain([&func.ret]).for_each(|&part| self.add_classes(part, into));
            }
            View::Record(record) => self.add_class(record, into),
            View::Scalar(Scalar::Enum(enum_)) => into.extend(types.enums[enum_].outer),
            View::Scalar(_) | View::Error | View::Void => {}
        }
    }

    fn add_class(&self, record: Record, into: &mut Vec<Record>) {
        if into.contains(&record) {
            return;
        }
        let types = &self.module.types;
        into.extend([Some(record), types.records[record].outer].iter().flatten());
        self.types_ref().bases_of(record).into_iter().for_each(|(_, base)| self.add_class(base, into));
        if let Some(instance) = types.class_instance(record) {
            type_args(&instance.args).for_each(|ty| self.add_classes(ty, into));
        }
    }

    /// Adds the namespaces that a type has to do with (C++17 6.4.2p2). `seen` are the classes whose namespaces have been added.
    fn add_associated(&self, ty: Ty, seen: &mut Vec<Record>, into: &mut Vec<Namespace>) {
        let types = &self.module.types;
        match types.view(ty) {
            View::Scalar(Scalar::Pointer(inner) | Scalar::Reference(inner, _)) | View::Array(inner, _) => {
                self.add_associated(inner, seen, into);
            }
            View::Func(func) => {
                func.params.iter().chain([&func.ret]).for_each(|&part| self.add_associated(part, seen, into));
            }
            View::Record(record) => self.add_associated_of_class(record, seen, into),
            View::Scalar(Scalar::Enum(enum_)) => self.add_namespace(types.enums[enum_].namespace, into),
            View::Scalar(_) | View::Error | View::Void => {}
        }
    }

    fn add_associated_of_class(&self, record: Record, seen: &mut Vec<Record>, into: &mut Vec<Namespace>) {
        if seen.contains(&record) {
            return;
        }
        seen.push(record);
        let types = &self.module.types;
        self.add_namespace(types.records[record].namespace, into);
        for (_, base) in self.types_ref().bases_of(record) {
            self.add_associated_of_class(base, seen, into);
        }
        if let Some(instance) = types.class_instance(record) {
            type_args(&instance.args).for_each(|ty| self.add_associated(ty, seen, into));
        }
    }

    fn add_namespace(&self, namespace: Namespace, into: &mut Vec<Namespace>) {
        for namespace in self.scopes.inline_set_around(namespace) {
            if !into.contains(&namespace) {
                into.push(namespace);
            }
        }
    }
}

/// The types among the arguments of a template.
fn type_args(args: &[TemplateArg]) -> Box<dyn Iterator<Item = Ty> + '_> {
    Box::new(args.iter().flat_map(|arg| match arg {
        TemplateArg::Type(ty) => Box::new(std::iter::once(*ty)) as Box<dyn Iterator<Item = Ty>>,
        TemplateArg::Pack(elements) => type_args(elements),
        TemplateArg::Value(..)
        | TemplateArg::Address(..)
        | TemplateArg::Template(_)
        | TemplateArg::Dependent(_) => Box::new(std::iter::empty()),
    }))
}
