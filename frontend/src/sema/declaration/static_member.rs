//! Static data members that are constants of array or class type: constant expressions read of them, and nothing else does.

use super::Declaration;
use crate::ast::{InitId, Name};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{GlobalData, LinkName, Linkage, Quals, Space};
use crate::sema::Declarations;
use crate::sema::constant::const_eval::NotConstant;
use crate::sema::name::scope::Entity;

impl Declarations<'_> {
    /// Reports a constant without an object whose value is none. That of a member must be (C++17 12.2.3.2p3).
    pub(super) fn not_named_const(&mut self, name: Name, not: &NotConstant) -> Reported {
        let spelling = self.spelling(name.symbol);
        let diagnostic = match self.scopes.class() {
            Some(_) => {
                let message =
                    format!("initializer for static data member `{spelling}` is not a constant expression");
                Diagnostic::new(Code::NotConstant, name.span, message)
            }
            None => {
                let message = format!("the value of `{spelling}` is not a constant");
                Diagnostic::new(Code::UnsupportedHostCode, name.span, message)
                    .with_note("only the host can compute it")
            }
        };
        self.expressions().not_constant(diagnostic, not)
    }

    /// A `constexpr` array or object that the class whose members are read has. As for variables of the host, nvcc has none on the device.
    pub(in crate::sema) fn declare_constant_member(
        &mut self,
        decl: &Declaration<'_>,
        init: InitId,
    ) -> Result<(), Reported> {
        let name = decl.name;
        let ty = self.module.types.with_quals(decl.ty, Quals::CONST);
        let data = GlobalData {
            name: Some(self.spelling(name.symbol).to_owned()),
            link_name: LinkName::Cxx,
            linkage: Linkage::Internal,
            space: Space::Global,
            is_managed: false,
            ty,
            align: None,
            init: None,
            is_extern: true,
            namespace: self.scopes.namespace(),
            owner: None,
            span: name.span,
        };
        let global = self.module.globals.push(data);
        self.known.used_globals.insert(global);
        self.known.host_objects.insert(global);
        self.define_global(global, decl, ty, Some(init))?;
        self.scopes.bind(name.symbol, Entity::Global(global), name.span);
        Ok(())
    }
}
