//! Addresses as arguments of templates, and values of the type `auto` (C++17 17.1p4, 17.3.2).

use super::Templates;
use crate::ast::{ExprId, TypeName, TypeSpec};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{
    Address, Addressed, Conversion, DependentTy, Expr, ExprData, Linkage, PlaceData, Scalar, TemplateArg, Ty,
    View,
};
use crate::sema::Expressions;
use crate::sema::constant::const_eval::{Base, Mode, Value};
use crate::sema::conversion::Target;
use crate::sema::expression::Operand;
use crate::sema::name::scope::{Entity, NamedConst};
use crate::source::Span;

impl<'a> Templates<'a> {
    /// What the name of a parameter means whose argument is the value: a constant, or what a reference refers to.
    pub(super) fn entity_of_value(&mut self, arg: &TemplateArg, name: &str, span: Span) -> Entity {
        let (ty, value) = match *arg {
            TemplateArg::Address(ty, ref address) => {
                let base = match address.of {
                    Addressed::Func(func) => Base::Func(func),
                    Addressed::Global(global) => Base::Global(global),
                };
                match (self.module.types.reference(ty), address.of) {
                    (Some(_), Addressed::Func(func)) => return Entity::Func(func),
                    (Some(_), Addressed::Global(global)) => return Entity::Global(global),
                    (None, _) => (ty, Value::Addr(base, 0)),
                }
            }
            TemplateArg::Value(ty, _) if self.module.types.pointee(ty).is_some() => {
                (ty, Value::Addr(Base::Null, 0))
            }
            TemplateArg::Value(ty, value) => (ty, Value::Int(value)),
            TemplateArg::Type(_)
            | TemplateArg::Template(_)
            | TemplateArg::Dependent(_)
            | TemplateArg::Pack(_) => return Entity::Poison,
        };
        let constant =
            NamedConst { name: name.to_owned(), ty, value, is_referenced: true, is_value: true, span };
        Entity::Const(self.known.add_constant(constant))
    }

    /// Whether the type of a parameter for values is `auto` alone, which the argument says.
    pub(super) fn is_auto_param(&self, name: &TypeName) -> bool {
        let specs = &name.specs;
        matches!(specs.ty, TypeSpec::Auto) && name.declarator.chunks.is_empty()
    }

    pub(super) fn is_auto(&self, ty: Ty) -> bool {
        matches!(self.module.types.dependent(ty), Some(DependentTy::Auto))
    }

    /// Whether values of the type can be arguments: numbers, addresses, and references to what has one.
    pub(super) fn is_value_param(&self, ty: Ty) -> bool {
        let scalar = |ty| match self.module.types.view(ty) {
            View::Scalar(scalar) => Some(scalar),
            _ => None,
        };
        matches!(
            scalar(ty),
            Some(Scalar::Int(_) | Scalar::Enum(_) | Scalar::Pointer(_) | Scalar::Reference(..))
        ) || self.module.types.is_dependent(ty)
    }

    /// An argument for a parameter of the type `auto`.
    pub(super) fn auto_arg(&mut self, value: ExprId) -> Result<TemplateArg, Reported> {
        let ty = self.in_scratch(|cx| {
            let value = cx.expressions().check_rvalue(value)?;
            Ok(cx.ty_of(value))
        })?;
        let ty = self.module.types.unqualified(ty);
        let ty = self.canonical(ty);
        if !self.is_value_param(ty) {
            let message =
                format!("a template argument of type {} is neither a number nor an address", self.show(ty));
            return Err(self.cx.error(Code::InvalidTemplate, self.unit.exprs[value].span, message));
        }
        self.value_arg(value, ty)
    }

    /// The address of a function or variable, or a null pointer, as an argument for a parameter of pointer or reference type.
    pub(super) fn address_arg(&mut self, value: ExprId, ty: Ty) -> Result<TemplateArg, Reported> {
        let referred = self.module.types.reference(ty).map(|(inner, _)| inner);
        let pointer = match referred {
            Some(inner) => self.module.types.pointer_to(inner),
            None => ty,
        };
        let span = self.unit.exprs[value].span;
        let found = self.in_scratch(|cx| {
            let value = match referred {
                Some(inner) if cx.module.types.func(inner).is_none() => {
                    let operand = cx.expressions().check_expr(value)?;
                    cx.expressions().address_of(operand, span)?
                }
                _ => cx.calls().check_wanted(value, pointer)?,
            };
            let from = cx.ty_of(value);
            if let View::Scalar(Scalar::Int(_) | Scalar::Enum(_)) = cx.module.types.view(from) {
                // `nullptr` alone is null (C++17 8.20p4.8).
                return Err(cx.templates().wrong_value_arg(from, ty, span));
            }
            let converted = cx.conversions().convert(value, pointer, Target::Argument(None))?;
            match cx.constants().eval(converted, Mode::Required) {
                Ok(value) => Ok(value),
                Err(not) => {
                    let message = "non-type template argument is not a constant expression";
                    let diagnostic = Diagnostic::new(Code::NotConstant, span, message);
                    Err(cx.expressions().not_constant(diagnostic, &not))
                }
            }
        })?;
        let address = match found {
            Value::Addr(Base::Null, 0) | Value::Int(0) if referred.is_none() => {
                return Ok(TemplateArg::Value(ty, 0));
            }
            Value::Addr(base, 0) => self.named_address(base, pointer),
            _ => None,
        };
        if let Some(Address { of: Addressed::Global(global), .. }) = address
            && self.module.globals[global].owner.is_some()
        {
            let message = "the address of a variable of a function as a template argument is not supported";
            return Err(self.error(Code::UnsupportedTemplate, span, message));
        }
        let Some(address) = address else {
            let message = "template argument is not the address of a function or a whole variable";
            return Err(self.error(Code::InvalidTemplate, span, message));
        };
        Ok(TemplateArg::Address(ty, address))
    }

    /// The address of what has a name, whole, as a pointer of the type: string literals have none (C++17 17.3.2p2).
    fn named_address(&mut self, base: Base, pointer: Ty) -> Option<Address> {
        match base {
            Base::Null => None,
            Base::Func(func) => {
                let name = self.module.functions[func].name.clone();
                Some(Address { of: Addressed::Func(func), name, is_array: false })
            }
            Base::Global(global) => {
                let (ty, pointee) = (self.module.globals[global].ty, self.module.types.pointee(pointer)?);
                let elem = match self.module.types.view(ty) {
                    View::Array(elem, _) => Some(elem),
                    _ => None,
                };
                let is_array = elem.is_some_and(|elem| self.same_unqualified(elem, pointee));
                if !is_array && !self.same_unqualified(ty, pointee) {
                    return None;
                }
                let name = self.module.globals[global].name.clone()?;
                Some(Address { of: Addressed::Global(global), name, is_array })
            }
        }
    }

    /// Whether the address is that of something of this object alone.
    pub(super) fn is_internal_address(&self, address: &Address) -> bool {
        let linkage = match address.of {
            Addressed::Func(func) => self.module.functions[func].linkage,
            Addressed::Global(global) => self.module.globals[global].linkage,
        };
        linkage == Linkage::Internal
    }
}

impl Expressions<'_> {
    /// The address that is the value of a constant of pointer type.
    pub(in crate::sema) fn constant_address(
        &mut self,
        base: Base,
        offset: i64,
        ty: Ty,
        span: Span,
    ) -> Result<Operand, Reported> {
        let ty = self.module.types.unqualified(ty);
        let value: Expr = match base {
            Base::Null => self.expr(ExprData::Null, ty, span),
            Base::Func(func) => self.func_addr(func, span)?,
            Base::Global(global) => {
                let held = self.module.globals[global].ty;
                let place = self.place(PlaceData::Global(global), held, span);
                if self.module.globals[global].linkage == Linkage::Internal {
                    self.known.used_globals.insert(global);
                }
                match self.module.types.view(held) {
                    View::Array(..) if !self.points_to_array(ty) => self.rvalue(Operand::Place(place))?,
                    _ => self.address_of(Operand::Place(place), span)?,
                }
            }
        };
        if offset != 0 {
            let bytes = self.module.types.pointer_to(Ty::CHAR);
            let ptr = self.conversion(Conversion::PtrToPtr, value, bytes);
            let index = self.expr(ExprData::int(i128::from(offset)), Ty::LONG, span);
            let value = self.expr(ExprData::PtrOffset { ptr, index, subtract: false }, bytes, span);
            return Ok(Operand::Value(self.conversion(Conversion::PtrToPtr, value, ty)));
        }
        self.conversions().convert(value, ty, Target::Argument(None)).map(Operand::Value)
    }

    fn points_to_array(&self, ty: Ty) -> bool {
        let pointee = self.module.types.pointee(ty);
        pointee.is_some_and(|inner| matches!(self.module.types.view(inner), View::Array(..)))
    }
}
