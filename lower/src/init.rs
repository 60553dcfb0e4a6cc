//! The initializers of local variables: a large constant one is copied, any other is stored value by value.

use weft_frontend::ir::{Body, ConstInit, ExprData, Init, InitData, Ty, TyKind, TypeTable};

use crate::Bug;
use crate::expr::Expressions;
use crate::place::{Address, LoweredPlace};

/// The number of values from which a constant initializer is copied, rather than stored value by value.
const MIN_COPIED_VALUES: usize = 8;

impl<'ctx> Expressions<'_, '_, 'ctx> {
    /// Writes the initial value of an object of type `ty`.
    pub(crate) fn lower_init(&mut self, to: Address<'ctx>, ty: Ty, init: Init) -> Result<(), Bug> {
        // A new object is written once, even if it is `const`.
        if let Some(value) = constant_init(self.body, init) {
            let value = self.cx.const_init(ty, &value)?;
            let from = self.cx.constant_object(value, to.align);
            let size = self.cx.tys.word.const_int(self.cx.layout(ty).size, false);
            self.code.builder.build_memcpy(to.ptr, to.align, from, to.align, size)?;
            return Ok(());
        }
        if !covers(&self.cx.ir.types, self.body, ty, init) {
            self.code.memory().zero(to, ty)?;
        }
        self.lower_init_elements(to, ty, init)
    }

    fn lower_init_elements(&mut self, to: Address<'ctx>, ty: Ty, init: Init) -> Result<(), Bug> {
        let node = &self.body.inits[init];
        self.debug.locate(node.span);
        match &node.data {
            InitData::Expr(value) => self.lower_value_into(*value, to),
            InitData::Array(elems) => {
                let &TyKind::Array(elem, _) = self.cx.ir.types.kind(ty) else {
                    return Err(Bug::from("an array initializer for a type that is not an array"));
                };
                let size = self.cx.layout(elem).size;
                elems.iter().try_for_each(|&(elem_idx, init)| {
                    let address = self.code.memory().byte_offset(to, elem_idx * size)?;
                    self.lower_init_elements(address, elem, init)
                })
            }
            InitData::Record(members) => members.iter().try_for_each(|&(field_idx, init)| {
                let record = self
                    .cx
                    .ir
                    .types
                    .record(ty)
                    .ok_or("a record initializer for a type that is not a record")?;
                let field = self.cx.ir.types.records[record]
                    .fields
                    .as_deref()
                    .and_then(|fields| fields.get(field_idx as usize));
                let field_ty = field.ok_or("an initializer for a missing member")?.ty;
                let place = self.code.memory().field_place(to, ty, field_idx)?;
                self.lower_member_init(&place, field_ty, init)
            }),
            InitData::Bytes(bytes) => self.lower_bytes_init(to, bytes),
        }
    }

    fn lower_member_init(&mut self, to: &LoweredPlace<'ctx>, ty: Ty, init: Init) -> Result<(), Bug> {
        match (to, &self.body.inits[init].data) {
            (LoweredPlace::Bits(..), InitData::Expr(value)) => {
                let value = self.lower_scalar(*value)?;
                self.code.memory().store_place(to, ty, value).map(drop)
            }
            _ => self.lower_init_elements(to.address()?, ty, init),
        }
    }

    fn lower_bytes_init(&mut self, to: Address<'ctx>, bytes: &[u8]) -> Result<(), Bug> {
        if bytes.is_empty() {
            return Ok(());
        }
        let from = self.cx.constant_bytes(bytes);
        let size = self.cx.tys.word.const_int(bytes.len() as u64, false);
        self.code.builder.build_memcpy(to.ptr, to.align, from, 1, size)?;
        Ok(())
    }
}

/// The value of an initializer that is constant and large enough for a copy to be better than separate
/// stores.
fn constant_init(body: &Body, init: Init) -> Option<ConstInit> {
    let mut n_values = 0;
    let value = constant_part(body, init, &mut n_values)?;
    (n_values >= MIN_COPIED_VALUES).then_some(value)
}

fn constant_part(body: &Body, init: Init, n_values: &mut usize) -> Option<ConstInit> {
    match &body.inits[init].data {
        InitData::Expr(value) => {
            *n_values += 1;
            match body.exprs[*value].data {
                ExprData::Int(value) => Some(ConstInit::Int(value.into())),
                ExprData::WideInt(ref value) => Some(ConstInit::Int(**value)),
                ExprData::Float(value) => Some(ConstInit::Float(value)),
                ExprData::Null => Some(ConstInit::Zero),
                _ => None,
            }
        }
        InitData::Array(elems) => {
            let values = elems.iter().map(|&(idx, init)| Some((idx, constant_part(body, init, n_values)?)));
            let mut values: Vec<_> = values.collect::<Option<_>>()?;
            // Designators need not be in order.
            values.sort_by_key(|&(idx, _)| idx);
            Some(ConstInit::Array(values))
        }
        InitData::Record(members) => {
            let values = members.iter().map(|&(idx, init)| Some((idx, constant_part(body, init, n_values)?)));
            Some(ConstInit::Record(values.collect::<Option<_>>()?))
        }
        InitData::Bytes(bytes) => Some(ConstInit::Bytes(bytes.to_vec())),
    }
}

/// Whether the initializer writes every byte of the object except padding.
fn covers(types: &TypeTable, body: &Body, ty: Ty, init: Init) -> bool {
    match (&body.inits[init].data, types.kind(ty)) {
        (InitData::Expr(_), _) => true,
        (InitData::Array(elems), &TyKind::Array(elem, Some(len))) => {
            elems.len() as u64 == len && elems.iter().all(|&(_, init)| covers(types, body, elem, init))
        }
        (InitData::Record(members), &TyKind::Record(record)) => {
            let record = &types.records[record];
            let fields = record.fields.as_deref().unwrap_or_default();
            !record.is_union
                && members.len() == fields.len()
                && members
                    .iter()
                    .all(|&(field_idx, init)| covers(types, body, fields[field_idx as usize].ty, init))
        }
        (InitData::Bytes(bytes), &TyKind::Array(_, Some(len))) => bytes.len() as u64 == len,
        (InitData::Array(_) | InitData::Record(_) | InitData::Bytes(_), _) => false,
    }
}
