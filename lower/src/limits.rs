//! The resources of a multiprocessor, and warnings about launch bounds that exceed them.
//!
//! In: a [`Module`] and a [`Target`]. Out: diagnostics. ptxas finds some of these, and then ignores the launch bounds:
//! its warnings give neither a number nor a position.

use weft_frontend::diag::{Code, Diagnostic};
use weft_frontend::ir::{Func, Function, FunctionKind, LaunchBounds, Module, Space};
use weft_frontend::layout;

use crate::target::Target;

/// The resources of a multiprocessor (CUDA C++ Programming Guide "Technical Specifications per Compute
/// Capability"; threads and blocks as ptxas 13.5 counts them).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of resident threads.
    pub threads: u64,
    /// The maximum number of resident blocks.
    pub blocks: u64,
    /// Shared memory in bytes, if known.
    pub shared: Option<u64>,
    /// Shared memory that each block reserves besides its own, in bytes.
    pub reserved: u64,
}

/// 32-bit registers per multiprocessor, on all GPUs that ptxas 13 supports.
pub const REGISTERS: u64 = 1 << 16;

/// The maximum number of registers per thread (PTX ISA ".maxnreg"; ptxas ignores larger limits).
const MAX_REGISTERS: u32 = 255;

/// The maximum number of blocks per cluster that any GPU supports if a launch requests it; every GPU supports
/// 8 (CUDA C++ Programming Guide "Thread Block Clusters").
const MAX_CLUSTER: u64 = 16;

impl Limits {
    /// The limits of a GPU.
    pub fn of(target: Target) -> Limits {
        let (threads, blocks, shared) = match target.sm() {
            ..30 => (1536, 8, Some(48)),
            37 => (2048, 16, Some(112)),
            30..50 => (2048, 16, Some(48)),
            50 | 53 | 60 | 62 => (2048, 32, Some(64)),
            50..75 => (2048, 32, Some(96)),
            75 => (1024, 16, Some(64)),
            80 => (2048, 32, Some(164)),
            87 => (1536, 16, Some(164)),
            88 => (1536, 16, None),
            89 => (1536, 24, Some(100)),
            76..90 => (1536, 16, Some(100)),
            101 | 110 => (1536, 24, Some(228)),
            // Threads and blocks by ptxas 13.5; the memory is not documented yet.
            107 => (1024, 16, None),
            90..120 => (2048, 32, Some(228)),
            120.. => (1536, 24, Some(100)),
        };
        let reserved = if target.sm() >= 80 { 1 << 10 } else { 0 };
        Limits { threads, blocks, shared: shared.map(|kib: u64| kib << 10), reserved }
    }
}

/// Warnings about launch bounds that the GPU cannot satisfy.
pub fn check(module: &Module, target: Target) -> Vec<Diagnostic> {
    let kernels = module.functions.iter().filter_map(|(func, function)| match &function.kind {
        FunctionKind::Kernel(bounds) => Some((func, function, bounds)),
        FunctionKind::Device => None,
    });
    kernels
        .flat_map(|(func, function, bounds)| check_kernel(module, target, func, function, bounds))
        .collect()
}

fn check_kernel(
    module: &Module,
    target: Target,
    func: Func,
    function: &Function,
    bounds: &LaunchBounds,
) -> Option<Diagnostic> {
    let limits = Limits::of(target);
    let Limits { threads, blocks, .. } = limits;
    let product = |dims: [u32; 3]| dims.into_iter().map(u64::from).product::<u64>();
    let block = bounds.max_threads.map(u64::from).or(bounds.block.map(product));
    let min_blocks = bounds.min_blocks.map_or(1, u64::from);
    let warn = |message: String| Some(Diagnostic::new(Code::LaunchBounds, function.span, message));
    // A block with too many threads is reported independently of the GPU.
    let held = block.filter(|&block| block <= 1024).map(|block| block * min_blocks);
    if held.is_some_and(|held| held > threads) {
        let block = block.unwrap_or_default();
        let message = format!(
            "launch bounds request {min_blocks} blocks of {block} threads per multiprocessor; the maximum on {target} is {threads} threads"
        );
        return warn(message).map(|it| it.with_note("ptxas ignores the number of blocks")).map(|it| {
            match threads / block {
                1 => it.with_help("only 1 such block fits"),
                most => it.with_help(format!("at most {most} such blocks fit")),
            }
        });
    }
    if min_blocks > blocks {
        let message = format!(
            "launch bounds request {min_blocks} blocks per multiprocessor; the maximum on {target} is {blocks}"
        );
        return warn(message).map(|it| it.with_note("ptxas ignores the number of blocks"));
    }
    let own = shared_of(module, func);
    if let Some(shared) = limits.shared
        && own > 0
        && min_blocks > 1
        && min_blocks * (own + limits.reserved) > shared
    {
        let message = format!(
            "launch bounds request {min_blocks} blocks with {own} bytes of shared memory each per multiprocessor; {target} has {shared} bytes"
        );
        return warn(message).map(|it| match limits.reserved {
            0 => it,
            reserved => it.with_note(format!("the system reserves {reserved} more bytes for each block")),
        });
    }
    if let Some(registers) = bounds.max_registers.filter(|&registers| registers > MAX_REGISTERS) {
        let message =
            format!("launch bounds request {registers} registers per thread; the maximum is {MAX_REGISTERS}");
        return warn(message).map(|it| it.with_note("ptxas ignores the number of registers"));
    }
    let cluster = bounds.max_cluster_blocks.map(u64::from).or(bounds.cluster.map(product));
    if let Some(cluster) = cluster.filter(|&cluster| cluster > MAX_CLUSTER) {
        let message = format!("cluster size is {cluster} blocks; the maximum is {MAX_CLUSTER}");
        return warn(message).map(|it| it.with_note("every launch of the kernel with this many fails"));
    }
    None
}

/// The size of the shared variables in a kernel, in bytes; it may use others through functions and at file
/// scope.
fn shared_of(module: &Module, func: Func) -> u64 {
    let own = module.globals.values().filter(|data| data.space == Space::Shared && data.owner == Some(func));
    let sizes =
        own.filter(|data| !data.is_extern).filter_map(|data| layout::layout_of(&module.types, data.ty).ok());
    sizes.map(|layout| layout.size).fold(0, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_has_limits_in_which_a_block_fits() {
        for target in Target::all() {
            let limits = Limits::of(target);
            assert!(limits.threads >= 1024 && limits.blocks >= 8, "{target}");
            assert!(limits.shared.is_none_or(|shared| shared >= 48 << 10), "{target}");
        }
        let of = |text| Limits::of(Target::parse(text).expect("a target"));
        assert_eq!(
            (of("sm_75").threads, of("sm_89").blocks, of("sm_90a").shared),
            (1024, 24, Some(228 << 10))
        );
        assert_eq!((of("sm_75").reserved, of("sm_103f").reserved), (0, 1024));
    }
}
