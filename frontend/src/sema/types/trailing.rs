//! Results that follow the parameters of a function: `auto f(int n) -> int` (C++17 11.3.5p2).

use cranelift_entity::packed_option::ReservedValue;

use super::Lengths;
use super::{Declared, Param, SpecifierContext};
use crate::ast::{ChunkKind, DeclSpecs, Declarator, OfPack, QualSpecs, TypeName, TypeSpec};
use crate::diag::{Code, Reported};
use crate::ir::{Func, LocalData, Ty};
use crate::sema::Types;
use crate::sema::name::scope::Entity;
use crate::sema::statement::FuncCx;

/// The result after the parameters, which is the type before the declarator otherwise.
pub(in crate::sema) fn trailing_result(declarator: &Declarator) -> Option<&TypeName> {
    match declarator.chunks.last().map(|chunk| &chunk.kind) {
        Some(ChunkKind::Function(function)) => function.trailing.as_deref(),
        _ => None,
    }
}

impl Types<'_> {
    /// The type before the declarator; `void` stands for that of a function with its result after the parameters.
    pub(in crate::sema) fn base_of(
        &mut self,
        specs: &DeclSpecs,
        declarator: &Declarator,
    ) -> Result<Ty, Reported> {
        if trailing_result(declarator).is_some() {
            return self.check_trailing(specs, declarator).map(|()| Ty::VOID);
        }
        self.resolve_specs(specs, SpecifierContext::WithDeclarators)
    }

    /// Just `auto` is before a function with its result after the parameters.
    pub(in crate::sema) fn check_trailing(
        &mut self,
        specs: &DeclSpecs,
        declarator: &Declarator,
    ) -> Result<(), Reported> {
        if let TypeSpec::Error = specs.ty {
            return Err(self.poisoned());
        }
        if matches!(specs.ty, TypeSpec::Auto) && specs.quals == QualSpecs::default() {
            return Ok(());
        }
        let span = trailing_result(declarator).map_or(specs.ty_span, |name| name.span);
        let message = "function with a trailing return type must have the type `auto` before its name";
        Err(self.error(Code::InvalidAuto, span, message))
    }

    /// The type of a function whose body says what its result is; `void` until then.
    pub(in crate::sema) fn declared_deducing(
        &mut self,
        declarator: &Declarator,
    ) -> Result<Declared, Reported> {
        let mut declared = self.derived_ty(Ty::VOID, &declarator.chunks[..1], Lengths::Positive)?;
        declared.ty = self.moded(declared.ty, &declarator.attrs)?;
        Ok(declared)
    }

    /// The result after the parameters, which are known there.
    pub(super) fn trailing_ty(&mut self, name: &TypeName, params: &[Param]) -> Result<Ty, Reported> {
        if params.iter().all(|param| param.name.is_none()) {
            return self.resolve_type_name(name);
        }
        let is_alone = self.func.is_none();
        if is_alone {
            self.func = Some(Box::new(FuncCx::new(Func::reserved_value(), Ty::VOID)));
        }
        self.scopes.push();
        for param in params {
            self.declare_trailing_param(param);
        }
        let ty = self.resolve_type_name(name);
        self.scopes.pop();
        if is_alone {
            self.func = None;
        }
        ty
    }

    fn declare_trailing_param(&mut self, param: &Param) {
        let Some(name) = param.name else { return };
        let data = LocalData {
            name: None,
            ty: param.ty,
            align: None,
            is_param: false,
            is_grid_constant: false,
            is_referenced: true,
            span: param.span,
        };
        let local = self.statements().func_cx().locals.push(data);
        // A second parameter of the name is reported where the body is read.
        let entity = match param.pack {
            OfPack::No | OfPack::Whole => Entity::Local(local),
            OfPack::Element(0) => self.templates().pack_of_params(Entity::Local(local)),
            OfPack::Element(_) => return self.templates().add_to_pack(name.symbol, Entity::Local(local)),
        };
        self.scopes.bind(name.symbol, entity, name.span);
    }
}
