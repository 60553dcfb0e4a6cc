//! Places and initializers.

use super::super::{
    Expr, ExprData, Func, Init, InitData, Local, Place, PlaceData, PlaceNode, Ty, TyKind, Yields,
};
use super::body::BodyCx;
use super::types::{holds_characters, same, same_object, same_unqualified};
use super::{Check, get, require};
use crate::limits::MAX_NESTING;

const OWN_TYPE: &str = "a place has the type of its object";

impl BodyCx<'_> {
    /// Checks a place and its operands.
    pub(super) fn check_place(&mut self, place: Place) -> Check {
        let node = get(&self.body.places, place)?;
        self.reach_place(place)?;
        if !self.facts.is_of_places(node.ty) {
            self.facts.check_ty(self.types, node.ty, place)?;
            require(false, place, "a place has an object type")?;
        }
        // A fast path for the most common kinds.
        match node.data {
            PlaceData::Local(local) => self.check_local(place, node.ty, local),
            _ => self.check_designation(place, node),
        }
    }

    /// Checks that a place is that of the local, and has its type.
    #[inline]
    fn check_local(&mut self, place: Place, ty: Ty, local: Local) -> Check {
        self.use_local(local)?;
        // In its own initializer, an array may not have its length yet.
        require(same_object(self.types, ty, self.body.locals[local].ty), place, OWN_TYPE)
    }

    /// Whether the function is that one, or a member function of a class in it.
    fn is_within(&self, owner: Func) -> bool {
        let class = |func: &Func| {
            let method = self.module.functions.get(*func)?.method?;
            let records = &self.types.records;
            let around = std::iter::successors(Some(method.class), |&class| records.get(class)?.outer);
            Some(records.get(around.last()?)?.owner?.func)
        };
        std::iter::successors(Some(self.func), class).take(MAX_NESTING as usize).any(|func| func == owner)
    }

    /// Checks what a place designates.
    #[inline(never)]
    fn check_designation(&mut self, place: Place, node: &PlaceNode) -> Check {
        let body = self.body;
        let types = self.types;
        let has = |holds| require(holds, place, OWN_TYPE);
        match &node.data {
            PlaceData::Local(local) => self.check_local(place, node.ty, *local),
            PlaceData::Global(global) => {
                let data = get(&self.module.globals, *global)?;
                let is_visible = data.is_extern || data.owner.is_none_or(|owner| self.is_within(owner));
                require(is_visible, place, "a function's static is used within the function")?;
                has(same_object(types, node.ty, data.ty))
            }
            PlaceData::Deref(pointer) => {
                self.check_expr(*pointer)?;
                let pointee = types.pointee(body.exprs[*pointer].ty);
                has(pointee.is_some_and(|pointee| same(types, node.ty, pointee)))
            }
            PlaceData::Field(base, field_idx) => self.check_field(place, node.ty, *base, *field_idx),
            PlaceData::Temporary(value) => {
                self.check_expr(*value)?;
                let ty = body.exprs[*value].ty;
                require(types.record(ty).is_some(), place, "a temporary object is a record")?;
                require(!types.is_destroyed(ty), place, "a temporary has no destructor")?;
                has(same(types, node.ty, ty))
            }
            PlaceData::Assigned(assignment) => self.check_assigned(place, node.ty, *assignment),
            PlaceData::Conditional(cond, choice) => {
                self.check_bool(*cond)?;
                get(&body.choices, *choice)?.iter().try_for_each(|&chosen| {
                    self.check_place(chosen)?;
                    has(same(types, node.ty, body.places[chosen].ty))
                })
            }
            PlaceData::Comma(effect, second) => {
                self.check_expr(*effect)?;
                self.check_place(*second)?;
                has(same(types, node.ty, body.places[*second].ty))
            }
            PlaceData::CompoundLiteral(local, init) => {
                self.declare(*local)?;
                let data = &body.locals[*local];
                require(!data.is_param, place, "a compound literal is not a parameter")?;
                has(same(types, node.ty, data.ty))?;
                self.check_init(*init, data.ty)
            }
        }
    }

    fn check_field(&mut self, place: Place, ty: Ty, base: Place, field_idx: u32) -> Check {
        self.check_place(base)?;
        let types = self.types;
        let base_ty = self.body.places[base].ty;
        let fields = types.record(base_ty).and_then(|record| types.records[record].fields.as_ref());
        let Some(field) = fields.and_then(|fields| fields.get(field_idx as usize)) else {
            return require(false, place, "a member belongs to a complete record");
        };
        let is_named = field.name.is_some() || field.bit_width.is_none();
        require(is_named, place, "an unnamed bit-field is not accessed")?;
        let quals = types.quals(field.ty) | field.quals_in(types.quals(base_ty));
        let agrees = same_unqualified(types, ty, field.ty) && types.quals(ty) == quals;
        require(agrees, place, "a member has its declared type with the qualifiers of its record")
    }

    fn check_assigned(&mut self, place: Place, ty: Ty, assignment: Expr) -> Check {
        self.check_expr(assignment)?;
        let target = match self.body.exprs[assignment].data {
            ExprData::Assign { place, .. } | ExprData::Modify { place, yields: Yields::New, .. } => place,
            _ => return require(false, place, "an assigned place is the result of an assignment"),
        };
        let agrees = same(self.types, ty, self.body.places[target].ty);
        require(agrees, place, OWN_TYPE)
    }

    /// Whether what the place designates is a bit-field. The place is one that was checked.
    pub(super) fn is_bit_field(&self, place: Place) -> bool {
        match &self.body.places[place].data {
            PlaceData::Field(base, field_idx) => {
                let record = self.types.record(self.body.places[*base].ty);
                let fields = record.and_then(|record| self.types.records[record].fields.as_ref());
                fields.is_some_and(|fields| fields[*field_idx as usize].bit_width.is_some())
            }
            PlaceData::Assigned(assignment) => match self.body.exprs[*assignment].data {
                ExprData::Assign { place, .. } | ExprData::Modify { place, .. } => self.is_bit_field(place),
                _ => false,
            },
            PlaceData::Conditional(_, choice) => {
                self.body.choices[*choice].iter().any(|&chosen| self.is_bit_field(chosen))
            }
            PlaceData::Comma(_, second) => self.is_bit_field(*second),
            PlaceData::Local(_)
            | PlaceData::Global(_)
            | PlaceData::Deref(_)
            | PlaceData::Temporary(_)
            | PlaceData::CompoundLiteral(..) => false,
        }
    }

    /// Checks an initializer for an object of the type.
    pub(super) fn check_init(&mut self, init: Init, ty: Ty) -> Check {
        let body = self.body;
        let types = self.types;
        let node = get(&body.inits, init)?;
        self.reach_init(init)?;
        let fits = |holds| require(holds, init, "an initializer fits the object's type");
        match &node.data {
            InitData::Expr(expr) => {
                self.check_expr(*expr)?;
                fits(same_unqualified(types, body.exprs[*expr].ty, ty))
            }
            InitData::Array(elems) => {
                let TyKind::Array(elem_ty, Some(len)) = *types.kind(ty) else { return fits(false) };
                fits(elems.iter().all(|elem| elem.0 < len))?;
                elems.iter().try_for_each(|&(_, elem)| self.check_init(elem, elem_ty))
            }
            InitData::Each(elem) => {
                let TyKind::Array(elem_ty, Some(_)) = *types.kind(ty) else { return fits(false) };
                self.check_init(*elem, elem_ty)
            }
            InitData::Construct(func, args) => self.check_construction(init, ty, *func, args),
            InitData::Record(members) | InitData::Partial(members) => {
                let record = types.record(ty).map(|record| &types.records[record]);
                let Some((data, fields)) = record.and_then(|data| Some((data, data.fields.as_ref()?))) else {
                    return fits(false);
                };
                let is_whole = matches!(node.data, InitData::Record(_));
                fits(!data.is_union || is_whole && members.len() <= 1)?;
                for &(field_idx, member) in members {
                    let Some(field) = fields.get(field_idx as usize) else { return fits(false) };
                    fits(field.name.is_some() || field.bit_width.is_none())?;
                    self.check_init(member, field.ty)?;
                }
                Ok(())
            }
            InitData::Bytes(bytes) => fits(holds_characters(types, ty, bytes.len())),
        }
    }
}
