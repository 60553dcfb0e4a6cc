//! Matrix rows in shared memory, and register fragments: `ldmatrix`, `stmatrix`, `movmatrix`.

use super::{ONE_BLOCK, kernel, run};
use crate::exec::launch::{Checks, Launch};

/// `out` receives what `body` leaves in `%x0` to `%x3`; `s` is 64 rows of 16 bytes, of which each thread
/// fills two from its words; `%rd3` points to its four words.
fn with_rows(body: &str) -> String {
    kernel(&format!(
        ".shared .align 16 .b8 s[1024]; .reg .b32 %x<8>; .reg .b32 %w<4>;\n\
         ld.param.u64 %rd3, [p]; mul.wide.u32 %rd4, %r1, 16; add.u64 %rd3, %rd3, %rd4;\n\
         ld.global.v4.b32 {{%w0, %w1, %w2, %w3}}, [%rd3]; mov.u32 %r4, s; mad.lo.u32 %r5, %r1, 16, %r4;\n\
         {body}\nst.global.v4.b32 [%rd3], {{%x0, %x1, %x2, %x3}};"
    ))
}

/// Each 16-bit number encodes its position.
fn words() -> Vec<u32> {
    (0..128_u32).map(|n| (2 * n) | (2 * n + 1) << 16).collect()
}

fn rows_outcome(body: &str) -> Result<Vec<u32>, String> {
    let launch = Launch { checks: Checks::ALL, step_limit: Some(100_000), ..ONE_BLOCK };
    run(&with_rows(body), &launch, &words(), &[vec![0; 4]])
}

const FILL: &str = "st.shared.v4.b32 [%r5], {%w0, %w1, %w2, %w3}; bar.sync 0; mov.b32 %x0, 0; mov.b32 %x1, 0; mov.b32 %x2, 0; mov.b32 %x3, 0;";

#[test]
fn rows_of_shared_memory_become_fragments() {
    for (count, list) in [(1, "{%x0}"), (2, "{%x0, %x1}"), (4, "{%x0, %x1, %x2, %x3}")] {
        for (is_transposed, trans) in [(false, ""), (true, ".trans")] {
            for space in [".shared", ".shared::cta", ""] {
                // The two may be in either order.
                let words = if count == 2 { [space, trans] } else { [trans, space] }.concat();
                // Each thread gives the address of another thread's row.
                let generic = if space.is_empty() { "cvta.shared.u64 %rd5, %rd5;" } else { "" };
                let body = format!(
                    "{FILL} mul.lo.u32 %r6, %r1, 5; and.b32 %r6, %r6, 31; mad.lo.u32 %r6, %r6, 16, %r4; cvt.u64.u32 %rd5, %r6; {generic}\n\
                     ldmatrix.sync.aligned.m8n8.x{count}{words}.b16 {list}, [%rd5];"
                );
                let found = rows_outcome(&body).unwrap_or_else(|error| panic!("{body}: {error}"));
                let number =
                    |matrix: usize, row: usize, col: usize| (8 * ((8 * matrix + row) * 5 % 32) + col) as u32;
                for (idx, &word) in found.iter().enumerate() {
                    let (lane, matrix) = (idx / 4, idx % 4);
                    let at = |col: usize| match is_transposed {
                        true => number(matrix, col, lane / 4),
                        false => number(matrix, lane / 4, col),
                    };
                    let col = lane % 4 * 2;
                    let expected = if matrix < count { at(col) | at(col + 1) << 16 } else { 0 };
                    assert_eq!(word, expected, "x{count}{words}: {lane}, {matrix}");
                }
            }
        }
    }
}

#[test]
fn fragments_become_rows_of_shared_memory() {
    for trans in ["", ".trans"] {
        let body = format!(
            "{FILL} ldmatrix.sync.aligned.m8n8.x4.shared.b16 {{%x0, %x1, %x2, %x3}}, [%r5]; bar.sync 0;\n\
             stmatrix.sync.aligned.m8n8.x4{trans}.shared.b16 [%r5], {{%x0, %x1, %x2, %x3}}; bar.sync 0;\n\
             ld.shared.v4.b32 {{%x0, %x1, %x2, %x3}}, [%r5];"
        );
        let found = rows_outcome(&body).unwrap_or_else(|error| panic!("{body}: {error}"));
        let number = |row: usize, col: usize| match trans {
            "" => (8 * row + col) as u32,
            _ => (8 * (row / 8 * 8 + col) + row % 8) as u32,
        };
        let expected: Vec<u32> = (0..128)
            .map(|idx| number(idx / 4, idx % 4 * 2) | number(idx / 4, idx % 4 * 2 + 1) << 16)
            .collect();
        assert_eq!(found, expected, "{trans}");
    }
}

#[test]
fn fragments_are_transposed() {
    let body = format!(
        "{FILL} ldmatrix.sync.aligned.m8n8.x1.shared.b16 {{%x0}}, [%r5]; movmatrix.sync.aligned.m8n8.trans.b16 %x1, %x0;\n\
         ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {{%x2}}, [%r5]; sub.u32 %x3, %x1, %x2;"
    );
    let found = rows_outcome(&body).expect("it runs");
    assert!(found.chunks(4).all(|words| words[3] == 0 && words[1] == words[2]), "{found:x?}");
    assert_eq!(found[4 * 5 + 1], (8 * 2 + 1) | (8 * 3 + 1) << 16);
}

#[test]
fn reports_invalid_rows() {
    let load = "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%x0}, [%r6];";
    for (body, expected) in [
        (format!("{FILL} add.u32 %r6, %r5, 8; {load}"), "misaligned shared read of 16 bytes at 0x8: "),
        (format!("{FILL} add.u32 %r6, %r5, 0x40000; {load}"), "out-of-bounds"),
        (
            format!("{FILL} ldmatrix.sync.aligned.m8n8.x1.b16 {{%x0}}, [%rd3];"),
            "the matrix row at 0x7f0000000000 is not in shared memory",
        ),
        // The second half is uninitialized.
        (
            format!("{FILL} add.u32 %r6, %r5, 512; {load}"),
            "value stored to global memory depends on uninitialized memory: `s+0x200`, 2 bytes of shared memory at 0x200",
        ),
        (
            format!("{FILL} setp.ne.u32 %p1, %r1, 3; mov.u32 %r6, %r5; @%p1 {load}"),
            "all 32 threads of the warp must execute this instruction together; those in mask 0x00000008 do not",
        ),
        (
            format!("{FILL} setp.eq.u32 %p1, %r1, 31; @%p1 exit; mov.u32 %r6, %r5; {load}"),
            "those in mask 0x80000000 do not",
        ),
        (
            format!(
                "{FILL} setp.eq.u32 %p1, %r1, 31; mov.u32 %r6, %r5; @%p1 bra OTHER; {load}\nOTHER: bar.warp.sync -1;"
            ),
            "deadlock: threads wait for others that never arrive",
        ),
        // No barrier.
        (
            format!("st.shared.v4.b32 [%r5], {{%w0, %w1, %w2, %w3}}; mov.u32 %r6, %r5; {load}"),
            "data race: read of",
        ),
    ] {
        let body = format!("mov.b32 %x0, 0; mov.b32 %x1, 0; mov.b32 %x2, 0; mov.b32 %x3, 0; {body}");
        // A thread reads another thread's row.
        let body = if expected.starts_with("data race") {
            body.replace("mov.u32 %r6, %r5;", "xor.b32 %r6, %r5, 16;")
        } else {
            body
        };
        let error = rows_outcome(&body).expect_err(&body);
        assert!(error.contains(expected), "{body}: {error}");
    }
}

/// Threads of divergent paths wait for one another; the addresses of others are ignored.
#[test]
fn threads_come_together() {
    let body = format!(
        "{FILL} setp.lt.u32 %p1, %r1, 8; mov.u32 %r6, %r5; @%p1 bra LOAD; mov.u32 %r6, 7;\n\
         LOAD: ldmatrix.sync.aligned.m8n8.x1.shared.b16 {{%x0}}, [%r6];"
    );
    let found = rows_outcome(&body).expect("it runs");
    assert!(found.chunks(4).zip(words()).all(|(found, word)| found[0] == word), "{found:x?}");
    let body =
        "mov.b32 %x0, 0; mov.b32 %x1, 0; mov.b32 %x2, 0; movmatrix.sync.aligned.m8n8.trans.b16 %x3, %x0;";
    let launch = Launch::new([1; 3], [20, 1, 1]);
    let error = run(&with_rows(body), &launch, &words(), &[vec![0; 4]]).expect_err("12 threads are missing");
    assert!(error.contains("those in mask 0xfff00000 do not"), "{error}");
}

#[test]
fn undefined_elements_make_their_row_undefined() {
    // Rows of A are undefined in the threads from 16 on, which have the rows 4 to 7 of the product.
    let body = |store: &str| {
        format!(
            "{FILL} .reg .b32 %u; setp.lt.u32 %p1, %r1, 16; @%p1 mov.b32 %u, 0x01010101; .reg .b32 %d<2>;\n\
             .shared .align 4 .b8 hole[128]; mov.u32 %r7, hole; mad.lo.u32 %r7, %r1, 4, %r7; @%p1 st.shared.b32 [%r7], %u; bar.sync 0;\n\
             ld.shared.b32 %u, [%r7]; mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {{%d0, %d1}}, {{%u}}, {{%w0}}, {{%w1, %w2}};\n\
             {store} mov.b32 %x0, %d0;"
        )
    };
    let error = rows_outcome(&body("")).expect_err("half of it is undefined");
    assert!(error.contains("depends on uninitialized memory") && error.contains("hole"), "{error}");
    assert!(error.contains("by thread (16, 0, 0)"), "{error}");
    assert!(rows_outcome(&body("@!%p1 exit;")).is_ok());
}
