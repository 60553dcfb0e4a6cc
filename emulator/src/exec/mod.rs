//! Executes kernels.
//!
//! - [`device`]: a program with its memory; [`launch`]: how kernels are launched
//! - `grid`: the blocks of a grid, in their `order`, on several cores where no one can tell (`claims`)
//! - `cluster`: blocks that see one another's shared memory; `block`: the warps of a block, and where they wait for one another
//! - `warp`: threads that go through the code together where they agree; `turns`: whose turn it is where they do not
//! - `watch`: notices when nothing can go on; `spin`: threads that loop and get nowhere; `livelock`: what is said of them
//! - `step`: one instruction; `access`: loads and stores; `atomic`: atomic operations; `call`: calls and returns; `collective`: what the
//!   threads of a warp do together
//! - `system`: the functions that are there without a definition; `printf`: format strings;
//!   `console`: what is printed, in the order of the blocks; [`text`]: long texts
//! - `local`: the local memory of a warp's threads; `stack`: what of it they ask for as they go
//! - `texture`: reads of textures, and what is asked of them; `surface`: accesses to surfaces
//! - `matrix`: matrices of a warp
//! - `mbarrier`: mbarrier objects; `copy`: asynchronous copies
//! - `undefined`: values that were read where nothing had been written, or that PTX leaves undefined; `kept`: where those in memory come
//!   from; `padding`: which of them may be padding
//! - `pointees`: the objects that addresses are derived from
//! - `races`: accesses that nothing orders
//! - `observe`: counts what is executed, and tells it to a tracer; [`trace`]: what is reported
//! - [`fault`]: what stops a launch; [`collected`]: faults after which a launch goes on; [`names`]: what the source calls what it happened to

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
