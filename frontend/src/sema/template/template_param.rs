//! Parameters that are templates of types, and templates as their arguments (C++17 17.3.3).

use super::text::{Binding, Text};
use super::{Template, Templates};
use crate::ast::{Name, TemplateKind, TemplateParam, TemplateParamKind, TypeName, TypeSpec};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{ClassTemplate, ClassTemplateData, DependentTy, TemplateArg, Ty};
use crate::parse::Rereader;
use crate::sema::name::scope::Entity;
use crate::token::{Symbol, Token};

/// A parameter of the template whose text is checked that is a template itself.
#[derive(Clone, Copy)]
pub(super) struct ParamTemplate {
    symbol: Symbol,
    /// Which of its own parameters is a pack.
    pack: Option<usize>,
}

impl ParamTemplate {
    /// Those among the parameters.
    pub(super) fn among(params: &[TemplateParam]) -> Vec<ParamTemplate> {
        let template = |param: &TemplateParam| match (&param.kind, param.name) {
            (TemplateParamKind::Template(own), Some(Name { symbol, .. })) => {
                Some(ParamTemplate { symbol, pack: own.iter().position(|own| own.is_pack) })
            }
            _ => None,
        };
        params.iter().filter_map(template).collect()
    }
}

impl<'a> Templates<'a> {
    /// The parameter that a name in a signature is, if that is a template.
    pub(super) fn param_named(&mut self, spec: &TypeSpec) -> Option<Ty> {
        let TypeSpec::Named(name) = spec else { return None };
        if !self.known.templates.reads_pattern {
            return None;
        }
        let binding = self.names_ref().lookup(name.symbol)?;
        let Entity::Typedef(ty) = binding.entity else { return None };
        matches!(self.module.types.dependent(ty), Some(DependentTy::Param(_))).then_some(ty)
    }

    /// Arguments of a parameter: those for its pack are one.
    pub(super) fn args_of_param(&self, spec: &TypeSpec, mut args: Vec<TemplateArg>) -> Vec<TemplateArg> {
        let TypeSpec::Named(name) = spec else { return args };
        let templates = &self.known.templates.param_templates;
        let pack = templates.iter().find(|param| param.symbol == name.symbol).and_then(|param| param.pack);
        if let Some(pack) = pack.filter(|&pack| pack <= args.len()) {
            let elements = args.split_off(pack);
            args.push(TemplateArg::Pack(elements));
        }
        args
    }

    /// The template that a name means as an argument for a parameter that is a template with such parameters.
    pub(super) fn template_arg(
        &mut self,
        name: &TypeName,
        params: &[TemplateParam],
    ) -> Result<TemplateArg, Reported> {
        let spec = &name.specs.ty;
        if let Some(param) = self.param_named(spec) {
            return Ok(TemplateArg::Type(param));
        }
        let (template, named) = self.template_named(spec)?;
        let is_types = matches!(
            self.known.templates.templates[template].first().kind,
            TemplateKind::Class { .. } | TemplateKind::Alias
        );
        if !is_types || !self.fits_params(template, params) {
            let message = format!(
                "template `{}` has other template parameters than the template parameter that it is for",
                self.spelling(named.symbol)
            );
            let diagnostic = Diagnostic::new(Code::InvalidTemplate, name.span, message)
                .with_label(self.template_span(template), "template is declared here");
            return Err(self.sink.error(diagnostic));
        }
        Ok(TemplateArg::Template(self.handle_of(template)))
    }

    /// Whether a template takes all arguments that a parameter with such parameters does (C++17 17.3.3p3). As in nvcc, its default arguments
    /// count, and a pack of its own does where the parameter has none.
    pub(super) fn fits_params(&self, template: Template, params: &[TemplateParam]) -> bool {
        let own = &self.known.templates.templates[template].first().params;
        let same = |a: &TemplateParam, b: &TemplateParam| {
            std::mem::discriminant(&a.kind) == std::mem::discriminant(&b.kind)
        };
        let mut own = own.iter().peekable();
        for param in params {
            match own.peek() {
                Some(first) if first.is_pack || param.is_pack => {
                    if !same(first, param) {
                        return false;
                    }
                    if param.is_pack {
                        return own.all(|own| same(own, param));
                    }
                }
                Some(first) if same(first, param) => {
                    own.next();
                }
                None if param.is_pack => {}
                _ => return false,
            }
        }
        own.all(|own| own.is_pack || own.default.is_some())
    }

    /// What symbols have of a template of types. As in nvcc, another name for a class template with the same parameters is that itself.
    pub(super) fn handle_of(&mut self, template: Template) -> ClassTemplate {
        if let Some(facts) = self.known.templates.classes.facts.get(&template) {
            return facts.class;
        }
        let declaration = self.known.templates.templates[template].first().clone();
        let params = self.params_as_args(&declaration);
        let meant = self.silently(|cx| cx.alias_ty(template, params.clone(), declaration.name));
        if let Some((class, args)) = meant.ok().and_then(|ty| self.module.types.instance_parts(ty))
            && args == params
        {
            return class;
        }
        let of_class = &self.known.templates.classes.of_class;
        if let Some((&known, _)) = of_class.iter().find(|&(_, &of)| of == template) {
            return known;
        }
        let data = &self.known.templates.templates[template];
        let data = ClassTemplateData {
            name: self.spelling(data.name.symbol).to_owned(),
            namespace: data.namespace,
            outer: data.owner.as_ref().map(|owner| owner.class),
        };
        let class = self.module.types.class_templates.push(data);
        self.known.templates.classes.of_class.insert(class, template);
        class
    }

    /// A template as a default argument.
    pub(super) fn default_template(
        &mut self,
        text: &Text,
        tokens: &[Token],
        args: &[TemplateArg],
        params: &[TemplateParam],
    ) -> Result<TemplateArg, Reported> {
        self.within(text, Binding::Arguments(args), |cx| {
            let (unit, name) = cx.read_again(text, tokens, Rereader::type_name)?;
            cx.in_unit(unit, |cx| cx.template_arg(&unit.type_names[name], params))
        })
    }
}
