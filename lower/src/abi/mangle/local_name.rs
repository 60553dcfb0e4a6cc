//! `<local-name>`: what a function has (Itanium C++ ABI 5.1.4.2).

use weft_frontend::ir::{FunctionKind, Linkage, LocalOwner, Namespace, Record};

use super::Mangler;

impl Mangler<'_> {
    /// `Z <encoding> E`, before the `<entity name>` of what a function has.
    pub(super) fn local_prefix(&mut self, owner: LocalOwner) {
        let function = &self.functions[owner.func];
        self.out.push('Z');
        self.encoding(function);
        // nvcc writes the parameters of functions with C language linkage, too.
        if super::is_plain(function)
            && let Some(ty) = self.types.func(function.ty)
        {
            self.params(ty);
        }
        self.out.push('E');
        // No other object has it. What a function has is as internal as the function.
        let mut outermost = function;
        while let Some(owner) = outermost.method.and_then(|method| self.owner_of(method.class)) {
            outermost = &self.functions[owner.func];
        }
        let is_kernel = matches!(outermost.kind, FunctionKind::Kernel(_));
        self.has_unnamed |= outermost.linkage == Linkage::Internal && !is_kernel;
    }

    /// The `<discriminator>` after it.
    pub(super) fn local_suffix(&mut self, owner: Option<LocalOwner>) {
        if let Some(owner) = owner.filter(|owner| owner.is_named) {
            self.out.push_str(&super::discriminator(owner.n_before as usize));
        }
    }

    /// The function in whose block a type is, or the type around it.
    pub(super) fn owner_of(&self, mut record: Record) -> Option<LocalOwner> {
        while let Some(outer) = self.types.records[record].outer {
            record = outer;
        }
        self.types.records[record].owner
    }

    /// The names of a type's surroundings around its own.
    pub(super) fn within(
        &mut self,
        outer: Option<Record>,
        owner: Option<LocalOwner>,
        namespace: Namespace,
        name: impl FnOnce(&mut Self),
    ) {
        let owner = outer.map_or(owner, |outer| self.owner_of(outer));
        if let Some(owner) = owner {
            self.local_prefix(owner);
        }
        let is_nested = outer.is_some() || owner.is_none() && self.is_nested(namespace);
        if outer.is_none() && owner.is_none() && self.types.is_std(namespace) {
            self.namespace(namespace);
        }
        if is_nested {
            self.out.push('N');
            match outer {
                Some(outer) => self.prefix(outer),
                None => self.namespace(namespace),
            }
        }
        name(self);
        if is_nested {
            self.out.push('E');
        }
        self.out
            .push_str(&owner.map_or(String::new(), |owner| super::discriminator(owner.n_before as usize)));
    }
}
