//! `new` and `delete` (C++17 8.3.4, 8.3.5). As in nvcc, memory is that of `malloc` and `free`, and is not tested for null before an object is
//! made in it; placement `new` calls a function of its own that returns the address. Both become statements within an expression.
//!
//! An array whose elements have destructors is preceded by their number (Itanium C++ ABI 2.7).

use thin_vec::{ThinVec, thin_vec};

use crate::ast::{self, ExprId, InitId, InitKind};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{
    BinaryOp, Callee, CompareOp, Conversion, Expr, ExprData, Func, FuncTy, Function, Init, LinkName, Linkage,
    Local, Place, PlaceData, Quals, Scalar, Stmt, StmtData, Ty, TyKind, View,
};
use crate::layout;
use crate::sema::Expressions;
use crate::sema::call::overload::ClassValues;
use crate::sema::constant::const_eval::{Mode, Value};
use crate::sema::conversion::Target;
use crate::sema::types::Param;
use crate::source::Span;

/// The alignment of what `malloc` returns.
const MAX_ALIGN: u64 = 16;

/// What `new` makes.
struct Made {
    /// Of the elements, if it is an array.
    ty: Ty,
    count: Option<Count>,
}

/// How many elements an array has.
#[derive(Clone, Copy)]
enum Count {
    Known(u64),
    /// It is held in a variable.
    Held(Local),
}

impl Expressions<'_> {
    pub(super) fn check_new(&mut self, new: &ast::New, span: Span) -> Result<Expr, Reported> {
        self.require_function("new", span)?;
        let mut list = ThinVec::new();
        let made = self.made_by_new(new, span, &mut list)?;
        let pointer = self.module.types.pointer_to(made.ty);
        let memory = self.memory_of_new(new, &made, span, &mut list)?;
        let memory = self.conversion(Conversion::PtrToPtr, memory, pointer);
        let held = self.statements().declare_value(memory, pointer, span, &mut list);
        match made.count {
            None => self.initialize_new(new.init, held, made.ty, span, &mut list)?,
            Some(count) => self.initialize_array(new.init, held, made.ty, count, span, &mut list)?,
        }
        let value = self.statements().local_value(held, pointer, span);
        Ok(self.expr(ExprData::Block(list, Some(value).into()), pointer, span))
    }

    fn require_function(&mut self, what: &str, span: Span) -> Result<(), Reported> {
        if self.func.is_some() {
            return Ok(());
        }
        let message = format!("`{what}` outside of a function is not supported");
        Err(self.error(Code::UnsupportedAllocation, span, message))
    }

    /// The type, and how many there are.
    fn made_by_new(
        &mut self,
        new: &ast::New,
        span: Span,
        list: &mut ThinVec<Stmt>,
    ) -> Result<Made, Reported> {
        let unit = self.unit;
        let name = &unit.type_names[new.ty];
        let mut ty = self.calls().type_made_of(name, ClassValues::Init(new.init))?;
        let mut count = match new.count {
            Some(count) => Some(self.count_of_new(count, list)?),
            None => None,
        };
        if count.is_none()
            && let TyKind::Array(elem, Some(len)) = *self.module.types.kind(ty)
        {
            (ty, count) = (elem, Some(Count::Known(len)));
        }
        if self.module.types.reference(ty).is_some() || self.module.types.func(ty).is_some() {
            let message = format!("cannot allocate {} with `new`", self.show(ty));
            return Err(self.error(Code::InvalidType, name.span, message));
        }
        self.types().require_complete(ty, name.span)?;
        if self.align_of(ty) > MAX_ALIGN && new.placement.is_none() {
            let message = format!(
                "`new` of {}, which is aligned to more than {MAX_ALIGN} bytes, is not supported",
                self.show(ty)
            );
            let diagnostic = Diagnostic::new(Code::UnsupportedAllocation, span, message)
                .with_help("allocate it with `__nv_aligned_device_malloc`, and make it there: `new (p) T`");
            return Err(self.sink.error(diagnostic));
        }
        Ok(Made { ty, count })
    }

    /// The number of elements (C++17 8.3.4p7).
    fn count_of_new(&mut self, count: ExprId, list: &mut ThinVec<Stmt>) -> Result<Count, Reported> {
        let span = self.unit.exprs[count].span;
        let value = self.check_rvalue(count)?;
        let value = self.conversions().operand_value(value)?;
        let ty = self.ty_of(value);
        let is_integral =
            matches!(self.module.types.view(ty), View::Scalar(Scalar::Int(_) | Scalar::Enum(_)));
        if !is_integral {
            let message = format!("array size has type {}, which is not an integer", self.show(ty));
            return Err(self.error(Code::InvalidArrayLength, span, message));
        }
        if let Ok(Value::Int(known)) = self.constants().eval(value, Mode::Optional) {
            return u64::try_from(known)
                .map(Count::Known)
                .map_err(|_| self.error(Code::InvalidArrayLength, span, "array size is negative"));
        }
        let size_ty = self.module.types.model().size_ty();
        let value = self.conversions().convert(value, size_ty, Target::Initialize)?;
        Ok(Count::Held(self.statements().declare_value(value, size_ty, span, list)))
    }

    /// The address of the memory, as a `void *`.
    fn memory_of_new(
        &mut self,
        new: &ast::New,
        made: &Made,
        span: Span,
        list: &mut ThinVec<Stmt>,
    ) -> Result<Expr, Reported> {
        let mut bytes = self.size_value(self.size_of(made.ty), span);
        if let Some(count) = made.count {
            let count = self.count_value(count, span);
            bytes = self.size_arith(BinaryOp::Mul, bytes, count, span);
        }
        if let Some(placement) = new.placement {
            let unit = self.unit;
            return self.placement(unit.args(placement), made.count.is_some(), bytes, span);
        }
        let cookie = made.count.map_or(0, |_| self.cookie_of(made.ty));
        if cookie == 0 {
            return self.call_memory("malloc", bytes, span);
        }
        let extra = self.size_value(cookie, span);
        let bytes = self.size_arith(BinaryOp::Add, bytes, extra, span);
        let memory = self.call_memory("malloc", bytes, span)?;
        let void_ptr = self.module.types.pointer_to(Ty::VOID);
        let held = self.statements().declare_value(memory, void_ptr, span, list);
        let array = self.moved(held, void_ptr, cookie, false, span);
        if let Some(count) = made.count {
            let place = self.number_before(array, span);
            let value = self.count_value(count, span);
            let size_ty = self.ty_of(value);
            let store = self.expr(ExprData::Assign { place, value }, size_ty, span);
            list.push(self.statements().stmt(StmtData::Expr(store), span));
        }
        Ok(self.moved(held, void_ptr, cookie, false, span))
    }

    /// `new (address) T`: the call of the function that returns the address.
    fn placement(
        &mut self,
        args: &[ExprId],
        is_array: bool,
        bytes: Expr,
        span: Span,
    ) -> Result<Expr, Reported> {
        let void_ptr = self.module.types.pointer_to(Ty::VOID);
        let [address] = *args else {
            let message = "`new` with other arguments than one address is not supported";
            return Err(self.error(Code::UnsupportedAllocation, span, message));
        };
        let address = self.check_rvalue(address)?;
        let ty = self.ty_of(address);
        let is_pointer = self.module.types.pointee(ty).is_some() || ty == Ty::NULLPTR;
        if !is_pointer && self.module.types.record(ty).is_none() {
            let message = format!(
                "`new` with an argument of type {}, which is not a pointer, is not supported",
                self.show(ty)
            );
            let at = self.span_of(address);
            return Err(self.error(Code::UnsupportedAllocation, at, message));
        }
        let address = self.conversions().convert(address, void_ptr, Target::Argument(None))?;
        let func = self.placement_function(is_array, span);
        self.declarations().mark_used(func, span);
        let call = ExprData::call(Callee::Direct(func), thin_vec![bytes, address]);
        Ok(self.expr(call, void_ptr, span))
    }

    /// `operator new(size_t, void *)`, or that of arrays, which `<new>` defines.
    fn placement_function(&mut self, is_array: bool, span: Span) -> Func {
        if let Some(func) = self.known.expressions.placement[usize::from(is_array)] {
            return func;
        }
        let size_ty = self.module.types.model().size_ty();
        let size_name = if size_ty == Ty::UINT { 'j' } else { 'm' };
        let name = format!("_Zn{}{size_name}Pv", if is_array { 'a' } else { 'w' });
        let memory = self.module.types.pointer_to(Ty::VOID);
        let ty = FuncTy { ret: memory, params: vec![size_ty, memory], variadic: false };
        let ty = self.module.types.intern(TyKind::Func(ty), Quals::empty());
        let func = self.module.functions.push(Function::device(name, ty, (LinkName::C, Linkage::Weak), span));
        self.known.expressions.placement[usize::from(is_array)] = Some(func);
        self.known.func_facts.entry(func).or_default().defined = Some(span);
        let params = [size_ty, memory].map(|ty| Param::this(ty, span));
        self.apart(|cx| cx.declarations().write_placement(func, memory, params.into(), span));
        func
    }

    fn initialize_new(
        &mut self,
        init: Option<InitId>,
        held: Local,
        ty: Ty,
        span: Span,
        list: &mut ThinVec<Stmt>,
    ) -> Result<(), Reported> {
        let bare = self.module.types.unqualified(ty);
        let is_const = self.module.types.quals(ty).contains(Quals::CONST);
        let needs_value = init.is_none() && is_const && !self.conversions_ref().is_const_default(bare);
        let init = match init {
            _ if needs_value => None,
            Some(init) => Some(self.init_of_new(bare, init)?),
            None => self.conversions().default_init(bare, span)?,
        };
        if let Some(init) = init {
            let place = self.object_at(held, bare, span);
            list.push(self.statements().stmt(StmtData::Init(place, init), span));
        } else if needs_value {
            let message = format!("`new` of {} needs an initial value", self.show(ty));
            return Err(self.error(Code::UninitializedConst, span, message));
        }
        Ok(())
    }

    /// The initial value as it is written; constants in a list are not narrowed.
    fn init_of_new(&mut self, ty: Ty, id: InitId) -> Result<Init, Reported> {
        match self.unit.inits[id].kind {
            InitKind::List(_) => self.conversions().check_init(ty, id, Target::Assign).map(|(init, _)| init),
            InitKind::Expr(_) | InitKind::Parens(_) => self.conversions().check_direct_init(ty, id),
        }
    }

    fn initialize_array(
        &mut self,
        init: Option<InitId>,
        held: Local,
        elem: Ty,
        count: Count,
        span: Span,
        list: &mut ThinVec<Stmt>,
    ) -> Result<(), Reported> {
        let unit = self.unit;
        let is_empty = match init.map(|init| &unit.inits[init].kind) {
            None => return self.initialize_elements(false, held, elem, count, span, list),
            Some(InitKind::Parens(args)) => args.is_empty(),
            Some(InitKind::List(items)) => items.is_empty(),
            Some(InitKind::Expr(_)) => false,
        };
        if is_empty {
            return self.initialize_elements(true, held, elem, count, span, list);
        }
        let Some(id) = init else { return Err(self.poisoned()) };
        let at = unit.inits[id].span;
        let len = match (&unit.inits[id].kind, count) {
            (InitKind::List(_), Count::Known(len)) => len,
            (InitKind::List(_), Count::Held(_)) => {
                let message = "a list for an array whose length is no constant is not supported";
                return Err(self.error(Code::UnsupportedAllocation, at, message));
            }
            _ => {
                let message = "an array cannot be initialized by values in parentheses";
                return Err(self.error(Code::InvalidInitializer, at, message));
            }
        };
        let bare = self.module.types.unqualified(elem);
        let array = self.module.types.array_of(bare, Some(len));
        let init = self.init_of_new(array, id)?;
        let place = self.object_at(held, array, span);
        list.push(self.statements().stmt(StmtData::Init(place, init), span));
        Ok(())
    }

    /// A loop that initializes each element by default, or by the value of `T()`.
    fn initialize_elements(
        &mut self,
        by_value: bool,
        held: Local,
        elem: Ty,
        count: Count,
        span: Span,
        list: &mut ThinVec<Stmt>,
    ) -> Result<(), Reported> {
        let bare = self.module.types.unqualified(elem);
        let init = match by_value {
            true => Some(self.conversions().value_init(bare, span)?),
            false => self.conversions().default_init(bare, span)?,
        };
        let Some(init) = init else { return Ok(()) };
        let (first, count) = (self.pointer_at(held, bare, span), self.count_value(count, span));
        list.push(self.statements().initialize_each(first, count, init, span));
        Ok(())
    }

    pub(super) fn check_delete(
        &mut self,
        operand: ExprId,
        is_array: bool,
        span: Span,
    ) -> Result<Expr, Reported> {
        self.require_function("delete", span)?;
        let at = self.unit.exprs[operand].span;
        let value = self.check_rvalue(operand)?;
        let value = self.conversions().operand_value(value)?;
        let ty = self.ty_of(value);
        let Some(pointee) =
            self.module.types.pointee(ty).filter(|&pointee| self.module.types.func(pointee).is_none())
        else {
            let message = format!("cannot delete an expression of type {}", self.show(ty));
            return Err(self.error(Code::InvalidOperands, at, message));
        };
        if self.canonical(pointee) != Ty::VOID {
            self.templates().complete(pointee, at);
            self.types().require_complete(pointee, at)?;
            if self.align_of(pointee) > MAX_ALIGN {
                let message = format!(
                    "`delete` of {}, which is aligned to more than {MAX_ALIGN} bytes, is not supported",
                    self.show(pointee)
                );
                return Err(self.error(Code::UnsupportedAllocation, span, message));
            }
        }
        let mut list = ThinVec::new();
        let held = self.statements().declare_value(value, ty, at, &mut list);
        if !self.ends_life(pointee) {
            let freed = self.freed(held, ty, 0, span)?;
            list.push(freed);
            return Ok(self.expr(ExprData::Block(list, None.into()), Ty::VOID, span));
        }
        let cookie = if is_array { self.cookie_of(pointee) } else { 0 };
        let mut deleted = ThinVec::new();
        if is_array {
            let array = self.statements().local_value(held, ty, span);
            let number = self.number_before(array, span);
            let size_ty = self.place_ty(number);
            let count = self.expr(ExprData::Load(number), size_ty, span);
            let first = self.pointer_at(held, pointee, span);
            deleted.push(self.statements().destroy_each(first, count, at, span)?);
        } else {
            let place = self.object_at(held, pointee, span);
            deleted.push(self.statements().destroy_place(place, None, at, span)?);
        }
        deleted.push(self.freed(held, ty, cookie, span)?);
        let then = self.statements().stmt(StmtData::Block(deleted), span);
        let (pointer, null) =
            (self.statements().local_value(held, ty, span), self.expr(ExprData::Null, ty, span));
        let cond = self.expr(ExprData::Compare(CompareOp::Ne, pointer, null), Ty::BOOL, span);
        list.push(self.statements().stmt(StmtData::If { cond, then, otherwise: None.into() }, span));
        Ok(self.expr(ExprData::Block(list, None.into()), Ty::VOID, span))
    }

    fn freed(&mut self, held: Local, ty: Ty, cookie: u64, span: Span) -> Result<Stmt, Reported> {
        let memory = self.module.types.pointer_to(Ty::VOID);
        let pointer = match cookie {
            0 => self.statements().local_value(held, ty, span),
            _ => self.moved(held, ty, cookie, true, span),
        };
        let pointer = self.conversion(Conversion::PtrToPtr, pointer, memory);
        let call = self.call_memory("free", pointer, span)?;
        Ok(self.statements().stmt(StmtData::Expr(call), span))
    }

    fn call_memory(&mut self, name: &str, arg: Expr, span: Span) -> Result<Expr, Reported> {
        let func = self.interner.lookup(name).and_then(|symbol| self.names().system_function(symbol, span));
        let Some(func) = func else { return Err(self.poisoned()) };
        let callee = self.calls().direct_callee(func, span)?;
        let ret = self.module.types.func(self.module.functions[func].ty).map_or(Ty::ERROR, |ty| ty.ret);
        Ok(self.expr(ExprData::call(callee, thin_vec![arg]), ret, span))
    }

    /// Whether a destructor ends the life of an object, or of the elements of an array.
    fn ends_life(&self, ty: Ty) -> bool {
        match self.module.types.view(ty) {
            View::Array(elem, _) => self.ends_life(elem),
            _ => self.manners_of(ty).is_destroyed(),
        }
    }

    /// How many bytes are before the elements of an array, for their number (Itanium C++ ABI 2.7).
    fn cookie_of(&self, elem: Ty) -> u64 {
        let size_ty = self.module.types.model().size_ty();
        if self.ends_life(elem) { self.size_of(size_ty).max(self.align_of(elem)) } else { 0 }
    }

    fn size_of(&self, ty: Ty) -> u64 {
        layout::size_of(&self.module.types, ty).unwrap_or(0)
    }

    fn align_of(&self, ty: Ty) -> u64 {
        layout::align_of(&self.module.types, ty).map_or(1, u64::from)
    }

    fn size_value(&mut self, value: u64, span: Span) -> Expr {
        let size_ty = self.module.types.model().size_ty();
        self.expr(ExprData::int(value), size_ty, span)
    }

    fn count_value(&mut self, count: Count, span: Span) -> Expr {
        let size_ty = self.module.types.model().size_ty();
        match count {
            Count::Known(value) => self.size_value(value, span),
            Count::Held(local) => self.statements().local_value(local, size_ty, span),
        }
    }

    fn size_arith(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Expr {
        let ty = self.ty_of(left);
        self.expr(ExprData::Binary(op, left, right), ty, span)
    }

    /// What the variable holds, as a pointer to the type.
    fn pointer_at(&mut self, held: Local, ty: Ty, span: Span) -> Expr {
        let (own, wanted) = (self.statements().func_cx().locals[held].ty, self.module.types.pointer_to(ty));
        let address = self.statements().local_value(held, own, span);
        self.as_pointer_to(address, wanted)
    }

    /// The object of the type at the address.
    fn object_at(&mut self, held: Local, ty: Ty, span: Span) -> Place {
        let address = self.pointer_at(held, ty, span);
        self.place(PlaceData::Deref(address), ty, span)
    }

    fn as_pointer_to(&mut self, address: Expr, wanted: Ty) -> Expr {
        let own = self.ty_of(address);
        if self.same(own, wanted) { address } else { self.conversion(Conversion::PtrToPtr, address, wanted) }
    }

    /// The address some bytes further, or before, in its type.
    fn moved(&mut self, held: Local, ty: Ty, bytes: u64, subtract: bool, span: Span) -> Expr {
        let ptr = self.pointer_at(held, Ty::CHAR, span);
        let char_ptr = self.ty_of(ptr);
        let index = self.expr(ExprData::int(bytes), Ty::LONG, span);
        let moved = self.expr(ExprData::PtrOffset { ptr, index, subtract }, char_ptr, span);
        self.as_pointer_to(moved, ty)
    }

    /// The number of elements before an array.
    fn number_before(&mut self, array: Expr, span: Span) -> Place {
        let size_ty = self.module.types.model().size_ty();
        let numbers = self.module.types.pointer_to(size_ty);
        let ptr = self.as_pointer_to(array, numbers);
        let index = self.expr(ExprData::int(1), Ty::LONG, span);
        let before = self.expr(ExprData::PtrOffset { ptr, index, subtract: true }, numbers, span);
        self.place(PlaceData::Deref(before), size_ty, span)
    }
}
