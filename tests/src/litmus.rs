//! Litmus tests in C: the possible outcomes of a few threads, by the memory model of C++ with CUDA's scopes.
//!
//! All tests are kernels of one source and share its variables, so that a compiler runs once. The outcomes of
//! each are computed by PTX's memory model (`weft_emulator::litmus`) from the compiler's output.

use std::fmt::Write as _;

use weft_emulator::litmus::{self, Outcomes, Test, Thread};
use weft_emulator::program::Program;

/// How threads are distributed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// All in one block.
    SameBlock,
    /// In blocks of one cluster.
    SameCluster,
    /// In blocks of different clusters.
    Apart,
}

/// A litmus test.
#[derive(Clone, Debug)]
pub struct Litmus {
    /// The name, which is also the prefix of its kernels, followed by the thread's index.
    pub name: &'static str,
    /// The code of each thread. The variables are x, y and z, and r0 to r3, each of which belongs to one
    /// thread.
    pub threads: Vec<String>,
    /// How the threads are distributed.
    pub place: Place,
    /// Whether the final values of x and y are part of the outcome.
    pub has_finals: bool,
    /// The outcomes that C++ forbids.
    pub never: Vec<Vec<u64>>,
    /// The outcomes that C++ allows.
    pub may: Vec<Vec<u64>>,
}

const VARIABLES: &str = "__device__ int x, y, z, r0, r1, r2, r3;\n";

/// What precedes the kernels. The orders are written as in C++, without what all begin with.
const DEFINITIONS: &str = "#define relaxed __NV_ATOMIC_RELAXED
#define acquire __NV_ATOMIC_ACQUIRE
#define release __NV_ATOMIC_RELEASE
#define acq_rel __NV_ATOMIC_ACQ_REL
#define seq_cst __NV_ATOMIC_SEQ_CST
#define block __NV_THREAD_SCOPE_BLOCK
#define cluster __NV_THREAD_SCOPE_CLUSTER
#define device __NV_THREAD_SCOPE_DEVICE
#define system __NV_THREAD_SCOPE_SYSTEM
#define load(p, order, scope) __nv_atomic_load_n(&p, order, scope)
#define store(p, value, order, scope) __nv_atomic_store_n(&p, value, order, scope)
#define fence(order, scope) __nv_atomic_thread_fence(order, scope)
#define add(p, value, order, scope) __nv_atomic_fetch_add(&p, value, order, scope)
#define exchange(p, value, order, scope) __nv_atomic_exchange_n(&p, value, order, scope)
#define swap(p, expected, value, success, failure, scope) \\
    __nv_atomic_compare_exchange_n(&p, &expected, value, false, success, failure, scope)
";

/// The source of tests.
pub fn source(tests: &[Litmus]) -> String {
    let mut source = format!("{VARIABLES}{DEFINITIONS}");
    for test in tests {
        for (number, body) in test.threads.iter().enumerate() {
            let name = test.name;
            let _ = writeln!(source, "extern \"C\" __global__ void {name}_{number}()\n{{\n    {body}\n}}");
        }
    }
    source
}

const GPU_PRELUDE: &str = "#define THREADS 128

// Lets the blocks of a group start a round together.
static __device__ void meet(unsigned *turn, unsigned n_blocks)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(turn, 1);
        while (*(volatile unsigned *)turn < n_blocks)
            ;
    }
    __syncthreads();
}

static __device__ int thread_number() { return threadIdx.x; }
static __device__ int block_number() { return blockIdx.x; }
static __device__ int n_blocks() { return gridDim.x; }
";

/// For a GPU, variables are elements of arrays, so that many instances of a test run at once.
const GPU_VARIABLES: &str = "
#define x (xs[at])
#define y (ys[at])
#define z (zs[at])
#define r0 (rs[4 * instance])
#define r1 (rs[4 * instance + 1])
#define r2 (rs[4 * instance + 2])
#define r3 (rs[4 * instance + 3])
";

/// The source of tests for a GPU: a kernel each, which runs `rounds` times as many instances as there are groups of `THREADS`
/// threads for each role. A test's threads are blocks of their own, or warps of one block. Instances of one round are `stride`
/// elements from one another.
pub fn gpu_source(tests: &[Litmus]) -> String {
    let mut source =
        "// Written by `BLESS=1 cargo test -p weft-tests -- litmus/`. The host's part is litmus.cpp.\n"
            .to_owned();
    // `device` is also part of what nvcc makes of `__device__`, so functions come before it is defined.
    [GPU_PRELUDE, GPU_VARIABLES, DEFINITIONS].iter().for_each(|part| source.push_str(part));
    for test in tests {
        let n_roles = test.threads.len();
        let cluster = if test.place == Place::SameCluster {
            format!("__cluster_dims__({n_roles}) ")
        } else {
            String::new()
        };
        let (role, n_threads, n_blocks) = match test.place {
            Place::SameBlock => ("thread_number() / THREADS", format!("THREADS * {n_roles}"), 1),
            Place::SameCluster | Place::Apart => ("block_number() % N_ROLES", "THREADS".to_owned(), n_roles),
        };
        let name = test.name;
        let _ = writeln!(
            source,
            "\nextern \"C\" __global__ void {cluster}__launch_bounds__({n_threads})\n\
             {name}(int *xs, int *ys, int *zs, int *rs, unsigned *turns, int rounds, int stride)\n{{\n    \
             enum {{ N_ROLES = {n_roles}, N_BLOCKS = {n_blocks} }};\n    \
             const int role = {role}, lane = thread_number() % THREADS;\n    \
             const int group = block_number() / N_BLOCKS, n_groups = n_blocks() / N_BLOCKS;\n    \
             for (int round = 0; round < rounds; ++round) {{\n        \
             const int turn = round * n_groups + group;\n        \
             const int instance = turn * THREADS + (lane * (1 + 36 * role) + role) % THREADS, at = instance * stride;\n        \
             meet(turns + turn, N_BLOCKS);\n        \
             switch (role) {{"
        );
        for (role, body) in test.threads.iter().enumerate() {
            let _ = writeln!(source, "        case {role}: {{ {body} break; }}");
        }
        source.push_str("        }\n    }\n}\n");
    }
    source
}

/// The tests as `ci/gpu.sh` reads them: JSON with what a GPU may show of what a compiler has made of them.
///
/// # Errors
/// As [`litmus::explore`].
pub fn gpu_table(tests: &[Litmus], program: &Program) -> Result<String, litmus::Error> {
    let mut lines = Vec::new();
    for test in tests {
        let place = match test.place {
            Place::SameBlock => "block",
            Place::SameCluster => "cluster",
            Place::Apart => "apart",
        };
        let line = serde_json::json!({
            "name": test.name,
            "roles": test.threads.len(),
            "place": place,
            "results": test.results(),
            "has_finals": test.has_finals,
            "model": test.outcomes(program)?.values,
        });
        lines.push(format!("  {line}"));
    }
    Ok(format!("[\n{}\n]\n", lines.join(",\n")))
}

impl Litmus {
    /// The results that its threads have.
    fn results(&self) -> Vec<String> {
        let text = self.threads.concat();
        let results = ["r0", "r1", "r2", "r3"].into_iter().filter(|result| text.contains(result));
        results.map(str::to_owned).collect()
    }

    /// All that can come out of what a compiler has made of it.
    ///
    /// # Errors
    ///
    /// Like [`litmus::explore`].
    pub fn outcomes(&self, program: &Program) -> Result<Outcomes, litmus::Error> {
        let thread = |number: u32| {
            let (cluster, block) = match self.place {
                Place::SameBlock => (0, 0),
                Place::SameCluster => (0, number),
                Place::Apart => (number, number),
            };
            Thread { kernel: format!("{}_{number}", self.name), cluster, block, thread: 0 }
        };
        let finals = if self.has_finals { &["x", "y"][..] } else { &[] };
        let test = Test {
            threads: (0..self.threads.len() as u32).map(thread).collect(),
            results: self.results(),
            finals: finals.iter().map(|&name| name.to_owned()).collect(),
        };
        litmus::explore(program, &test)
    }
}

/// A test without final values, with threads in different clusters.
fn test(name: &'static str, threads: &[&str], never: &[&[u64]], may: &[&[u64]]) -> Litmus {
    let lists = |lists: &[&[u64]]| lists.iter().map(|list| list.to_vec()).collect();
    Litmus {
        name,
        threads: threads.iter().map(|&body| body.to_owned()).collect(),
        place: Place::Apart,
        has_finals: false,
        never: lists(never),
        may: lists(may),
    }
}

/// All tests. Message passing and similar tests have the names of Maranget, Sarkar, Sewell, "A Tutorial
/// Introduction to the ARM and POWER Relaxed Memory Models"; their results in C++ follow from C++17 4.7.1
/// (happens before, coherence) and 32.4 (orders).
pub fn tests() -> Vec<Litmus> {
    let mut tests = message_passing();
    tests.extend(scoped());
    tests.extend(two_threads());
    tests.extend(more_threads());
    tests
}

/// The flag is observed, but not the write before it.
fn message_passing() -> Vec<Litmus> {
    const READ: &str = "r1 = load(x, relaxed, device);";
    const STALE: &[&[u64]] = &[&[1, 0]];
    const FRESH: &[&[u64]] = &[&[0, 0], &[0, 1], &[1, 1]];
    const ALL: &[&[u64]] = &[&[0, 0], &[0, 1], &[1, 0], &[1, 1]];
    let kinds: [(&'static str, &str, &str, bool); 14] = [
        ("mp", "store(y, 1, release, device);", "r0 = load(y, acquire, device);", true),
        ("mp_system", "store(y, 1, release, system);", "r0 = load(y, acquire, system);", true),
        ("mp_seq_cst", "store(y, 1, seq_cst, device);", "r0 = load(y, seq_cst, device);", true),
        ("mp_relaxed_store", "store(y, 1, relaxed, device);", "r0 = load(y, acquire, device);", false),
        ("mp_relaxed_load", "store(y, 1, release, device);", "r0 = load(y, relaxed, device);", false),
        (
            "mp_fences",
            "fence(release, device); store(y, 1, relaxed, device);",
            "r0 = load(y, relaxed, device); fence(acquire, device);",
            true,
        ),
        (
            "mp_fences_acq_rel",
            "fence(acq_rel, system); store(y, 1, relaxed, device);",
            "r0 = load(y, relaxed, device); fence(acq_rel, device);",
            true,
        ),
        (
            "mp_fences_seq_cst",
            "fence(seq_cst, device); store(y, 1, relaxed, device);",
            "r0 = load(y, relaxed, device); fence(seq_cst, device);",
            true,
        ),
        (
            "mp_fence_one",
            "fence(release, device); store(y, 1, relaxed, device);",
            "r0 = load(y, relaxed, device);",
            false,
        ),
        (
            "mp_fence_block",
            "fence(release, block); store(y, 1, relaxed, device);",
            "r0 = load(y, acquire, device);",
            false,
        ),
        ("mp_exchange", "exchange(y, 1, release, device);", "r0 = add(y, 0, acquire, device);", true),
        ("mp_add", "add(y, 1, acq_rel, device);", "r0 = load(y, acquire, device);", true),
        ("mp_add_relaxed", "add(y, 1, relaxed, device);", "r0 = load(y, acquire, device);", false),
        (
            "mp_swap",
            "store(y, 1, release, device);",
            "int e = 1; r0 = swap(y, e, 2, acquire, relaxed, device);",
            true,
        ),
    ];
    let both = kinds.into_iter().map(|(name, write, read, is_ordered)| {
        let (never, may) = if is_ordered { (STALE, FRESH) } else { (&[][..], ALL) };
        let (write, read) = (format!("store(x, 1, relaxed, device); {write}"), format!("{read} {READ}"));
        test(name, &[&write, &read], never, may)
    });
    let mut tests: Vec<Litmus> = both.collect();
    // The passed value need not be atomic, if it is only read after the flag.
    let plain =
        ["x = 1; store(y, 1, release, device);", "r1 = 5; r0 = load(y, acquire, device); if (r0) r1 = x;"];
    tests.push(test("mp_plain", &plain, &[&[1, 0], &[0, 0]], &[&[0, 5], &[1, 1]]));
    tests
}

/// The same with scopes that include the other thread, or do not.
fn scoped() -> Vec<Litmus> {
    let kinds: [(&'static str, &str, Place, bool); 8] = [
        ("mp_block_in_block", "block", Place::SameBlock, true),
        ("mp_block_in_cluster", "block", Place::SameCluster, false),
        ("mp_block_apart", "block", Place::Apart, false),
        ("mp_cluster_in_block", "cluster", Place::SameBlock, true),
        ("mp_cluster_in_cluster", "cluster", Place::SameCluster, true),
        ("mp_cluster_apart", "cluster", Place::Apart, false),
        ("mp_device_in_cluster", "device", Place::SameCluster, true),
        ("mp_system_in_block", "system", Place::SameBlock, true),
    ];
    let both = kinds.into_iter().map(|(name, scope, place, is_ordered)| {
        let write = format!("store(x, 1, relaxed, device); store(y, 1, release, {scope});");
        let read = format!("r0 = load(y, acquire, {scope}); r1 = load(x, relaxed, device);");
        let stale: &[&[u64]] = &[&[1, 0]];
        let (never, may) = if is_ordered { (stale, &[][..]) } else { (&[][..], stale) };
        Litmus { place, ..test(name, &[&write, &read], never, may) }
    });
    both.collect()
}

/// Store buffering, load buffering, two writes each, coherence, atomicity.
fn two_threads() -> Vec<Litmus> {
    let buffering = |name, first: &str, fence: &str, second: &str, is_ordered: bool| {
        let body = |from: &str, to: &str, result: &str| {
            format!("store({from}, 1, {first}, device); {fence} {result} = load({to}, {second}, device);")
        };
        let zeros: &[&[u64]] = &[&[0, 0]];
        let (never, may) = if is_ordered { (zeros, &[][..]) } else { (&[][..], zeros) };
        test(name, &[&body("x", "y", "r0"), &body("y", "x", "r1")], never, may)
    };
    let loads = |name, first: &str, second: &str, value: [&str; 2], is_ordered: bool| {
        let body = |from: &str, to: &str, result: &str, value: &str| {
            format!("{result} = load({from}, {first}, device); store({to}, {value}, {second}, device);")
        };
        let ones: &[&[u64]] = &[&[1, 1]];
        let (never, may) = if is_ordered { (ones, &[][..]) } else { (&[][..], ones) };
        test(name, &[&body("x", "y", "r0", value[0]), &body("y", "x", "r1", value[1])], never, may)
    };
    let mut tests = vec![
        buffering("sb", "seq_cst", "", "seq_cst", true),
        buffering("sb_acquire", "release", "", "acquire", false),
        buffering("sb_relaxed", "relaxed", "", "relaxed", false),
        buffering("sb_fences", "relaxed", "fence(seq_cst, device);", "relaxed", true),
        buffering("sb_fences_acq_rel", "relaxed", "fence(acq_rel, device);", "relaxed", false),
        buffering("sb_fences_block", "relaxed", "fence(seq_cst, block);", "relaxed", false),
        test(
            "sb_add",
            &[
                "r0 = add(x, 1, seq_cst, device); r1 = add(y, 0, seq_cst, device);",
                "r2 = add(y, 1, seq_cst, device); r3 = add(x, 0, seq_cst, device);",
            ],
            &[&[0, 0, 0, 0]],
            &[&[0, 1, 0, 1], &[0, 0, 0, 1]],
        ),
        loads("lb", "acquire", "release", ["1", "1"], true),
        loads("lb_seq_cst", "seq_cst", "seq_cst", ["1", "1"], true),
        loads("lb_relaxed", "relaxed", "relaxed", ["1", "1"], false),
        loads("lb_depends", "relaxed", "relaxed", ["r0", "r1"], true),
        test(
            "corr",
            &[
                "store(x, 1, relaxed, device);",
                "r0 = load(x, relaxed, device); r1 = load(x, relaxed, device);",
            ],
            &[&[1, 0]],
            &[&[0, 0], &[0, 1], &[1, 1]],
        ),
        test(
            "corr_seq_cst",
            &[
                "store(x, 1, seq_cst, device);",
                "r0 = load(x, seq_cst, device); r1 = load(x, seq_cst, device);",
            ],
            &[&[1, 0]],
            &[&[0, 0], &[0, 1], &[1, 1]],
        ),
    ];
    for (name, order, is_ordered) in
        [("w22", "seq_cst", true), ("w22_release", "release", false), ("w22_relaxed", "relaxed", false)]
    {
        let body = |first: &str, second: &str| {
            format!("store({first}, 1, {order}, device); store({second}, 2, {order}, device);")
        };
        let ones: &[&[u64]] = &[&[1, 1]];
        let (never, may) = if is_ordered { (ones, &[][..]) } else { (&[][..], ones) };
        tests
            .push(Litmus { has_finals: true, ..test(name, &[&body("x", "y"), &body("y", "x")], never, may) });
    }
    let counted = test(
        "adds",
        &["r0 = add(x, 1, relaxed, device);", "r1 = add(x, 1, relaxed, device);"],
        &[&[0, 0, 1, 0], &[0, 0, 2, 0], &[1, 1, 2, 0]],
        &[&[0, 1, 2, 0], &[1, 0, 2, 0]],
    );
    let swapped = test(
        "swaps",
        &[
            "int e = 0; r0 = swap(x, e, 1, acq_rel, relaxed, device); r1 = e;",
            "int e = 0; r2 = swap(x, e, 2, seq_cst, relaxed, device); r3 = e;",
        ],
        &[&[1, 0, 1, 0, 1, 0], &[0, 0, 0, 0, 0, 0]],
        &[&[1, 0, 0, 1, 1, 0], &[0, 2, 1, 0, 2, 0]],
    );
    let s = test(
        "s",
        &[
            "store(x, 2, relaxed, device); store(y, 1, release, device);",
            "r0 = load(y, acquire, device); store(x, 1, relaxed, device);",
        ],
        &[&[1, 2, 1]],
        &[&[1, 1, 1], &[0, 2, 1]],
    );
    let r = test(
        "r",
        &[
            "store(x, 1, seq_cst, device); store(y, 1, seq_cst, device);",
            "store(y, 2, seq_cst, device); r0 = load(x, seq_cst, device);",
        ],
        &[&[0, 1, 2]],
        &[&[0, 1, 1], &[1, 1, 2]],
    );
    tests.extend([counted, swapped, s, r].map(|test| Litmus { has_finals: true, ..test }));
    tests
}

/// Independent reads of independent writes, and transitivity.
fn more_threads() -> Vec<Litmus> {
    let mut tests = Vec::new();
    for (name, store, load, is_ordered) in [
        ("iriw", "seq_cst", "seq_cst", true),
        ("iriw_acquire", "release", "acquire", false),
        ("iriw_relaxed", "relaxed", "relaxed", false),
    ] {
        let read = |first: &str, second: &str, results: [&str; 2]| {
            let [one, other] = results;
            format!("{one} = load({first}, {load}, device); {other} = load({second}, {load}, device);")
        };
        let write = |place: &str| format!("store({place}, 1, {store}, device);");
        let torn: &[&[u64]] = &[&[1, 0, 1, 0]];
        let (never, may) = if is_ordered { (torn, &[][..]) } else { (&[][..], torn) };
        tests.push(test(
            name,
            &[&write("x"), &write("y"), &read("x", "y", ["r0", "r1"]), &read("y", "x", ["r2", "r3"])],
            never,
            may,
        ));
    }
    for (name, isa2, store, load, is_ordered) in [
        ("wrc", "isa2", "release", "acquire", true),
        ("wrc_seq_cst", "isa2_seq_cst", "seq_cst", "seq_cst", true),
        ("wrc_relaxed", "isa2_relaxed", "relaxed", "relaxed", false),
    ] {
        let stale: &[&[u64]] = &[&[1, 1, 0]];
        let (never, may) = if is_ordered { (stale, &[][..]) } else { (&[][..], stale) };
        let pass = |from: &str| format!("r0 = load({from}, {load}, device); store(y, 1, {store}, device);");
        let last = format!("r1 = load(y, {load}, device); r2 = load(x, relaxed, device);");
        tests.push(test(name, &["store(x, 1, relaxed, device);", &pass("x"), &last], never, may));
        let first = format!("store(x, 1, relaxed, device); store(z, 1, {store}, device);");
        tests.push(test(isa2, &[&first, &pass("z"), &last], never, may));
    }
    // C++17 4.7.1p5: read-modify-writes continue a release sequence.
    tests.push(test(
        "sequence",
        &[
            "store(x, 1, relaxed, device); store(y, 1, release, device);",
            "add(y, 1, relaxed, device);",
            "r0 = load(y, acquire, device); r1 = load(x, relaxed, device);",
        ],
        &[&[2, 0], &[3, 1]],
        &[&[2, 1], &[1, 1], &[0, 0]],
    ));
    tests
}
