//! Functions of a small library in LLVM's current bitcode. libdevice covers older bitcode; the tests of
//! mathematical functions run all of its functions.

use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use inkwell::values::{AnyValue, InstructionOpcode, InstructionValue};

use super::super::library::{HEAD_BYTES, Library};
use super::{BuildOptions, Inlining, build, build_in_place};

const LIBRARY: &str = "
    @table = internal constant [2 x i32] [i32 3, i32 5]
    @handlers = internal constant [2 x ptr] [ptr @in_a_table, ptr null]
    @.name = private constant [5 x i8] c\"FAST\\00\"
    @.other = private constant [5 x i8] c\"LATE\\00\"
    declare i32 @__nvvm_reflect(ptr)
    declare double @llvm.nvvm.add.rn.d(double, double)
    declare i32 @outside(i32)
    define i32 @unrelated(i32 %x) {
      %y = call i32 @outside(i32 %x)
      ret i32 %y
    }
    define i32 @wanted(i32 %x) alwaysinline {
    entry:
      %wide = sext i32 %x to i64
      %element = getelementptr inbounds [2 x i32], ptr @table, i64 0, i64 %wide
      %loaded = load i32, ptr %element, align 4
      %is_large = icmp ugt i32 %loaded, 4
      br i1 %is_large, label %large, label %end
    large:
      %helped = call i32 @helper(i32 %loaded)
      br label %end
    end:
      %result = phi i32 [ %loaded, %entry ], [ %helped, %large ]
      ret i32 %result
    }
    define internal i32 @helper(i32 %x) noinline {
      call void @nothing()
      %y = add nsw i32 %x, -2147483648
      %z = lshr exact i32 %y, 2
      ret i32 %z
    }
    define internal void @nothing() {
      ret void
    }
    define double @asks(double %x, double %y) {
    entry:
      %fast = call i32 @__nvvm_reflect(ptr @.name)
      %is_fast = icmp ne i32 %fast, 0
      br i1 %is_fast, label %short, label %long
    short:
      %product = fmul double %x, %y
      br label %between
    long:
      %sum = call double @llvm.nvvm.add.rn.d(double %x, double %y)
      br label %between
    between:
      %first = phi double [ %product, %short ], [ %sum, %long ]
      %late = call i32 @__nvvm_reflect(ptr @.other)
      %is_early = icmp eq i32 %late, 0
      br i1 %is_early, label %early, label %end
    early:
      %quotient = fdiv double %first, 0x3FF8000000000000
      br label %end
    end:
      %result = phi double [ %first, %between ], [ %quotient, %early ]
      ret double %result
    }
    define i64 @turns(i64 %n, ptr %p) {
    entry:
      %room = alloca [2 x i64], align 8
      br label %body
    body:
      %i = phi i64 [ 0, %entry ], [ %next, %body ]
      %element = getelementptr inbounds [2 x i64], ptr %room, i64 0, i64 %i
      store i64 %i, ptr %element, align 8
      %next = add i64 %i, 1
      %is_less = icmp slt i64 %next, %n
      br i1 %is_less, label %body, label %end
    end:
      %pair = insertvalue { i64, float } undef, i64 %next, 0
      %bits = bitcast i32 2139095041 to float
      %whole = insertvalue { i64, float } %pair, float %bits, 1
      %again = extractvalue { i64, float } %whole, 0
      %odd = select i1 %is_less, i64 %again, i64 -9223372036854775808
      %two = call { i32, i32 } asm \"add.u32 $0, $2, 1; mov.u32 $1, $2;\", \"=r,=r,r\"(i32 7)
      %one = extractvalue { i32, i32 } %two, 1
      %extended = zext i32 %one to i64
      %sum = xor i64 %extended, %odd
      ret i64 %sum
    }
    define void @stores(ptr %p) {
      store ptr @stored, ptr %p, align 8
      ret void
    }
    define internal void @stored() {
      ret void
    }
    define internal void @in_a_table() {
      ret void
    }
    define i32 @rounds(i32 %x, i1 %is_less) {
    entry:
      %room = alloca [4 x i32], align 4
      br i1 %is_less, label %first, label %last
    first:
      %i = phi i32 [ 0, %entry ], [ %next, %body ]
      %sum = phi i32 [ %x, %entry ], [ %more, %body ]
      %before = phi i32 [ 9, %entry ], [ %sum, %body ]
      %goes_on = icmp slt i32 %i, 3
      br i1 %goes_on, label %body, label %end
    body:
      %element = getelementptr inbounds [4 x i32], ptr %room, i32 0, i32 %i
      store i32 %sum, ptr %element, align 4
      %more = mul i32 %sum, %x
      %next = add i32 %i, 1
      br label %first, !llvm.loop !1
    end:
      %both = xor i32 %sum, %before
      ret i32 %both
    last:
      ret i32 7
    }
    define i32 @unknown(i32 %x, i1 %y) {
      %z = call i32 @outside(i32 %x)
      ret i32 %z
    }
    ; A constant that metadata names is the library's own, as in libdevice.
    !version = !{!0}
    !loops = !{!1}
    !0 = !{i32 0}
    !1 = distinct !{!1, !2}
    !2 = !{!\"llvm.loop.unroll.count\", i32 3}";

/// The caller of a library function.
const CALLER: &str = "
    declare i32 @rounds(i32, i1)
    declare i32 @unknown(i32, i1)
    declare i64 @turns(i64, ptr)
    declare i32 @wanted(i32)
    declare double @asks(double, double)
    define i32 @f(i32 %x, i1 %y) {
    entry:
      br i1 %y, label %left, label %right
    left:
      %p = add i32 %x, 5
      %q = call i32 @rounds(i32 %p, i1 %y)
      %r = add i32 %q, 6
      br label %end
    right:
      br label %end
    end:
      %s = phi i32 [ %r, %left ], [ %x, %right ]
      ret i32 %s
    }
    define i32 @g(i32 %x, i1 %y) {
      %q = call i32 @unknown(i32 %x, i1 %y)
      ret i32 %q
    }
    define i64 @h(i64 %x, ptr %p) {
      %q = call i64 @turns(i64 %x, ptr %p)
      ret i64 %q
    }
    define i32 @i(i32 %x) {
      %q = call i32 @wanted(i32 %x)
      ret i32 %q
    }
    define double @j(double %x) {
      %y = fadd double %x, %x
      %q = call double @asks(double %x, double %y)
      %z = fadd double %q, %y
      ret double %z
    }";

fn bitcode(text: &str) -> Vec<u8> {
    let context = Context::create();
    let text = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), "library");
    let module = context.create_module_from_ir(text).expect("a module");
    module.write_bitcode_to_memory().as_slice().to_vec()
}

/// The functions, built with this answer to `FAST`, and zero to all other queries.
fn take<'ctx>(context: &'ctx Context, bitcode: &[u8], names: &[&str], fast: u64) -> Option<Module<'ctx>> {
    let read = |start: usize, n_bytes: usize| {
        let rest = bitcode.get(start..)?;
        Some(rest[..n_bytes.min(rest.len())].to_vec())
    };
    let head = read(0, HEAD_BYTES)?;
    let answer = |name: &[u8]| if name == b"FAST\0" { fast } else { 0 };
    let build_options = BuildOptions { llvm: context, is_fused: false, answer: &answer };
    build(&build_options, &Library::open(&head, &read)?, &read, names)
}

fn text(module: &Module<'_>, name: &str) -> String {
    module.get_function(name).expect("a function").print_to_string().to_string()
}

#[test]
fn omits_functions_that_are_not_called() {
    let (context, bitcode) = (Context::create(), bitcode(LIBRARY));
    let module = take(&context, &bitcode, &["wanted"], 0).expect("a module");
    for name in ["wanted", "helper", "nothing"] {
        assert!(
            module.get_function(name).is_some_and(|function| function.count_basic_blocks() > 0),
            "{name}"
        );
    }
    for name in ["asks", "turns", "outside", "unrelated", "stored", "__nvvm_reflect"] {
        assert!(module.get_function(name).is_none(), "{name}");
    }
    assert!(module.get_global("table").is_some() && module.get_global("handlers").is_none());
    let attributes = module.print_to_string().to_string();
    assert!(attributes.contains("alwaysinline") && attributes.contains("noinline"), "{attributes}");
}

#[test]
fn preserves_instructions() {
    let (context, bitcode) = (Context::create(), bitcode(LIBRARY));
    let module = take(&context, &bitcode, &["wanted", "turns"], 0).expect("a module");
    let wanted = text(&module, "wanted");
    assert!(wanted.contains("getelementptr inbounds [2 x i32], ptr @table, i64 0, i64 %"), "{wanted}");
    assert!(wanted.contains("load i32, ptr %") && wanted.contains(", align 4"), "{wanted}");
    assert!(wanted.contains("icmp ugt i32 %") && wanted.contains("phi i32 ["), "{wanted}");
    let helper = text(&module, "helper");
    assert!(helper.contains("add nsw i32 %") && helper.contains(", -2147483648"), "{helper}");
    assert!(helper.contains("lshr exact i32 %"), "{helper}");
    let turns = text(&module, "turns");
    assert!(turns.contains("alloca [2 x i64], align 8") && turns.contains("phi i64 [ 0, %"), "{turns}");
    assert!(turns.contains("icmp slt i64 %") && turns.contains("-9223372036854775808"), "{turns}");
    // A signaling NaN keeps its bits.
    assert!(turns.contains("float 0x7FF0000020000000"), "{turns}");
    assert!(turns.contains("asm \"add.u32 $0, $2, 1; mov.u32 $1, $2;\", \"=r,=r,r\"(i32 7)"), "{turns}");
}

#[test]
fn answers_select_the_code() {
    let (context, bitcode) = (Context::create(), bitcode(LIBRARY));
    let module = take(&context, &bitcode, &["asks"], 1).expect("a module");
    let function = module.get_function("asks").expect("a function");
    // A chain of blocks becomes one block.
    assert_eq!(function.count_basic_blocks(), 1);
    let fast = text(&module, "asks");
    assert!(
        fast.contains("fmul double %0, %1") && fast.contains("fdiv double %") && !fast.contains("call"),
        "{fast}"
    );
    let exact = text(&take(&context, &bitcode, &["asks"], 0).expect("a module"), "asks");
    assert!(exact.contains("call double @llvm.nvvm.add.rn.d(double %0, double %1)"), "{exact}");
    assert!(!exact.contains("fmul") && !exact.contains("phi") && !exact.contains("icmp"), "{exact}");
}

#[test]
fn leaves_unknown_functions_to_llvm() {
    let (context, whole) = (Context::create(), bitcode(LIBRARY));
    let is_taken = |bitcode: &[u8], name: &str| take(&context, bitcode, &[name], 0).is_some();
    for name in ["missing", "table", "stores", "unrelated"] {
        assert!(!is_taken(&whole, name), "{name}");
    }
    assert!(!is_taken(b"", "wanted") && !is_taken(b"no bitcode", "wanted"));
    let with_alias = format!("{LIBRARY}\n@other = alias i32 (i32), ptr @wanted");
    assert!(!is_taken(&bitcode(&with_alias), "wanted"));
    let fence = "define void @f(i32 %x) {\n fence seq_cst\n ret void\n}\ndefine void @g() {\n ret void\n}";
    assert!(!is_taken(&bitcode(fence), "f") && is_taken(&bitcode(fence), "g"));
}

#[test]
fn rejects_damaged_bitcode() {
    let context = Context::create();
    let whole = bitcode(LIBRARY);
    let names = ["wanted", "asks", "turns"];
    let undamaged = take(&context, &whole, &names, 0);
    for n_bytes in (0..whole.len()).step_by(5) {
        take(&context, &whole[..n_bytes], &names, 0);
    }
    let mut n_refused = 0;
    for bit in (0..whole.len() * 8).step_by(3) {
        let mut damaged = whole.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        n_refused += usize::from(take(&context, &damaged, &names, 0).is_none());
    }
    assert!(undamaged.is_some() && n_refused > 100, "{n_refused} refused");
}

/// The module with callers, in which a function was built inline at its call, and the result.
fn inline_call<'ctx>(
    context: &'ctx Context,
    bitcode: &[u8],
    (name, caller): (&str, &str),
) -> (Module<'ctx>, Inlining) {
    let text = MemoryBuffer::create_from_memory_range_copy(CALLER.as_bytes(), "callers");
    let module = context.create_module_from_ir(text).expect("a module");
    let read = |start: usize, n_bytes: usize| {
        let rest = bitcode.get(start..)?;
        Some(rest[..n_bytes.min(rest.len())].to_vec())
    };
    let Some(head) = read(0, HEAD_BYTES) else { return (module, Inlining::Skipped) };
    let build_options = BuildOptions { llvm: context, is_fused: false, answer: &|_: &[u8]| 0 };
    let Some(library) = Library::open(&head, &read) else { return (module, Inlining::Skipped) };
    let function = module.get_function(name).expect("a declaration");
    let is_call = |instruction: &InstructionValue<'_>| instruction.get_opcode() == InstructionOpcode::Call;
    let blocks = module.get_function(caller).expect("a caller").get_basic_block_iter();
    let call = blocks.flat_map(|block| block.get_instructions()).find(is_call).expect("a call");
    let outcome = build_in_place(&build_options, &library, &read, &module, (function, call));
    (module, outcome)
}

#[test]
fn builds_a_function_inline() {
    let (context, bitcode) = (Context::create(), bitcode(LIBRARY));
    let (module, outcome) = inline_call(&context, &bitcode, ("rounds", "f"));
    assert_eq!(outcome, Inlining::Done);
    module.verify().expect("what is around it is as it was");
    let f = text(&module, "f");
    assert!(!f.contains("call i32") && !f.contains("icmp"), "{f}");
    // Three iterations, each with its element, in one block.
    assert_eq!((f.matches("store i32").count(), f.matches("mul i32").count()), (3, 3), "{f}");
    assert!(f.contains("i32 0, i32 2") && !f.contains("i32 0, i32 3"), "{f}");
    // Two results are selected by a phi node.
    assert!(f.contains("xor i32") && f.contains("phi i32 [ 7, %"), "{f}");
    let entry = f.split("alloca").next().expect("a beginning");
    assert!(!entry.contains("br "), "{f}");
    assert_eq!(
        (f.matches("llvm.lifetime.start").count(), f.matches("llvm.lifetime.end").count()),
        (1, 2),
        "{f}"
    );

    let (module, outcome) = inline_call(&context, &bitcode, ("asks", "j"));
    assert_eq!(outcome, Inlining::Done);
    let function = module.get_function("j").expect("a function");
    assert_eq!(function.count_basic_blocks(), 1);
    let j = text(&module, "j");
    assert!(j.contains("call double @llvm.nvvm.add.rn.d(double %x, double %1)"), "{j}");
}

#[test]
fn leaves_or_discards_functions_unfit_for_inlining() {
    let (context, bitcode) = (Context::create(), bitcode(LIBRARY));
    // A loop with an unknown trip count, and a call of another function.
    for (name, caller) in [("turns", "h"), ("wanted", "i")] {
        let (module, outcome) = inline_call(&context, &bitcode, (name, caller));
        assert_eq!(outcome, Inlining::Skipped, "{name}");
        assert!(text(&module, caller).contains(&format!("@{name}(")));
    }
    assert_eq!(inline_call(&context, &bitcode, ("unknown", "g")).1, Inlining::Failed);
}

#[test]
fn rejects_damaged_bitcode_inline() {
    let context = Context::create();
    let whole = bitcode(LIBRARY);
    let mut n_replaced = 0;
    for bit in (0..whole.len() * 8).step_by(5) {
        let mut damaged = whole.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        for call in [("rounds", "f"), ("asks", "j")] {
            let (module, outcome) = inline_call(&context, &damaged, call);
            if outcome != Inlining::Failed {
                module.verify().expect("a module that is not thrown away is right");
            }
            n_replaced += usize::from(outcome == Inlining::Done);
        }
    }
    assert!(n_replaced > 100, "{n_replaced} replaced");
}
