//! Initial values of variables of static storage duration, which are constants.

use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{ConstInit, Expr, ExprData, Init, InitData, PlaceData, Ty, TyKind};
use crate::sema::Conversions;

impl Conversions<'_> {
    /// The initializer of the compound literal whose value the expression is.
    fn literal_behind(&self, expr: Expr) -> Option<Init> {
        let ExprData::Load(place) = self.arena.exprs[expr].data else { return None };
        match self.arena.places[place].data {
            PlaceData::CompoundLiteral(_, init) => Some(init),
            _ => None,
        }
    }

    /// The constant that the initializer is; `what` names the variable in the message.
    pub(in crate::sema) fn static_init(
        &mut self,
        init: Init,
        ty: Ty,
        what: &str,
    ) -> Result<ConstInit, Reported> {
        let node = self.arena.inits[init].clone();
        match node.data {
            InitData::Expr(expr)
                if let ExprData::Record(fields) = &self.arena.exprs[expr].data
                    && !self.arena.made_records.contains(&expr) =>
            {
                let fields = fields.clone();
                let members = (0..).zip(fields).map(|(idx, field)| {
                    let at = self.span_of(field);
                    (idx, self.init(InitData::Expr(field), at))
                });
                let members = members.collect();
                let parts = self.init(InitData::Record(members), node.span);
                self.static_init(parts, ty, what)
            }
            InitData::Expr(expr) if let Some(literal) = self.literal_behind(expr) => {
                self.static_init(literal, ty, what)
            }
            InitData::Expr(expr) if self.module.types.record(ty).is_some() => {
                let value = self.constants().eval_object(expr, ty);
                value.map_err(|not| self.expressions().dynamic_initializer(what, Some(expr), node.span, &not))
            }
            // Where constants overflow, the program computes, to nvcc.
            InitData::Expr(expr) => match self.constants().initial_value(expr) {
                Ok(value) => Ok(self.constants().const_init(value)),
                Err(not) => Err(self.expressions().dynamic_initializer(what, Some(expr), node.span, &not)),
            },
            InitData::Array(elements) => {
                let TyKind::Array(elem, _) = *self.module.types.kind(ty) else { return Err(self.poisoned()) };
                let mut values = Vec::new();
                for (idx, init) in elements {
                    values.push((idx, self.static_init(init, elem, what)?));
                }
                // Designators need not be in order.
                values.sort_by_key(|&(idx, _)| idx);
                Ok(if values.is_empty() { ConstInit::Zero } else { ConstInit::Array(values) })
            }
            InitData::Record(members) => {
                let mut values = Vec::new();
                for (idx, init) in members {
                    let field_ty = self.expressions().field_ty(ty, idx);
                    let value = self.static_init(init, field_ty, what)?;
                    if matches!(value, ConstInit::GlobalAddr(..) | ConstInit::FuncAddr(_))
                        && self.is_bit_field(ty, idx)
                    {
                        let span = self.arena.inits[init].span;
                        let message = format!("initializer of {what} is not a constant");
                        let diagnostic = Diagnostic::new(Code::DynamicInitializer, span, message)
                            .with_note("a bit-field cannot hold an address, which is known only when the program is loaded");
                        return Err(self.sink.error(diagnostic));
                    }
                    values.push((idx, value));
                }
                Ok(if values.is_empty() { ConstInit::Zero } else { ConstInit::Record(values) })
            }
            InitData::Bytes(bytes) => Ok(ConstInit::Bytes(bytes.into())),
            InitData::Partial(_) | InitData::Each(_) | InitData::Construct(..) => {
                let value = self.constants().eval_init(init, ty);
                value.map_err(|not| self.expressions().dynamic_initializer(what, None, node.span, &not))
            }
        }
    }
}
