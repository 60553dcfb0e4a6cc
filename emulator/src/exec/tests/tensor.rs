//! Copies of tiles through tensor maps, and changes to maps.

use super::run;
use crate::exec::launch::{Checks, Launch};
use crate::memory::GLOBAL_START;
use crate::tensor::{Swizzle, TensorElement, TensorMap};

/// The buffer's words hold their index; `%r9` of each thread is stored in its word. `t` is a tile of 512
/// bytes, `b` an mbarrier for one thread, `m` memory for a map, `%rd4` the address of the map; `%p1` is true
/// in all but the first thread.
fn with_map(body: &str) -> String {
    format!(
        ".version 8.6\n.target sm_100a\n.address_size 64\n.visible .entry k(.param .u64 p, .param .align 64 .b8 map[128]) {{\n\
         .reg .pred %p<9>, %done; .reg .b16 %h; .reg .b32 %r<99>; .reg .b64 %rd<9>, %state;\n\
         .shared .align 1024 .b8 t[512]; .shared .align 128 .b8 m[128]; .shared .align 8 .b64 b;\n\
         ld.param.u64 %rd3, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd1, %r1, 4; add.u64 %rd1, %rd3, %rd1;\n\
         mov.b64 %rd4, map; cvta.param.u64 %rd4, %rd4; mov.u32 %r4, t; mad.lo.u32 %r5, %r1, 4, %r4; mov.u32 %r7, b;\n\
         setp.ne.u32 %p1, %r1, 0; @!%p1 mbarrier.init.shared::cta.b64 [b], 1; fence.proxy.async; bar.sync 0;\n\
         {body}\nbar.sync 0; st.global.u32 [%rd1], %r9; END: }}"
    )
}

/// 8 rows of 16 words; tiles of 4 rows of 8 words.
fn map() -> TensorMap {
    TensorMap {
        address: GLOBAL_START,
        element: TensorElement::U32,
        extents: vec![16, 8],
        strides: vec![64],
        box_extents: vec![8, 4],
        steps: vec![1, 1],
        swizzle: Swizzle::None,
    }
}

fn outcome(body: &str, map: &TensorMap) -> Result<Vec<u32>, String> {
    let launch = Launch { checks: Checks::ALL, step_limit: Some(100_000), ..Launch::new([1; 3], [32, 1, 1]) };
    run(&with_map(body), &launch, &(0..128).collect::<Vec<u32>>(), &[map.encode().to_vec()])
}

/// The tile whose first element has these coordinates, as the threads read it.
fn loaded(place: &str, n_bytes: u32, map: &TensorMap) -> Result<Vec<u32>, String> {
    let dim = 1 + place.matches(',').count();
    let body = format!(
        "@%p1 bra W; mbarrier.arrive.expect_tx.shared.b64 %state, [b], {n_bytes};\n\
         cp.async.bulk.prefetch.tensor.{dim}d.L2.global.tile [%rd4, {{{place}}}];\n\
         cp.async.bulk.tensor.{dim}d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r4], [%rd4, {{{place}}}], [%r7];\n\
         W: mbarrier.try_wait.parity.shared.b64 %done, [b], 0; @!%done bra W; ld.shared.u32 %r9, [%r5];"
    );
    outcome(&body, map).map(|words| words[..32].to_vec())
}

#[test]
fn tiles_are_loaded() {
    let word =
        |x: i64, y: i64| if (0..16).contains(&x) && (0..8).contains(&y) { (y * 16 + x) as u32 } else { 0 };
    for (x, y) in [(0, 0), (4, 2), (8, 3), (-4, -1), (12, 6), (100, 100)] {
        let wanted = (0..32).map(|n| word(x + n % 8, y + n / 8)).collect();
        assert_eq!(loaded(&format!("{x}, {y}"), 128, &map()), Ok(wanted), "{x}, {y}");
    }
    // Every other row.
    let stepped = TensorMap { box_extents: vec![8, 8], steps: vec![1, 2], ..map() };
    assert_eq!(
        loaded("8, 1", 128, &stepped),
        Ok((0..32).map(|n| word(8 + n % 8, 1 + 2 * (n / 8))).collect())
    );
    // One dimension, and five.
    let one =
        TensorMap { extents: vec![128], strides: vec![], box_extents: vec![32], steps: vec![1], ..map() };
    assert_eq!(loaded("4", 128, &one), Ok((4..36).collect()));
    let five = TensorMap {
        extents: vec![4, 2, 2, 4, 2],
        strides: vec![16, 32, 64, 256],
        box_extents: vec![4, 2, 1, 2, 2],
        steps: vec![1; 5],
        ..map()
    };
    let wanted = |n: u32| n % 4 + 4 * (n / 4 % 2) + 8 + 16 * (1 + n / 8 % 2) + 64 * (n / 16);
    assert_eq!(loaded("0, 0, 1, 1, 0", 128, &five), Ok((0..32).map(wanted).collect()));
}

#[test]
fn tiles_are_swizzled() {
    // Rows of 32 bytes; the 32-byte pattern repeats every 128 bytes.
    let swizzled = TensorMap { swizzle: Swizzle::B32, box_extents: vec![8, 8], ..map() };
    let body = "@%p1 bra W; mbarrier.arrive.expect_tx.shared.b64 %state, [b], 256;\n\
        cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes.L2::cache_hint [%r4], [%rd4, {0, 0}], [%r7], %rd4;\n\
        W: mbarrier.try_wait.parity.shared.b64 %done, [b], 0; @!%done bra W; ld.shared.u32 %r9, [%r5+128];";
    let found = outcome(body, &swizzled).map(|words| words[..32].to_vec());
    assert_eq!(found, Ok((0..32).map(|n| (4 + n / 8) * 16 + ((n % 8) ^ 4)).collect()));
}

#[test]
fn tiles_are_stored_and_reduced() {
    for (form, wanted) in [
        ("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group", None),
        ("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group", Some(1)),
        ("cp.reduce.async.bulk.tensor.2d.global.shared::cta.max.bulk_group.L2::cache_hint", Some(0)),
        // The modifiers may be in any order, except the state spaces.
        ("cp.async.bulk.tensor.global.shared::cta.bulk_group.2d", None),
        ("cp.reduce.async.bulk.tensor.bulk_group.global.shared::cta.add.2d.tile", Some(1)),
    ] {
        let hint = if form.ends_with("hint") { ", %rd4" } else { "" };
        let body = format!(
            "add.u32 %r6, %r1, 60; st.shared.u32 [%r5], %r6; fence.proxy.async; bar.sync 0;\n\
             @%p1 bra W; {form} [%rd4, {{12, 6}}], [%r4]{hint}; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; W: bar.sync 0; bra END;"
        );
        let found = outcome(&body, &map()).unwrap_or_else(|error| panic!("{form}: {error}"));
        for n in 0..128_u32 {
            let (x, y) = (n % 16, n / 16);
            let new = 60_u32.wrapping_add(x).wrapping_sub(12).wrapping_add(8 * y).wrapping_sub(48);
            let is_in_tile = (12..20).contains(&x) && (6..10).contains(&y);
            let value = match (is_in_tile, wanted) {
                (false, _) => n,
                (true, None) => new,
                (true, Some(1)) => n + new,
                (true, Some(_)) => n.max(new),
            };
            assert_eq!(found[n as usize], value, "{form}: {n}");
        }
    }
}

#[test]
fn maps_are_changed() {
    // A copy of the map in shared memory is changed to rows of 32 words, 3 in all, and copied to global
    // memory.
    let body = "mul.wide.u32 %rd5, %r1, 4; add.u64 %rd5, %rd4, %rd5; ld.param.u32 %r6, [map]; mov.u32 %r8, m; mad.lo.u32 %r8, %r1, 4, %r8; ld.u32 %r6, [%rd5]; st.shared.u32 [%r8], %r6; bar.warp.sync -1;\n\
        @%p1 bra C; tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [m], 0, 128; tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [m], 0, 32;\n\
        mov.u32 %r10, 3; tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [m], 1, %r10; tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [m], 3;\n\
        add.u64 %rd6, %rd3, 64; tensormap.replace.tile.global_address.shared::cta.b1024.b64 [m], %rd6;\n\
        C: bar.warp.sync -1; add.u64 %rd7, %rd3, 384; tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%rd7], [m], 128;\n\
        fence.proxy.tensormap::generic.acquire.gpu [%rd7], 128; bar.sync 0;\n\
        @%p1 bra W; mbarrier.arrive.expect_tx.shared.b64 %state, [b], 128;\n\
        cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r4], [%rd7, {8, 1}], [%r7];\n\
        W: mbarrier.try_wait.parity.shared.b64 %done, [b], 0; @!%done bra W; ld.shared.u32 %r9, [%r5];";
    let body = body.replace("ld.param.u32 %r6, [map]; ", "");
    let found = outcome(&body, &map()).map(|words| words[..32].to_vec());
    // The third row is where the map is now.
    let wanted: Vec<u32> = (0..16).map(|n| 16 + 32 * (1 + n / 8) + 8 + n % 8).collect();
    assert_eq!(found.map(|words| words[..16].to_vec()), Ok(wanted));
}

#[test]
fn wrong_tiles_are_named() {
    let wrong = |place: &str, map: &TensorMap| loaded(place, 128, map).expect_err("it is wrong");
    let error = wrong("0, 0, 0", &map());
    assert!(error.contains("the tensor has 2 dimensions, but the copy has 3 coordinates"), "{error}");
    let error = wrong("0, 0", &TensorMap { address: GLOBAL_START + 8, ..map() });
    assert!(error.starts_with("tensor map at 0x7b00000000"), "{error}");
    assert!(
        error.contains(": the address of the tensor, 0x7f0000000008, is not a multiple of 16"),
        "{error}"
    );
    let error = wrong(
        "0, 0",
        &TensorMap { extents: vec![64, 8], box_extents: vec![8, 8], strides: vec![512], ..map() },
    );
    assert!(error.starts_with("out-of-bounds global read of 16 bytes at 0x7f0000000200: "), "{error}");
    for (place, bytes) in [("1, 0", 4), ("-3, 0", -12), ("14, 0", 56)] {
        let error = wrong(place, &map());
        assert!(
            error.contains(&format!("the first coordinate is at {bytes} bytes along")),
            "{place}: {error}"
        );
    }
    for place in ["-4, 0", "0, -1"] {
        let body =
            format!("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%rd4, {{{place}}}], [%r4];");
        let error = outcome(&body, &map()).expect_err("it begins before the tensor");
        assert!(error.contains("a tile that is written has a negative coordinate"), "{place}: {error}");
    }
    let error = outcome(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r4+16], [%rd4, {0, 0}], [%r7];",
        &map(),
    );
    assert!(
        error.expect_err("misaligned").contains("the address of the tile, 0x10, is not a multiple of 128")
    );
    let error = outcome(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r4], [%rd3, {0, 0}], [%r7];",
        &map(),
    );
    assert!(error.expect_err("no map").contains("not a tensor map of the emulator"));
    let error = outcome(
        "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%rd4, {0, 0}], [%r4];",
        &TensorMap { element: TensorElement::U8, box_extents: vec![16, 4], ..map() },
    );
    assert!(error.expect_err("no such").contains("`.add` does not support elements of type u8"));
    // A computed value is not visible to a copy yet.
    let error = outcome(
        "st.shared.u32 [%r5], %r1; bar.sync 0; @!%p1 cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%rd4, {0, 0}], [%r4];",
        &map(),
    );
    assert!(error.expect_err("no fence").contains("without a `fence.proxy.async` in between"));
}

#[test]
fn forms_that_there_are_not_are_refused() {
    let completion = "mbarrier::complete_tx::bytes";
    for (instruction, message) in [
        (format!("cp.async.bulk.tensor.6d.shared::cta.global.{completion} [%r4], [%rd4, {{0}}], [%r7];"), "unknown instruction"),
        (format!("cp.async.bulk.tensor.1d.shared::cta.global.{completion}.multicast::cluster [%r4], [%rd4, {{0}}], [%r7], %h;"), "unknown instruction"),
        (format!("cp.async.bulk.tensor.2d.shared::cta.global.{completion} [%r4], [%rd4, {{0}}], [%r7];"), "expected 2 values"),
        (format!("cp.async.bulk.tensor.1d.shared::cta.global.{completion} [%r4], [%rd4, {{0}}];"), "invalid operands of the tile copy"),
        (format!("cp.async.bulk.tensor.3d.shared::cluster.global.im2col.{completion} [%r4], [%rd4, {{0, 0, 0}}], [%r7], {{%h}};"), "copies by `.im2col` are not supported yet"),
        (format!("cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.{completion} [%r4], [%rd4, {{0, 0, 0, 0, 0}}], [%r7];"), "copies by `.tile::gather4` are not"),
        (format!("cp.async.bulk.tensor.1d.shared::cluster.global.tile.{completion}.cta_group::2 [%r4], [%rd4, {{0}}], [%r7];"), "copies for pairs of blocks"),
        ("cp.async.bulk.tensor.1d.global.shared::cta [%rd4, {0}], [%r4];".to_owned(), "unknown instruction"),
        ("cp.async.bulk.tensor.1d.global.shared::cta.bulk_group.cta_group::1 [%rd4, {0}], [%r4];".to_owned(), "unknown instruction"),
        ("cp.async.bulk.tensor.1d.global.shared::cta.bulk_group.add [%rd4, {0}], [%r4];".to_owned(), "unknown instruction"),
        ("cp.async.bulk.tensor.1d.1d.global.shared::cta.bulk_group [%rd4, {0}], [%r4];".to_owned(), "unknown instruction"),
        ("cp.async.bulk.tensor.1d.global.shared::cta.global.bulk_group [%rd4, {0}], [%r4];".to_owned(), "unknown instruction"),
        ("cp.reduce.async.bulk.tensor.1d.global.shared::cta.sub.bulk_group [%rd4, {0}], [%r4];".to_owned(), "unknown instruction"),
        ("tensormap.replace.tile.rank.shared::cta.b1024.b64 [m], %rd3;".to_owned(), "unknown instruction"),
        ("tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [m], 4, %rd3;".to_owned(), "tensors do not have this dimension"),
        ("tensormap.replace.tile.rank.shared::cta.b1024.b32 [m], 1, 2;".to_owned(), "invalid operands of `tensormap.replace`"),
        ("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%rd3], [m], 64;".to_owned(), "a tensor map has 128 bytes"),
    ] {
        let error = outcome(&instruction, &map()).expect_err(&instruction);
        assert!(error.starts_with("test:") && error.contains(message), "{instruction}: {error}");
    }
}
