//! Templates that are members of classes (C++17 17.5.2): of an instance of a class template, once it has members, like those of any class.
//!
//! What one makes is a member function as the class would declare it, whose body is kept until something uses it.

use std::rc::Rc;

use hashbrown::HashMap;
use smallvec::SmallVec;

use super::member::{ClassSource, InstanceMethod};
use super::text::{Binding, Text};
use super::{Signature, Template, TemplateData, Templates};
use crate::ast::{
    self, Access, ClassId, DeclKind, MethodId, Name, Special, TemplateDecl, TemplateKind, TranslationUnit,
};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Func, Instance, LambdaName, Record, TemplateArg, Ty};
use crate::parse::Rereader;
use crate::sema::call::overload::Overloads;
use crate::sema::expression::lambda::Surroundings;
use crate::sema::name::scope::{Binding as Bound, Entity};
use crate::source::Span;
use crate::token::Symbol;

/// The class that has a template.
pub(super) struct Owner {
    pub(super) class: Record,
    /// What the class is made from, if that is a template.
    pub(super) source: Option<ClassSource>,
    /// The name of the class, without arguments.
    pub(super) tag: Option<Symbol>,
    /// As the parser knows it and those around it, from the outside in.
    pub(super) classes: SmallVec<[ClassId; 2]>,
    pub(super) access: Access,
    pub(super) special: Option<Special>,
    /// The text is outside of the class, and names it.
    pub(super) is_outside: bool,
    /// Outside of the class nothing says that a function is static.
    pub(super) is_static: bool,
    /// Where the class is that of a lambda.
    pub(super) lambda: Option<Surroundings>,
}

impl Owner {
    /// Of a definition outside of the class.
    fn outside(
        class: Record,
        source: Option<ClassSource>,
        classes: SmallVec<[ClassId; 2]>,
        is_static: bool,
    ) -> Self {
        let (tag, access, special) = (None, Access::Public, None);
        Owner { class, source, tag, classes, access, special, is_outside: true, is_static, lambda: None }
    }
}

impl<'a> Templates<'a> {
    /// A template among the members of the class that is read.
    pub(in crate::sema) fn declare_member_template(
        &mut self,
        member: &ast::MemberTemplate,
    ) -> Result<(), Reported> {
        let declaration = &member.declaration;
        let name = declaration.name;
        let Some(class) = self.scopes.class() else { return Err(self.poisoned()) };
        let outermost = self.outermost_class(class);
        if self.module.types.records[outermost].owner.is_some() {
            let message = "templates cannot be declared inside of a local class";
            return Err(self.error(Code::InvalidTemplate, name.span, message));
        }
        if declaration.kind == TemplateKind::Function && declaration.is_kernel() {
            let message = "a `__global__` function cannot be a member function";
            return Err(self.error(Code::InvalidKernel, name.span, message));
        }
        self.check_params(&declaration.params)?;
        for param in declaration.params.iter().filter_map(|param| param.name) {
            self.refuse_shadowing(param)?;
        }
        let owner = Owner {
            class,
            source: self.source_of_class(class),
            tag: Some(member.tag),
            classes: member.classes.clone(),
            access: member.access,
            special: member.special,
            is_outside: false,
            is_static: false,
            lambda: None,
        };
        if declaration.kind != TemplateKind::Function {
            self.names().restrict(member.access, name);
        }
        let namespace = self.module.types.records[class].namespace;
        let text = Text { owner: Some(Rc::new(owner)), ..Text::new(declaration, namespace) };
        match declaration.kind {
            TemplateKind::Function => self.declare_method_template(&text),
            _ if declaration.may_be_of_host => {
                // What is wrong is said where something uses it.
                let _errors = self.silently(|cx| cx.declare_plain_template(&text));
                Ok(())
            }
            _ => self.declare_plain_template(&text),
        }
    }

    fn declare_method_template(&mut self, text: &Text) -> Result<(), Reported> {
        let name = text.declaration.name;
        let Some(owner) = text.owner.clone() else { return Err(self.poisoned()) };
        let signature = self.signature_of(text)?;
        let template = self.add_member_template(text, signature);
        match owner.special {
            Some(_) => {
                self.refuse_same_template(template, &self.constructor_templates(owner.class))?;
                let specials = self.known.specials.entry(owner.class).or_default();
                specials.constructor_templates.push(template);
                specials.is_constructed = true;
                Ok(())
            }
            None => self.bind_method_template(template, name),
        }
    }

    /// Whether the template makes member functions that have an object.
    pub(in crate::sema) fn has_object(&self, template: Template) -> bool {
        self.known.templates.templates[template].signature.has_object
    }

    /// The type of the first parameter after the object, in the pattern, if the others have default arguments.
    pub(in crate::sema) fn sole_param(&self, template: Template) -> Option<Ty> {
        let signature = &self.known.templates.templates[template].signature;
        let params = &self.module.types.func(signature.pattern)?.params;
        let own = params.get(usize::from(signature.has_object)..)?;
        let n_defaults = signature.defaults.iter().flatten().count();
        own.first().copied().filter(|_| own.len() - n_defaults.min(own.len()) <= 1)
    }

    /// The class whose member a template is.
    pub(in crate::sema) fn class_of_template(&self, template: Template) -> Option<Record> {
        self.known.templates.templates[template].owner.as_ref().map(|owner| owner.class)
    }

    /// The call operator of a generic lambda in the function.
    pub(in crate::sema) fn declare_call_operator(
        &mut self,
        closure: Record,
        current: Func,
        declaration: &Rc<TemplateDecl>,
        around: Surroundings,
    ) -> Result<(), Reported> {
        let name = declaration.name;
        let owner = Owner {
            class: closure,
            source: None,
            tag: Some(name.symbol),
            classes: SmallVec::new(),
            access: Access::Public,
            special: None,
            is_outside: false,
            is_static: false,
            lambda: Some(around),
        };
        let namespace = self.module.types.records[closure].namespace;
        let text = Text { owner: Some(Rc::new(owner)), ..Text::new(declaration, namespace) };
        let signature = self.signature_of(&text)?;
        let pattern = signature.pattern;
        let Some(params) = self.module.types.func(pattern).map(|func| func.params[1..].to_vec()) else {
            return Err(self.poisoned());
        };
        let number = self.expressions().number_lambda(current, &params);
        self.module.types.records[closure].lambda =
            Some(LambdaName { call: None, signature: pattern, number });
        let template = self.add_member_template(&text, signature);
        let overloads = Overloads { templates: [template].into_iter().collect(), ..Overloads::default() };
        let id = self.known.overloads.push(overloads);
        let binding = Bound { entity: Entity::Overloads(id), span: Some(name.span) };
        self.known.class_names.insert((closure, name.symbol), binding);
        self.known.names.of_methods.insert(name.symbol);
        self.known.has_operators = true;
        Ok(())
    }

    fn add_member_template(&mut self, text: &Text, signature: Signature) -> Template {
        let data = TemplateData {
            name: text.declaration.name,
            namespace: text.namespace,
            owner: text.owner.clone(),
            outside: None,
            declarations: vec![text.declaration.clone()],
            signature,
            horizon: self.horizon.unwrap_or(self.horizon_here()),
            instances: HashMap::new(),
        };
        self.known.templates.templates.push(data)
    }

    /// The templates of constructors that a class has.
    pub(in crate::sema) fn constructor_templates(&self, class: Record) -> SmallVec<[Template; 2]> {
        let specials = self.known.specials.get(&class);
        specials.map(|specials| specials.constructor_templates.clone()).unwrap_or_default()
    }

    /// Gives a member template its name in the class, beside functions and templates that have it.
    fn bind_method_template(&mut self, template: Template, name: Name) -> Result<(), Reported> {
        let here = self.scopes.get_here(name.symbol);
        let id = match here.map(|binding| binding.entity) {
            None => self.known.overloads.push(Overloads::default()),
            Some(Entity::Func(func)) => {
                let funcs = std::iter::once(func).collect();
                self.known.overloads.push(Overloads { funcs, ..Overloads::default() })
            }
            Some(Entity::Overloads(id)) => id,
            Some(_) => {
                let previous = here.unwrap_or(Bound { entity: Entity::Poison, span: None });
                return Err(self.names().redefinition(name, previous));
            }
        };
        let others = self.known.overloads[id].templates.clone();
        self.refuse_same_template(template, &others)?;
        self.known.overloads[id].templates.push(template);
        self.known.names.of_methods.insert(name.symbol);
        self.known.has_operators |= name.symbol.operator().is_some();
        self.scopes.bind(name.symbol, Entity::Overloads(id), name.span);
        Ok(())
    }

    fn refuse_same_template(&mut self, template: Template, others: &[Template]) -> Result<(), Reported> {
        let data = &self.known.templates.templates[template];
        let (declaration, name) = (data.first(), data.name);
        // C++17 16.1p2.3: where one has `&` or `&&`, all have one.
        let same = others.iter().copied().find(|&other| {
            let theirs = self.known.templates.templates[other].signature.ref_qualifier;
            let is_mixed = theirs.is_none() || data.signature.ref_qualifier.is_none();
            let ref_qualifier = if is_mixed { theirs } else { data.signature.ref_qualifier };
            self.is_same_template(other, declaration, &Signature { ref_qualifier, ..data.signature.clone() })
        });
        let Some(same) = same else { return Ok(()) };
        let message = format!("class member `{}` cannot be redeclared", self.spelling(name.symbol));
        let diagnostic = Diagnostic::new(Code::Redefinition, name.span, message)
            .with_label(self.template_span(same), "previously declared here");
        Err(self.sink.error(diagnostic))
    }

    /// The member function that the text declares, in a unit of its own. The class's scope is open, and the parameters are bound.
    pub(super) fn read_method(&mut self, text: &Text) -> Result<(&'a TranslationUnit, MethodId), Reported> {
        let access = text.owner.as_ref().map_or(Access::Public, |owner| owner.access);
        let (unit, id) =
            self.read_again(text, &text.declaration.tokens, |rereader, text, interner, sink| {
                rereader.member(access, text, interner, sink)
            })?;
        match id {
            Some(id) => Ok((unit, id)),
            None => Err(self.poisoned()),
        }
    }

    /// The member function that a template makes with the arguments. Its body is kept until something uses it.
    pub(super) fn declare_method_instance(
        &mut self,
        template: Template,
        args: &[TemplateArg],
    ) -> Result<Func, Reported> {
        let data = &self.known.templates.templates[template];
        let (text, pattern) = (data.text(), data.signature.pattern);
        let Some(owner) = text.owner.clone() else { return Err(self.poisoned()) };
        self.within(&text, Binding::Arguments(args), |cx| {
            let (unit, id) = cx.read_method(&text)?;
            let instance = Instance { args: args.to_vec(), pattern };
            cx.in_unit(unit, |cx| {
                let (func, params) = cx.declarations().declare_method_instance(owner.class, id, instance)?;
                cx.keep_method(owner.class, id, func, params);
                Ok(func)
            })
        })
    }

    /// The body of a member function that a template of its class makes.
    pub(super) fn make_template_method_body(
        &mut self,
        func: Func,
        template: Template,
        method: InstanceMethod,
        used: Span,
    ) {
        let Some(declared) = self.declared_method_of(&method) else { return };
        let args = match &self.module.functions[func].instance {
            Some(instance) => instance.args.clone(),
            None => return,
        };
        let Some(body) = &declared.text else {
            return self.make_body_from_outside(func, template, &args, used);
        };
        let text = self.known.templates.templates[template].text();
        self.within(&text, Binding::Arguments(&args), |cx| {
            cx.known.func_facts.entry(func).or_default().defined = Some(used);
            if text.owner.as_ref().is_some_and(|owner| owner.lambda.is_some()) {
                cx.expressions().note_call_operator(func);
            }
            let Ok((unit, def)) = cx.read_body(&text, body) else { return };
            // What is wrong is reported.
            cx.in_unit(unit, |cx| {
                let _reported = cx.declarations().define_instance_method(func, declared, def, method.params);
            });
        });
    }

    /// The definition of a member template outside of its class, which is no template.
    pub(super) fn define_method_template(&mut self, declaration: &Rc<TemplateDecl>) -> Result<(), Reported> {
        let name = declaration.name;
        let text = Text::new(declaration, self.scopes.namespace());
        self.check_params(&declaration.params)?;
        let (class, special) = self.within(&text, Binding::Pattern, |cx| {
            let (unit, specs, declarator) = cx.read_head(&text)?;
            let class = cx.in_unit(unit, |cx| cx.names().class_of_declarator(declarator))?;
            Ok((class, specs.special))
        })?;
        let Some(class) = class else {
            let message = "a function template of a namespace that is defined outside of it is not supported";
            return Err(self.error(Code::UnsupportedTemplate, name.span, message));
        };
        let horizon = Some(self.horizon_here());
        let candidates = self.method_templates(class, special, name.symbol);
        let mut found = None;
        for is_static in [false, true] {
            if candidates.iter().all(|&template| self.has_object(template) == is_static) {
                continue;
            }
            let owner = Owner::outside(class, None, SmallVec::new(), is_static);
            let text = Text { horizon, owner: Some(Rc::new(owner)), ..text.clone() };
            let signature = self.signature_of(&text)?;
            let is_same = |&template: &Template| self.is_same_template(template, declaration, &signature);
            found = found.or(candidates.iter().copied().find(is_same).map(|template| (template, text)));
        }
        let Some((template, text)) = found else {
            let ty = self.module.types.record_ty(class);
            let message = format!(
                "out-of-line definition of `{}` does not match any declaration in {}",
                self.spelling(name.symbol),
                self.show(ty)
            );
            let mut diagnostic = Diagnostic::new(Code::NoMember, name.span, message);
            for template in candidates {
                diagnostic = diagnostic.with_label(self.template_span(template), "declared here");
            }
            return Err(self.sink.error(diagnostic));
        };
        let data = &mut self.known.templates.templates[template];
        let previous = data.definition().map(|definition| definition.name.span);
        let previous = previous.or(data.outside.as_ref().map(|text| text.declaration.name.span));
        if let Some(previous) = previous {
            let message = format!("redefinition of `{}`", self.spelling(name.symbol));
            let diagnostic = Diagnostic::new(Code::Redefinition, name.span, message)
                .with_label(previous, "previously defined here");
            return Err(self.sink.error(diagnostic));
        }
        data.outside = Some(text);
        Ok(())
    }

    /// The templates of member functions that a class has of a name.
    fn method_templates(
        &self,
        class: Record,
        special: Option<Special>,
        symbol: Symbol,
    ) -> SmallVec<[Template; 2]> {
        if special.is_some() {
            return self.constructor_templates(class);
        }
        match self.known.class_names.get(&(class, symbol)).map(|binding| binding.entity) {
            Some(Entity::Overloads(id)) => self.known.overloads[id].templates.clone(),
            _ => SmallVec::new(),
        }
    }

    /// Whether a member template has a definition outside of its class, as far as the name says.
    pub(super) fn is_defined_outside(&self, template: Template) -> bool {
        self.known.templates.templates[template].outside.is_some() || !self.texts_outside(template).is_empty()
    }

    /// The definitions of a member template of an instance, outside of its class template: those that have its name.
    fn texts_outside(&self, template: Template) -> Vec<Text> {
        let data = &self.known.templates.templates[template];
        let Some(owner) = &data.owner else { return Vec::new() };
        let instance = self.instance_around(owner.class);
        let classes = &self.known.templates.classes;
        let facts = self.template_of_class(instance).and_then(|of| classes.facts.get(&of));
        let made = classes.instances.get(&instance);
        let (Some(facts), Some(made)) = (facts, made) else { return Vec::new() };
        let Some((source, args)) = &made.source else { return Vec::new() };
        let mut found = Vec::new();
        for member in facts.members.iter().filter(|member| member.of == *source) {
            let outer = &member.text;
            if let Some(inner) = &outer.declaration.inner
                && inner.name.symbol == data.name.symbol
            {
                let source = ClassSource::new(outer.clone(), args.clone());
                let owner = Owner::outside(
                    owner.class,
                    Some(source),
                    made.classes.clone(),
                    !data.signature.has_object,
                );
                found.push(Text { declaration: inner.clone(), owner: Some(Rc::new(owner)), ..outer.clone() });
            }
        }
        found
    }

    /// The same that is its own, by the signature.
    fn text_outside(&mut self, template: Template) -> Option<Text> {
        if let Some(text) = &self.known.templates.templates[template].outside {
            return Some(text.clone());
        }
        let texts = self.texts_outside(template);
        texts.into_iter().find(|text| {
            let signature = self.silently(|cx| cx.signature_of(text));
            signature.is_ok_and(|signature| self.is_same_template(template, &text.declaration, &signature))
        })
    }

    fn make_body_from_outside(&mut self, func: Func, template: Template, args: &[TemplateArg], used: Span) {
        let Some(text) = self.text_outside(template) else { return };
        let class = text.owner.as_ref().map(|owner| owner.class);
        self.within(&text, Binding::Arguments(args), |cx| {
            cx.known.func_facts.entry(func).or_default().defined = Some(used);
            let read = cx.read_again(&text, &text.declaration.tokens, Rereader::definition);
            let Ok((unit, ())) = read else { return };
            if let (Some(DeclKind::Function(def)), Some(class)) =
                (unit.decls.first().map(|decl| &decl.kind), class)
            {
                // What is wrong is reported.
                let _reported =
                    cx.in_unit(unit, |cx| cx.declarations().define_method_instance(func, class, def));
            }
        });
    }
}
