//! Where variables may be declared, and what depends on the PTX version.

use super::{ONE_BLOCK, kernel, run, run_body};
use crate::exec::device::Launch;
use crate::exec::launch::Checks;
use crate::program::link::{Input, link};
use crate::ptx::parse;

const CHECKED: Launch = Launch { checks: Checks::ALL, ..ONE_BLOCK };

/// A variable exists once for all threads, and is local to its block of code.
#[test]
fn functions_have_variables_in_global_and_constant_memory() {
    let body = ".global .u32 x[2] = {1, 2}; .const .u32 c = 10; { .global .u32 x = 5; ld.global.u32 %r4, [x]; }\n\
        { .global .u32 y = 7; .global .u64 at = y; ld.global.u64 %rd3, [at]; ld.global.u32 %r5, [%rd3]; }\n\
        ld.global.u32 %r6, [x+4]; ld.const.u32 %r7, [c]; add.u32 %r4, %r4, %r5; add.u32 %r4, %r4, %r6; add.u32 %r4, %r4, %r7;\n\
        ld.global.u32 %r8, [outer]; add.u32 %r4, %r4, %r8; st.global.u32 [%rd1], %r4;";
    let text =
        kernel(body).replacen(".visible", ".global .u32 y = 900; .global .u32 outer = 1000;\n.visible", 1);
    assert_eq!(run(&text, &CHECKED, &[0; 32], &[vec![0; 4]]), Ok(vec![1024; 32]));
    let counted = ".global .u32 n; atom.global.add.u32 %r4, [n], 1; st.global.u32 [%rd1], %r4;";
    assert_eq!(run_body(counted, &[0; 32]), (0..32).collect::<Vec<u32>>());
}

#[test]
fn later_variables_of_functions_are_not_known_before() {
    let error = run(&kernel(".global .u64 x = y; .global .u32 y;"), &ONE_BLOCK, &[0], &[vec![0; 4]]);
    assert!(error.is_err_and(|error| error.contains("`y` is not defined")));
}

/// Each thread has its own copy, which functions share; frames are above it.
#[test]
fn old_modules_have_local_variables() {
    let text = |version: &str, target: &str| {
        format!(
            ".version {version}\n.target {target}\n.address_size 64\n.local .align 8 .b32 mine[2];\n\
             .func add () {{ .reg .b32 %a; .local .b32 own; ld.local.u32 %a, [mine+4]; add.u32 %a, %a, 100;\n\
             st.local.u32 [own], %a; st.local.u32 [mine+4], %a; ret; }}\n\
             .entry k(.param .u64 p) {{ .reg .b32 %r<9>; .reg .b64 %rd<9>; .local .b32 own; ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x;\n\
             mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2; st.local.u32 [own], 1000; st.local.u32 [mine+4], %r1; call add;\n\
             cvta.local.u64 %rd3, mine; ld.u32 %r2, [%rd3+4]; ld.local.u32 %r3, [own]; add.u32 %r2, %r2, %r3;\n\
             st.global.u32 [%rd1], %r2; ret; }}"
        )
    };
    let expected: Vec<u32> = (0..32).map(|n| n + 1100).collect();
    assert_eq!(run(&text("2.3", "sm_20"), &CHECKED, &[0; 32], &[]), Ok(expected));
    let error = run(&text("3.0", "sm_20"), &CHECKED, &[0; 32], &[]).expect_err("a newer version");
    assert!(error.contains("`.local` variables must be declared in functions"), "{error}");
    let unwritten = text("2.3", "sm_20").replace("st.local.u32 [mine+4], %r1; call add;", "");
    let unwritten = unwritten.replace(
        "st.global.u32 [%rd1], %r2;",
        "add.u64 %rd1, %rd1, %rd3; ld.local.u32 %r4, [mine]; @%p0 ret;",
    );
    let unwritten = unwritten
        .replace("mov.u32 %r1", ".reg .pred %p0; mov.u32 %r1")
        .replace("@%p0 ret;", "setp.eq.u32 %p0, %r4, 0; @%p0 ret;");
    let error = run(&unwritten, &CHECKED, &[0; 32], &[]).expect_err("it was not written");
    assert!(error.contains("depends on uninitialized memory"), "{error}");
}

#[test]
fn versions_before_the_oldest_are_refused() {
    for (version, expected) in [
        ("2.2", Some("test:1:1: the module is PTX 2.2; the emulator supports PTX 2.3 and later")),
        ("2.3", None),
    ] {
        let text = format!(".version {version}\n.target sm_20\n.entry k(.param .u64 p) {{ ret; }}");
        assert_eq!(run(&text, &ONE_BLOCK, &[0], &[]).err().as_deref(), expected);
    }
}

/// nvcc writes `st.param.b16 [func_retval0+1]` where it returns a packed struct.
#[test]
fn misaligned_accesses_to_parameters_run_with_a_note() {
    let text = ".version 8.0\n.target sm_90\n.address_size 64\n\
        .func (.param .align 1 .b8 r[11]) f (.param .align 1 .b8 a[11]) { .reg .b16 %h; .reg .b32 %r<4>; .reg .b64 %l; .reg .pred %p;\n\
        ld.param.s16 %r1, [a+9]; neg.s32 %r1, %r1; cvt.u16.u32 %h, %r1; ld.param.b64 %l, [a+1]; setp.ne.u64 %p, %l, 0;\n\
        @%p st.param.b16 [r+9], %h; st.param.v2.b32 [r+1], {7, 8}; ret; }\n\
        .visible .entry k(.param .u64 p, .param .align 4 .b8 s[8]) { .reg .b32 %r<9>; .reg .b64 %rd<9>; ld.param.u64 %rd1, [p];\n\
        { .param .align 1 .b8 x[11]; .param .align 1 .b8 y[11]; st.param.b16 [x+9], 3; st.param.b64 [x+1], 0x100000005; call (y), f, (x);\n\
        ld.param.b16 %r1, [y+9]; ld.param.b32 %r2, [y+5]; } ld.param.u32 %r3, [s+2];\n\
        st.global.u32 [%rd1], %r1; st.global.u32 [%rd1+4], %r2; st.global.u32 [%rd1+8], %r3; ret; }";
    let one = Launch { checks: Checks::ALL, ..Launch::new([1; 3], [1; 3]) };
    let found = run(text, &one, &[0; 3], &[vec![1, 2, 3, 4, 5, 6, 7, 8]]);
    assert_eq!(found, Ok(vec![0xFFFD, 8, 0x0605_0403]));
    let module = parse(text).expect("it is PTX");
    let program = link(&[Input { name: "packed.ptx", text, module: &module }]).expect("it links");
    let notes: Vec<String> = program.notes().iter().map(ToString::to_string).collect();
    assert!(
        notes.len() == 1
            && notes[0].starts_with("packed.ptx:5:65: misaligned access to a parameter (and 5 more)"),
        "{notes:?}"
    );
    // Offsets at the end of the address space are out of bounds, without overflow.
    let far = text.replace("[r+9]", "[r+9223372036854775807]");
    let error = run(&far, &one, &[0; 3], &[vec![0; 8]]).expect_err("out of bounds");
    assert!(error.contains("out-of-bounds") && error.contains("past the end"), "{error}");
    // A variable in local memory is different.
    let local = ".local .align 8 .b8 o[8]; st.local.u32 [o+1], 5;";
    let error = run(&kernel(local), &ONE_BLOCK, &[0; 32], &[vec![0; 4]]).expect_err("misaligned");
    assert!(error.contains("misaligned"), "{error}");
}
