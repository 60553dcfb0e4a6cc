//! The names of structs, unions, enums and the classes of lambdas (Itanium C++ ABI 5.1.3, 5.1.8), and in how many templates they are.

use weft_frontend::ir::{Enum, LambdaName, LocalOwner, Namespace, Quals, Record, TyKind};

use super::{Mangler, source_name};

impl Mangler<'_> {
    /// Writes what depends on the parameters of a template that is a member of the class.
    pub(super) fn in_member_of(&mut self, class: Record, write: impl FnOnce(&mut Self)) {
        let depth = self.depth_of_class(class);
        let outer = std::mem::replace(&mut self.depth, depth);
        write(self);
        self.depth = outer;
    }

    /// In how many templates what the class has is.
    pub(super) fn depth_of_class(&self, class: Record) -> u32 {
        let mut depth = 0;
        let mut at = Some(class);
        while let Some(record) = at {
            let data = &self.types.records[record];
            depth += u32::from(self.types.class_instance(record).is_some());
            if let Some(owner) = data.owner {
                let function = &self.functions[owner.func];
                depth += u32::from(function.instance.is_some());
                at = function.method.map(|method| method.class);
            } else {
                at = data.outer;
            }
        }
        depth
    }

    /// `<local-name>` of a type declared in a function, `<nested-name>` of one declared in a struct or namespace, otherwise its name.
    pub(super) fn record(&mut self, record: Record) {
        if let Some(instance) = self.types.class_instance(record) {
            return self.class_instance(instance.template, &instance.args);
        }
        let data = &self.types.records[record];
        self.within(data.outer, data.owner, data.namespace, |mangler| mangler.record_name(record));
    }

    pub(super) fn enum_(&mut self, enum_: Enum) {
        let data = &self.types.enums[enum_];
        self.within(data.outer, data.owner, data.namespace, |mangler| mangler.enum_name(enum_));
    }

    /// `<prefix>` that ends in a struct or union.
    pub(super) fn prefix(&mut self, record: Record) {
        let component = self.type_component(&TyKind::Record(record), Quals::empty());
        if self.substitution(&component) {
            return;
        }
        if let Some(instance) = self.types.class_instance(record) {
            self.template_prefix(instance.template);
            self.template_args(&instance.args);
            self.components.push(component);
            return;
        }
        let data = &self.types.records[record];
        match data.outer {
            Some(outer) => self.prefix(outer),
            // The function says it.
            None if data.owner.is_some() => {}
            None if data.namespace != Namespace::GLOBAL => self.namespace(data.namespace),
            None => {}
        }
        self.record_name(record);
        self.components.push(component);
    }

    pub(super) fn record_name(&mut self, record: Record) {
        let data = &self.types.records[record];
        match data.tag.as_ref().or(data.typedef_name.as_ref()) {
            Some(name) => self.out.push_str(&source_name(name)),
            None if let Some(lambda) = data.lambda => {
                self.in_member_of(record, |mangler| mangler.closure_name(lambda));
            }
            None => self.unnamed(data.owner, record.as_u32()),
        }
    }

    /// `<closure-type-name>`
    pub(super) fn closure_name(&mut self, lambda: LambdaName) {
        self.out.push_str("Ul");
        if let Some(func) = self.types.func(lambda.signature) {
            let mut own = func.clone();
            own.params.remove(0);
            self.params(&own);
        }
        let number = lambda.number.checked_sub(1).map(|number| number.to_string()).unwrap_or_default();
        self.out.push_str(&format!("E{number}_"));
    }

    pub(super) fn enum_name(&mut self, enum_: Enum) {
        let data = &self.types.enums[enum_];
        match data.tag.as_ref().or(data.typedef_name.as_ref()) {
            Some(name) => self.out.push_str(&source_name(name)),
            None => self.unnamed(data.owner, self.types.records.len() as u32 + enum_.as_u32()),
        }
    }

    /// `<unnamed-type-name>`. Other units cannot name such a type, so outside of functions the number only needs to be unique.
    pub(super) fn unnamed(&mut self, owner: Option<LocalOwner>, number: u32) {
        self.has_unnamed = true;
        let number = match owner {
            Some(owner) => owner.n_before.checked_sub(1).map(|number| number.to_string()).unwrap_or_default(),
            None => number.to_string(),
        };
        self.out.push_str(&format!("Ut{number}_"));
    }
}
