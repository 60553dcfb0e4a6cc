//! Uses of uninitialized values, and instructions that only copy them.

use super::{ONE_BLOCK, kernel, run};
use crate::exec::device::{Device, Launch};
use crate::exec::launch::Checks;
use crate::program::link::{Input, link};
use crate::ptx::parse;

/// The memory declarations before a body.
const MEMORY: &str = ".shared .align 8 .b8 tile[512]; .local .align 8 .b8 own[64]; .reg .b16 %h<9>;\n";

fn run_checked(body: &str, checks: Checks) -> Result<Vec<u32>, String> {
    let launch = Launch { checks, ..ONE_BLOCK };
    run(&kernel(&format!("{MEMORY}{body}")), &launch, &[0; 32], &[vec![0; 4]])
}

/// The body faults with this message, and runs without checks.
fn assert_fault(body: &str, expected: &str) {
    assert!(run_checked(body, Checks::NONE).is_ok(), "{body}");
    let error = run_checked(body, Checks::USUAL).expect_err(body);
    assert!(error.contains(expected), "{body}\n{error}");
}

fn assert_fine(body: &str) {
    if let Err(error) = run_checked(body, Checks::USUAL) {
        panic!("{body}\n{error}");
    }
}

#[test]
fn conditions_are_watched() {
    assert_fault(
        ".loc 1 5 1\nld.shared.u32 %r4, [tile+12]; setp.lt.s32 %p1, %r4, 9;\n.loc 1 6 1\n@%p1 bra END; nop_END: END:",
        "condition depends on uninitialized memory: `tile+0xc`, 4 bytes of shared memory at 0xc, read by thread (0, 0, 0) of block (0, 0, 0) at test:11, from kernel.cu:5, in `k`, by thread \
         (0, 0, 0) of block (0, 0, 0), at test:13, from kernel.cu:6",
    );
    assert_fault(
        "ld.local.u8 %r4, [own+1]; setp.eq.u32 %p1, %r4, %r1; @%p1 exit;",
        "of local memory at 0x1,",
    );
}

#[test]
fn addresses_and_labels_are_watched() {
    assert_fault(
        "ld.shared.u32 %r4, [tile]; and.b32 %r4, %r4, 4; cvt.u64.u32 %rd3, %r4; add.s64 %rd4, %rd1, %rd3; \
         sub.s64 %rd4, %rd4, %rd3; add.s64 %rd4, %rd1, %rd3; ld.global.u32 %r5, [%rd1]; ld.global.u32 %r5, [%rd4];",
        "address depends on",
    );
    assert_fault(
        "ld.shared.u32 %r4, [tile]; table: .branchtargets A, B; brx.idx %r4, table; A: B:",
        "jump or call target depends on",
    );
}

#[test]
fn results_are_watched() {
    for body in [
        "ld.shared.u32 %r4, [tile]; st.global.u32 [%rd1], %r4;",
        "ld.shared.v2.u32 {%r4, %r5}, [tile]; st.global.u32 [%rd1], %r5;",
        "ld.local.u32 %r4, [own]; add.u32 %r4, %r4, 1; st.global.u32 [%rd1], %r4;",
        "ld.local.f32 %r4, [own]; add.f32 %r4, %r4, 0f3F800000; st.u32 [%rd1], %r4;",
        "st.shared.u16 [tile], 7; ld.shared.u32 %r4, [tile+4]; mul.lo.u32 %r4, %r4, 3; st.global.u32 [%rd1], %r4;",
        "ld.shared.u32 %r4, [tile]; st.local.u32 [own], %r4; ld.local.u32 %r5, [own]; st.global.u32 [%rd1], %r5;",
        "ld.shared.u32 %r4, [tile]; shfl.sync.bfly.b32 %r5, %r4, 1, 31, -1; st.global.u32 [%rd1], %r5;",
    ] {
        assert_fault(body, "value stored to global memory depends on uninitialized memory");
    }
}

#[test]
fn atomic_operations_are_watched() {
    assert_fault("atom.shared.add.u32 %r4, [tile], 1;", "atomic operation depends on");
    assert_fault("ld.shared.u32 %r4, [tile]; red.global.add.u32 [%rd1], %r4;", "atomic operation depends on");
    assert_fine("atom.shared.exch.b32 %r4, [tile], 1; ld.shared.u32 %r5, [tile]; st.global.u32 [%rd1], %r5;");
    assert_fine(
        "st.shared.u32 [tile], 0; bar.warp.sync -1; atom.shared.add.u32 %r4, [tile], 1; st.global.u32 [%rd1], %r4;",
    );
}

#[test]
fn frames_begin_without_values() {
    let text = ".version 8.0\n.target sm_90\n.address_size 64\n\
        .func (.param .b32 r) f (.param .b32 n) { .local .align 4 .b8 own[8]; .reg .b32 %r<9>;\n\
        ld.param.b32 %r1, [n]; ld.local.u32 %r2, [own+4]; st.local.u32 [own+4], %r1; add.u32 %r2, %r2, %r1; \
        st.param.b32 [r], %r2; ret; }\n\
        .visible .entry k(.param .u64 p) { .reg .b32 %r<9>; .reg .b64 %rd<9>; ld.param.u64 %rd1, [p];\n\
        { .param .b32 a; .param .b32 v; st.param.b32 [a], 1; call (v), f, (a); ld.param.b32 %r1, [v]; }\n\
        { .param .b32 a; .param .b32 v; st.param.b32 [a], 1; call (v), f, (a); ld.param.b32 %r1, [v]; }\n\
        st.global.u32 [%rd1], %r1; ret; }";
    let error = run(text, &ONE_BLOCK, &[0; 1], &[]).expect_err("`f` adds what it has not written");
    assert!(error.contains("4 bytes of local memory") && error.contains("at test:5, in `k`"), "{error}");
}

#[test]
fn copies_of_padding_are_allowed() {
    // A struct of a byte, padding and a word, copied to another one and to global memory, by words and by
    // bytes.
    assert_fine(
        "st.local.u8 [own], 1; st.local.u32 [own+4], 2; ld.local.v2.u32 {%r4, %r5}, [own]; \
         st.local.v2.u32 [own+8], {%r4, %r5}; ld.local.u64 %rd3, [own+8]; st.shared.u64 [tile], %rd3; \
         ld.shared.u64 %rd4, [tile]; and.b64 %rd5, %rd1, -8; st.global.u64 [%rd5], %rd4; ld.local.u8 %r6, [own+9]; \
         st.global.u8 [%rd1], %r6;",
    );
    // Packing, unpacking and selecting preserve a value.
    assert_fine(
        "ld.local.v2.u32 {%r4, %r5}, [own]; mov.b64 %rd3, {%r4, %r5}; mov.b64 {%r6, %r7}, %rd3; \
         setp.eq.u32 %p1, %r1, 99; selp.b32 %r8, %r6, %r1, %p1; st.global.u32 [%rd1], %r8; st.local.u32 [own], %r7;",
    );
    let structure = "setp.ne.u32 %p1, %r1, 0; @%p1 exit;";
    for body in [
        // A byte, seven bytes of padding and eight bytes, by words, from local and from shared memory.
        "st.local.u8 [own], 1; st.local.u64 [own+8], 2; ld.local.u32 %r4, [own]; ld.local.u32 %r5, [own+4]; \
         ld.local.u64 %rd3, [own+8]; st.global.u32 [%rd1], %r4; st.global.u32 [%rd1+4], %r5; st.global.u64 [%rd1+8], %rd3;",
        "mov.u32 %r9, tile; st.shared.u8 [%r9], 1; st.shared.u64 [%r9+8], 2; ld.shared.u32 %r4, [%r9]; \
         ld.shared.u32 %r5, [%r9+4]; st.global.u32 [%rd1+4], %r5; st.global.u32 [%rd1], %r4;",
        // A member in the middle that was never set.
        "st.local.u32 [own], 1; st.local.u32 [own+8], 2; ld.local.u32 %r4, [own]; ld.local.u32 %r5, [own+4]; \
         ld.local.u32 %r6, [own+8]; st.global.u32 [%rd1], %r4; st.global.u32 [%rd1+4], %r5; st.global.u32 [%rd1+8], %r6;",
        "st.local.u32 [own], 1; ld.local.v4.u32 {%r4, %r5, %r6, %r7}, [own]; st.global.v4.u32 [%rd1], {%r4, %r5, %r6, %r7};",
    ] {
        assert_fine(&format!("{structure} {body}"));
    }
}

#[test]
fn copies_of_whole_words_are_watched() {
    for (body, space) in [
        ("ld.local.u32 %r6, [own+16]; mov.b32 %r7, %r6; st.global.u32 [%rd1], %r7;", "local memory at 0x10"),
        (
            "ld.local.u32 %r4, [own]; st.local.u32 [own+8], %r4; ld.local.u32 %r5, [own+8]; st.global.u32 [%rd1], %r5;",
            "local memory at 0x0",
        ),
        // Adjacent words, all uninitialized.
        (
            "setp.ne.u32 %p1, %r1, 0; @%p1 exit; ld.local.v2.u32 {%r4, %r5}, [own]; st.global.v2.u32 [%rd1], {%r4, %r5};",
            "local memory at 0x0",
        ),
        // There is no padding before a word that is aligned to four bytes only.
        (
            "setp.ne.u32 %p1, %r1, 0; @%p1 exit; st.shared.u32 [tile+4], 1; ld.shared.u32 %r4, [tile]; \
             ld.shared.u32 %r5, [tile+4]; st.global.u32 [%rd1], %r4; st.global.u32 [%rd1+4], %r5;",
            "shared memory at 0x0",
        ),
    ] {
        assert_fault(body, &format!("4 bytes of {space}"));
    }
}

#[test]
fn bits_that_move_within_bytes_are_computed() {
    let expected = "value stored to global memory depends on uninitialized memory";
    for operation in [
        "shl.b32 %r5, %r4, 1;",
        "shr.u32 %r5, %r4, 3;",
        "shr.s32 %r5, %r4, 31;",
        "shf.l.wrap.b32 %r5, %r4, %r4, 9;",
        "mul.lo.u32 %r5, %r4, 2;",
        "add.u32 %r5, %r4, %r4;",
        "brev.b32 %r5, %r4;",
        "not.b32 %r5, %r4;",
    ] {
        assert_fault(&format!("ld.local.u32 %r4, [own]; {operation} st.global.u32 [%rd1], %r5;"), expected);
        // Only the upper byte is undefined.
        let partly = "st.local.u16 [own], 7; st.local.u8 [own+2], 7; ld.local.u32 %r4, [own];";
        if operation != "shr.s32 %r5, %r4, 31;" {
            assert_fault(&format!("{partly} {operation} st.global.u32 [%rd1], %r5;"), expected);
        }
    }
    // Moving bytes preserves them; they may be padding.
    for operation in [
        "shl.b32 %r5, %r4, 8;",
        "prmt.b32 %r5, %r4, %r1, 0x0124;",
        "bfe.u32 %r5, %r4, 8, 8;",
        "bfi.b32 %r5, %r4, %r1, 16, 8;",
        "shf.l.wrap.b32 %r5, %r4, %r1, 8;",
        "and.b32 %r5, %r4, 0xFFFF00;",
    ] {
        assert_fine(&format!("ld.local.u32 %r4, [own]; {operation} st.global.u32 [%rd1], %r5;"));
    }
}

#[test]
fn the_operand_that_is_undefined_is_blamed() {
    let sum = "st.shared.u32 [tile+4], 1; ld.shared.u32 %r4, [tile+4]; ld.shared.u32 %r5, [tile+12]; add.u32 %r6, %r4, %r5; \
               st.shared.u32 [tile], %r6; ld.shared.u32 %r7, [tile];";
    for usage in ["st.global.u32 [%rd1], %r7;", "setp.eq.u32 %p1, %r7, 1; @%p1 exit;"] {
        assert_fault(&format!("{sum} {usage}"), "`tile+0xc`, 4 bytes of shared memory at 0xc, ");
    }
    // By another warp, and after the location was written again.
    let text = kernel(&format!(
        "{MEMORY}setp.lt.u32 %p1, %r1, 32; @%p1 bra A; ld.shared.u32 %r5, [tile+64]; add.u32 %r5, %r5, 1; \
         st.shared.u32 [tile+8], %r5; A: bar.sync 0; ld.shared.u32 %r7, [tile+8]; st.global.u32 [%rd1], %r7;"
    ));
    let launch = Launch { block: [64, 1, 1], ..ONE_BLOCK };
    let error = run(&text, &launch, &[0; 64], &[vec![0; 4]]).expect_err("[tile+64] was never written");
    assert!(error.contains("shared memory at 0x40, read by thread (63, 0, 0)"), "{error}");
    assert_fine(
        "ld.shared.u32 %r5, [tile+64]; add.u32 %r5, %r5, 1; st.shared.u32 [tile+8], %r5; bar.sync 0; \
         st.shared.u32 [tile+8], 3; ld.shared.u32 %r7, [tile+8]; st.global.u32 [%rd1], %r7;",
    );
}

#[test]
fn bits_that_are_set_are_defined() {
    // A three-bit member is put into an uninitialized word, and read back.
    assert_fine(
        "ld.local.u32 %r4, [own]; and.b32 %r5, %r1, 7; bfi.b32 %r4, %r5, %r4, 4, 3; st.local.u32 [own], %r4; \
         ld.local.u32 %r6, [own]; bfe.u32 %r7, %r6, 4, 3; setp.gt.u32 %p1, %r7, 3; @%p1 st.global.u32 [%rd1], %r7;",
    );
    assert_fault(
        "ld.local.u32 %r4, [own]; bfi.b32 %r4, %r1, %r4, 4, 3; bfe.u32 %r7, %r4, 5, 3; setp.gt.u32 %p1, %r7, 3; @%p1 exit;",
        "condition depends on",
    );
    // The low half is defined; the high half is cut off.
    assert_fine(
        "st.local.u16 [own], 300; ld.local.u32 %r4, [own]; shl.b32 %r4, %r4, 16; shr.s32 %r4, %r4, 16; \
         setp.lt.s32 %p1, %r4, 0; @%p1 exit; cvt.u16.u32 %h1, %r4; cvt.u32.u16 %r5, %h1; st.global.u32 [%rd1], %r5;",
    );
}

#[test]
fn values_that_do_not_matter_are_allowed() {
    for body in [
        // `a && b`, where `b` is not read if `a` is false.
        "ld.local.u32 %r4, [own]; setp.lt.u32 %p1, %r4, 5; setp.gt.u32 %p2, %r1, 99; and.pred %p3, %p1, %p2; @%p3 exit;",
        "ld.local.u32 %r4, [own]; setp.gt.u32 %p2, %r1, 99; setp.lt.and.u32 %p3, %r4, 5, %p2; @%p3 exit;",
        "ld.local.u32 %r4, [own]; sub.u32 %r5, %r4, %r4; setp.eq.u32 %p1, %r5, 0; @%p1 exit;",
        "ld.local.u32 %r4, [own]; mul.lo.u32 %r5, %r4, 0; st.global.u32 [%rd1], %r5;",
        "ld.local.u32 %r4, [own]; mov.u32 %r4, 3; setp.eq.u32 %p1, %r4, 0; @%p1 exit;",
        "setp.eq.u32 %p1, %r1, 40; ld.shared.u32 %r4, [tile]; setp.eq.u32 %p2, %r4, 4; @%p1 bra A; exit; A: @%p2 exit;",
        // Another thread has written it.
        "shl.b32 %r4, %r1, 2; mov.u32 %r5, tile; add.u32 %r6, %r5, %r4; st.shared.u32 [%r6], %r1; bar.sync 0; \
         xor.b32 %r4, %r4, 124; add.u32 %r6, %r5, %r4; ld.shared.u32 %r7, [%r6]; st.global.u32 [%rd1], %r7;",
    ] {
        assert_fine(body);
    }
}

#[test]
fn allocations_may_begin_without_values() {
    let text = kernel("ld.global.u32 %r4, [%rd1]; add.u32 %r4, %r4, 1; st.global.u32 [%rd1], %r4;");
    let module = parse(&text).expect("it is right");
    let program = link(&[Input { name: "test", text: &text, module: &module }]).expect("it is right");
    let run = |n_written: usize| {
        let mut device = Device::new(&program, 1 << 20).expect("the host has room");
        let buffer = device.global.allocate_unwritten(128, 1).expect("there is room");
        device.global.write(buffer, &vec![1; n_written]).expect("it is there");
        let outcome = device.launch("k", &ONE_BLOCK, &[buffer.to_le_bytes().to_vec(), vec![0; 4]]);
        outcome.map(|_| ()).map_err(|fault| fault.to_string())
    };
    assert_eq!(run(128), Ok(()));
    let error = run(124).expect_err("the last word is missing");
    assert!(
        error.contains("4 bytes of global memory at 0x7f000000007c, read by thread (31, 0, 0)"),
        "{error}"
    );
}

#[test]
fn copies_of_unwritten_global_memory_are_watched() {
    let text = kernel("ld.global.u32 %r4, [%rd1]; st.global.u32 [%rd1+128], %r4;");
    let module = parse(&text).expect("it is right");
    let program = link(&[Input { name: "test", text: &text, module: &module }]).expect("it is right");
    let mut device = Device::new(&program, 1 << 20).expect("the host has room");
    let buffer = device.global.allocate_unwritten(256, 1).expect("there is room");
    let args = [buffer.to_le_bytes().to_vec(), vec![0; 4]];
    let error = device.launch("k", &ONE_BLOCK, &args).expect_err("it was never written").to_string();
    assert!(
        error.contains("value stored to global memory depends on uninitialized memory: 4 bytes of global")
    );
    device.global.write(buffer, &[1; 128]).expect("it is there");
    assert!(device.launch("k", &ONE_BLOCK, &args).is_ok());
}

#[test]
fn copies_within_the_heap_stay_undefined() {
    let text = |usage: &str| {
        kernel(&format!(
            "{{ .param .b64 size; .param .b64 pointer; st.param.b64 [size], 64; call (pointer), malloc, (size); \
             ld.param.b64 %rd3, [pointer]; }}\n\
             ld.u32 %r4, [%rd3]; st.u32 [%rd3+32], %r4; {usage}"
        ))
        .replace(".file 1", ".extern .func (.param .b64 r) malloc (.param .b64 s);\n.file 1")
    };
    assert!(run(&text(""), &ONE_BLOCK, &[0; 32], &[vec![0; 4]]).is_ok());
    let usage = "ld.u32 %r5, [%rd3+32]; st.global.u32 [%rd1], %r5;";
    let error = run(&text(usage), &ONE_BLOCK, &[0; 32], &[vec![0; 4]]).expect_err("it was never written");
    assert!(error.contains("value stored to global memory depends on uninitialized memory"), "{error}");
}

#[test]
fn registers_that_nothing_writes_are_watched() {
    for (body, expected) in [
        (
            "setp.eq.u32 %p1, %r9, 3; @%p1 exit;",
            "condition depends on an undefined value: register `%r9`, never written, read by thread (0, 0, 0) of block (0, 0, 0) at test:10",
        ),
        ("@%p4 exit;", "register `%p4`"),
        ("add.u64 %rd3, %rd1, %rd8; ld.global.u32 %r4, [%rd3];", "address depends on"),
        ("add.u32 %r4, %r1, %r9; st.global.u32 [%rd1], %r4;", "value stored to global memory depends on"),
        ("red.global.add.u32 [%rd1], %r9;", "atomic operation depends on"),
        (".reg .u32 own; setp.eq.u32 %p1, own, 3; @%p1 exit;", "register `own`"),
    ] {
        assert_fault(body, expected);
    }
    // Bits that do not matter, and values that only some of the threads write.
    for body in [
        "and.b32 %r4, %r9, 0; st.global.u32 [%rd1], %r4;",
        "mov.b32 %r4, %r9; bfi.b32 %r4, %r1, %r4, 0, 32; setp.eq.u32 %p1, %r4, 3; @%p1 exit;",
        "setp.lt.u32 %p1, %r1, 99; @%p1 mov.u32 %r9, 5; setp.eq.u32 %p2, %r9, 3; @%p2 exit;",
        "setp.eq.u32 %p1, %r1, 3; bar.red.popc.u32 %r9, 0, %p1; add.u32 %r9, %r9, 1; st.global.u32 [%rd1], %r9;",
    ] {
        assert_fine(body);
    }
}

#[test]
fn aligned_loads_may_reach_beyond_the_end_of_a_variable() {
    let run_beyond = |body: &str| {
        let text = kernel(body).replace(
            ".address_size 64\n",
            ".address_size 64\n.global .align 8 .b8 seven[7] = {1, 2, 3, 4, 5, 6, 7};\n",
        );
        let launch = Launch { checks: Checks::USUAL, ..ONE_BLOCK };
        run(&text, &launch, &[0; 32], &[vec![0; 4]])
    };
    // nvcc's code for the members of a packed struct.
    let parts = "ld.global.v4.u8 {%r4, %r5, %r6, %r7}, [seven+4]; mad.lo.u32 %r4, %r6, 256, %r4;";
    assert_eq!(run_beyond(&format!("{parts} st.global.u32 [%rd1], %r4;")), Ok(vec![7 * 256 + 5; 32]));
    let masked = "ld.global.u32 %r4, [seven+4]; and.b32 %r4, %r4, 0xFFFFFF; st.global.u32 [%rd1], %r4;";
    assert_eq!(run_beyond(masked), Ok(vec![0x07_06_05; 32]));

    let used = format!("{parts} setp.eq.u32 %p1, %r7, 0; @%p1 exit;");
    let error = run_beyond(&used).expect_err("the byte is no one's");
    assert!(error.contains("uninitialized memory: "), "{error}");
    for (outside, expected) in [
        ("ld.global.u8 %r4, [seven+7];", "just past the end of `seven` (7 bytes at"),
        ("ld.global.u32 %r4, [seven+8];", "1 byte past the end of `seven`"),
        (
            "st.global.u32 [seven+4], %r4;",
            "at byte 4 of `seven` (7 bytes at 0x7f0000000000) and extends past its end",
        ),
        (
            "atom.global.add.u32 %r4, [seven+4], 0;",
            "at byte 4 of `seven` (7 bytes at 0x7f0000000000) and extends past its end",
        ),
        ("ld.global.u32 %r4, [%rd1+128];", "out-of-bounds"),
    ] {
        let error = run_beyond(outside).expect_err(outside);
        assert!(error.contains(expected), "{outside}\n{error}");
    }
}
