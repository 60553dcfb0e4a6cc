//! Kernels that need more memory than the host has.

/// A kernel, and its expected outcome.
pub struct RunCase {
    /// What it uses up.
    pub name: &'static str,
    /// Its file name, whose extension distinguishes source and PTX.
    pub file: &'static str,
    /// Its text.
    pub text: &'static str,
    /// The arguments after the file.
    pub args: &'static [&'static str],
    /// The exit status of `weftc`.
    pub status: i32,
    /// The expected message, of success or failure.
    pub says: &'static str,
}

/// Each thread writes far from the next one.
const SCATTER: &str = "
__global__ void scatter(int *x)
{
    x[(blockIdx.x * blockDim.x + threadIdx.x) * 64] = 1;
}
";

/// Each warp writes a column: every word of a line has another writer, which must be recorded.
const COLUMNS: &str = "
__global__ void columns(int *x)
{
    int warp = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int i = 0; i < 8; i++)
        x[(warp / 32 * 256 + i * 32 + lane) * 32 + warp % 32] = 1;
}
";

/// `malloc` until it fails, writing to all of the memory.
const FILL: &str = "
.version 8.0
.target sm_90
.address_size 64
.extern .func (.param .b64 result) malloc (.param .b64 size);
.visible .entry fill(.param .u64 out, .param .u64 size) {
    .reg .b32 %r<2>;
    .reg .b64 %rd<5>;
    .reg .pred %p<3>;
    ld.param.u64 %rd1, [size];
    mov.u32 %r1, 0;
MORE:
    {
        .param .b64 argument;
        .param .b64 result;
        st.param.b64 [argument], %rd1;
        call (result), malloc, (argument);
        ld.param.b64 %rd2, [result];
    }
    setp.eq.u64 %p1, %rd2, 0;
    @%p1 bra FULL;
    add.u32 %r1, %r1, 1;
    add.u64 %rd3, %rd2, %rd1;
TOUCH:
    st.u64 [%rd2], %rd3;
    add.u64 %rd2, %rd2, 4096;
    setp.lt.u64 %p2, %rd2, %rd3;
    @%p2 bra TOUCH;
    bra MORE;
FULL:
    ld.param.u64 %rd4, [out];
    st.global.u32 [%rd4], %r1;
    ret;
}
";

/// Calls nested to the limit, each with some local memory.
const NEST: &str = "
__device__ int nest(int depth)
{
    volatile int own[4];
    own[depth % 4] = depth;
    return depth ? nest(depth - 1) + own[depth % 4] : 0;
}
__global__ void descend(int *x)
{
    x[blockIdx.x * blockDim.x + threadIdx.x] = nest(2000);
}
";

/// What is tried.
pub fn run_cases() -> Vec<RunCase> {
    vec![
        RunCase {
            name: "buffer",
            file: "scatter.src",
            text: SCATTER,
            args: &["--arg", "[1000000000]=iota", "--memory", "16G"],
            status: 2,
            says: "argument 0: not enough host memory: 12000000000 bytes needed",
        },
        RunCase {
            name: "buffer_of_the_device",
            file: "scatter.src",
            text: SCATTER,
            args: &["--arg", "[1000000000]=iota"],
            status: 1,
            says: "argument 0: the buffer exceeds the memory limit of 1073741824 bytes",
        },
        RunCase {
            name: "races",
            file: "columns.src",
            text: COLUMNS,
            args: &["--arg", "[50331648]", "--grid", "24576", "--block", "256", "--races"],
            status: 1,
            says: "not enough host memory for the check of races: ",
        },
        RunCase {
            name: "malloc",
            file: "fill.ptx",
            text: FILL,
            args: &["--arg", "i32[1]=zeros", "--arg", "100000000", "--memory", "1000G"],
            status: 0,
            says: "fill: grid 1, block 1",
        },
        RunCase {
            name: "recursion",
            file: "descend.src",
            text: NEST,
            args: &["--arg", "[65536]", "--grid", "64", "--block", "1024", "--races", "-O0"],
            status: 1,
            says: "not enough host memory for local memory and registers: ",
        },
    ]
}
