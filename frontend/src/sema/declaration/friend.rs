//! Friends (C++17 14.3): functions of the namespace around a class, which its objects lead to, member functions of other classes, and classes.

use super::Declaration;
use super::deduced_result::placeholder;
use super::method::{WaitingMethod, function_chunk, ref_qualifier};
use crate::ast::{DeclSpecs, Declarator, MemberDecl, MethodDefinition, MethodId, Name, Storage, TypeSpec};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{self, Func, Linkage, Record};
use crate::sema::name::scope::Entity;
use crate::sema::types::{Declared, SpecifierContext};
use crate::sema::{Declarations, Types};

impl<'a> Declarations<'a> {
    /// Declares a function that the class whose members are read has as a friend.
    pub(in crate::sema) fn declare_friend(&mut self, id: MethodId) -> Result<(), Reported> {
        let unit = self.unit;
        let method = &unit.methods[id];
        let (specs, declarator) = (&method.specs, &method.declarator);
        let (Some(name), Some(class)) = (declarator.name, self.scopes.class()) else {
            let message = "a friend of an unnamed struct or union is not supported";
            return Err(self.error(Code::UnsupportedMember, declarator.span, message));
        };
        if self.is_of_instance(class) {
            let message = "a friend function of a class template is not supported";
            return Err(self.error(Code::UnsupportedMember, name.span, message));
        }
        let is_defined = method.definition == MethodDefinition::Body;
        if let MethodDefinition::Default(span) | MethodDefinition::Delete(span) = method.definition {
            let message = "a friend that is defaulted or deleted is not supported";
            return Err(self.error(Code::UnsupportedMember, span, message));
        }
        self.check_friend(specs, declarator, is_defined, name)?;
        if declarator.scope.is_some() {
            let func = self.friend_named(specs, declarator, name)?;
            self.befriend(class, func);
            return Ok(());
        }
        let deduces = placeholder(specs, declarator).is_some();
        let Declared { ty, params, noexcept } = self.friend_ty(specs, declarator)?;
        let Some(params) = params else { return Err(self.poisoned()) };
        let attrs = self.types().collect_attrs(&specs.attrs, &declarator.attrs);
        let decl = Declaration { specs, declarator, name, ty, attrs: &attrs, noexcept };
        if deduces {
            let message = "a friend whose result is deduced is not supported";
            return Err(self.error(Code::UnsupportedMember, name.span, message));
        }
        if let (Some(span), true) = (attrs.global, is_defined) {
            let message = "a `__global__` function cannot be defined in a friend declaration";
            return Err(self.error(Code::InvalidKernel, span, message));
        }
        let classes = self.scopes.leave_classes();
        let declared = self.declare_function_as(&decl, params.clone(), false);
        self.scopes.enter_again(classes);
        let func = declared?;
        if self.scopes.has_namespaces() {
            self.known.names_of_namespaces.insert(name.symbol);
        }
        self.befriend(class, func);
        self.known.names.friend_functions.entry(name.symbol).or_default().push((class, func));
        if is_defined {
            let facts = self.known.func_facts.entry(func).or_default();
            if let Some(previous) = facts.defined.replace(name.span) {
                let message = format!("redefinition of `{}`", self.spelling(name.symbol));
                let diagnostic = Diagnostic::new(Code::Redefinition, name.span, message)
                    .with_label(previous, "previously defined here");
                return Err(self.sink.error(diagnostic));
            }
            let function = &mut self.module.functions[func];
            function.span = name.span;
            // C++17 14.3p7
            if function.linkage == Linkage::External {
                function.linkage = Linkage::Inline;
            }
            self.known.declarations.waiting_methods.push(WaitingMethod::new(id, func, class, params));
        }
        Ok(())
    }

    fn befriend(&mut self, class: Record, func: Func) {
        self.known.names.friends.entry(class).or_default().functions.insert(func);
    }

    fn friend_ty(&mut self, specs: &DeclSpecs, declarator: &Declarator) -> Result<Declared, Reported> {
        match placeholder(specs, declarator) {
            Some(_) => self.types().declared_deducing(declarator),
            None => {
                let base = self.types().base_of(specs, declarator)?;
                self.types().declared_ty(base, declarator)
            }
        }
    }

    /// What no declaration of a friend has.
    fn check_friend(
        &mut self,
        specs: &DeclSpecs,
        declarator: &Declarator,
        is_defined: bool,
        name: Name,
    ) -> Result<(), Reported> {
        if let Some((Storage::Static, span)) = specs.storage {
            let message = "`static` is not allowed in a friend declaration";
            return Err(self.error(Code::InvalidSpecifiers, span, message));
        }
        if !self.scopes.is_file_scope() {
            let message = "a friend function of a class in a function is not supported";
            return Err(self.error(Code::UnsupportedMember, name.span, message));
        }
        let Some(chunk) = function_chunk(declarator) else { return Ok(()) };
        let qualifier = chunk.quals.const_.span().or(chunk.quals.volatile.span());
        if declarator.scope.is_none()
            && let Some(span) = qualifier.or(chunk.ref_qualifier.map(|(_, span)| span))
        {
            let message = "non-member function cannot have a qualifier";
            return Err(self.error(Code::InvalidSpecifiers, span, message));
        }
        // C++17 11.3.6p4
        let default = chunk.params.iter().find(|param| param.default.is_some());
        if let Some(param) = default.filter(|_| !is_defined) {
            let message = "friend declaration specifying a default argument must be a definition";
            return Err(self.error(Code::InvalidDefaultArgument, param.declarator.span, message));
        }
        if is_defined && declarator.scope.is_some() {
            let message = "friend function definition cannot be qualified";
            return Err(self.error(Code::InvalidSpecifiers, name.span, message));
        }
        Ok(())
    }

    /// The function that a friend declaration with a qualified name means.
    fn friend_named(
        &mut self,
        specs: &DeclSpecs,
        declarator: &Declarator,
        name: Name,
    ) -> Result<Func, Reported> {
        let Declared { ty, .. } = self.friend_ty(specs, declarator)?;
        let class = self.names().class_of_declarator(declarator)?;
        let Some(class) = class else {
            let outer = self.scopes.namespace();
            let found = self.names().enter_declarator_scope(declarator);
            let known = self.declared_before(name.symbol, ty);
            self.scopes.go_to_namespace(outer);
            found?;
            return known.ok_or_else(|| self.no_such_friend(name, &[]));
        };
        let entity = self.known.class_names.get(&(class, name.symbol)).map(|binding| binding.entity);
        let candidates = match entity {
            Some(Entity::Func(func)) => vec![func],
            Some(Entity::Overloads(id)) => self.known.overloads[id].funcs.to_vec(),
            Some(Entity::Poison) => return Err(self.poisoned()),
            _ => Vec::new(),
        };
        for &func in &candidates {
            let Some(method) = self.module.functions[func].method else { continue };
            let (method_ty, _, _) = self.method_ty(class, specs, declarator, method.is_static)?;
            let wanted = ir::Method { ref_qualifier: ref_qualifier(declarator), ..method };
            if wanted == method && self.same_params(self.module.functions[func].ty, method_ty) {
                self.names().require_method_access(func, None, None, name.span)?;
                return Ok(func);
            }
        }
        Err(self.no_such_friend(name, &candidates))
    }

    fn no_such_friend(&mut self, name: Name, candidates: &[Func]) -> Reported {
        let spelling = self.spelling(name.symbol);
        let message = format!("friend declaration of `{spelling}` does not match any declaration");
        let mut diagnostic = Diagnostic::new(Code::NoMember, name.span, message);
        for &func in candidates {
            diagnostic = diagnostic.with_label(self.module.functions[func].span, "declared here");
        }
        self.sink.error(diagnostic)
    }
}

impl Types<'_> {
    /// `template <…> friend class X;`: each instance is a friend, also of a template that follows.
    pub(in crate::sema) fn befriend_template(&mut self, name: Name) {
        let Some(class) = self.scopes.class() else { return };
        let template = (self.scopes.namespace(), self.spelling(name.symbol).to_owned());
        self.known.names.friends.entry(class).or_default().templates.insert(template);
    }

    /// `friend class X;`, `friend X;`
    pub(in crate::sema) fn befriend_type(&mut self, decl: &MemberDecl) -> Result<(), Reported> {
        let Some(class) = self.scopes.class() else { return Err(self.poisoned()) };
        if let Some(member) = decl.declarators.first() {
            let span = member.declarator.name.map_or(member.declarator.span, |name| name.span);
            let message = "friends can only be classes or functions";
            return Err(self.error(Code::InvalidSpecifiers, span, message));
        }
        if let TypeSpec::Record(spec) = &decl.specs.ty
            && spec.members.is_some()
        {
            let message = "cannot define a type in a friend declaration";
            return Err(self.error(Code::InvalidType, spec.keyword, message));
        }
        // A class that is first named here is a member of the namespace (C++17 14.3p11).
        let ty = self.specified_ty(&decl.specs, SpecifierContext::WithDeclarators)?;
        if let Some(friend) = self.module.types.record(ty) {
            self.known.names.friends.entry(class).or_default().classes.insert(friend);
        }
        Ok(())
    }
}
