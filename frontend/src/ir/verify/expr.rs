//! Values.

use super::super::{
    BinaryOp, Binding, Callee, Change, Expr, ExprData, ExprNode, FloatTy, Func, FunctionKind, Init, Place,
    PlaceData, Quals, Scalar, SpecialReg, Ty, TyKind, UnaryOp, VaListOp, View,
};
use super::body::BodyCx;
use super::types::{float_fits, is_pointer, same, same_object, same_unqualified};
use super::{Check, VerifyError, get, require};
use crate::layout::DataModel;

impl BodyCx<'_> {
    /// Checks a value and its operands.
    #[inline(always)]
    pub(super) fn check_expr(&mut self, expr: Expr) -> Check {
        self.check_typed(expr).map(|_| ())
    }

    /// The same, and gives its type.
    #[inline(always)]
    fn check_typed(&mut self, expr: Expr) -> Result<Ty, Box<VerifyError>> {
        let node = get(&self.body.exprs, expr)?;
        self.reach_expr(expr)?;
        self.check_expr_ty(expr, node)?;
        // A fast path for the most common kinds.
        match node.data {
            ExprData::Load(place) => self.check_load(expr, node.ty, place)?,
            ExprData::Bound => self.check_bound_use(expr)?,
            _ => self.check_parts(expr, node)?,
        }
        Ok(node.ty)
    }

    #[inline(never)]
    fn check_load(&mut self, expr: Expr, ty: Ty, place: Place) -> Check {
        self.check_place(place)?;
        if !ty.is_plain_number() && self.types.is_copied_by_call(ty) {
            let data = &self.body.places[place].data;
            let is_own = match data {
                PlaceData::CompoundLiteral(..) | PlaceData::Temporary(_) => true,
                PlaceData::Local(local) => self.body.results.contains(local),
                _ => false,
            };
            require(is_own, expr, "a constructor copies an object of the class")?;
        }
        let agrees = same_unqualified(self.types, self.body.places[place].ty, ty);
        require(agrees, expr, "a load gives the place's type")
    }

    fn check_bound_use(&self, expr: Expr) -> Check {
        require(self.bounds.contains(&expr), expr, "a bound value is used within its modification")
    }

    /// Checks a value whose type is one that it can have.
    #[inline(never)]
    fn check_parts(&mut self, expr: Expr, node: &ExprNode) -> Check {
        let body = self.body;
        match &node.data {
            ExprData::Int(_)
            | ExprData::WideInt(_)
            | ExprData::Float(_)
            | ExprData::Null
            | ExprData::SpecialReg(_) => self.check_constant(expr, node),
            ExprData::Load(place) => self.check_load(expr, node.ty, *place),
            ExprData::AddrOf(place) => self.check_addr_of(expr, node.ty, *place),
            ExprData::ArrayDecay(place) => self.check_array_decay(expr, node.ty, *place),
            ExprData::FuncAddr(func) => self.check_func_addr(expr, node.ty, *func),
            ExprData::Unary(op, operand) => self.check_unary(expr, node.ty, *op, *operand),
            ExprData::Binary(op, lhs, rhs) => self.check_binary(expr, node.ty, *op, *lhs, *rhs),
            ExprData::Compare(_, lhs, rhs) => self.check_compare(expr, node.ty, *lhs, *rhs),
            ExprData::Not(operand) => self.check_bools(expr, node.ty, &[*operand]),
            ExprData::Logical(_, lhs, rhs) => self.check_bools(expr, node.ty, &[*lhs, *rhs]),
            ExprData::PtrOffset { ptr, index, .. } => self.check_ptr_offset(expr, node.ty, *ptr, *index),
            ExprData::PtrDiff(lhs, rhs) => self.check_ptr_diff(expr, node.ty, *lhs, *rhs),
            ExprData::Convert(conversion, operand) => {
                self.check_expr(*operand)?;
                self.check_conversion(expr, *conversion, body.exprs[*operand].ty, node.ty)
            }
            ExprData::Conditional { cond, then, otherwise } => {
                self.check_bool(*cond)?;
                self.check_operand(*then, node.ty, "both values of a conditional have its type")?;
                self.check_operand(*otherwise, node.ty, "both values of a conditional have its type")
            }
            ExprData::Assign { place, value } => {
                self.check_assignable(*place, node.ty)?;
                // An assignment copies bytes unless it is a call.
                if let ExprData::Load(from) = body.exprs[*value].data
                    && self.types.is_copied_by_call(node.ty)
                {
                    return self.check_place(from);
                }
                self.check_operand(*value, node.ty, "the assigned value has the place's type")
            }
            ExprData::Modify { place, change, .. } => self.check_modify(node.ty, *place, **change),
            ExprData::Bound => self.check_bound_use(expr),
            ExprData::Call { callee, args, .. } => {
                self.check_call(expr, node.ty, Callee::Direct(*callee), args)
            }
            ExprData::CallIndirect { callee, args } => {
                self.check_call(expr, node.ty, Callee::Indirect(*callee), args)
            }
            ExprData::Builtin(builtin, args) => {
                args.iter().try_for_each(|&arg| self.check_expr(arg))?;
                self.check_builtin(expr, node.ty, *builtin, args)
            }
            ExprData::Comma(first, second) => {
                self.check_expr(*first)?;
                self.check_operand(*second, node.ty, "a comma has its second operand's type")
            }
            ExprData::VaList(op, lists) => self.check_va_list(expr, node.ty, *op, lists),
            ExprData::Block(stmts, value) => {
                self.check_inner_block(expr, stmts)?;
                match value.expand() {
                    Some(value) => self.check_operand(value, node.ty, "a block has its value's type"),
                    None => require(
                        same(self.types, node.ty, Ty::VOID),
                        expr,
                        "a block without a value is `void`",
                    ),
                }
            }
            ExprData::Record(fields) => self.check_record(expr, node.ty, fields),
        }
    }

    fn check_expr_ty(&self, expr: Expr, node: &ExprNode) -> Check {
        if self.facts.is_of_values(node.ty) { Ok(()) } else { self.check_odd_expr_ty(expr, node) }
    }

    /// Checks the type of a value that is `void`, or should not be there.
    #[cold]
    fn check_odd_expr_ty(&self, expr: Expr, node: &ExprNode) -> Check {
        self.facts.check_ty(self.types, node.ty, expr)?;
        require(self.types.quals(node.ty).is_empty(), expr, "a value's type is unqualified")?;
        match self.types.view(node.ty) {
            View::Array(..) | View::Func(_) | View::Error => {
                require(false, expr, "a value's type is not an array or function")
            }
            View::Void => {
                let may_be_void = match &node.data {
                    ExprData::Convert(..)
                    | ExprData::Conditional { .. }
                    | ExprData::Call { .. }
                    | ExprData::CallIndirect { .. }
                    | ExprData::Builtin(..)
                    | ExprData::Comma(..)
                    | ExprData::Block(..)
                    | ExprData::VaList(..) => true,
                    ExprData::Int(_)
                    | ExprData::WideInt(_)
                    | ExprData::Float(_)
                    | ExprData::Null
                    | ExprData::Load(_)
                    | ExprData::AddrOf(_)
                    | ExprData::ArrayDecay(_)
                    | ExprData::FuncAddr(_)
                    | ExprData::SpecialReg(_)
                    | ExprData::Unary(..)
                    | ExprData::Binary(..)
                    | ExprData::Compare(..)
                    | ExprData::Not(_)
                    | ExprData::Logical(..)
                    | ExprData::PtrOffset { .. }
                    | ExprData::PtrDiff(..)
                    | ExprData::Assign { .. }
                    | ExprData::Modify { .. }
                    | ExprData::Bound
                    | ExprData::Record(_) => false,
                };
                require(
                    may_be_void,
                    expr,
                    "only calls, conversions, conditionals, commas and blocks are `void`",
                )
            }
            View::Scalar(_) | View::Record(_) => {
                require(self.facts.is_complete(node.ty), expr, "a value's type is complete or `void`")
            }
        }
    }

    fn check_va_list(&mut self, expr: Expr, ty: Ty, op: VaListOp, lists: &[Expr]) -> Check {
        let n_lists = match op {
            VaListOp::Start | VaListOp::Arg | VaListOp::End => 1,
            VaListOp::Copy => 2,
        };
        require(lists.len() == n_lists, expr, "an operation on lists of arguments has its operands")?;
        for &list in lists {
            self.check_expr(list)?;
            let pointee = self.types.pointee(self.body.exprs[list].ty);
            let is_list = pointee.is_some_and(|pointee| match self.types.model() {
                DataModel::Lp64 => self.types.record(pointee).is_some(),
                DataModel::Ilp32 => self.types.pointee(pointee).is_some(),
            });
            require(is_list, expr, "a `va_list` is passed by its address")?;
        }
        let func = self.types.func(self.module.functions[self.func].ty);
        let is_variadic = func.is_some_and(|func| func.variadic);
        require(op != VaListOp::Start || is_variadic, expr, "`va_start` is in a variadic function")?;
        let is_void = same(self.types, ty, Ty::VOID);
        require(is_void != (op == VaListOp::Arg), expr, "only `va_arg` gives a value")
    }

    /// Checks an operand, which must have the type.
    #[inline(always)]
    pub(super) fn check_operand(&mut self, operand: Expr, ty: Ty, invariant: &str) -> Check {
        let operand_ty = self.check_typed(operand)?;
        require(same(self.types, operand_ty, ty), operand, invariant)
    }

    pub(super) fn check_bool(&mut self, cond: Expr) -> Check {
        self.check_expr(cond)?;
        require(self.facts.is_bool(self.body.exprs[cond].ty), cond, "a condition is a `bool`")
    }

    fn check_bools(&mut self, expr: Expr, ty: Ty, operands: &[Expr]) -> Check {
        require(self.facts.is_bool(ty), expr, "a logical operator gives `bool`")?;
        operands.iter().try_for_each(|&operand| self.check_bool(operand))
    }

    fn check_constant(&self, expr: Expr, node: &ExprNode) -> Check {
        let types = self.types;
        if let Some(value) = node.data.as_int() {
            let fits = types.int_ty(node.ty).is_some_and(|int| int.has_constant(value));
            return require(fits, expr, "an integer constant is in range of its integer type");
        }
        match node.data {
            ExprData::Float(value) => {
                let fits = float_fits(types, node.ty, value);
                require(fits, expr, "a floating constant is a value of its floating type")
            }
            ExprData::SpecialReg(reg) => {
                let wanted = if reg == SpecialReg::WarpSize { Ty::INT } else { Ty::UINT };
                require(same(types, node.ty, wanted), expr, "a special register has its type")
            }
            _ => {
                let is_null = is_pointer(types, node.ty) || *types.kind(node.ty) == TyKind::Nullptr;
                require(is_null, expr, "the null pointer has a pointer type or `nullptr_t`")
            }
        }
    }

    fn check_addr_of(&mut self, expr: Expr, ty: Ty, place: Place) -> Check {
        self.check_place(place)?;
        require(!self.is_bit_field(place), expr, "a bit-field has no address")?;
        let place_ty = self.body.places[place].ty;
        let agrees = self.types.pointee(ty).is_some_and(|pointee| same_object(self.types, pointee, place_ty));
        require(agrees, expr, "an address is a pointer to the place's type")
    }

    fn check_array_decay(&mut self, expr: Expr, ty: Ty, place: Place) -> Check {
        self.check_place(place)?;
        let agrees = match *self.types.kind(self.body.places[place].ty) {
            TyKind::Array(elem, _) => self.types.pointee(ty).is_some_and(|to| same(self.types, to, elem)),
            _ => false,
        };
        require(agrees, expr, "an array decays to a pointer to its element type")
    }

    fn check_func_addr(&mut self, expr: Expr, ty: Ty, func: Func) -> Check {
        let function = get(&self.module.functions, func)?;
        if !self.facts.is_callable(function.ty) {
            self.sets.incomplete.push(func);
        }
        let agrees = self.types.pointee(ty).is_some_and(|to| same(self.types, to, function.ty));
        require(agrees, expr, "a function's address is a pointer to its type")
    }

    fn check_unary(&mut self, expr: Expr, ty: Ty, op: UnaryOp, operand: Expr) -> Check {
        let is_int = self.facts.is_arithmetic_int(ty);
        let takes = match op {
            UnaryOp::Neg => is_int || self.facts.is_float(ty),
            UnaryOp::BitNot => is_int,
        };
        require(takes, expr, "an arithmetic operator supports its type")?;
        self.check_operand(operand, ty, "the operand has the operator's type")
    }

    fn check_binary(&mut self, expr: Expr, ty: Ty, op: BinaryOp, lhs: Expr, rhs: Expr) -> Check {
        let is_int = self.facts.is_arithmetic_int(ty);
        let takes = match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div => {
                is_int || self.facts.is_float(ty)
            }
            BinaryOp::Rem | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Shl | BinaryOp::Shr => {
                is_int
            }
        };
        require(takes, expr, "an arithmetic operator supports its type")?;
        self.check_operand(lhs, ty, "the left operand has the operator's type")?;
        if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
            self.check_expr(rhs)?;
            let is_amount = self.facts.is_arithmetic_int(self.body.exprs[rhs].ty);
            return require(is_amount, rhs, "a shift amount is an integer");
        }
        self.check_operand(rhs, ty, "the right operand has the operator's type")
    }

    fn check_compare(&mut self, expr: Expr, ty: Ty, lhs: Expr, rhs: Expr) -> Check {
        require(self.facts.is_bool(ty), expr, "a comparison gives `bool`")?;
        self.check_expr(lhs)?;
        let operand_ty = self.body.exprs[lhs].ty;
        let is_compared = match self.types.scalar(operand_ty) {
            Some(Scalar::Int(_) | Scalar::Float(_) | Scalar::Pointer(_)) => true,
            Some(Scalar::Enum(_) | Scalar::Nullptr | Scalar::Opaque(_) | Scalar::Reference(..)) | None => {
                false
            }
        };
        require(is_compared, lhs, "a comparison is of arithmetic or pointer types")?;
        self.check_operand(rhs, operand_ty, "both operands of a comparison have the same type")
    }

    fn check_ptr_offset(&mut self, expr: Expr, ty: Ty, ptr: Expr, index: Expr) -> Check {
        let types = self.types;
        self.check_operand(ptr, ty, "a moved pointer keeps its type")?;
        let is_complete = types.pointee(ty).is_some_and(|to| self.facts.is_complete(to));
        require(is_complete, expr, "a pointer to a complete object type is moved")?;
        self.check_expr(index)?;
        let is_int = matches!(types.kind(self.body.exprs[index].ty), TyKind::Int(_));
        require(is_int, index, "a pointer is moved by an integer")
    }

    fn check_ptr_diff(&mut self, expr: Expr, ty: Ty, lhs: Expr, rhs: Expr) -> Check {
        let types = self.types;
        require(same(types, ty, types.model().ptrdiff_ty()), expr, "a pointer difference is a `ptrdiff_t`")?;
        self.check_expr(lhs)?;
        self.check_expr(rhs)?;
        let pointee = |operand: Expr| types.pointee(self.body.exprs[operand].ty);
        let agrees = match (pointee(lhs), pointee(rhs)) {
            (Some(a), Some(b)) => same_unqualified(types, a, b) && self.facts.is_complete(a),
            _ => false,
        };
        require(agrees, expr, "a pointer difference is of pointers to one complete type")
    }

    /// Checks the place of an assignment, whose unqualified type must be the one given.
    fn check_assignable(&mut self, place: Place, ty: Ty) -> Check {
        self.check_place(place)?;
        let place_ty = self.body.places[place].ty;
        let is_const = self.types.quals(place_ty).contains(Quals::CONST);
        require(!is_const, place, "the target of an assignment is not `const`")?;
        require(
            same_unqualified(self.types, place_ty, ty),
            place,
            "an assignment gives the place's unqualified type",
        )
    }

    fn check_modify(&mut self, ty: Ty, place: Place, change: Change) -> Check {
        let Change { rhs, old, new } = change;
        self.check_assignable(place, ty)?;
        self.check_bound(old, ty)?;
        let n_outer = self.bounds.len();
        if let Some(Binding { value, bound }) = rhs {
            self.check_expr(value)?;
            self.check_bound(bound, self.body.exprs[value].ty)?;
            self.bounds.push(bound);
        }
        self.bounds.push(old);
        self.check_operand(new, ty, "the new value has the place's type")?;
        self.bounds.truncate(n_outer);
        Ok(())
    }

    fn check_bound(&self, bound: Expr, ty: Ty) -> Check {
        let node = get(&self.body.exprs, bound)?;
        let is_bound = matches!(node.data, ExprData::Bound);
        require(is_bound, bound, "a modification names bound values")?;
        require(same(self.types, node.ty, ty), bound, "a bound value has the type of its expression")
    }

    fn check_call(&mut self, expr: Expr, ty: Ty, callee: Callee, args: &[Expr]) -> Check {
        let types = self.types;
        let callee_ty = match callee {
            Callee::Direct(func) => {
                let function = get(&self.module.functions, func)?;
                let is_device = function.kind == FunctionKind::Device;
                require(is_device, expr, "a kernel is not called as a function")?;
                function.ty
            }
            Callee::Indirect(pointer) => {
                self.check_expr(pointer)?;
                types.pointee(self.body.exprs[pointer].ty).unwrap_or(Ty::ERROR)
            }
        };
        let Some(func) = types.func(callee_ty) else {
            return require(false, expr, "a callee is a function or a pointer to one");
        };
        require(self.facts.is_callable(callee_ty), expr, "a callee has complete parameter and return types")?;
        let counts = args.len() == func.params.len() || (func.variadic && args.len() > func.params.len());
        require(counts, expr, "a call has an argument for each parameter")?;
        require(same_unqualified(types, ty, func.ret), expr, "a call gives the function's return type")?;
        self.check_own_args(expr, args)?;
        for (arg_idx, &arg) in args.iter().enumerate() {
            match func.params.get(arg_idx) {
                Some(&param) => self.check_operand(arg, param, "an argument has its parameter's type")?,
                None => self.check_promoted(arg)?,
            }
        }
        Ok(())
    }

    /// Checks the call of a constructor for an object of the type.
    pub(super) fn check_construction(&mut self, init: Init, ty: Ty, func: Func, args: &[Expr]) -> Check {
        let types = self.types;
        let function = get(&self.module.functions, func)?;
        let func_ty = types.func(function.ty);
        let object = func_ty.and_then(|func_ty| types.pointee(*func_ty.params.first()?));
        let makes = object.is_some_and(|object| same_unqualified(types, object, ty));
        require(makes, init, "a constructor takes the address of the object")?;
        let params = func_ty.map_or(&[][..], |func_ty| &func_ty.params[1..]);
        let is_variadic = func_ty.is_some_and(|func_ty| func_ty.variadic);
        let counts = args.len() == params.len() || is_variadic && args.len() > params.len();
        require(counts, init, "a call has an argument for each parameter")?;
        for (arg_idx, &arg) in args.iter().enumerate() {
            match params.get(arg_idx) {
                Some(&param) => self.check_operand(arg, param, "an argument has its parameter's type")?,
                None => self.check_promoted(arg)?,
            }
        }
        Ok(())
    }

    /// The caller calls the destructors of arguments, which so are variables of its own.
    fn check_own_args(&self, expr: Expr, args: &[Expr]) -> Check {
        args.iter().try_for_each(|&arg| {
            let node = get(&self.body.exprs, arg)?;
            if node.ty.is_plain_number() || !self.types.is_destroyed(node.ty) {
                return Ok(());
            }
            let is_own = match node.data {
                ExprData::Load(place) => {
                    matches!(get(&self.body.places, place)?.data, PlaceData::CompoundLiteral(..))
                }
                _ => false,
            };
            require(is_own, expr, "an argument with a destructor is an object of the caller's")
        })
    }

    /// Checks an argument that `...` takes (C17 6.5.2.2p6).
    fn check_promoted(&mut self, arg: Expr) -> Check {
        self.check_expr(arg)?;
        let ty = self.body.exprs[arg].ty;
        let is_promoted = match self.types.view(ty) {
            View::Scalar(Scalar::Int(_)) => super::types::is_promoted_int(self.types, ty),
            View::Scalar(Scalar::Float(float)) => float != FloatTy::Float,
            View::Scalar(Scalar::Pointer(_)) | View::Record(_) => true,
            View::Scalar(Scalar::Enum(_) | Scalar::Nullptr | Scalar::Opaque(_) | Scalar::Reference(..)) => {
                false
            }
            View::Void | View::Error | View::Array(..) | View::Func(_) => false,
        };
        require(is_promoted, arg, "a variadic argument is promoted")
    }

    fn check_record(&mut self, expr: Expr, ty: Ty, values: &[Expr]) -> Check {
        let types = self.types;
        let data = types.record(ty).map(|record| &types.records[record]);
        let Some(fields) = data.filter(|data| !data.is_union).and_then(|data| data.fields.as_ref()) else {
            return require(false, expr, "a record value is of a complete struct type");
        };
        require(values.len() == fields.len(), expr, "a record value has a value for each member")?;
        for (&value, field) in values.iter().zip(fields) {
            self.check_expr(value)?;
            let agrees = same_unqualified(types, self.body.exprs[value].ty, field.ty);
            require(agrees, value, "a member's value has the member's type")?;
        }
        Ok(())
    }
}
