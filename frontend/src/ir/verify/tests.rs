//! A good module, and what the verifier says once one thing in it is broken.

use thin_vec::{ThinVec, thin_vec};

use super::super::*;
use super::verify;
use crate::source::Span;

const ONE: CaseRange = CaseRange { first: 1, last: 1 };
const SPAN: Span = Span { lo: 0, hi: 0 };

/// ```c
/// struct Pair { int x; unsigned f : 3; };
/// __device__ int table[4] = {1, [2] = 3};
/// __device__ int f(int a, Pair *p) {
///     int i = 0;
///     static __device__ int n;
///     while (i < a) { i += a; break; }
///     switch (i) { case 1: ; default: break; }
///     again: p->x = table[i];
///     if (p->f) goto again;
///     return i;
/// }
/// __global__ void k() { f(7, nullptr); }
/// ```
fn good() -> Module {
    let mut module = Module::default();
    let types = &mut module.types;
    let field = |name: &str, ty, bit_width| Field {
        is_base: false,
        is_mutable: false,
        name: Some(name.into()),
        ty,
        bit_width,
        align: None,
        pack: None,
        span: SPAN,
    };
    let (_, pair) = types.add_record(RecordData {
        tag: Some("Pair".into()),
        typedef_name: None,
        outer: None,
        owner: None,
        namespace: Namespace::GLOBAL,
        is_union: false,
        fields: Some(vec![field("x", Ty::INT, None), field("f", Ty::UINT, Some(3))]),
        align: None,
        is_builtin: false,
        half: None,
        has_own_copy: false,
        lambda: None,
        span: SPAN,
    });
    let pair_ptr = types.pointer_to(pair);
    let int_ptr = types.pointer_to(Ty::INT);
    let array = types.array_of(Ty::INT, Some(4));
    let params = vec![Ty::INT, pair_ptr];
    let f_ty = types.intern(TyKind::Func(FuncTy { ret: Ty::INT, params, variadic: false }), Quals::empty());
    let k_ty =
        types.intern(TyKind::Func(FuncTy { ret: Ty::VOID, params: vec![], variadic: false }), Quals::empty());

    let f = Func::from_u32(0);
    let values = vec![(0, ConstInit::Int(1)), (2, ConstInit::Int(3))];
    let table = module.globals.push(global("table", array, ConstInit::Array(values)));
    let n = module.globals.push(GlobalData { owner: Some(f), ..global("n", Ty::INT, ConstInit::Zero) });

    let mut b = Builder::new(&[("a", Ty::INT), ("p", pair_ptr)]);
    let i = b.local("i", Ty::INT, false);
    let [a, p] = [b.body.params[0], b.body.params[1]];
    let zero = b.expr(ExprData::int(0), Ty::INT);
    let init = b.body.inits.push(InitNode { data: InitData::Expr(zero), span: SPAN });
    let declare_i = b.stmt(StmtData::Local(i, Some(init)));
    let declare_n = b.stmt(StmtData::Static(n));

    let (lhs, rhs) = (b.load(i, Ty::INT), b.load(a, Ty::INT));
    let cond = b.expr(ExprData::Compare(CompareOp::Lt, lhs, rhs), Ty::BOOL);
    let value = b.load(a, Ty::INT);
    let bound = b.expr(ExprData::Bound, Ty::INT);
    let old = b.expr(ExprData::Bound, Ty::INT);
    let new = b.expr(ExprData::Binary(BinaryOp::Add, old, bound), Ty::INT);
    let place = b.local_place(i, Ty::INT);
    let rhs = Some(Binding { value, bound });
    let add = b.expr(
        ExprData::Modify { place, change: Change { rhs, old, new }.into(), yields: Yields::New },
        Ty::INT,
    );
    let (add, leave) = (b.stmt(StmtData::Expr(add)), b.stmt(StmtData::Break));
    let body = b.stmt(StmtData::Block(thin_vec![add, leave]));
    let repeat = b.stmt(StmtData::While { cond, body, unroll: None });

    let value = b.load(i, Ty::INT);
    let (empty, leave) = (b.stmt(StmtData::Empty), b.stmt(StmtData::Break));
    let (one, other) = (b.stmt(StmtData::Case(Box::new(ONE), empty)), b.stmt(StmtData::Default(leave)));
    let body = b.stmt(StmtData::Block(thin_vec![one, other]));
    let select = b.stmt(StmtData::Switch {
        head: SwitchHead { value, cases: thin_vec![ONE], has_default: true }.into(),
        body,
    });

    let again = b.body.labels.push(LabelData { name: "again".into(), is_used: true, span: SPAN });
    let whole = b.place(PlaceData::Global(table), array);
    let first = b.expr(ExprData::ArrayDecay(whole), int_ptr);
    let index = b.load(i, Ty::INT);
    let ptr = b.expr(ExprData::PtrOffset { ptr: first, index, subtract: false }, int_ptr);
    let elem = b.place(PlaceData::Deref(ptr), Ty::INT);
    let value = b.expr(ExprData::Load(elem), Ty::INT);
    let place = b.member(p, pair_ptr, pair, 0, Ty::INT);
    let assign = b.expr(ExprData::Assign { place, value }, Ty::INT);
    let assign = b.stmt(StmtData::Expr(assign));
    let labelled = b.stmt(StmtData::Label(again, assign));

    let place = b.member(p, pair_ptr, pair, 1, Ty::UINT);
    let flag = b.expr(ExprData::Load(place), Ty::UINT);
    let cond = b.expr(ExprData::Convert(Conversion::ToBool, flag), Ty::BOOL);
    let then = b.stmt(StmtData::Goto(again));
    let jump = b.stmt(StmtData::If { cond, then, otherwise: None.into() });
    let result = b.load(i, Ty::INT);
    let ret = b.stmt(StmtData::Return(Some(result)));
    let body = b.finish(vec![declare_i, declare_n, repeat, select, labelled, jump, ret]);
    module.functions.push(function("f", f_ty, FunctionKind::Device, body));

    let mut b = Builder::new(&[]);
    let args = thin_vec![b.expr(ExprData::int(7), Ty::INT), b.expr(ExprData::Null, pair_ptr)];
    let call = b.expr(ExprData::call(Callee::Direct(f), args), Ty::INT);
    let call = b.stmt(StmtData::Expr(call));
    let body = b.finish(vec![call]);
    let bounds = LaunchBounds { max_threads: Some(256), ..LaunchBounds::default() };
    module.functions.push(function("k", k_ty, FunctionKind::Kernel(bounds), body));
    module
}

fn global(name: &str, ty: Ty, init: ConstInit) -> GlobalData {
    GlobalData {
        name: Some(name.into()),
        link_name: LinkName::Cxx,
        linkage: Linkage::External,
        space: Space::Global,
        is_managed: false,
        ty,
        align: None,
        init: Some(init),
        is_extern: false,
        owner: None,
        namespace: Namespace::GLOBAL,
        span: SPAN,
    }
}

fn function(name: &str, ty: Ty, kind: FunctionKind, body: Body) -> Function {
    Function {
        name: name.into(),
        link_name: LinkName::Cxx,
        linkage: Linkage::External,
        kind,
        ty,
        inline: InlineHint::Auto,
        namespace: Namespace::GLOBAL,
        instance: None,
        method: None,
        body: Some(Box::new(body)),
        is_referenced: true,
        span: SPAN,
    }
}

struct Builder {
    body: Body,
}

impl Builder {
    fn new(params: &[(&str, Ty)]) -> Builder {
        let body = Body {
            params: vec![],
            locals: Default::default(),
            exprs: Default::default(),
            places: Default::default(),
            results: Default::default(),
            choices: Default::default(),
            inits: Default::default(),
            stmts: Default::default(),
            labels: Default::default(),
            unroll_pragmas: Default::default(),
            root: Stmt::from_u32(0),
            end: SPAN,
        };
        let mut builder = Builder { body };
        for &(name, ty) in params {
            let param = builder.local(name, ty, true);
            builder.body.params.push(param);
        }
        builder
    }

    fn local(&mut self, name: &str, ty: Ty, is_param: bool) -> Local {
        self.body.locals.push(LocalData {
            name: Some(name.into()),
            ty,
            align: None,
            is_param,
            is_grid_constant: false,
            is_referenced: true,
            span: SPAN,
        })
    }

    fn expr(&mut self, data: ExprData, ty: Ty) -> Expr {
        self.body.exprs.push(ExprNode { data, ty, span: SPAN })
    }

    fn place(&mut self, data: PlaceData, ty: Ty) -> Place {
        self.body.places.push(PlaceNode { data, ty, span: SPAN })
    }

    fn stmt(&mut self, data: StmtData) -> Stmt {
        self.body.stmts.push(StmtNode { data, span: SPAN })
    }

    fn local_place(&mut self, local: Local, ty: Ty) -> Place {
        self.place(PlaceData::Local(local), ty)
    }

    fn load(&mut self, local: Local, ty: Ty) -> Expr {
        let place = self.local_place(local, ty);
        self.expr(ExprData::Load(place), ty)
    }

    /// `pointer->field`
    fn member(&mut self, pointer: Local, pointer_ty: Ty, record: Ty, field_idx: u32, ty: Ty) -> Place {
        let pointer = self.load(pointer, pointer_ty);
        let object = self.place(PlaceData::Deref(pointer), record);
        self.place(PlaceData::Field(object, field_idx), ty)
    }

    fn finish(mut self, stmts: Vec<Stmt>) -> Body {
        self.body.root = self.stmt(StmtData::Block(stmts.into()));
        self.body
    }
}

fn f_body(module: &mut Module) -> &mut Body {
    module.functions[Func::from_u32(0)].body.as_mut().unwrap()
}

/// The first expression of `f` for which `is` holds.
fn find_expr(module: &mut Module, is: impl Fn(&ExprData) -> bool) -> Expr {
    f_body(module).exprs.iter().find(|(_, node)| is(&node.data)).unwrap().0
}

fn find_stmt(module: &mut Module, is: impl Fn(&StmtData) -> bool) -> Stmt {
    f_body(module).stmts.iter().find(|(_, node)| is(&node.data)).unwrap().0
}

#[track_caller]
fn rejects(invariant: &str, breaks: impl FnOnce(&mut Module)) {
    let mut module = good();
    breaks(&mut module);
    let error = verify(module).expect_err(invariant);
    assert!(error.message.contains(invariant), "{}", error.message);
}

#[track_caller]
fn rejects_expr(invariant: &str, is: impl Fn(&ExprData) -> bool, breaks: impl FnOnce(&mut ExprNode)) {
    rejects(invariant, |module| {
        let expr = find_expr(module, is);
        breaks(&mut f_body(module).exprs[expr]);
    });
}

#[track_caller]
fn rejects_stmt(invariant: &str, is: impl Fn(&StmtData) -> bool, breaks: impl FnOnce(&mut StmtData)) {
    rejects(invariant, |module| {
        let stmt = find_stmt(module, is);
        breaks(&mut f_body(module).stmts[stmt].data);
    });
}

#[test]
fn verifies_and_prints_a_valid_module() {
    let verified = verify(good()).unwrap_or_else(|error| panic!("{}", error.message));
    let text = print::print(verified.module());
    for part in [
        "global0 = global int table[4], external = array([0] = 1, [2] = 3)\n",
        "fn0 = device int f(int, Pair *), external\n  param local0 int a\n",
        "local local2 int i = init0 v0:int 0\n",
        "    s5 while v3:bool lt(v1:int load(p0:int local2 i), v2:int load(p1:int local0 a))\n",
        "expr v8:int modify(\n          p3:int local2 i\n          v5 = v4:int load(p2:int local0 a)\n          \
         v6 => v7:int add(v6:int bound, v5:int bound))\n",
        "      cases 1, default\n",
        "label0 again\n",
        "fn1 = kernel void k(), external, max threads 256\n",
        "v2:int call fn0 f(v0:int 7, v1:{Pair *} null)\n",
    ] {
        assert!(text.contains(part), "{part}\nis not in\n{text}");
    }
}

#[test]
fn types() {
    rejects("no type is the poison type", |m| f_body(m).locals[Local::from_u32(2)].ty = Ty::ERROR);
    rejects("a bit-field is no wider than its type", |m| {
        m.types.records[Record::from_u32(0)].fields.as_mut().unwrap()[1].bit_width = Some(33);
    });
    rejects("a bit-field has integer or enum type", |m| {
        m.types.records[Record::from_u32(0)].fields.as_mut().unwrap()[1].ty = Ty::FLOAT;
    });
    rejects("a complete record has a layout", |m| {
        m.types.records[Record::from_u32(0)].fields.as_mut().unwrap()[0].ty = Ty::VOID;
    });
    rejects("an alignment is a power of two", |m| m.types.records[Record::from_u32(0)].align = Some(3));
    rejects("a kernel returns `void`", |m| {
        m.functions[Func::from_u32(1)].ty = m.functions[Func::from_u32(0)].ty;
    });
    rejects("a function's type is a function type", |m| m.functions[Func::from_u32(0)].ty = Ty::INT);
    rejects("a function type's parameters are unqualified", |m| {
        let params = vec![m.types.with_quals(Ty::INT, Quals::CONST)];
        let ty = TyKind::Func(FuncTy { ret: Ty::VOID, params, variadic: false });
        m.functions[Func::from_u32(1)].ty = m.types.intern(ty, Quals::empty());
    });
}

#[test]
fn variables() {
    let table = Global::from_u32(0);
    rejects("a variable has an initial value unless", |m| m.globals[table].init = None);
    rejects("a variable has an initial value unless", |m| m.globals[table].is_extern = true);
    rejects("a variable has an initial value unless", |m| m.globals[table].space = Space::Shared);
    rejects("a defined variable has a complete type", |m| {
        m.globals[table].ty = m.types.array_of(Ty::INT, None);
    });
    rejects("a variable without a name is an internal string literal", |m| m.globals[table].name = None);
    rejects("an initial value is of the variable's type", |m| m.globals[table].ty = Ty::INT);
    rejects("an initial value is of the variable's type", |m| {
        m.globals[table].init = Some(ConstInit::Array(vec![(4, ConstInit::Int(0))]));
    });
    rejects("an initial value is of the variable's type", |m| {
        m.globals[table].init = Some(ConstInit::Array(vec![(0, ConstInit::Int(1 << 31))]));
    });
    rejects("a handle is in range of its table", |m| {
        let init = ConstInit::GlobalAddr(Global::from_u32(9), 0);
        m.globals[table].init = Some(ConstInit::Array(vec![(0, init)]));
    });
    rejects("a function's static is used within the function", |m| {
        m.globals[table].owner = Some(Func::from_u32(1));
    });
    rejects("the owner of a variable declares it", |m| {
        let declaration = find_stmt(m, |s| matches!(s, StmtData::Static(_)));
        f_body(m).stmts[declaration].data = StmtData::Empty;
    });
}

#[test]
fn trees_and_locals() {
    rejects_stmt(
        "a node has one parent",
        |s| matches!(s, StmtData::Block(stmts) if stmts.len() == 7),
        |s| {
            if let StmtData::Block(stmts) = s {
                stmts.push(stmts[6]);
            }
        },
    );
    rejects_expr(
        "a node has one parent",
        |e| matches!(e, ExprData::Compare(..)),
        |e| {
            if let ExprData::Compare(_, lhs, rhs) = &mut e.data {
                *rhs = *lhs;
            }
        },
    );
    rejects_expr(
        "a bound value is used within its modification",
        |e| e.as_int() == Some(0),
        |e| e.data = ExprData::Bound,
    );
    rejects("a handle is in range of its table", |m| f_body(m).root = Stmt::from_u32(99));
    rejects("the root is a block", |m| {
        f_body(m).root = find_stmt(m, |s| matches!(s, StmtData::Return(_)));
    });
    rejects_stmt(
        "a used local is a parameter or is declared",
        |s| matches!(s, StmtData::Local(..)),
        |s| *s = StmtData::Empty,
    );
    rejects_stmt(
        "no local is declared twice",
        |s| matches!(s, StmtData::Empty),
        |s| *s = StmtData::Local(Local::from_u32(2), None),
    );
    rejects("exactly the parameters are marked", |m| f_body(m).locals[Local::from_u32(2)].is_param = true);
    rejects("a body has the parameters of its type", |m| {
        f_body(m).params.pop();
    });
    rejects("a parameter has its type in the function type", |m| f_body(m).params.swap(0, 1));
    rejects("a local has a complete object type", |m| {
        f_body(m).locals[Local::from_u32(2)].ty = m.types.array_of(Ty::INT, None);
    });
}

#[test]
fn statements() {
    let is_switch = |s: &StmtData| matches!(s, StmtData::Switch { .. });
    rejects_stmt("the cases of a switch are those in its body", is_switch, |s| {
        if let StmtData::Switch { head, .. } = s {
            head.cases.push(CaseRange { first: 2, last: 2 });
        }
    });
    rejects_stmt("the cases of a switch are those in its body", is_switch, |s| {
        if let StmtData::Switch { head, .. } = s {
            head.has_default = false;
        }
    });
    rejects_stmt("case values are unique", is_switch, |s| {
        if let StmtData::Switch { head, .. } = s {
            head.cases.push(ONE);
        }
    });
    rejects_stmt("case values are in range", is_switch, |s| {
        if let StmtData::Switch { head, .. } = s {
            head.cases.push(CaseRange { first: 2, last: 1 << 40 });
        }
    });
    let is_declaration = |s: &StmtData| matches!(s, StmtData::Local(..));
    rejects_stmt("`break` is within", is_declaration, |s| *s = StmtData::Break);
    rejects_stmt("`continue` is within a loop", is_declaration, |s| *s = StmtData::Continue);
    rejects("the value of `return` is of the function's return type", |m| {
        let ret = find_stmt(m, |s| matches!(s, StmtData::Return(_)));
        let value = f_body(m).exprs.push(ExprNode { data: ExprData::int(1), ty: Ty::LONG, span: SPAN });
        f_body(m).stmts[ret].data = StmtData::Return(Some(value));
    });
    rejects("a `goto` names a label of its function", |m| {
        let labelled = find_stmt(m, |s| matches!(s, StmtData::Label(..)));
        f_body(m).stmts[labelled].data = StmtData::Empty;
    });
    rejects("a condition is a `bool`", |m| {
        let expr = find_expr(m, |e| matches!(e, ExprData::Convert(..)));
        let jump = find_stmt(m, |s| matches!(s, StmtData::If { .. }));
        let ExprData::Convert(_, operand) = f_body(m).exprs[expr].data else { panic!("found above") };
        if let StmtData::If { cond, .. } = &mut f_body(m).stmts[jump].data {
            *cond = operand;
        }
    });
    rejects("a static is declared in its owner", |m| {
        m.globals[Global::from_u32(1)].owner = Some(Func::from_u32(1));
    });
}

#[test]
fn values_and_places() {
    rejects_expr(
        "in range of its integer type",
        |e| e.as_int() == Some(0),
        |e| e.data = ExprData::int(1_i64 << 31),
    );
    rejects_expr(
        "a floating constant is a value of its floating type",
        |e| e.as_int() == Some(0),
        |e| (e.data, e.ty) = (ExprData::Float(0.1), Ty::FLOAT),
    );
    rejects_expr("an initializer fits the object's type", |e| e.as_int() == Some(0), |e| e.ty = Ty::LONG);
    rejects_expr("a comparison gives `bool`", |e| matches!(e, ExprData::Compare(..)), |e| e.ty = Ty::INT);
    rejects_expr(
        "the left operand has the operator's type",
        |e| matches!(e, ExprData::Binary(..)),
        |e| e.ty = Ty::LONG,
    );
    rejects_expr(
        "a conversion has valid operand and result types",
        |e| matches!(e, ExprData::Convert(..)),
        |e| e.ty = Ty::INT,
    );
    rejects_expr(
        "an array decays to a pointer to its element type",
        |e| matches!(e, ExprData::ArrayDecay(_)),
        |e| e.ty = Ty::INT,
    );
    rejects_expr("a load gives the place's type", |e| matches!(e, ExprData::Load(_)), |e| e.ty = Ty::UINT);
    rejects("a value's type is unqualified", |m| {
        let zero = find_expr(m, |e| e.as_int() == Some(0));
        f_body(m).exprs[zero].ty = m.types.with_quals(Ty::INT, Quals::CONST);
    });
    rejects("a bit-field has no address", |m| {
        let flag = find_expr(m, |e| matches!(e, ExprData::Convert(..))).as_u32() - 1;
        let flag = Expr::from_u32(flag);
        let ExprData::Load(place) = f_body(m).exprs[flag].data else { panic!("the operand is a load") };
        let ty = m.types.pointer_to(Ty::UINT);
        f_body(m).exprs[flag] = ExprNode { data: ExprData::AddrOf(place), ty, span: SPAN };
    });
    rejects("the target of an assignment is not `const`", |m| {
        let const_int = m.types.with_quals(Ty::INT, Quals::CONST);
        f_body(m).locals[Local::from_u32(2)].ty = const_int;
        let of_i = |node: &PlaceNode| matches!(node.data, PlaceData::Local(local) if local.as_u32() == 2);
        f_body(m).places.values_mut().filter(|node| of_i(node)).for_each(|node| node.ty = const_int);
    });
    rejects("a place has the type of its object", |m| {
        f_body(m).locals[Local::from_u32(2)].ty = m.types.with_quals(Ty::INT, Quals::VOLATILE);
    });
    rejects("a member belongs to a complete record", |m| {
        for node in f_body(m).places.values_mut() {
            if let PlaceData::Field(_, field_idx) = &mut node.data {
                *field_idx = 2;
            }
        }
    });
    let k_call = |m: &mut Module, change: fn(&mut Func, &mut ThinVec<Expr>)| {
        let body = m.functions[Func::from_u32(1)].body.as_mut().unwrap();
        for node in body.exprs.values_mut() {
            if let ExprData::Call { callee, args, .. } = &mut node.data {
                change(callee, args);
            }
        }
    };
    rejects("a call has an argument for each parameter", |m| k_call(m, |_, args| *args = thin_vec![args[0]]));
    rejects("an argument has its parameter's type", |m| k_call(m, |_, args| args.reverse()));
    rejects("a kernel is not called", |m| {
        k_call(m, |callee, _| *callee = Func::from_u32(1));
    });
    rejects("function `k` (fn1): fn7: a handle is in range of its table", |m| {
        k_call(m, |callee, _| *callee = Func::from_u32(7));
    });
}
