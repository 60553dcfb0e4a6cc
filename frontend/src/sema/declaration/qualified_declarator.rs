//! Members of namespaces that are declared from outside: `int a::f(int) { … }`, `int a::x = 1;` (C++17 10.3.1p2, 11.3p1).
//!
//! The declarator goes to the namespace after the specifiers have been checked; the caller goes back.

use super::Declaration;
use crate::ast::{DeclSpecs, InitDeclarator, Storage};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Namespace, Record, Ty};
use crate::sema::Declarations;
use crate::sema::name::scope::{Binding, Entity};
use crate::sema::types::Declared;
use crate::sema::types::qualifier::Attrs;

impl<'a> Declarations<'a> {
    /// The declaration of a member of a namespace that is no definition of a function.
    #[inline(never)]
    pub(super) fn check_qualified_declarator(
        &mut self,
        specs: &'a DeclSpecs,
        init_declarator: &'a InitDeclarator,
        base: Option<Result<Ty, Reported>>,
        shared: &Attrs,
    ) {
        let namespace = self.scopes.namespace();
        // What is wrong is reported; the name means what it did.
        let _reported = self.declare_member(specs, init_declarator, base, shared);
        self.scopes.go_to_namespace(namespace);
    }

    fn declare_member(
        &mut self,
        specs: &'a DeclSpecs,
        init_declarator: &'a InitDeclarator,
        base: Option<Result<Ty, Reported>>,
        shared: &Attrs,
    ) -> Result<(), Reported> {
        let declarator = &init_declarator.declarator;
        let Some(name) = declarator.name else { return Err(self.poisoned()) };
        if base.is_none() || matches!(specs.storage, Some((Storage::Typedef, _))) {
            let message = "qualified names are not supported here";
            return Err(self.error(Code::UnsupportedNamespace, name.span, message));
        }
        let base = base.unwrap_or_else(|| Err(self.poisoned()))?;
        self.types().refuse_type_of_result(specs, declarator);
        if let Some(class) = self.names().class_of_declarator(declarator)? {
            return self.declare_member_of_class(class, specs, init_declarator, base, shared);
        }
        self.names().enter_declarator_scope(declarator)?;
        let Declared { ty, params, noexcept } = self.types().declared_ty(base, declarator)?;
        let attrs = self.types().extend_attrs(shared, &declarator.attrs);
        let decl = Declaration { specs, declarator, name, ty, attrs: &attrs, noexcept };
        self.check_init_declarator(&decl, init_declarator, params, None)
    }

    /// The same of a class: the definition of a static data member.
    fn declare_member_of_class(
        &mut self,
        class: Record,
        specs: &'a DeclSpecs,
        init_declarator: &'a InitDeclarator,
        base: Ty,
        shared: &Attrs,
    ) -> Result<(), Reported> {
        let declarator = &init_declarator.declarator;
        let Some(name) = declarator.name else { return Err(self.poisoned()) };
        let Declared { ty, noexcept, .. } =
            self.within_class(class, |cx| cx.types().declared_ty(base, declarator))?;
        if declarator.is_function() {
            let message = "out-of-line declaration of a member must be a definition";
            return Err(self.error(Code::InvalidSpecifiers, name.span, message));
        }
        let attrs = self.types().extend_attrs(shared, &declarator.attrs);
        let decl = Declaration { specs, declarator, name, ty, attrs: &attrs, noexcept };
        self.types().define_static_member(class, &decl, init_declarator.init)
    }

    /// Reports the declaration of a member that its namespace does not declare.
    pub(super) fn require_declared_member(&mut self, decl: &Declaration<'_>) -> Result<(), Reported> {
        let here = self.scopes.get_here(decl.name.symbol);
        let is_of_host = matches!(here, Some(Binding { entity: Entity::Host(_), .. }));
        if decl.declarator.scope.is_none() || is_of_host {
            return Ok(());
        }
        let name = self.spelling(decl.name.symbol);
        let namespace = self.scopes.namespace();
        let place = match namespace {
            Namespace::GLOBAL => "the global namespace".to_owned(),
            _ => format!("namespace `{}`", self.module.types.namespace_name(namespace)),
        };
        let message = format!("out-of-line definition of `{name}` does not match any declaration in {place}");
        let mut diagnostic = Diagnostic::new(Code::ConflictingTypes, decl.name.span, message);
        if let Some(span) = here.and_then(|binding| binding.span) {
            diagnostic = diagnostic.with_label(span, "declared here");
        }
        Err(self.sink.error(diagnostic))
    }
}
