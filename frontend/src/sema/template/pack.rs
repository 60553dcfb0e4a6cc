//! Packs (C++17 17.5.3): what their elements are in an instance, and the parameters that are packs.
//!
//! The parser expands packs where it reads the tokens of an instance: names of packs come with an index.

use super::Templates;
use crate::ast::Name;
use crate::diag::{Code, Reported};
use crate::ir::{DependentTy, DependentValue, ExprData, TemplateArg, Ty};
use crate::sema::constant::const_eval::Value;
use crate::sema::expression::Operand;
use crate::sema::name::scope::{Binding, Entity};
use crate::source::Span;
use crate::token::Symbol;

/// What is one of a pack.
#[derive(Clone, Copy)]
pub(in crate::sema) enum Element {
    Type(Ty),
    /// Of an integer or enum type.
    Value(Ty, i128),
    /// An address, a parameter of a function, or a value that depends on the parameters of a template.
    Param(Entity),
}

impl<'a> Templates<'a> {
    /// A pack of arguments.
    pub(super) fn pack_of(&mut self, args: &[TemplateArg]) -> Entity {
        let element = |arg: &TemplateArg| match *arg {
            TemplateArg::Type(ty) => Some(Element::Type(ty)),
            TemplateArg::Value(ty, value) if self.module.types.pointee(ty).is_none() => {
                Some(Element::Value(ty, value))
            }
            TemplateArg::Value(..) | TemplateArg::Address(..) => {
                Some(Element::Param(self.entity_of_value(arg, "", Span::default())))
            }
            TemplateArg::Dependent(ref value) => Some(Element::Param(self.dependent_entity(value.clone()))),
            TemplateArg::Template(_) | TemplateArg::Pack(_) => None,
        };
        let elements = args.iter().filter_map(element).collect();
        self.new_pack(elements)
    }

    fn new_pack(&mut self, elements: Vec<Element>) -> Entity {
        let packs = &mut self.known.templates.packs;
        packs.push(elements);
        Entity::Pack(packs.len() as u32 - 1)
    }

    /// The pack of what a lambda has captured of another one.
    pub(in crate::sema) fn pack_of_entities(&mut self, elements: Vec<Entity>) -> Entity {
        self.new_pack(elements.into_iter().map(Element::Param).collect())
    }

    /// The pack of parameters whose first element is this one.
    pub(in crate::sema) fn pack_of_params(&mut self, first: Entity) -> Entity {
        self.new_pack(vec![Element::Param(first)])
    }

    /// The pack whose parameters are what `seen` makes of them.
    pub(in crate::sema) fn pack_seen(
        &mut self,
        pack: u32,
        mut seen: impl FnMut(&mut Self, Entity) -> Entity,
    ) -> Entity {
        let elements = self.known.templates.packs[pack as usize].clone();
        if !elements.iter().any(|element| matches!(element, Element::Param(_))) {
            return Entity::Pack(pack);
        }
        let element = |element| match element {
            Element::Param(param) => Element::Param(seen(self, param)),
            Element::Type(_) | Element::Value(..) => element,
        };
        let elements = elements.into_iter().map(element).collect();
        self.new_pack(elements)
    }

    /// The parameter of a function that is an element of a pack.
    pub(in crate::sema) fn param_of_pack(&self, pack: u32, idx: u32) -> Option<Entity> {
        match self.known.templates.packs[pack as usize].get(idx as usize)? {
            Element::Param(entity) => Some(*entity),
            Element::Type(_) | Element::Value(..) => None,
        }
    }

    /// Adds a parameter to the pack of the name in the innermost scope.
    pub(in crate::sema) fn add_to_pack(&mut self, symbol: Symbol, param: Entity) {
        if let Some(Entity::Pack(pack)) = self.scopes.get_here(symbol).map(|binding| binding.entity) {
            self.known.templates.packs[pack as usize].push(Element::Param(param));
        }
    }

    /// How long a pack is.
    pub(super) fn pack_len(&self, symbol: Symbol) -> Option<u32> {
        match self.names_ref().lookup(symbol)?.entity {
            Entity::Pack(pack) => Some(self.known.templates.packs[pack as usize].len() as u32),
            _ => None,
        }
    }

    fn element(&self, pack: Symbol, idx: u32) -> Option<(Element, Option<Span>)> {
        let Binding { entity: Entity::Pack(pack), span } = self.names_ref().lookup(pack)? else {
            return None;
        };
        let element = self.known.templates.packs[pack as usize].get(idx as usize)?;
        Some((*element, span))
    }

    /// The value that an element of a pack is, if it depends on the parameters of a template.
    pub(super) fn dependent_element(&self, pack: Symbol, idx: Option<u32>) -> Option<DependentValue> {
        match self.element(pack, idx?)?.0 {
            Element::Param(Entity::TemplateParam(value)) => {
                Some(self.known.templates.dependent_values[value as usize].clone())
            }
            _ => None,
        }
    }

    /// An element of a pack in an expression.
    pub(in crate::sema) fn check_element(
        &mut self,
        name: Name,
        idx: Option<u32>,
    ) -> Result<Operand, Reported> {
        let Some(idx) = idx else { return Err(self.unexpanded(name, "expression")) };
        match self.element(name.symbol, idx) {
            Some((Element::Value(ty, value), _)) => {
                let value = self.expressions().value_expr(Value::Int(value), ty, name.span);
                Ok(Operand::Value(value))
            }
            Some((Element::Type(ty), span)) => {
                let binding = Binding { entity: Entity::Typedef(ty), span };
                self.expressions().entity_operand(binding, name)
            }
            Some((Element::Param(entity), span)) => {
                self.expressions().entity_operand(Binding { entity, span }, name)
            }
            None => Err(self.poisoned()),
        }
    }

    /// An element of a pack in the place of a type.
    pub(in crate::sema) fn element_ty(&mut self, name: Name, idx: Option<u32>) -> Result<Ty, Reported> {
        let Some(idx) = idx else { return Err(self.unexpanded(name, "type")) };
        match self.element(name.symbol, idx) {
            Some((Element::Type(ty), _)) => Ok(ty),
            Some(_) => Err(self.names().undeclared(name, "type")),
            None => Err(self.poisoned()),
        }
    }

    fn unexpanded(&mut self, name: Name, what: &str) -> Reported {
        let message = format!("{what} contains unexpanded parameter pack `{}`", self.spelling(name.symbol));
        self.error(Code::InvalidTemplate, name.span, message)
    }

    /// `sizeof...(pack)`
    pub(in crate::sema) fn sizeof_pack(&mut self, len: Option<u32>, span: Span) -> Result<Operand, Reported> {
        let Some(len) = len else { return Err(self.open_pack(span)) };
        let size_ty = self.module.types.model().size_ty();
        Ok(Operand::Value(self.expr(ExprData::int(len), size_ty, span)))
    }

    /// Reports what depends on a pack in the signature of a template, where symbols have no form for it.
    pub(in crate::sema) fn open_pack(&mut self, span: Span) -> Reported {
        let message = "this use of a parameter pack in the signature of a template is not supported";
        self.error(Code::UnsupportedTemplate, span, message)
    }

    /// The pattern, if the type is that of a pack of parameters.
    pub(super) fn expanded(&self, ty: Ty) -> Option<Ty> {
        match self.module.types.dependent(ty) {
            Some(&DependentTy::Expansion(pattern)) => Some(pattern),
            _ => None,
        }
    }
}
