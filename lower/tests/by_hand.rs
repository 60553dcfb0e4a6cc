//! Lowers modules built by hand: behavior that does not need the frontend.

use std::ffi::c_char;

use weft_frontend::ir::*;
use weft_frontend::source::{SourceMap, Span};
use weft_lower::target::Target;
use weft_lower::{Bug, DebugInfo, DebugPaths, Lowered, OptLevel, Options, Output};

/// A module, and the current body.
struct Maker {
    module: Module,
    body: Body,
}

fn empty_body() -> Body {
    let mut stmts = cranelift_entity::PrimaryMap::new();
    let root = stmts.push(StmtNode { data: StmtData::Empty, span: Span::default() });
    Body {
        params: Vec::new(),
        locals: Default::default(),
        exprs: Default::default(),
        places: Default::default(),
        results: Default::default(),
        choices: Default::default(),
        inits: Default::default(),
        stmts,
        labels: Default::default(),
        unroll_pragmas: Default::default(),
        root,
        end: Span::default(),
    }
}

impl Maker {
    fn new() -> Self {
        Maker { module: Module::default(), body: empty_body() }
    }

    fn param(&mut self, name: &str, ty: Ty) -> Local {
        let data = LocalData {
            name: Some(name.into()),
            ty,
            align: None,
            is_param: true,
            is_grid_constant: false,
            is_referenced: true,
            span: Span::default(),
        };
        let local = self.body.locals.push(data);
        self.body.params.push(local);
        local
    }

    fn local(&mut self, name: &str, ty: Ty) -> Local {
        self.body.locals.push(LocalData {
            name: Some(name.into()),
            ty,
            align: None,
            is_param: false,
            is_grid_constant: false,
            is_referenced: true,
            span: Span::default(),
        })
    }

    fn expr(&mut self, ty: Ty, data: ExprData) -> Expr {
        self.body.exprs.push(ExprNode { data, ty, span: Span::default() })
    }

    fn place(&mut self, ty: Ty, data: PlaceData) -> Place {
        self.body.places.push(PlaceNode { data, ty, span: Span::default() })
    }

    fn stmt(&mut self, data: StmtData) -> Stmt {
        self.body.stmts.push(StmtNode { data, span: Span::default() })
    }

    fn read(&mut self, local: Local) -> Expr {
        let ty = self.body.locals[local].ty;
        let place = self.place(ty, PlaceData::Local(local));
        let ty = self.module.types.unqualified(ty);
        self.expr(ty, ExprData::Load(place))
    }

    fn int(&mut self, value: i128) -> Expr {
        self.expr(Ty::INT, ExprData::int(value))
    }

    fn index(&mut self, ptr: Expr, elem: Ty, index: Expr) -> Place {
        let ty = self.body.exprs[ptr].ty;
        let moved = self.expr(ty, ExprData::PtrOffset { ptr, index, subtract: false });
        self.place(elem, PlaceData::Deref(moved))
    }

    fn function(&mut self, name: &str, kind: FunctionKind, ret: Ty, stmts: Vec<StmtData>) -> Func {
        let stmts = stmts.into_iter().map(|data| self.stmt(data)).collect();
        self.body.root = self.stmt(StmtData::Block(stmts));
        let body = std::mem::replace(&mut self.body, empty_body());
        let types = &mut self.module.types;
        let params = body.params.iter().map(|&param| types.unqualified(body.locals[param].ty)).collect();
        let ty = types.intern(TyKind::Func(FuncTy { ret, params, variadic: false }), Quals::empty());
        self.module.functions.push(Function {
            name: name.into(),
            link_name: LinkName::C,
            linkage: Linkage::External,
            kind,
            ty,
            inline: InlineHint::Auto,
            namespace: Namespace::GLOBAL,
            instance: None,
            method: None,
            body: Some(Box::new(body)),
            is_referenced: true,
            span: Span::default(),
        })
    }

    fn record(&mut self, members: &[Ty], align: Option<u32>) -> Ty {
        let span = Span::default();
        let field = |&ty| Field {
            name: Some("m".into()),
            ty,
            bit_width: None,
            align: None,
            pack: None,
            is_base: false,
            is_mutable: false,
            span,
        };
        let fields = Some(members.iter().map(field).collect());
        let record = RecordData {
            tag: Some("S".into()),
            typedef_name: None,
            outer: None,
            owner: None,
            namespace: Namespace::GLOBAL,
            is_union: false,
            fields,
            align,
            is_builtin: false,
            half: None,
            has_own_copy: false,
            lambda: None,
            span,
        };
        self.module.types.add_record(record).1
    }

    fn ptx(self, opt_level: OptLevel) -> String {
        self.lower(opt_level).expect("lowered").text
    }

    fn lower(self, opt_level: OptLevel) -> Result<Lowered, Bug> {
        let mut sources = SourceMap::new();
        sources.add("by_hand.src".into(), "\n").expect("small");
        let module = verify::verify(self.module).expect("verified");
        let options = Options {
            target: Target::DEFAULT,
            ptx_version: None,
            opt_level,
            fmad: true,
            ftz: false,
            prec_div: true,
            prec_sqrt: true,
            fast_math: false,
            restrict: false,
            debug: DebugInfo::Lines,
            debug_paths: DebugPaths::default(),
            whole_program: false,
            unit: None,
        };
        weft_lower::lower(&module, &sources, &options, None, Output::Ptx)
    }
}

#[test]
fn aggregates_pass_with_their_own_alignment() {
    let mut m = Maker::new();
    for (name, members, align) in [
        ("chars", &[Ty::CHAR; 3][..], None),
        ("one", &[Ty::CHAR], None),
        ("none", &[], None),
        ("float3", &[Ty::FLOAT; 3], None),
        ("float4", &[Ty::FLOAT; 4], Some(16)),
        ("over", &[Ty::CHAR, Ty::INT], Some(32)),
        ("mixed", &[Ty::CHAR, Ty::DOUBLE, Ty::SHORT], None),
    ] {
        let ty = m.record(members, align);
        let param = m.param("s", ty);
        let value = m.read(param);
        m.function(name, FunctionKind::Device, ty, vec![StmtData::Return(Some(value))]);
    }
    for level in [OptLevel::O0, OptLevel::O3] {
        let text = Maker { module: m.module.clone(), body: empty_body() }.ptx(level);
        for prototype in [
            "(.param .align 1 .b8 func_retval0[3]) chars(\n\t.param .align 1 .b8 chars_param_0[3]\n)",
            "(.param .align 1 .b8 func_retval0[1]) one(\n\t.param .align 1 .b8 one_param_0[1]\n)",
            "(.param .align 1 .b8 func_retval0[1]) none(\n\t.param .align 1 .b8 none_param_0[1]\n)",
            "(.param .align 4 .b8 func_retval0[12]) float3(\n\t.param .align 4 .b8 float3_param_0[12]\n)",
            "(.param .align 16 .b8 func_retval0[16]) float4(\n\t.param .align 16 .b8 float4_param_0[16]\n)",
            "(.param .align 32 .b8 func_retval0[32]) over(\n\t.param .align 32 .b8 over_param_0[32]\n)",
            "(.param .align 8 .b8 func_retval0[24]) mixed(\n\t.param .align 8 .b8 mixed_param_0[24]\n)",
        ] {
            assert!(text.contains(prototype), "no {prototype}\n{text}");
        }
    }
}

#[test]
fn accesses_shared_memory_directly_without_optimization() {
    let mut m = Maker::new();
    let array = m.module.types.array_of(Ty::FLOAT, Some(32));
    let float_ptr = m.module.types.pointer_to(Ty::FLOAT);
    let tile = m.module.globals.push(GlobalData {
        name: Some("tile".into()),
        link_name: LinkName::C,
        linkage: Linkage::Internal,
        space: Space::Shared,
        is_managed: false,
        ty: array,
        align: None,
        init: None,
        is_extern: false,
        owner: None,
        namespace: Namespace::GLOBAL,
        span: Span::default(),
    });
    let element = |m: &mut Maker| {
        let array = m.place(array, PlaceData::Global(tile));
        let first = m.expr(float_ptr, ExprData::ArrayDecay(array));
        let tid = m.expr(Ty::UINT, ExprData::SpecialReg(SpecialReg::Tid(Axis::X)));
        m.index(first, Ty::FLOAT, tid)
    };
    let out = m.param("out", float_ptr);
    let to = element(&mut m);
    let one = m.expr(Ty::FLOAT, ExprData::Float(1.0));
    let write = m.expr(Ty::FLOAT, ExprData::Assign { place: to, value: one });
    let barrier = m.expr(Ty::VOID, ExprData::Builtin(Builtin::Sync(SyncOp::SyncThreads), Default::default()));
    let from = element(&mut m);
    let value = m.expr(Ty::FLOAT, ExprData::Load(from));
    let out_ptr = m.read(out);
    let zero = m.int(0);
    let place = m.index(out_ptr, Ty::FLOAT, zero);
    let read = m.expr(Ty::FLOAT, ExprData::Assign { place, value });
    let bounds = LaunchBounds { max_threads: Some(256), min_blocks: Some(2), ..LaunchBounds::default() };
    let body = vec![StmtData::Expr(write), StmtData::Expr(barrier), StmtData::Expr(read)];
    m.function("kern", FunctionKind::Kernel(bounds), Ty::VOID, body);
    let text = m.ptx(OptLevel::O0);
    for part in [
        ".visible .entry kern(",
        "st.shared.b32",
        "ld.shared.b32",
        "bar.sync",
        ".maxntid 256",
        ".minnctapersm 2",
    ] {
        assert!(text.contains(part), "no {part}\n{text}");
    }
}

#[test]
fn loops_and_conditions() {
    let mut m = Maker::new();
    let n = m.param("n", Ty::INT);
    let i = m.local("i", Ty::INT);
    let sum = m.local("sum", Ty::INT);
    let zero = m.int(0);
    let i_init = m.body.inits.push(InitNode { data: InitData::Expr(zero), span: Span::default() });
    let zero = m.int(0);
    let sum_init = m.body.inits.push(InitNode { data: InitData::Expr(zero), span: Span::default() });
    let i_decl = m.stmt(StmtData::Local(i, Some(i_init)));
    let (a, b) = (m.read(i), m.read(n));
    let cond = m.expr(Ty::BOOL, ExprData::Compare(CompareOp::Lt, a, b));
    let step = modify(&mut m, i, 1);
    let body = modify(&mut m, sum, 3);
    let body = m.stmt(StmtData::Expr(body));
    let value = m.read(sum);
    let head =
        ForHead { init: [i_decl].into_iter().collect(), cond: Some(cond), step: Some(step), unroll: None };
    let stmts = vec![
        StmtData::Local(sum, Some(sum_init)),
        StmtData::For(Box::new(head), body),
        StmtData::Return(Some(value)),
    ];
    m.function("sum", FunctionKind::Device, Ty::INT, stmts);
    let text = m.ptx(OptLevel::O2);
    assert!(text.contains("mul.lo.s32") || text.contains("mad.lo"), "the loop is not closed\n{text}");
}

fn modify(m: &mut Maker, local: Local, by: i128) -> Expr {
    let place = m.place(Ty::INT, PlaceData::Local(local));
    let old = m.expr(Ty::INT, ExprData::Bound);
    let by = m.int(by);
    let new = m.expr(Ty::INT, ExprData::Binary(BinaryOp::Add, old, by));
    m.expr(
        Ty::INT,
        ExprData::Modify { place, change: Change { rhs: None, old, new }.into(), yields: Yields::New },
    )
}

/// The frontend rejects a variable whose initial value refers back to it; LLVM would fail fatally.
#[test]
fn reports_cyclic_initial_values_as_a_bug() {
    let mut m = Maker::new();
    let ty = m.module.types.pointer_to(Ty::VOID);
    let itself = m.module.globals.next_key();
    m.module.globals.push(GlobalData {
        name: Some("itself".into()),
        link_name: LinkName::C,
        linkage: Linkage::External,
        space: Space::Global,
        is_managed: false,
        ty,
        align: None,
        init: Some(ConstInit::GlobalAddr(itself, 0)),
        is_extern: false,
        owner: None,
        namespace: Namespace::GLOBAL,
        span: Span::default(),
    });
    let bug = m.lower(OptLevel::O0).expect_err("there is no order");
    assert_eq!(bug.message, "the initial value of a variable depends on its own address");
}

/// Fails like LLVM does on a fatal error. No program is known that causes one.
fn give_up() {
    unsafe extern "C" {
        /// `void llvm::report_fatal_error(const char *reason, bool gen_crash_diag)`
        #[link_name = "_ZN4llvm18report_fatal_errorEPKcb"]
        fn report_fatal_error(reason: *const c_char, wants_crash: bool);
    }
    // Lowering the first module installs the handler.
    assert!(Maker::new().lower(OptLevel::O0).is_ok());
    // SAFETY: this is the declaration in `llvm/Support/ErrorHandling.h`, and the text is zero-terminated.
    unsafe { report_fatal_error(c"nothing helps".as_ptr(), false) }
}

#[test]
fn reports_a_fatal_llvm_error_as_a_bug() {
    for _ in 0..2 {
        let stopped = weft_lower::on_guarded_thread(give_up).expect_err("LLVM gives up");
        assert_eq!(Bug::from(stopped).message, "LLVM: nothing helps");
    }
    // The process continues, and so does LLVM on another thread.
    assert!(Maker::new().ptx(OptLevel::O3).contains(".version"));
}

/// The test runs itself again with this variable set, since the process ends.
const AGAIN: &str = "WEFT_TEST_LAST_WORDS";

#[test]
fn reports_a_fatal_llvm_error_on_this_thread() {
    if std::env::var_os(AGAIN).is_some() {
        let last_words = |bug: Bug| {
            eprintln!("last words: {}", bug.message);
            std::process::exit(77)
        };
        let result = weft_lower::on_this_thread(last_words, give_up);
        panic!("LLVM went on: {result:?}");
    }
    let mut again = std::process::Command::new(std::env::current_exe().expect("a program"));
    again.args(["--exact", "--nocapture", "reports_a_fatal_llvm_error_on_this_thread"]).env(AGAIN, "1");
    let output = again.output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(77), "{said}");
    assert!(said.contains("last words: LLVM: nothing helps"), "{said}");
}
