//! Objects of `std::initializer_list`, which list initialization makes (C++17 11.6.4p5, p6): the address of an array that lives as long as
//! a temporary bound to a reference would, and its length. Constructors that take one come first (16.3.1.7).

use std::mem;

use cranelift_entity::packed_option::ReservedValue;
use thin_vec::ThinVec;

use super::Target;
use super::construct::Form;
use super::designator::Cursor;
use super::reference::sole_expr;
use crate::ast::{ExprId, InitId, InitItem, InitKind};
use crate::diag::{Code, Reported};
use crate::ir::{DependentTy, ExprData, Func, Init, InitData, Quals, Record, TemplateArg, Ty, View};
use crate::sema::Conversions;
use crate::sema::call::overload::{Arg, Overloads};
use crate::sema::template::Template;
use crate::source::Span;

/// The name of the class template.
pub(in crate::sema) const INITIALIZER_LIST: &str = "initializer_list";

impl<'a> Conversions<'a> {
    /// The type of the elements, if the class is a `std::initializer_list`.
    pub(in crate::sema) fn listed_elem(&self, ty: Ty) -> Option<Ty> {
        if ty.is_plain_number() {
            return None;
        }
        let types = &self.module.types;
        match &types.class_instance(types.record(ty)?)?.args[..] {
            [TemplateArg::Type(elem)] if self.is_initializer_list(types.record(ty)?) => Some(*elem),
            _ => None,
        }
    }

    pub(in crate::sema) fn is_initializer_list(&self, record: Record) -> bool {
        let types = &self.module.types;
        let Some(instance) = types.class_instance(record) else { return false };
        let template = &types.class_templates[instance.template];
        template.name == INITIALIZER_LIST && types.is_std(template.namespace)
    }

    /// What a pattern of a parameter has as elements: `std::initializer_list<T>`.
    pub(in crate::sema) fn listed_pattern(&self, pattern: Ty) -> Option<Ty> {
        let types = &self.module.types;
        match types.dependent(pattern)? {
            DependentTy::Instance(class, args) => match args[..] {
                [TemplateArg::Type(elem)]
                    if types.class_templates[*class].name == INITIALIZER_LIST
                        && types.is_std(types.class_templates[*class].namespace) =>
                {
                    Some(elem)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// `{ … }` for a `std::initializer_list`; none if the list is its default value or a copy.
    pub(super) fn list_object(
        &mut self,
        ty: Ty,
        items: &'a [InitItem],
        span: Span,
    ) -> Result<Option<Init>, Reported> {
        let Some(elem) = self.listed_elem(ty).filter(|_| !items.is_empty()) else { return Ok(None) };
        if let Some(expr) = sole_expr(self.unit, items)
            && self.aside(|cx| {
                let value = cx.expressions().check_rvalue(expr);
                value.is_ok_and(|value| cx.same_unqualified(cx.ty_of(value), ty))
            })
        {
            return Ok(None);
        }
        if self.func.is_none() {
            let message = format!("{} outside of a function is not supported", self.show(ty));
            return Err(self.error(Code::UnsupportedInitializer, span, message));
        }
        let bare = self.module.types.unqualified(elem);
        // To nvcc, a constant that is narrowed is a mistake wherever the list is.
        let narrows = mem::replace(&mut self.refuses_narrowing, true);
        let initializes = mem::replace(&mut self.initializes_variable, false);
        let elements = items.iter().zip(0..).map(|(item, idx)| Ok((idx, self.listed_element(bare, item)?)));
        let elements = elements.collect::<Result<ThinVec<_>, Reported>>();
        (self.refuses_narrowing, self.initializes_variable) = (narrows, initializes);
        let elements = elements?;
        let elem = self.module.types.with_quals(bare, Quals::CONST);
        let array = self.module.types.array_of(elem, Some(items.len() as u64));
        let init = self.init(InitData::Array(elements), span);
        let place = self.literal_place(init, array, span);
        let pointer = self.module.types.pointer_to(elem);
        let first = self.expr(ExprData::ArrayDecay(place), pointer, span);
        let size = self.expressions().field_ty(ty, 1);
        let len = self.expr(ExprData::int(items.len() as i128), size, span);
        let members =
            [(0, first), (1, len)].map(|(idx, value)| (idx, self.init(InitData::Expr(value), span)));
        Ok(Some(self.init(InitData::Record(members.into_iter().collect()), span)))
    }

    /// An element, which is copied from the value in the list.
    fn listed_element(&mut self, elem: Ty, item: &'a InitItem) -> Result<Init, Reported> {
        let span = self.unit.inits[item.init].span;
        if !item.designators.is_empty() {
            let message = "designator in the initializer of a `std::initializer_list`";
            return Err(self.error(Code::InvalidDesignator, span, message));
        }
        match self.module.types.view(elem) {
            View::Scalar(_) => self.element(elem, &mut Cursor::new(std::slice::from_ref(item)), None),
            _ => self.check_init(elem, item.init, Target::Initialize).map(|(init, _)| init),
        }
    }

    /// The object that a constructor with a `std::initializer_list` makes of a list, if one takes it (C++17 11.6.4p3.6, 16.3.1.7p1.1).
    pub(super) fn construct_by_list(
        &mut self,
        ty: Ty,
        (id, items): (InitId, &'a [InitItem]),
        form: Form,
        span: Span,
    ) -> Result<Option<Init>, Reported> {
        let Some(class) = self.module.types.record(ty) else { return Ok(None) };
        let methods = self.list_constructors(class);
        if methods.funcs.is_empty() && methods.templates.is_empty()
            || items.is_empty() && self.has_default_constructor(class)
        {
            return Ok(None);
        }
        let args = [Arg::Braced(id, ExprId::reserved_value())];
        let object = self.constructed_object(ty, span);
        match self.calls().choose_constructor(&methods, object, &args, form, span)? {
            Some((func, values)) => self.constructed_by(func, values, ty, form, span).map(Some),
            None if self.calls().takes_list(&methods, object, &args, form)? => {
                Err(self.calls().no_choice_of_constructor(&methods, object, &args, (ty, form), span))
            }
            None => Ok(None),
        }
    }

    /// The constructors whose first parameter is a `std::initializer_list`, and whose others have default arguments (C++17 11.6.4p2).
    fn list_constructors(&self, class: Record) -> Overloads {
        let Some(specials) = self.known.specials.get(&class) else { return Overloads::default() };
        let takes_list = |&func: &Func| {
            let func_ty = self.module.types.func(self.module.functions[func].ty);
            let param = func_ty.and_then(|ty| ty.params.get(1).copied());
            let param =
                param.map(|param| self.module.types.reference(param).map_or(param, |(inner, _)| inner));
            param.is_some_and(|param| self.listed_elem(param).is_some())
                && self.calls_ref().n_required_args(func) <= 2
        };
        let has_pattern = |&template: &Template| {
            let param = self.templates_ref().sole_param(template);
            let param =
                param.map(|param| self.module.types.reference(param).map_or(param, |(inner, _)| inner));
            param.is_some_and(|param| {
                self.listed_elem(param).is_some() || self.listed_pattern(param).is_some()
            })
        };
        Overloads {
            funcs: specials.constructors.iter().copied().filter(takes_list).collect(),
            templates: specials.constructor_templates.iter().copied().filter(has_pattern).collect(),
            ..Overloads::default()
        }
    }

    fn has_default_constructor(&self, class: Record) -> bool {
        let specials = self.known.specials.get(&class);
        specials.is_some_and(|specials| {
            specials.constructors.iter().any(|&func| self.calls_ref().n_required_args(func) <= 1)
        })
    }

    /// The type of the values in a list, which all have the same (C++17 17.8.2.1p1).
    pub(in crate::sema) fn type_of_items(
        &mut self,
        items: &'a [InitItem],
        span: Span,
    ) -> Result<Ty, Reported> {
        let unit = self.unit;
        let mut first = None;
        for item in items {
            let (true, InitKind::Expr(value)) = (item.designators.is_empty(), &unit.inits[item.init].kind)
            else {
                let message = "cannot deduce the type of `auto` from a list of lists";
                return Err(self.error(Code::InvalidAuto, unit.inits[item.init].span, message));
            };
            let ty = self.expressions().type_of_initializer(*value, None)?;
            let ty = self.module.types.unqualified(ty);
            match first {
                None => first = Some(ty),
                Some(first) if self.same(first, ty) => {}
                Some(first) => {
                    let (first, ty) = (self.show(first), self.show(ty));
                    let message =
                        format!("deduced conflicting types ({first} and {ty}) for the elements of a list");
                    return Err(self.cx.error(Code::InvalidAuto, unit.exprs[*value].span, message));
                }
            }
        }
        first.ok_or_else(|| {
            self.error(Code::InvalidAuto, span, "cannot deduce the type of `auto` from an empty list")
        })
    }

    /// The type of `auto` for `= { … }` (C++17 17.8.2.1p1, 10.1.7.4.1p4).
    pub(in crate::sema) fn deduced_list(
        &mut self,
        items: &'a [InitItem],
        span: Span,
    ) -> Result<Ty, Reported> {
        let elem = self.type_of_items(items, span)?;
        let elem = self.canonical(elem);
        match self.templates().instance_of_std(INITIALIZER_LIST, elem, span)? {
            Some(ty) => Ok(ty),
            None => {
                let message = "`auto` with a list of values requires `#include <initializer_list>`";
                Err(self.error(Code::InvalidAuto, span, message))
            }
        }
    }
}
