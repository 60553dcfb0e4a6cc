//! Launches of the kernels in this file on the emulator.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};

use weft_emulator::exec::collected::Collected;

use crate::argument::{Argument, Value};
use crate::device::{Backend, Watcher};
use crate::element::ElementType;
use crate::parameter::{Parameter, ParameterType};
use crate::trace::TraceFilter;
use crate::{Buffer, Error, Launch};

/// `out[i] = table.data[i] + table.bias`, where the table is a struct; also prints it.
const KERNEL: &str = r#"
.version 7.0
.target sm_80
.address_size 64
.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 v);
.global .align 1 .b8 text[4] = {104, 105, 10, 0};
.visible .entry _Z3addPf5Table(.param .u64 out, .param .align 8 .b8 table[16])
{
    .reg .pred %p; .reg .b32 %r<3>; .reg .f32 %f<4>; .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [out];
    ld.param.u64 %rd2, [table];
    ld.param.f32 %f1, [table+8];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd3, %r1, 4;
    add.u64 %rd4, %rd2, %rd3;
    add.u64 %rd5, %rd1, %rd3;
    ld.f32 %f2, [%rd4];
    add.f32 %f3, %f1, %f2;
    st.f32 [%rd5], %f3;
    setp.ne.u32 %p, %r1, 0;
    @%p bra DONE;
    mov.u64 %rd6, text;
    cvta.global.u64 %rd6, %rd6;
    mov.u64 %rd7, 0;
    {
        .param .b64 a; .param .b64 b; .param .b32 c;
        st.param.b64 [a], %rd6;
        st.param.b64 [b], %rd7;
        call (c), vprintf, (a, b);
    }
DONE:
    ret;
}
"#;

fn launch() -> Launch {
    Launch::new().module("add.ptx", KERNEL).block(4)
}

fn error(launch: Launch) -> String {
    launch.run().expect_err("it cannot run").to_string()
}

#[test]
fn a_struct_with_a_buffer_is_an_argument() {
    let report =
        launch().arg_text("out=f32[4]").arg_text("{f32={1, 2, 3, 4}, f32:0.5}").run().expect("it runs");
    assert_eq!(report.buffer("out").to_vec::<f32>(), [1.5, 2.5, 3.5, 4.5]);
    assert_eq!(report.printed(), "hi\n");
    assert_eq!(report.kernel, "_Z3addPf5Table");
    let table = report.find("1.0").expect("the member is a buffer");
    assert!(!table.is_changed && report.buffers[0].is_changed);
    assert!(report.statistics.n_instructions.is_some_and(|n| n > 40));
}

#[test]
fn values_of_rust_are_arguments() {
    let parts = vec![
        (0, Value::Buffer(Buffer::new(&[1.0_f32; 4]))),
        (8, Value::Bytes((-1.0_f32).to_le_bytes().to_vec())),
    ];
    let report = launch().arg(vec![7.0_f32; 4]).arg(Argument::from(Value::Struct(16, parts))).run();
    assert_eq!(report.expect("it runs").buffer(0).to_vec::<f32>(), [0.0; 4]);
}

#[test]
fn arguments_share_buffers_by_name() {
    // Each thread reads the element after the one that it writes.
    let shared = launch().arg_text("x=f32={0, 10, 20, 30, 40}").arg_text("{&x[1], f32:1}").run();
    assert_eq!(shared.expect("it runs").buffer("x").to_vec::<f32>(), [11.0, 21.0, 31.0, 41.0, 40.0]);
    let outside = error(launch().arg_text("x=f32[4]").arg_text("{&x[1], f32:1}"));
    assert!(
        outside.contains("out-of-bounds global read of 4 bytes") && outside.contains(": `x[4]` is just past"),
        "{outside}"
    );
    assert!(outside.contains("thread (3, 0, 0)") && outside.contains("add.ptx:17"), "{outside}");
    let unknown = error(launch().arg_text("x=f32[4]").arg_text("{&y, f32:1}"));
    let expected = "argument 1: no buffer named `y`; available: `x`\n  {&y, f32:1}\n    ^";
    assert_eq!(unknown, expected);
    let twice = error(launch().arg_text("x=f32[4]").arg_text("x={f32[4], f32:1}"));
    assert_eq!(twice, "argument 1: duplicate buffer name `x`");
}

#[test]
fn the_source_describes_parameters() {
    let members = vec![
        (0, ParameterType::Pointer { size: 8, element: Some(ElementType::F32), is_const: true }),
        (8, ParameterType::Number(ElementType::F32)),
    ];
    let parameters = vec![
        Parameter {
            name: Some("out".to_owned()),
            ty: ParameterType::Pointer { size: 8, element: Some(ElementType::F32), is_const: false },
        },
        Parameter { name: Some("table".to_owned()), ty: ParameterType::Struct { size: 16, members } },
    ];
    let report = launch()
        .parameters("_Z3addPf5Table", parameters)
        .arg_text("[4]")
        .arg_text("{[4]=iota, 1}")
        .run()
        .expect("it runs");
    assert_eq!(report.buffer("out").to_vec::<f32>(), [1.0, 2.0, 3.0, 4.0]);
}

#[test]
fn rejects_mismatched_arguments_before_the_run() {
    let few = error(launch().arg_text("f32[4]"));
    let expected = "`add` expects 2 arguments, got 1: an integer of 64 bits, a struct of 16 bytes";
    assert_eq!(few, expected);
    let small = error(launch().arg(1.0_f32).arg_text("hex:00"));
    assert_eq!(small, "argument 0: it has 4 bytes, but the parameter is an integer of 64 bits");
    let large = error(launch().arg_text("f32[4]").arg_text("hex:00"));
    assert!(large.starts_with("argument 1: the value has 1 bytes, but the parameter is a struct of 16"));
    let kernel = error(launch().kernel("ad").arg_text("f32[4]"));
    assert_eq!(kernel, "no kernel named `ad`; did you mean `add`?");
    let memory = error(launch().memory(20).arg_text("f32[4]").arg_text("{f32[4], f32:1}"));
    assert!(memory.starts_with("not enough memory"), "{memory}");
    let threads = error(launch().block((1000, 2)).arg_text("f32[4]").arg_text("{null, f32:1}"));
    assert_eq!(threads, "block has 2000 threads; it must have from 1 to 1024");
}

#[test]
fn reports_uses_of_uninitialized_memory() {
    let text = error(launch().arg_text("out=f32[4]").arg_text("{f32[4], f32:1}"));
    assert!(text.contains("uninitialized memory") && text.contains("`argument 1.0[0]`"), "{text}");
    let written = launch().arg_text("out=f32[4]").arg_text("{f32[4]=zeros, f32:1}").run();
    assert_eq!(written.expect("it runs").buffer("out").to_vec::<f32>(), [1.0; 4]);
}

#[test]
fn reports_progress_without_waiting() {
    /// Records the progress of the blocks.
    #[derive(Default)]
    struct Notes(Vec<(u64, u64)>);

    impl Watcher for Notes {
        fn printed(&mut self, _: &[u8]) {}

        fn progress(&mut self, n_ended: u64, n_blocks: u64) {
            self.0.push((n_ended, n_blocks));
        }
    }

    let text = ".version 7.0 .target sm_80 .address_size 64 .visible .entry spin() {
        .reg .pred %p; .reg .b32 %r<2>; mov.u32 %r1, 0;
        LOOP: add.u32 %r1, %r1, 1; setp.lt.u32 %p, %r1, 300000; @%p bra LOOP; ret; }";
    let mut notes = Notes::default();
    let launch = Launch::new().module("spin.ptx", text).grid(8).block(32).workers(NonZeroUsize::MIN);
    launch.run_watched(&mut notes).expect("it runs");
    assert!(notes.0.iter().all(|&(n_ended, n_blocks)| n_ended <= 8 && n_blocks == 8), "{:?}", notes.0);
    assert!(notes.0.is_sorted() && !notes.0.is_empty(), "{:?}", notes.0);
}

/// Each block prints something, and the last one is stopped before its end.
#[test]
fn reports_output_piece_by_piece() {
    /// Records the pieces.
    #[derive(Default)]
    struct Pieces(Vec<Vec<u8>>);

    impl Watcher for Pieces {
        fn printed(&mut self, text: &[u8]) {
            self.0.push(text.to_vec());
        }
    }

    let stopped = KERNEL.replace("DONE:", "mov.u32 %r2, %ctaid.x; setp.eq.u32 %p, %r2, 2; @%p trap; DONE:");
    let launch = Launch::new().module("add.ptx", stopped).block(4).grid(4);
    for n_workers in [1, 4] {
        let workers = NonZeroUsize::new(n_workers).expect("it is not zero");
        let mut pieces = Pieces::default();
        let launch =
            launch.clone().workers(workers).arg_text("out=f32[4]").arg_text("{f32={1, 2, 3, 4}, f32:0.5}");
        let outcome = launch.run_watched(&mut pieces);
        assert!(matches!(outcome, Err(Error::Fault(_))), "{outcome:?}");
        assert_eq!(pieces.0, [b"hi\n", b"hi\n", b"hi\n"]);
    }
}

#[test]
fn loops_without_an_end_come_to_one() {
    let text = error(launch().max_steps(Some(5)).arg_text("f32[4]").arg_text("{null, f32:1}"));
    assert!(text.contains("limit of 5 instructions"), "{text}");
}

#[test]
fn reports_invalid_modules_with_their_place() {
    let broken = Launch::new().module("a.ptx", ".version 7.0\n.target sm_80\n.entry k( {").run();
    assert!(matches!(broken, Err(Error::Module { at: Some((3, _)), .. })), "{broken:?}");
}

/// Records the trace.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl Write for Kept {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no one panics").extend_from_slice(text);
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn trace(filter: TraceFilter) -> String {
    let kept = Kept::default();
    let launch = launch().block((4, 10)).grid(2).trace(filter, kept.clone());
    launch.arg_text("out=f32[4]").arg_text("{f32={1, 2, 3, 4}, f32:0.5}").run().expect("it runs");
    let text = kept.0.lock().expect("no one panics").clone();
    String::from_utf8(text).expect("it is text")
}

#[test]
fn a_trace_has_the_values_that_were_written() {
    let block = Some([1, 0, 0]);
    let text = trace(TraceFilter { block, lines: Some(10..=19), ..TraceFilter::default() });
    let lines: Vec<&str> = text.lines().collect();
    // Two warps, of 32 threads and of 8. The blocks are 4 wide.
    assert_eq!(lines.len(), 2 * 10, "{text}");
    assert!(
        lines[0].starts_with("1,0,0 0 ffffffff PTX 10  ld.param.u64 %rd1, [out]  at 0x0  = 0x7f0"),
        "{text}"
    );
    assert_eq!(lines[2], "1,0,0 0 ffffffff PTX 12  ld.param.f32 %f1, [table+8]  at 0x10  = 0.5");
    assert_eq!(lines[3], "1,0,0 0 ffffffff PTX 13  mov.u32 %r1, %tid.x  = 0 1 … 3 x8");
    assert!(lines[17].ends_with("+(0 4 … 12 x2)  = 1 2 … 4 x2"), "{text}");
    assert!(
        lines[18].starts_with("1,0,0 1 000000ff PTX 18  add.f32 %f3, %f1, %f2  = 1.5 2.5 … 4.5 x2"),
        "{text}"
    );
}

#[test]
fn a_trace_of_a_thread_has_its_values_alone() {
    let filter = TraceFilter { block: Some([0; 3]), thread: Some([3, 8, 0]), ..TraceFilter::default() };
    let text = trace(filter);
    assert!(text.lines().all(|line| line.starts_with("0,0,0 1 00000008")), "{text}");
    assert!(text.contains(" PTX 13  mov.u32 %r1, %tid.x  = 3\n"), "{text}");
    assert!(text.contains("add.f32 %f3, %f1, %f2  = 4.5\n"), "{text}");
    assert!(text.contains("@%p bra DONE\n"), "{text}");
    assert!(!text.contains("call"), "that is only for the first threads: {text}");
}

#[test]
fn a_trace_has_an_end() {
    let text = trace(TraceFilter { limit: 3, ..TraceFilter::default() });
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 4, "{text}");
    assert_eq!(lines[3], "trace: limit of 3 instructions reached; the kernel continues");
}

#[test]
fn a_gpu_neither_counts_nor_traces() {
    let refused = "only the emulator can profile and trace instructions";
    let on_gpu = || launch().backend(Backend::Gpu);
    assert_eq!(error(on_gpu().profile()), refused);
    assert_eq!(error(on_gpu().trace(TraceFilter::default(), io::sink())), refused);
}

/// `counts[i] += n * factors[1]`, and `where` is a pointer to write to.
const VARIABLES: &str = r#"
.version 7.0
.target sm_80
.address_size 64
.visible .global .u32 n = 1;
.visible .global .u32 _ZN2ns6countsE[4];
.visible .const .f32 factors[2] = {0f3F800000, 0f40000000};
.visible .global .u64 place;
.visible .global .texref image;
.visible .entry k()
{
    .reg .b32 %r<4>; .reg .f32 %f; .reg .b64 %rd;
    ld.global.u32 %r1, [n];
    ld.global.u32 %r2, [_ZN2ns6countsE+4];
    ld.const.f32 %f, [factors+4];
    cvt.rni.u32.f32 %r3, %f;
    mad.lo.u32 %r2, %r1, %r3, %r2;
    st.global.u32 [_ZN2ns6countsE+4], %r2;
    ld.global.u64 %rd, [place];
    st.global.u32 [%rd+8], %r2;
    ret;
}
"#;

#[test]
fn variables_are_set_and_read_by_name_or_symbol() {
    let launch = Launch::new().module("k.ptx", VARIABLES);
    let launch =
        launch.set("n", 3_u32).set("ns::counts", vec![10_u32, 20, 30, 40]).set_text("place=u32[4]=zeros");
    let report = launch.clone().read_variable("factors").run().expect("it runs");
    assert_eq!(report.buffer("ns::counts").to_vec::<u32>(), [10, 26, 30, 40]);
    assert_eq!(report.buffer("_ZN2ns6countsE"), report.buffer("::ns::counts"));
    assert_eq!(report.buffer("factors").to_vec::<f32>(), [1.0, 2.0]);
    assert_eq!(report.buffer("place").to_vec::<u32>(), [0, 0, 26, 0], "the buffer that it points to");
    // A launch starts from the program's initial values, whatever another one has set.
    let report = launch.set_text("factors=f32={0, 4}").run().expect("it runs");
    assert_eq!(report.buffer("ns::counts").to_vec::<u32>(), [10, 32, 30, 40]);
}

#[test]
fn variables_that_cannot_be_set_are_named_with_the_reason() {
    let set = |text: &str| error(Launch::new().module("k.ptx", VARIABLES).set_text(text));
    assert_eq!(
        set("counts=1"),
        "no variable named `counts`; available: `ns::counts`, `factors`, `n`, `place`"
    );
    assert!(set("m=1").ends_with("; did you mean `n`?"));
    assert!(set("image=1").starts_with("`image` is a texture or surface; bind it"));
    assert!(set("n=u64:1").starts_with("variable `n`: `n` has 4 bytes, but the value has 8"));
    assert!(
        set("factors=f32[3]=ones")
            .starts_with("variable `factors`: `factors` is f32[2], but the value is f32[3]")
    );
    let own = ".version 7.0 .target sm_80 .address_size 64 .global .u32 own;";
    let kernel = format!("{own} .visible .entry k() {{ ret; }}");
    let launch = Launch::new().module("a.ptx", kernel).module("b.ptx", own).set("own", 1_u32);
    assert_eq!(error(launch), "several modules define a variable `own`");
}

#[test]
fn reports_the_faults_before_the_last() {
    /// Records the faults.
    #[derive(Default)]
    struct Faults(Collected);

    impl Watcher for Faults {
        fn printed(&mut self, _: &[u8]) {}

        fn went_on(&mut self, faults: Collected) {
            self.0 = faults;
        }
    }

    let stopped = KERNEL.replace("DONE:", "DONE: trap;");
    let launch = Launch::new().module("add.ptx", stopped).block(4).keep_going();
    let launch = launch.arg_text("x=f32[4]=iota").arg_text("{&x[1], f32:1}");
    let mut faults = Faults::default();
    let end = launch.run_watched(&mut faults).expect_err("it stops").to_string();
    assert!(end.starts_with("`trap` was executed, "), "{end}");
    let [fault] = &faults.0.distinct[..] else { panic!("{:?}", faults.0) };
    assert!(fault.fault.kind.to_string().contains("`x[4]` is just past the end"), "{}", fault.fault);
    let gpu = error(launch.backend(Backend::Gpu));
    assert_eq!(gpu, "only the emulator can continue after a fault");
}
