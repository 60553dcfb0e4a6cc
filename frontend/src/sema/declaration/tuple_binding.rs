//! Structured bindings of classes whose elements `get` gives: those with `std::tuple_size` (C++17 11.5p3). Each name is a variable, a
//! reference to what `get` returns.

use thin_vec::ThinVec;

use crate::ast::{Name, StructuredBinding, TemplateArgsId};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{InitData, Local, LocalData, RefKind, Stmt, StmtData, Ty};
use crate::sema::Declarations;
use crate::sema::call::overload::{Args, Overloads};
use crate::sema::conversion::Target;
use crate::sema::conversion::reference::Category;
use crate::sema::expression::Operand;
use crate::sema::name::scope::Entity;
use crate::source::Span;

impl Declarations<'_> {
    /// Whether the elements are those that `get` gives.
    pub(super) fn has_tuple_elements(
        &mut self,
        ty: Ty,
        binding: &StructuredBinding,
    ) -> Result<bool, Reported> {
        if self.module.types.record(ty).is_none() {
            return Ok(false);
        }
        match self.templates().tuple_size(ty, binding.list)? {
            Some(count) => self.require_names(count, ty, binding).map(|()| true),
            None => self.require_tuple_size(ty, binding.list).map(|()| false),
        }
    }

    /// A program that names `tuple_size` where no header declares it may say what the elements are.
    fn require_tuple_size(&mut self, ty: Ty, span: Span) -> Result<(), Reported> {
        if self.interner.lookup("tuple_size").is_none() || self.templates_ref().knows_tuple_size() {
            return Ok(());
        }
        let message = format!("structured binding of {} requires `#include <utility>`", self.show(ty));
        let note = "the program names `tuple_size`, which says what the elements are";
        Err(self.sink.error(Diagnostic::new(Code::InvalidStructuredBinding, span, message).with_note(note)))
    }

    /// Declares the names as the elements of the variable.
    pub(super) fn declare_tuple_elements(
        &mut self,
        binding: &StructuredBinding,
        whole: Local,
        list: &mut ThinVec<Stmt>,
    ) -> Result<(), Reported> {
        let mut elements = Vec::new();
        for ((&name, &index), idx) in binding.names.iter().zip(&binding.indices).zip(0..) {
            elements.push(self.tuple_element((whole, binding.list), name, (idx, index), list)?);
        }
        for (name, element) in binding.names.iter().zip(elements) {
            self.scopes.bind(name.symbol, Entity::Local(element), name.span);
        }
        Ok(())
    }

    /// The variable `T &name = get<idx>(whole);`, or `T &&name` for what is no lvalue.
    fn tuple_element(
        &mut self,
        (whole, span): (Local, Span),
        name: Name,
        (idx, index): (u64, TemplateArgsId),
        list: &mut ThinVec<Stmt>,
    ) -> Result<Local, Reported> {
        let declared = self.statements().func_cx().locals[whole].ty;
        let Some(place) = self.expressions().local_place(whole, name.span) else {
            return Err(self.poisoned());
        };
        let ty = self.place_ty(place);
        let object = match self.module.types.reference(declared) {
            Some((_, RefKind::Lvalue)) => Operand::Place(place),
            Some((_, RefKind::Rvalue)) | None => Operand::Member(place),
        };
        let element = self.templates().tuple_element(idx, ty, span)?;
        let value = self.call_get(object, ty, index, name.span)?;
        let kind = match self.conversions_ref().category(value) {
            Category::Lvalue => RefKind::Lvalue,
            Category::BitField | Category::Xvalue | Category::Prvalue => RefKind::Rvalue,
        };
        let reference = self.module.types.reference_to(element, kind);
        let address = self.conversions().bind(value, reference, Target::Initialize)?;
        let init = self.init(InitData::Expr(address), name.span);
        let found = self.statements().temporaries_of_init(reference, init);
        let data = LocalData {
            name: Some(self.spelling(name.symbol).into()),
            ty: reference,
            align: None,
            is_param: false,
            is_grid_constant: false,
            is_referenced: true,
            span: name.span,
        };
        let func = self.statements().func_cx();
        let local = func.locals.push(data);
        func.tuple_elements.insert(local, element);
        let stmt = self.statements().stmt(StmtData::Local(local, Some(init)), name.span);
        self.statements().push_full(stmt, found, list);
        Ok(local)
    }

    /// `object.get<idx>()` if the class has such a template, else `get<idx>(object)`, found by the argument alone.
    fn call_get(
        &mut self,
        object: Operand,
        ty: Ty,
        index: TemplateArgsId,
        span: Span,
    ) -> Result<Operand, Reported> {
        let Some((class, symbol)) = self.module.types.record(ty).zip(self.interner.lookup("get")) else {
            return Err(self.no_get(ty, span));
        };
        let member = self.calls().methods_named(class, Name { symbol, span });
        if let Some(methods) = member
            && methods.templates.iter().any(|&template| self.templates_ref().begins_with_value(template))
        {
            let methods = Overloads { written: Some(index), ..only_templates(methods) };
            return self.calls().call_method(&methods, Some(object), span, &[], span);
        }
        let mut args = Args::new();
        args.push(self.calls().object_arg(object)?);
        let found = only_templates(self.calls().associated(symbol, &args));
        if found.is_empty() {
            return Err(self.no_get(ty, span));
        }
        self.calls().check_call_among(&Overloads { written: Some(index), ..found }, span, &args, span)
    }

    fn no_get(&mut self, ty: Ty, span: Span) -> Reported {
        let message = format!("structured binding of {} requires a function template `get`", self.show(ty));
        let note = "a class with `std::tuple_size` has it as a member or in its namespace";
        self.sink.error(Diagnostic::new(Code::InvalidStructuredBinding, span, message).with_note(note))
    }
}

fn only_templates(found: Overloads) -> Overloads {
    Overloads { templates: found.templates, naming: found.naming, ..Overloads::default() }
}
