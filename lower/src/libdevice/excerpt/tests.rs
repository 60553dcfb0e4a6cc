//! Excerpts of a small library, in the bitcode that LLVM writes today.

use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use inkwell::values::AnyValue;

use super::super::library::{HEAD_BYTES, Library};
use super::excerpt;

const LIBRARY: &str = "
    @table = internal constant [2 x i32] [i32 3, i32 5]
    @handlers = internal constant [2 x ptr] [ptr @in_a_table, ptr null]
    declare i32 @llvm.ctpop.i32(i32)
    declare i32 @outside(i32)
    define i32 @unrelated(i32 %x) {
      %y = call i32 @outside(i32 %x)
      ret i32 %y
    }
    define i32 @wanted(i32 %x) {
    entry:
      %element = getelementptr [2 x i32], ptr @table, i32 0, i32 %x
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
    define internal i32 @helper(i32 %x) {
      %bits = call i32 @llvm.ctpop.i32(i32 %x)
      call void @nothing()
      %y = add i32 %bits, %x
      ret i32 %y
    }
    define internal void @nothing() {
      ret void
    }
    define void @stores(ptr %p, i1 %which) {
    entry:
      store ptr @stored, ptr %p, align 8
      br i1 %which, label %then, label %end
    then:
      br label %end
    end:
      %f = phi ptr [ @in_a_phi, %then ], [ null, %entry ]
      %g = select i1 %which, ptr @selected, ptr %f
      store ptr %g, ptr %p, align 8
      ret void
    }
    define internal void @stored() {
      ret void
    }
    define internal void @in_a_phi() {
      ret void
    }
    define internal void @selected() {
      ret void
    }
    define internal void @in_a_table() {
      ret void
    }
    define i64 @last(i64 %x) {
      %y = mul i64 %x, -7046029254386353131
      ret i64 %y
    }";

fn bitcode(text: &str) -> Vec<u8> {
    let context = Context::create();
    let text = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), "library");
    let module = context.create_module_from_ir(text).expect("a module");
    module.write_bitcode_to_memory().as_slice().to_vec()
}

fn take(bitcode: &[u8], names: &[&str]) -> Option<Vec<u8>> {
    let read = |start: usize, n_bytes: usize| {
        let rest = bitcode.get(start..)?;
        Some(rest[..n_bytes.min(rest.len())].to_vec())
    };
    let head = read(0, HEAD_BYTES)?;
    excerpt(&Library::open(&head, &read)?, &read, names)
}

fn module<'ctx>(context: &'ctx Context, bitcode: &[u8]) -> Module<'ctx> {
    let buffer = MemoryBuffer::create_from_memory_range_copy(bitcode, "bitcode");
    Module::parse_bitcode_from_buffer(&buffer, context).expect("bitcode")
}

/// That an excerpt has functions, as they are in the library, and has not others. What could be the number of a function
/// is taken for one, so that others may be there besides.
fn assert_taken(names: &[&str], taken: &[&str], left_out: &[&str]) {
    let bitcode = bitcode(LIBRARY);
    let context = Context::create();
    let (whole, part) = (module(&context, &bitcode), module(&context, &take(&bitcode, names).expect("read")));
    part.verify().expect("a module without faults");
    for name in taken {
        let function = part.get_function(name).expect("a function that was taken");
        let original = whole.get_function(name).expect("a function of the library's");
        assert!(original.count_basic_blocks() > 0);
        assert_eq!(function.print_to_string(), original.print_to_string());
    }
    for name in left_out {
        assert!(whole.get_function(name).is_some());
        assert!(part.get_function(name).is_none(), "{name} is not left out of the excerpt for {names:?}");
    }
}

#[test]
fn what_is_not_called_is_left_out() {
    let others = ["stores", "stored", "in_a_phi", "selected"];
    assert_taken(&["wanted"], &["wanted", "helper", "nothing"], &others);
    assert_taken(&["unrelated"], &["unrelated"], &["wanted", "last", "stores"]);
    assert_taken(&["last", "unrelated"], &["last", "unrelated"], &["wanted", "nothing", "stored"]);
}

#[test]
fn what_is_named_without_a_call_is_taken() {
    // A variable names one of them.
    let taken = ["stores", "stored", "in_a_phi", "selected", "in_a_table"];
    assert_taken(&["stores"], &taken, &["wanted", "last"]);
}

#[test]
fn what_is_unknown_is_left_to_llvm() {
    assert_eq!(take(&bitcode(LIBRARY), &["missing"]), None);
    assert_eq!(take(&bitcode(LIBRARY), &["table"]), None);
    assert_eq!(take(b"", &["wanted"]), None);
    assert_eq!(take(b"no bitcode", &["wanted"]), None);
    let with_alias = format!("{LIBRARY}\n@other = alias i32 (i32), ptr @wanted");
    assert_eq!(take(&bitcode(&with_alias), &["wanted"]), None);
    let fence = "define void @f(i32 %x) {\n fence seq_cst\n ret void\n}\ndefine void @g() {\n ret void\n}";
    assert_eq!(take(&bitcode(fence), &["f"]), None);
    assert!(take(&bitcode(fence), &["g"]).is_some());
}

#[test]
fn damaged_bitcode_does_no_harm() {
    let whole = bitcode(LIBRARY);
    let undamaged = take(&whole, &["wanted"]);
    for n_bytes in (0..whole.len()).step_by(5) {
        take(&whole[..n_bytes], &["wanted"]);
    }
    let mut n_refused = 0;
    for bit in (0..whole.len() * 8).step_by(3) {
        let mut damaged = whole.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        n_refused += usize::from(take(&damaged, &["wanted"]).is_none());
    }
    assert!(undamaged.is_some() && n_refused > 100, "{n_refused} refused");
}
