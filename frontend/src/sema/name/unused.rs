//! Names at file scope, and static ones in functions, that nothing uses: what [`crate::lint`] is to warn of and
//! cannot see in the typed program.

use crate::ir::{Linkage, Quals, UnusedKind, UnusedName};
use crate::sema::Names;

impl Names<'_> {
    /// Notes what was not used. The whole text has been read.
    pub(in crate::sema) fn note_unused(&mut self) {
        let mut unused = Vec::new();
        for named in self.known.named_consts.iter().filter(|named| !named.is_referenced) {
            let kind = UnusedKind::Variable { is_const: true, is_local: false };
            unused.push(UnusedName { name: named.name.clone(), kind, span: named.span });
        }
        for (global, data) in &self.module.globals {
            let Some(name) = &data.name else { continue };
            if data.linkage != Linkage::Internal
                || data.is_extern
                || self.known.used_globals.contains(&global)
            {
                continue;
            }
            let is_const = self.module.types.quals(data.ty).contains(Quals::CONST);
            let kind = UnusedKind::Variable { is_const, is_local: data.owner.is_some() };
            unused.push(UnusedName { name: name.clone(), kind, span: data.span });
        }
        for (name, span) in self.known.local_typedefs.drain(..) {
            unused.push(UnusedName { name, kind: UnusedKind::Typedef, span });
        }
        self.module.unused = unused;
    }
}
