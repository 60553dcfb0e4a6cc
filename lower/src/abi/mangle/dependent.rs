//! Types and values that depend on the parameters of a template, in the symbols of its instances (Itanium C++ ABI 5.1.6).

use weft_frontend::ir::{DependentTy, DependentValue, Quals, Ty};

use super::{Component, Mangler, base_36, source_name};

impl Mangler<'_> {
    /// `<type>` that depends on parameters of a template, without the rules of substitution.
    pub(super) fn dependent(&mut self, dependent: &DependentTy) {
        match dependent {
            DependentTy::Param(idx) => self.template_param(*idx),
            DependentTy::Expansion(ty) => {
                self.out.push_str("Dp");
                self.ty(*ty);
            }
            DependentTy::Array(elem, len) => {
                self.out.push('A');
                self.dependent_value(len);
                self.out.push('_');
                self.ty(*elem);
            }
            DependentTy::Member(of, name) => {
                self.out.push('N');
                self.dependent_prefix(*of);
                self.out.push_str(&source_name(name));
                self.out.push('E');
            }
            DependentTy::Instance(template, args) => self.class_instance(*template, args),
            DependentTy::MemberInstance(of, name, args) => {
                self.out.push('N');
                self.dependent_template(*of, name);
                self.template_args(args);
                self.out.push('E');
            }
            DependentTy::ParamInstance(param, args) => {
                self.ty(*param);
                self.template_args(args);
            }
            DependentTy::Decltype(value) => {
                let is_name = matches!(
                    value,
                    DependentValue::Param(_) | DependentValue::FuncParam(_) | DependentValue::Member(..)
                );
                self.out.push_str(if is_name { "Dt" } else { "DT" });
                self.dependent_value(value);
                self.out.push('E');
            }
            DependentTy::Auto => self.out.push_str("Da"),
            DependentTy::DecltypeAuto => self.out.push_str("Dc"),
        }
    }

    /// `<template-prefix>` of a template that is a member of a type which depends on parameters.
    fn dependent_template(&mut self, of: Ty, name: &str) {
        let component = Component::DependentTemplate(of, name.to_owned());
        if !self.substitution(&component) {
            self.dependent_prefix(of);
            self.out.push_str(&source_name(name));
            self.components.push(component);
        }
    }

    /// `<prefix>` that ends in a type which depends on parameters.
    fn dependent_prefix(&mut self, ty: Ty) {
        let (of, name) = match self.types.dependent(ty) {
            Some(DependentTy::Member(of, name)) => (*of, name),
            Some(DependentTy::Instance(template, args)) => {
                let component = self.type_component(self.types.kind(ty), Quals::empty());
                if !self.substitution(&component) {
                    self.template_prefix(*template);
                    self.template_args(args);
                    self.components.push(component);
                }
                return;
            }
            Some(DependentTy::MemberInstance(of, name, args)) => {
                let component = self.type_component(self.types.kind(ty), Quals::empty());
                if !self.substitution(&component) {
                    self.dependent_template(*of, name);
                    self.template_args(args);
                    self.components.push(component);
                }
                return;
            }
            _ => return self.ty(ty),
        };
        let component = self.type_component(self.types.kind(ty), Quals::empty());
        if !self.substitution(&component) {
            self.dependent_prefix(of);
            self.out.push_str(&source_name(name));
            self.components.push(component);
        }
    }

    /// `<unresolved-qualifier-level>+` of a type that depends on parameters.
    fn qualifier_levels(&mut self, ty: Ty) {
        match self.types.dependent(ty) {
            Some(DependentTy::Member(of, name)) => {
                self.qualifier_levels(*of);
                self.out.push_str(&source_name(name));
            }
            Some(DependentTy::MemberInstance(of, name, args)) => {
                self.qualifier_levels(*of);
                self.out.push_str(&source_name(name));
                self.template_args(args);
            }
            Some(DependentTy::Instance(template, args)) => {
                let data = &self.types.class_templates[*template];
                let mut around = Vec::new();
                let mut at = data.namespace;
                while let Some(parent) = self.types.namespaces[at].parent {
                    around.extend(self.types.namespaces[at].name.as_deref());
                    at = parent;
                }
                around.iter().rev().for_each(|name| self.out.push_str(&source_name(name)));
                self.out.push_str(&source_name(&data.name));
                self.template_args(args);
            }
            _ => self.ty(ty),
        }
    }

    /// `<template-param>`
    fn template_param(&mut self, idx: u32) {
        match idx.checked_sub(1) {
            None => self.out.push_str("T_"),
            Some(idx) => self.out.push_str(&format!("T{}_", base_36(idx as usize))),
        }
    }

    /// `<expression>`
    pub(super) fn dependent_value(&mut self, value: &DependentValue) {
        match value {
            // nvcc and GCC do not count it among the substitutions.
            DependentValue::Param(idx) => self.template_param(*idx),
            DependentValue::Constant(ty, value) => self.literal(*ty, *value),
            DependentValue::Float(ty, bits) => {
                let n_digits = if *ty == Ty::FLOAT { 8 } else { 16 };
                self.out.push('L');
                self.ty(*ty);
                self.out.push_str(&format!("{bits:0n_digits$x}E"));
            }
            DependentValue::List(ty, values) => {
                self.out.push_str("tl");
                self.ty(*ty);
                values.iter().for_each(|value| self.dependent_value(value));
                self.out.push('E');
            }
            DependentValue::Default(ty) => {
                self.out.push_str("cv");
                self.ty(*ty);
                self.out.push_str("_E");
            }
            DependentValue::Operator(code, operands) => {
                self.out.push_str(code);
                operands.iter().for_each(|operand| self.dependent_value(operand));
            }
            DependentValue::Fold(code, op, operands) => {
                self.out.push_str(code);
                self.out.push_str(op);
                operands.iter().for_each(|operand| self.dependent_value(operand));
            }
            DependentValue::SizeofType(ty) => {
                self.out.push_str("st");
                self.ty(*ty);
            }
            DependentValue::FuncParam(idx) => match idx.checked_sub(1) {
                None => self.out.push_str("fp_"),
                Some(idx) => self.out.push_str(&format!("fp{}_", base_36(idx as usize))),
            },
            DependentValue::Cast(code, ty, value) => {
                self.out.push_str(code);
                self.ty(*ty);
                self.dependent_value(value);
            }
            DependentValue::Member(base, is_arrow, name) => {
                self.out.push_str(if *is_arrow { "pt" } else { "dt" });
                self.dependent_value(base);
                self.out.push_str(&source_name(name));
            }
            DependentValue::Invoke(callee, args) => {
                self.out.push_str("cl");
                self.dependent_value(callee);
                args.iter().for_each(|arg| self.dependent_value(arg));
                self.out.push('E');
            }
            DependentValue::Scoped(ty, name) => {
                self.out.push_str("sr");
                match self.types.dependent(*ty) {
                    Some(DependentTy::Instance(..) | DependentTy::Member(..)) => {
                        self.qualifier_levels(*ty);
                        self.out.push('E');
                    }
                    _ => self.ty(*ty),
                }
                self.out.push_str(&source_name(name));
            }
            // Functions with such have been refused.
            DependentValue::Nameless(_) => {}
            // nvcc leaves its arguments out.
            DependentValue::Variable(namespace, name) => {
                let mut name_of = self.apart("L_Z");
                name_of.entity(*namespace, false, &source_name(name), &[]);
                self.out.push_str(&name_of.out);
                self.out.push('E');
            }
            DependentValue::Call(name, args) => {
                self.out.push_str("cl");
                self.out.push_str(&source_name(name));
                args.iter().for_each(|arg| self.dependent_value(arg));
                self.out.push('E');
            }
        }
    }
}
