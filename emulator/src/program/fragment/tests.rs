//! What is found in texts, and where.

use super::*;

const REGISTERS: &str = ".reg .b32 %r0, %r1; .reg .b64 %l; .reg .f32 %f; .reg .b16 %h; .reg .pred %p; ";

/// What is found in a text behind some registers: the texts of the places, and the messages.
fn mistakes(text: &str) -> Vec<(String, String)> {
    let text = format!("{REGISTERS}{text}");
    let found = check(&text, 64).mistakes;
    let found = found.into_iter().filter(|mistake| !matches!(mistake.kind, MistakeKind::Symbol(_)));
    found.map(|m| (text[m.place].to_owned(), m.message)).collect()
}

fn mistake(text: &str) -> (String, String) {
    let mut found = mistakes(text);
    assert_eq!(found.len(), 1, "{text}: {found:?}");
    found.remove(0)
}

#[test]
fn what_is_right_is_taken() {
    let texts = [
        "add.s32 %r0, %r1, 1;",
        "{ .reg .pred p; setp.lt.s32 p, %r0, 0; @p bra L; @!p mov.u32 %r0, %tid.x; L: }",
        "mov.u32 %r0, %laneid; mov.u64 %l, %globaltimer; mov.u32 %r1, WARP_SZ;",
        "{ .reg .b32 t<3>; mov.b64 {t0, t2}, %l; fma.rn.f32 %f, %f, 0f3F800000, %f; }",
        "ld.global.v2.u32 {%r0, %r1}, [%l+-8]; cvt.u16.u32 %h, %r0;",
        "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r0], %r1;",
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f, %f, %f, %f}, %l, %l, 1, 1, 1, 0, 0;",
        "// nothing\n/* at all */",
        "add.rn.f32x2 %l, %l, %l; min.NaN.f32 %f, %f, %f; bar.sync 0;",
        // ptxas takes modifiers in any order.
        "add.f32.rn %f, %f, 1.0; setp.s32.lt %p, %r0, 1; add.s32.sat %r0, %r1, 1; cvt.sat.rzi.u32.f32 %r0, %f;",
        "mov.b32 %r0, 0f3F800000; selp.f32 %f, 1.0, %f, 1; atom.global.add.u32 _, [%l], 1; mov.b64 {%r0, _}, %l;",
        "{ .reg .b32 t; } { .reg .b32 t; }",
        "lop3.b32 %r0, %r1, %r0, %r1, 256; @%p exit;",
        "cvt.rn.satfinite.e4m3x2.f32 %h, %f, %f; cvt.rn.relu.scaled::n2::ue8m0.bf16x2.e5m2x2 %r0, %h, %h;",
        "cvt.rn.satfinite.s2f6x2.f32 %h, %f, %f; cvt.rz.satfinite.ue5m3x2.f32 %h, %f, %f;",
    ];
    for text in texts {
        assert_eq!(mistakes(text), [], "{text}");
    }
}

#[test]
fn mistakes_have_their_places() {
    let pair = |place: &str, message: &str| (place.to_owned(), message.to_owned());
    assert_eq!(mistake("ad.s32 %r0, %r1, 1;"), pair("ad", "unknown instruction `ad`"));
    assert_eq!(mistake("add.i32 %r0, %r1, 1;"), pair("i32", "unknown type `.i32`"));
    assert_eq!(mistake("add.s32 %r0, %r1"), pair("1", "expected `;` after the instruction"));
    assert_eq!(mistake("add.s32 %r0, %r1, 1\nret;"), pair("1", "expected `;` after the instruction"));
    assert_eq!(mistake("add.s32 %r0, %r2, 1;"), pair("%r2", "register `%r2` is not declared"));
    assert_eq!(mistake("@q bra L; L: ret;"), pair("q", "`q` is not declared"));
    assert_eq!(mistake("bra L;"), pair("L", "`L` is not declared"));
    assert_eq!(mistake("{ ret;"), pair("{", "unmatched `{`"));
    assert_eq!(mistake("ret; }"), pair("}", "unmatched `}`"));
    assert_eq!(mistake("add.s32 %r0 %r1, 1;").0, "%r1");
    let (place, message) = mistake("add.s32 %r0, %r1;");
    assert_eq!((place.as_str(), message.contains("takes 3 operands")), ("add.s32", true), "{message}");
    let (place, message) = mistake("add.s32 %r0, %r1, %f;");
    assert_eq!((place.as_str(), message.contains("does not match")), ("%f", true), "{message}");
    let (place, message) =
        mistake("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r0, %r1}, {%r0}, {%r1}, {%r0, %f};");
    assert_eq!((place.as_str(), message.contains("does not match")), ("%f", true), "{message}");
    let (place, message) = mistake("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r0, %r1}, [%r0];");
    assert_eq!(place, "{%r0, %r1}");
    assert_eq!(message, "expected a vector of 4, found 2");
    let (place, message) = mistake("add.s32 %r0, %r1, %l;");
    assert_eq!((place.as_str(), message.contains("does not match")), ("%l", true), "{message}");
}

#[test]
fn forms_that_there_are_not_are_mistakes() {
    for (text, place, expected) in [
        ("mul.s32 %r0, %r1, 3;", "mul.s32", "unknown instruction `mul.s32`"),
        ("add.rn.rn.f32 %f, %f, %f;", "add.rn.rn.f32", "unknown instruction `add.rn.rn.f32`"),
        ("cvt.f32.s32 %f, %r0;", "cvt.f32.s32", "unknown instruction `cvt.f32.s32`"),
        ("cvt.rn.e4m3x2.f32 %h, %f, %f;", "cvt.rn.e4m3x2.f32", "unknown instruction `cvt.rn.e4m3x2.f32`"),
        (
            "cvt.rn.scaled::n2::ue8m0.f16x2.e4m3x2 %r0, %h, %h;",
            "cvt.rn.scaled::n2::ue8m0.f16x2.e4m3x2",
            "unknown instruction",
        ),
        ("add.f32 %f, %f, 1;", "add.f32", "an integer is not a valid operand"),
        ("add.s32 %r0, %r1, 1.0;", "add.s32", "a floating-point number is not a valid operand"),
        ("add.s32 12, %r0, %r1;", "add.s32", "expected a register for the result"),
        ("add.s32 %r0, -%r1, 1;", "add.s32", "does not support `-` before an operand"),
        ("add.s32 _, %r1, 1;", "add.s32", "cannot be `_`"),
        ("mov.u32 %r0, %tid;", "%tid", "a vector of four"),
        ("mov.b64 %l, {%r0, };", "}", "expected a constant"),
        ("add.s32 %r0, %r1, 1;;", ";", "expected a statement"),
        (".reg.reg .b32 t;", ".reg", "a second state space"),
        (".reg .b32.b32 t;", ".b32", "a second type"),
        ("exit 3;", "exit", "`exit` takes no operands"),
        (".reg .b32 t, u, t;", "t", "redeclaration of `t`"),
    ] {
        let (found, message) = mistake(text);
        assert_eq!((found.as_str(), message.contains(expected)), (place, true), "{text}: {message}");
    }
}

#[test]
fn modifiers_and_operands_are_those_of_the_form() {
    for (text, place, expected) in [
        ("ld.globl.u32 %r0, [%l];", "globl", "`ld` has no modifier `.globl`"),
        ("ld.ca.cg.u32 %r0, [%l];", "cg", "`.cg` cannot be combined with `.ca`"),
        ("ld.relaxed.u32 %r0, [%l];", "ld.relaxed.u32", "`ld` needs `.cta`"),
        ("st.v2.u32 [%l], {%r0};", "{%r0}", "a vector of 2"),
        ("red.add.u32 [%l], %r0, %r1;", "red.add.u32", "`red` takes 2 operands, found 3"),
        ("red.L2::cache_hint.add.u32 [%l], %r0;", "red.L2::cache_hint.add.u32", "takes 3 operands"),
        ("elect.sync %r0, -1;", "%r0", "a register and a predicate"),
        ("mbarrier.b64 [%l];", "b64", "unknown instruction `mbarrier.b64`"),
        ("wgmma.wait_group.sync.aligned %r0;", "%r0", "expected a number"),
    ] {
        let (found, message) = mistake(text);
        assert_eq!((found.as_str(), message.contains(expected)), (place, true), "{text}: {message}");
    }
    // Modifiers in other orders, and words that ptxas does not look at.
    for text in [
        "ld.u32.global %r0, [%l];",
        "shfl.b32.idx.sync %r0|%p, %r1, 0, 31, -1;",
        "bar.sync.sync 0;",
        "ld.rank.u32 %r0, [%l];",
        "atom.global.add.f32.pred %f, [%l], %f;",
    ] {
        assert_eq!(mistakes(text), [], "{text}");
    }
}

/// Forms that every version has are nearer than newer ones.
#[test]
fn what_is_missing_is_not_what_is_newer() {
    for (text, place, expected) in [
        (
            "cp.async.bulk.tensor.2d.global.shared::cta.im2col_no_offs.bulk_group [%l, {%r0, %r1}], [%l];",
            "im2col_no_offs",
            "`.im2col_no_offs` cannot be combined with the other modifiers",
        ),
        (
            "cp.async.bulk.prefetch.tensor.2d.L2.global.im2col [%l, {%r0, %r1}];",
            "im2col",
            "`.im2col` cannot be combined with the other modifiers",
        ),
    ] {
        let (found, message) = mistake(text);
        assert_eq!((found.as_str(), message.contains(expected)), (place, true), "{text}: {message}");
    }
}

/// As ptxas 13 takes and refuses them.
#[test]
fn what_is_not_looked_at_has_its_places() {
    for (text, expected) in [
        (
            "fence.release.sync_restrict::shared::cta.sync_restrict::shared::cta.cluster;",
            "duplicate modifier",
        ),
        ("fence.proxy.tensormap::generic.acquire.global.gpu [%l], 128;", "cannot be combined"),
        ("wmma.load.b.sync.aligned.col.col.m8n8k32.s4 {%r0}, [%l];", "duplicate modifier"),
        (
            "mma.sync.aligned.col.row.m8n8k32.s32.s4.s4.s32 {%r0, %r1}, {%r0}, {%r1}, {%r0, %r1};",
            "`.row` cannot be combined",
        ),
        ("alloca.u64 %l, %l, 3;", "expected a power of two"),
        ("mbarrier.arrive.b64 %l, [%l], -1;", "a number from 1 to 9223372036854775807"),
        ("red.global.add.noftz.v2.f16 [%l], {1.0, %h};", "a floating-point number is not a valid operand"),
        ("mbarrier.arrive.expect_tx.multicast::cluster::32b.b64 %l, [%l], %r0;", "takes 4 operands"),
    ] {
        let (_, message) = mistake(text);
        assert!(message.contains(expected), "{text}: {message}");
    }
    for text in [
        "fence.proxy.tensormap::generic.release.global.gpu; fence.proxy.async.sync_restrict::shared::cta;",
        "mma.sync.aligned.row.col.xor.m8n8k32.s32.s4.s4.s32 {%r0, %r1}, {%r0}, {%r1}, {%r0, %r1};",
        "alloca.u64 %l, %l, 1048576; ld.volatile.local.u32 %r0, [%l]; st.async.shared.b32 [%l], %r0;",
        "red.global.add.noftz.v2.f16 [%l], {%h, 1.0}; red.async.release.sys.dec.u32 [%l], %r0;",
        "mbarrier.check_layout.layout::v0.gpu.b64 %p, [%l]; mbarrier.test_wait.phase_type::primary.b64 %p, [%l], %l;",
    ] {
        assert_eq!(mistakes(text), [], "{text}");
    }
}

/// As ptxas 13 takes and refuses them.
#[test]
fn addresses_of_copies_of_tensors_need_no_brackets() {
    let copy = "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes";
    assert_eq!(mistakes(&format!("{copy} %l, [%l, {{%r0}}], %r1; {copy} [%r0], [%l, {{%r0}}], 1.0;")), []);
    for operand in ["%p", "128", "{%r0}"] {
        let (found, message) = mistake(&format!("{copy} [%r0], [%l, {{%r0}}], {operand};"));
        assert_eq!((found.as_str(), message.contains("an address")), (operand, true), "{message}");
    }
    assert_eq!(
        mistakes("txq.level.width.b32 %r0, [%l], {%r1}; fence.proxy.async::generic.acq_rel.sys [%l], 0;"),
        []
    );
}

/// As ptxas takes and refuses them.
#[test]
fn names_of_variables_are_addresses() {
    let variables = ".shared .b64 m[4]; .reg .v4 .f32 v; L: ";
    for (text, place, expected) in [
        ("add.u64 %l, %l, m;", "m", "expected a register, but"),
        ("@m bra L;", "m", "expected a predicate, but"),
        ("mov.b64 %l, {%r0, m};", "m", "expected a register, but"),
        ("cvta.to.shared.u64 %l, m;", "m", "expected a register, but"),
        ("shl.b32 %r0, L, 3;", "L", "expected a register, but"),
        ("nanosleep.u32 m;", "m", "expected a register, but"),
        ("st.shared.v2.u64 [m], {m, %l};", "m", "expected a register, but"),
    ] {
        let (found, message) = mistake(&format!("{variables}{text}"));
        assert_eq!((found.as_str(), message.contains(expected)), (place, true), "{text}: {message}");
    }
    for text in [
        "mov.u64 %l, m; cvta.shared.u64 %l, m; ld.shared.u32 %r0, [m+4]; mapa.u64 %l, m, %r0; bra L;",
        "mov.u64 %l, L; cp.async.bulk.prefetch.tensor.1d.L2.global [%l, {%r0}]; ld.global.v4.f32 v, [%l];",
        "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [m], [%l, {%r0}], m;",
    ] {
        assert_eq!(mistakes(&format!("{variables}{text}")), [], "{text}");
    }
    let symbols = |text: &str| {
        let kinds = check(text, 64).mistakes.into_iter().map(|mistake| mistake.kind);
        kinds.filter(|kind| matches!(kind, MistakeKind::Symbol(_))).count()
    };
    assert_eq!([symbols("nanosleep.u32 g;"), symbols("bra g;"), symbols("mov.u64 %l, g;")], [1, 1, 0]);
}

#[test]
fn addresses_are_as_wide_as_pointers() {
    for text in [
        "ld.global.u32 %r0, [%r1];",
        "st.u32 [%r1+4], %r0;",
        "red.add.u32 [%r0], %r1;",
        "mbarrier.init.b64 [%r0], 1;",
        "cvta.to.global.u32 %r0, %r1;",
        "cvta.shared.u32 %r0, %r1;",
    ] {
        let (_, message) = mistake(text);
        assert!(message.contains("an address of 64 bits"), "{text}: {message}");
        assert_eq!(check(&format!("{REGISTERS}{text}"), 32).mistakes, [], "{text}");
    }
    let of_small_spaces = "ld.shared.u32 %r0, [%r1]; ld.const.u32 %r0, [%r1]; ld.param::func.u32 %r0, [%r1];";
    assert_eq!(mistakes(of_small_spaces), []);
}

/// As ptxas 13 takes and refuses them.
#[test]
fn parts_of_addresses_have_types() {
    let put = "fabric.try_put.async.shared::cta.mbarrier::complete_tx::16B.mbarrier::report::fabric.relaxed.sys.b128";
    let copy = "cp.async.bulk.prefetch.tensor.2d.L2.global.tile.override::global_address";
    let stride = "override::global_dim_stride";
    for (text, place, expected) in [
        (format!("{put} [%l, %l], [%r0], %r1, [%r1];"), "[%l, %l]", "the type of register"),
        (format!("{put} [%r0, {{%l}}], [%r0], %r1, [%r1];"), "[%r0, {%l}]", "expected a register"),
        (format!("{put} [%r0], [%r0], %r1, [%r1];"), "[%r0]", "an address of 2 parts"),
        (format!("{copy} [%l, {{%r0, %r1}}];"), "[%l, {%r0, %r1}]", "an address of 3 parts"),
        (format!("{copy} [%l, %l, {{%r0}}];"), "[%l, %l, {%r0}]", "a vector of 2"),
        (
            format!("{copy}.{stride} [%l, %l, {{%h, %h}}, %h, {{%r0, %r1}}];"),
            "[%l, %l, {%h, %h}, %h, {%r0, %r1}]",
            "an address of 6 parts",
        ),
    ] {
        let (found, message) = mistake(&text);
        assert_eq!((found.as_str(), message.contains(expected)), (place, true), "{text}: {message}");
    }
    for text in [
        format!("{put} [%r0, %l], [%r0], %r1, [%l];"),
        format!("{} [%r0, %l, %l], [%r0], %r1, [%l];", put.replace("relaxed", "counted::bytes.relaxed")),
        format!("{copy} [%l, %l, {{%r0, 1}}];"),
        format!("{copy}.{stride} [%l, %l, {{%h, 1}}, {{%r0}}, %h, {{%r0, %r1}}];"),
    ] {
        assert_eq!(mistakes(&text), [], "{text}");
    }
}

#[test]
fn versions_are_those_of_the_instructions() {
    let version = |text: &str| check(&format!("{REGISTERS}{text}"), 64).version.map(|(version, _)| version);
    assert_eq!(version("add.s32 %r0, %r1, 1;"), Some((1, 0)));
    assert_eq!(version("redux.sync.add.s32 %r0, %r1, 1; add.s32 %r0, %r1, 1;"), Some((7, 0)));
    assert_eq!(version("ld.acquire.gpu.global.u32 %r0, [%l];"), Some((6, 0)));
    assert_eq!(version("ld.shared::cluster.u32 %r0, [%l];"), Some((7, 8)));
    let mma = "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f, %f, %f, %f}, {%r0, %r0}, {%r0}, {%f, %f, %f, %f};";
    assert_eq!(version(mma), Some((6, 5)));
    assert_eq!(version(&mma.replace("f16.f16", "tf32.tf32")), Some((7, 0)));
    assert_eq!(version(&mma.replace("m16n8k8", "m16n8k32").replace("f16.f16", "e4m3.e5m2")), Some((8, 4)));
    assert_eq!(version("wmma.load.a.sync.aligned.row.m8n8k4.shared.f64 {%l}, [%r0];"), Some((7, 0)));
    assert_eq!(version("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [%r1];"), Some((6, 5)));
    assert_eq!(version("cvt.rn.satfinite.e4m3x2.f32 %h, %f, %f;"), Some((8, 1)));
    assert_eq!(version("cvt.rn.f16x2.e2m3x2 %r0, %h;"), Some((8, 6)));
    assert_eq!(version("cvt.rn.bf16x2.e2m3x2 %r0, %h;"), Some((9, 2)));
    assert_eq!(version("// nothing"), None);
}
