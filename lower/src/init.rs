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
            let size = self.cx.tys.word.const_int(self.cx.copied_size(ty), false);
            self.code.builder.build_memcpy(to.ptr, to.align, from, to.align, size)?;
            return Ok(());
        }
        if !covers(&self.cx.ir.types, self.body, ty, init) {
            self.code.memory().zero(to, ty)?;
        }
        self.lower_init_elements(to, ty, init)
    }

    /// The same of an object that may be a bit-field.
    pub(crate) fn lower_init_of(&mut self, to: &LoweredPlace<'ctx>, ty: Ty, init: Init) -> Result<(), Bug> {
        match to {
            LoweredPlace::Object(address) => self.lower_init(*address, ty, init),
            LoweredPlace::Bits(..) | LoweredPlace::Either(..) => self.lower_member_init(to, ty, init),
        }
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
            &InitData::Each(elem) => {
                let &TyKind::Array(elem_ty, Some(len)) = self.cx.ir.types.kind(ty) else {
                    return Err(Bug::from(
                        "an initializer of elements for a type that is no array of a length",
                    ));
                };
                self.lower_each(to, elem_ty, len, elem)
            }
            InitData::Construct(func, args) => self.lower_construction(*func, to, args, node.span),
            InitData::Record(members) => self.lower_members(to, ty, members, Self::lower_member_init),
            // What it leaves out stays as it is, but not what the initializer of a member leaves out.
            InitData::Partial(members) => self.lower_members(to, ty, members, Self::lower_init_of),
            InitData::Bytes(bytes) => self.lower_bytes_init(to, bytes),
        }
    }

    /// Initializes the members of a record that the list has.
    fn lower_members(
        &mut self,
        to: Address<'ctx>,
        ty: Ty,
        members: &[(u32, Init)],
        lower: fn(&mut Self, &LoweredPlace<'ctx>, Ty, Init) -> Result<(), Bug>,
    ) -> Result<(), Bug> {
        let types = &self.cx.ir.types;
        let record = types.record(ty).ok_or("a record initializer for a type that is not a record")?;
        for &(field_idx, init) in members {
            let fields = self.cx.ir.types.records[record].fields.as_deref();
            let field = fields.and_then(|fields| fields.get(field_idx as usize));
            let field_ty = field.ok_or("an initializer for a missing member")?.ty;
            let place = self.code.memory().field_place(to, ty, field_idx)?;
            lower(self, &place, field_ty, init)?;
        }
        Ok(())
    }

    /// Initializes the elements of an array one after the other.
    fn lower_each(&mut self, to: Address<'ctx>, elem: Ty, len: u64, init: Init) -> Result<(), Bug> {
        let size = self.cx.layout(elem).size;
        if len == 0 || size == 0 {
            return Ok(());
        }
        let builder = &self.code.builder;
        let [body, end] = ["each", "endeach"].map(|name| self.code.new_block(name));
        let before = self.code.block();
        let word = self.cx.tys.word;
        self.code.fall_into(body)?;
        let offset = builder.build_phi(word, "")?;
        offset.add_incoming(&[(&word.const_zero(), before)]);
        let current = offset.as_basic_value().into_int_value();
        let address = self.code.memory().variable_offset(to, current, size)?;
        self.lower_init_elements(address, elem, init)?;
        let builder = &self.code.builder;
        let next = builder.build_int_nuw_add(current, word.const_int(size, false), "")?;
        let past = word.const_int(size * len, false);
        let is_done = builder.build_int_compare(inkwell::IntPredicate::EQ, next, past, "")?;
        offset.add_incoming(&[(&next, self.code.block())]);
        builder.build_conditional_branch(is_done, end, body)?;
        self.code.continue_in(end)
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
        InitData::Partial(_) | InitData::Each(_) | InitData::Construct(..) => None,
    }
}

/// Whether the initializer writes every byte of the object except padding.
fn covers(types: &TypeTable, body: &Body, ty: Ty, init: Init) -> bool {
    match (&body.inits[init].data, types.kind(ty)) {
        (InitData::Expr(_) | InitData::Partial(_) | InitData::Construct(..), _) => true,
        (&InitData::Each(init), &TyKind::Array(elem, _)) => covers(types, body, elem, init),
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
        (InitData::Array(_) | InitData::Record(_) | InitData::Each(_) | InitData::Bytes(_), _) => false,
    }
}
