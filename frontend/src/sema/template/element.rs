//! The templates of `std` that say what the elements of a class are: `tuple_size` and `tuple_element` (C++17 23.5.3.5).

use super::{Template, Templates};
use crate::ast::{Name, TemplateParamKind};
use crate::diag::{Code, Reported};
use crate::ir::{Namespace, Record, TemplateArg, Ty};
use crate::sema::constant::const_eval::{Mode, Value};
use crate::sema::name::scope::{Binding, Entity};
use crate::source::Span;

impl Templates<'_> {
    /// `std::tuple_size<ty>::value`, if the class is complete (C++17 11.5p3).
    ///
    /// # Errors
    ///
    /// If the class has no such constant.
    pub(in crate::sema) fn tuple_size(&mut self, ty: Ty, used: Span) -> Result<Option<u64>, Reported> {
        let Some(template) = self.template_of_std("tuple_size") else { return Ok(None) };
        let bare = self.module.types.unqualified(ty);
        let bare = self.canonical(bare);
        let of_bare = self.made_instance(template, vec![TemplateArg::Type(bare)], used)?;
        if of_bare.is_none() {
            return Ok(None);
        }
        let args = vec![TemplateArg::Type(self.canonical(ty))];
        let value = match self.member_of_instance(template, args, "value", used)? {
            Some((name, binding)) => self.in_scratch(|cx| {
                let operand = cx.expressions().entity_operand(binding, name)?;
                let value = cx.expressions().rvalue(operand)?;
                Ok(cx.constants().eval(value, Mode::Required).ok())
            })?,
            None => None,
        };
        match value {
            Some(Value::Int(size)) => Ok(Some(u64::try_from(size).unwrap_or(u64::MAX))),
            _ => {
                let message = format!(
                    "cannot bind names to elements of {}: `std::tuple_size<…>::value` is not a constant",
                    self.show(ty)
                );
                Err(self.error(Code::InvalidStructuredBinding, used, message))
            }
        }
    }

    /// `std::tuple_element<idx, ty>::type`
    pub(in crate::sema) fn tuple_element(&mut self, idx: u64, ty: Ty, used: Span) -> Result<Ty, Reported> {
        if let Some(template) = self.template_of_std("tuple_element") {
            let args = vec![TemplateArg::Value(Ty::INT, idx.into()), TemplateArg::Type(self.canonical(ty))];
            if let Some((_, binding)) = self.member_of_instance(template, args, "type", used)?
                && let Entity::Typedef(element) = binding.entity
            {
                return Ok(element);
            }
        }
        let message =
            format!("`std::tuple_element<{idx}, …>::type` of {} does not name a type", self.show(ty));
        Err(self.error(Code::InvalidStructuredBinding, used, message))
    }

    /// The instance of a class template of `std` with one parameter, if a header declares it.
    pub(in crate::sema) fn instance_of_std(
        &mut self,
        name: &str,
        arg: Ty,
        used: Span,
    ) -> Result<Option<Ty>, Reported> {
        match self.template_of_std(name) {
            Some(template) => self.class_instance(template, vec![TemplateArg::Type(arg)], used).map(Some),
            None => Ok(None),
        }
    }

    /// The instance of a class template, if it is complete.
    fn made_instance(
        &mut self,
        template: Template,
        args: Vec<TemplateArg>,
        used: Span,
    ) -> Result<Option<Record>, Reported> {
        let args = self.complete_args(template, args.into_iter().map(Some).collect());
        let ty = self.class_instance(template, args.map_err(|_| self.poisoned())?, used)?;
        self.complete(ty, used);
        let record = self.module.types.record(ty);
        Ok(record.filter(|&record| self.module.types.records[record].fields.is_some()))
    }

    /// What an instance has as a member of the name.
    fn member_of_instance(
        &mut self,
        template: Template,
        args: Vec<TemplateArg>,
        member: &str,
        used: Span,
    ) -> Result<Option<(Name, Binding)>, Reported> {
        let record = self.made_instance(template, args, used)?;
        let symbol = self.interner.lookup(member);
        let (Some(record), Some(symbol)) = (record, symbol) else { return Ok(None) };
        if self.known.broken_records.contains(&record) {
            return Err(self.poisoned());
        }
        let binding = self.types_ref().class_member(record, symbol);
        Ok(binding.map(|binding| (Name { symbol, span: used }, binding)))
    }

    /// Whether a template of functions has a value as its first parameter, like `get<0>`.
    pub(in crate::sema) fn begins_with_value(&self, template: Template) -> bool {
        let first = self.known.templates.templates[template].first().params.first();
        first.is_some_and(|param| matches!(param.kind, TemplateParamKind::Value(_)))
    }

    /// Whether a header declares `std::tuple_size`.
    pub(in crate::sema) fn knows_tuple_size(&self) -> bool {
        self.template_of_std("tuple_size").is_some()
    }

    /// The class template of `std` that a header declares.
    fn template_of_std(&self, name: &str) -> Option<Template> {
        let member = |namespace, name: &str| {
            let symbol = self.interner.lookup(name)?;
            self.scopes.member_named(namespace, symbol).map(|binding| binding.entity)
        };
        let Entity::Namespace(std) = member(Namespace::GLOBAL, "std")? else { return None };
        match member(std, name)? {
            Entity::Template(template) => Some(template),
            _ => None,
        }
    }
}
