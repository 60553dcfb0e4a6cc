//! Executes kernels.
//!
//! - [`device`]: a program with its memory; [`launch`]: the parameters of a launch
//! - `grid`: schedules blocks in their `order`, on several cores where that cannot be observed (`claims`)
//! - `cluster`: blocks that share their shared memory; `block`: the warps of a block, and its barriers
//! - `warp`: threads that run together where they take the same path; `turns`: time slices of divergent paths
//! - `watch`: detects that nothing makes progress; `spin`: threads that loop without progress; `livelock`:
//!   the fault of both
//! - `step`: one instruction; `access`: loads and stores; `atomic`: atomic operations; `call`: calls and
//!   returns; `collective`: warp collectives
//! - `system`: functions that CUDA provides; `printf`: format strings; `console`: output in block order;
//!   [`text`]: long texts
//! - `local`: the local memory of a warp's threads; `stack`: `alloca`
//! - `texture`: texture reads and queries; `surface`: accesses to surfaces
//! - `matrix`: matrix instructions
//! - `mbarrier`: mbarrier objects; `copy`: asynchronous copies
//! - `undefined`: uninitialized and otherwise undefined values; `kept`: their origins in memory; `padding`:
//!   which of them may be padding
//! - `pointees`: the objects that addresses derive from
//! - `races`: unordered accesses
//! - `observe`: counts and traces instructions; [`trace`]: the interface of tracers
//! - [`fault`]: what stops a launch; [`collected`]: faults after which a launch continues; [`names`]: source
//!   names in faults

pub mod collected;
pub mod device;
pub mod fault;
pub mod launch;
pub mod names;
pub mod text;
pub mod trace;

mod access;
mod atomic;
mod block;
mod bulk;
mod call;
mod claims;
mod cluster;
mod collective;
mod console;
mod copy;
mod grid;
mod kept;
mod livelock;
mod local;
mod matrix;
mod mbarrier;
mod observe;
mod order;
mod padding;
mod pointees;
mod printf;
mod races;
mod spin;
mod stack;
mod step;
mod surface;
mod system;
mod tensor;
mod texture;
mod turns;
mod undefined;
mod warp;
mod watch;

#[cfg(test)]
mod tests;
