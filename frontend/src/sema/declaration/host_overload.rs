//! Functions of the host that have the name of functions of the device.

use crate::ast::{DeclSpecs, Declarator};
use crate::sema::Declarations;

impl<'a> Declarations<'a> {
    /// Whether it declares a function of the host beside others of the name that are the device's: it says nothing of the device, and
    /// none of those has its parameters.
    pub(in crate::sema) fn is_overload_of_host(
        &mut self,
        specs: &'a DeclSpecs,
        declarator: &'a Declarator,
    ) -> bool {
        let Some(name) = declarator.name else { return false };
        let is_known = self.funcs_named(name.symbol).iter().any(|&func| !self.is_predeclared(func));
        if !is_known
            || declarator.scope.is_some()
            || !self.dialect.host_code.is_skipped()
            || self.dialect.device_by_default
            || specs.constexpr.is_some() && self.dialect.relaxed_constexpr
            || !self.names_ref().says_nothing_of_device(specs, [declarator])
        {
            return false;
        }
        let needs_host_code = self.needs_host_code.get();
        let declared = self.templates().silently(|cx| {
            let base = cx.types().base_of(specs, declarator)?;
            cx.types().declared_ty(base, declarator)
        });
        self.needs_host_code.set(needs_host_code);
        let Ok(declared) = declared else { return declarator.is_function() };
        self.module.types.func(declared.ty).is_some()
            && self.declared_before(name.symbol, declared.ty).is_none()
    }
}
