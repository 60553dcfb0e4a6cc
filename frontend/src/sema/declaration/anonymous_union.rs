//! Unions without a name in blocks (C++17 12.3.1).

use thin_vec::ThinVec;

use crate::ast::{DeclSpecs, Name};
use crate::diag::{Code, Diagnostic};
use crate::ir::{LocalData, Stmt, StmtData, Ty};
use crate::sema::Declarations;
use crate::sema::name::scope::Entity;
use crate::source::Span;

impl Declarations<'_> {
    /// `union { … };` in a block: a variable without a name, whose members are named as if they were variables (C++17
    /// 12.3.1). `ty` is the union's.
    pub(super) fn declare_anonymous_union(
        &mut self,
        specs: &DeclSpecs,
        ty: Ty,
        span: Span,
        list: &mut ThinVec<Stmt>,
    ) {
        let attrs = self.types().collect_attrs(&specs.attrs, &[]);
        let storage = specs.storage.map(|(_, span)| span);
        if let Some(span) = storage.or(attrs.shared).or(attrs.device).or(attrs.constant) {
            let message = "anonymous union in a block cannot have a storage class or memory qualifier";
            let diagnostic = Diagnostic::new(Code::InvalidAttribute, span, message)
                .with_help("give the variable a name and use its members as `u.member`");
            self.sink.error(diagnostic);
        }
        let Some(record) = self.module.types.record(ty) else { return };
        let data = LocalData {
            name: None,
            ty: self.module.types.unqualified(ty),
            align: attrs.align.map(|(align, _)| align),
            is_param: false,
            is_grid_constant: false,
            is_referenced: true,
            span,
        };
        let local = self.statements().func_cx().locals.push(data);
        for (name, span) in self.types_ref().member_names(record) {
            let Some(symbol) = self.interner.lookup(&name) else { continue };
            let name = Name { symbol, span };
            self.names().warn_shadow(name);
            // A second variable of the name is reported there.
            let _reported = self.names().declare(name, Entity::Member(local));
        }
        let stmt = self.statements().stmt(StmtData::Local(local, None), span);
        list.push(stmt);
    }
}
