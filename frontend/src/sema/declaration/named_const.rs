//! Constants of the host: device code uses their values, and has no variables for them.

use super::Declaration;
use crate::ast::{InitId, Storage};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Init, InitData, Quals, Scalar, TyKind};
use crate::sema::Declarations;
use crate::sema::constant::const_eval::{Mode, NotConstant, Value};
use crate::sema::name::scope::{Binding, Entity, HostEntity, NamedConst};

impl Declarations<'_> {
    /// Whether it is a number that never changes, of which device code needs the value alone.
    pub(in crate::sema) fn can_be_named_const(&self, decl: &Declaration<'_>) -> bool {
        let types = &self.module.types;
        let is_extern = matches!(decl.specs.storage, Some((Storage::Extern, _)));
        let is_number = matches!(types.kind(decl.ty), TyKind::Int(_) | TyKind::Float(_) | TyKind::Enum(_));
        let is_const = self.is_const(decl.ty) || decl.specs.constexpr.is_some();
        is_const && is_number && !is_extern && !types.quals(decl.ty).contains(Quals::VOLATILE)
    }

    /// A variable without a memory of the device: nvcc lets device code use the value of a `const`
    /// one of arithmetic type (CUDA C++ Programming Guide "Const-qualified variables").
    pub(in crate::sema) fn declare_named_const(
        &mut self,
        decl: &Declaration<'_>,
        init: Option<InitId>,
    ) -> Result<(), Reported> {
        let name = decl.name;
        let spelling = self.spelling(name.symbol);
        if let Some(init) = init
            && let Some(value) = self.constant_pointer(decl, init)
        {
            return self.bind_named_const(decl, value);
        }
        if !self.can_be_named_const(decl) {
            let message = format!("host variable `{spelling}` is not supported");
            let diagnostic = Diagnostic::new(Code::UnsupportedHostCode, name.span, message)
                .with_help("add `__device__`, `__constant__` or `__shared__`");
            return Err(self.sink.error(diagnostic));
        }
        let ty = self.module.types.with_quals(decl.ty, Quals::CONST);
        let Some(init) = init else { return Err(self.uninitialized_const(decl)) };
        let value = self.in_scratch(|cx| {
            let (init, _) = cx.conversions().check_variable_init(ty, init)?;
            cx.declarations().constant_init(init)
        });
        let value = match value? {
            Ok(value) => value,
            Err(not) => return Err(self.not_named_const(name, &not)),
        };
        self.bind_named_const(decl, value)
    }

    /// The value of a pointer that never changes, if that is a constant of the device: null, or the address of a function, a variable
    /// or a string. nvcc lets device code use it, too.
    pub(in crate::sema) fn constant_pointer(
        &mut self,
        decl: &Declaration<'_>,
        init: InitId,
    ) -> Option<Value> {
        let is_pointer = matches!(self.module.types.scalar(decl.ty), Some(Scalar::Pointer(_)));
        let is_const = self.is_const(decl.ty) || decl.specs.constexpr.is_some();
        if !is_pointer || !is_const || self.module.types.quals(decl.ty).contains(Quals::VOLATILE) {
            return None;
        }
        let needs_host_code = self.needs_host_code.get();
        let value = self.templates().silently(|cx| {
            cx.in_scratch(|cx| {
                let (init, _) = cx.conversions().check_variable_init(decl.ty, init)?;
                cx.declarations().constant_init(init)
            })
        });
        self.needs_host_code.set(needs_host_code);
        value.ok()?.ok()
    }

    /// Binds the name to a value.
    pub(in crate::sema) fn bind_named_const(
        &mut self,
        decl: &Declaration<'_>,
        value: Value,
    ) -> Result<(), Reported> {
        let name = decl.name;
        let ty = self.module.types.with_quals(decl.ty, Quals::CONST);
        let constant = NamedConst {
            name: self.spelling(name.symbol).to_owned(),
            ty,
            value,
            is_referenced: decl.attrs.is_maybe_unused,
            is_value: false,
            span: name.span,
        };
        let entity = Entity::Const(self.known.add_constant(constant));
        if self.scopes.get_here(name.symbol).is_none() {
            let storage = decl.specs.storage.map(|(storage, _)| storage);
            self.refuse_beside_tag_of_inline(name, storage)?;
            self.refuse_beside_function_of_block(name)?;
            self.refuse_beside_variable_of_block(name)?;
        }
        if let Some(Binding { entity: Entity::Host(HostEntity::Variable), .. }) =
            self.scopes.get_here(name.symbol)
        {
            // `extern const int n;` came before.
            self.scopes.bind(name.symbol, entity, name.span);
            return Ok(());
        }
        self.names().declare(name, entity)
    }

    /// The value of an initializer that is one number.
    pub(super) fn constant_init(&mut self, init: Init) -> Result<Result<Value, NotConstant>, Reported> {
        match self.arena.inits[init].data {
            InitData::Expr(expr) => Ok(self.constants().eval(expr, Mode::Value)),
            _ => Err(self.poisoned()),
        }
    }
}
