//! Profiles of the kernels in this file, compared with counts by hand.

use super::{AccessSpace, Kind, Listing, Profile, Text};
use crate::Launch;
use crate::device::Shape;

/// `out[i] = tile[i][0] + x[i * stride]` with a tile of 32 rows in shared memory, and more work in half of
/// the threads.
const KERNEL: &str = r#".version 7.0
.target sm_80
.address_size 64
.shared .align 4 .b8 tile[4096];
.visible .entry _Z3sumPfPKfi(.param .u64 out, .param .u64 x, .param .u32 stride)
{
    .reg .pred %p; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %rd<9>;
    .loc 1 2 0
    ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [x]; ld.param.u32 %r1, [stride];
    mov.u32 %r2, %tid.x;
    mad.lo.u32 %r3, %r2, %r1, 0;
    mul.wide.u32 %rd3, %r3, 4;
    add.u64 %rd2, %rd2, %rd3;
    mul.wide.u32 %rd4, %r2, 4;
    add.u64 %rd1, %rd1, %rd4;
    shl.b32 %r4, %r2, 7;
    mov.u32 %r5, tile;
    add.u32 %r5, %r5, %r4;
    .loc 1 3 0
    mov.f32 %f1, 0f3f800000;
    st.shared.f32 [%r5], %f1;
    .loc 1 4 0
    ld.global.f32 %f2, [%rd2];
    .loc 1 5 0
    and.b32 %r6, %r2, 1;
    setp.eq.u32 %p, %r6, 0;
    @%p bra EVEN;
    .loc 1 6 0
    add.f32 %f2, %f2, %f1;
EVEN:
    .loc 1 7 0
    st.global.f32 [%rd1], %f2;
    ret;
}
.file 1 "sums/sum.cu"
"#;

/// The approximate source text.
const SOURCE: &str = "// A sum.
__global__ void sum(float *out, const float *x, int stride) {
\ttile[threadIdx.x][0] = 1.0f; // <b>\"bold\"</b> & 'more'
    float sum = x[threadIdx.x * stride];
    if (threadIdx.x % 2)
        sum += 1;
    out[threadIdx.x] = sum; }
";

const SHAPE: Shape = Shape { grid: [1, 1, 1], block: [32, 1, 1], shared: 0, is_cooperative: false };

fn profile(stride: u32) -> Profile {
    let launch = Launch::new().module("sum.ptx", KERNEL).block(32).profile();
    let report = launch.arg(vec![0.0_f32; 32]).arg(vec![1.0_f32; 1024]).arg(stride).run().expect("it runs");
    report.profile().clone()
}

fn listing(profile: &Profile) -> Listing<'_> {
    Listing::new("_Z3sumPfPKfi", SHAPE, profile, |name| {
        let content = if name == "sum.ptx" { KERNEL } else { SOURCE };
        Text { name: name.to_owned(), content: Some(content.to_owned()) }
    })
}

#[test]
fn a_test_can_ask_for_lines_and_kinds() {
    let profile = profile(2);
    assert_eq!(profile.line("sum.cu", 3).shared.n_conflicts(), 31);
    let load = profile.line("sums/sum.cu", 4).global;
    assert_eq!((load.n_sectors, load.efficiency()), (8, Some(0.5)));
    assert_eq!(profile.line("sum.cu", 5).branches.n_divergent, 1);
    assert_eq!(profile.line("um.cu", 5).n_warps, 0, "a name begins after a folder");
    assert_eq!(profile.kind(Kind::Float32).n_threads, 16);
    assert_eq!(profile.kind(Kind::Store(AccessSpace::Shared)).n_warps, 1);
    assert_eq!(profile.total().n_warps, 12 + 2 + 1 + 3 + 1 + 2);
    assert_eq!(profile.ptx_line("sum.ptx", 23).global, load);
}

#[test]
#[should_panic(expected = "profiling was not enabled for this launch")]
fn rejects_lines_without_counts() {
    let launch = Launch::new().module("sum.ptx", KERNEL).block(32);
    let report = launch.arg(vec![0.0_f32; 32]).arg(vec![1.0_f32; 32]).arg(1_u32).run().expect("it runs");
    report.profile();
}

#[test]
fn the_table_has_lines_kinds_memory_and_hints() {
    let profile = profile(8);
    let table = listing(&profile).table();
    let expected = [
        "profile of sum: 21 warp instructions, 31.2 of 32 lanes active on average\n",
        "share  instructions  lanes  sectors  needed  wavefronts  conflicts  divergent  line\n",
        " 57 %            12   32.0                                                     sums/sum.cu:2  __global__ void sum(float *out, const float *x, …\n",
        "9.5 %             2   32.0                           32         31             sums/sum.cu:3  tile[threadIdx.x][0] = 1.0f; // <b>\"bold\"</b> & …\n",
        "4.8 %             1   32.0       32    12 %                                    sums/sum.cu:4  float sum = x[threadIdx.x * stride];\n",
        " 14 %             3   32.0                                              100 %  sums/sum.cu:5  if (threadIdx.x % 2)\n",
        "4.8 %             1   16.0                                                     sums/sum.cu:6  sum += 1;\n",
        "share  instructions  by threads  kind\n",
        "4.8 %             1          16  float32\n",
        "global memory: 2 accesses, 256 bytes, 36 sectors in 9 cache lines, 22 % of the sectors needed\n",
        "shared memory: 1 access, 32 wavefronts, 31 of them bank conflicts\n",
        "branches: 1, 1 of them divergent\n",
        "hint: sums/sum.cu:3: 32.0-way bank conflict on average: threads of a warp access different",
        "hint: sums/sum.cu:4: only 12 % of the global memory sectors were needed: an access of a warp touched 32.0 sectors on average, where 4.0 ",
    ];
    for text in expected {
        assert!(table.contains(text), "{text}\nis not in\n{table}");
    }
    assert!(!table.contains("local"), "there is none:\n{table}");
    assert!(!table.contains("were divergent"), "hardly a lane is idle:\n{table}");
}

#[test]
fn hints_are_given_only_where_they_hold() {
    let profile = profile(1);
    let hints = listing(&profile).hints();
    let places: Vec<&str> = hints.iter().filter_map(|hint| hint.place.as_deref()).collect();
    assert_eq!(places, ["sums/sum.cu:3"], "the loads are coalesced now");
    let half = Shape { block: [20, 1, 1], ..SHAPE };
    let hints =
        Listing::new("k", half, &profile, |name| Text { name: name.to_owned(), content: None }).hints();
    let message = "a block of 20 threads does not fill its last warp: 12 lanes are idle";
    assert!(hints.iter().any(|hint| hint.message == message && hint.place.is_none()), "{hints:?}");
}

#[test]
fn the_page_is_well_formed_and_self_contained() {
    let profile = profile(8);
    let page = listing(&profile).html();
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..roxmltree::ParsingOptions::default() };
    let document = roxmltree::Document::parse_with_options(&page, options).expect("it is well-formed");
    let elements = || document.descendants().filter(roxmltree::Node::is_element);
    for element in elements() {
        let name = element.tag_name().name();
        assert!(!["link", "img", "iframe", "base", "object"].contains(&name), "<{name}> loads something");
        assert!(!element.has_attribute("src") && !element.has_attribute("onclick"), "{element:?}");
        assert!(element.attribute("href").is_none_or(|link| link.starts_with('#')), "{element:?}");
    }
    assert!(!page.contains("://") && !page.contains("url(") && !page.contains("@import"));
    // Links lead to lines, and anchors are unique.
    let ids: Vec<&str> = elements().filter_map(|element| element.attribute("id")).collect();
    let links = elements().filter_map(|element| element.attribute("href"));
    links.for_each(|link| assert!(ids.contains(&&link[1..]), "{link}"));
    assert_eq!(ids.len(), ids.iter().collect::<std::collections::BTreeSet<_>>().len());
    // Source text is escaped: the page shows it as written.
    let is_bold = |element: &roxmltree::Node<'_, '_>| element.tag_name().name() == "b";
    let bold: Vec<&str> = elements().filter(is_bold).filter_map(|element| element.text()).collect();
    assert!(!bold.contains(&"\"bold\""), "it came from a comment: {bold:?}");
    let lines: Vec<&str> = elements()
        .filter(|element| element.tag_name().name() == "pre")
        .filter_map(|element| element.text())
        .collect();
    assert_eq!(lines.len(), SOURCE.lines().count());
    assert_eq!(lines[2], "    tile[threadIdx.x][0] = 1.0f; // <b>\"bold\"</b> & 'more'");
    // Charts of kinds, of sectors and of wavefronts.
    let charts = elements().filter(|element| element.tag_name().name() == "svg");
    assert_eq!(
        charts.filter_map(|chart| chart.attribute("aria-label")).collect::<Vec<&str>>(),
        ["Instructions by kind", "Global memory", "Shared memory"]
    );
}

#[test]
fn makes_a_page_without_text_and_counts() {
    let none = Profile::default();
    let unknown = |name: &str| Text { name: name.to_owned(), content: None };
    let page = Listing::new("k", SHAPE, &none, unknown).html();
    assert!(page.contains("<title>k, grid of 1 block, block of 32 threads</title>"), "{page}");
    let profile = profile(1);
    let listing = Listing::new("k", SHAPE, &profile, |_| unknown("a<b>.cu"));
    assert!(listing.html().contains("<h3><code>a&lt;b&gt;.cu</code></h3>"));
    assert!(listing.table().contains("a<b>.cu:3\n"), "{}", listing.table());
}

#[test]
fn counts_are_machine_readable() {
    let profile = profile(8);
    let text = listing(&profile).json();
    let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((&value["kernel"], &value["block"]), (&"sum".into(), &serde_json::json!([32, 1, 1])));
    let lines = value["lines"].as_array().expect("lines");
    let line = lines.iter().find(|line| line["line"] == 4).expect("line 4");
    assert_eq!(line["text"], "float sum = x[threadIdx.x * stride];");
    let sectors =
        serde_json::json!({"requests": 1, "bytes": 128, "sectors": 32, "ideal_sectors": 4, "lines": 8});
    assert_eq!(line["global"], sectors);
    assert_eq!(line["instructions"][0]["text"], "ld.global.f32 %f2, [%rd2]");
    assert_eq!(line["instructions"][0]["kind"], "load global");
    assert_eq!(line.get("shared"), None);
    let sum: u64 = lines.iter().filter_map(|line| line["warp_instructions"].as_u64()).sum();
    assert_eq!(value["total"]["warp_instructions"], sum);
    assert_eq!(value["total"]["shared"]["conflicts"], 31);
}
