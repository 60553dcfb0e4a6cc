//! The messages of faults.

use std::fmt;

use super::{
    Absence, Awaited, Cause, Ended, Fault, FaultKind, Group, Phase, Piece, Race, RaceAccess, Space, Thread,
    Touch, Undefined, Unordered, Usage, Waits,
};
use crate::exec::printf::MAX_PRINTED;
use crate::memory::host::HostOutOfMemory;

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FaultKind::Access { error, space, is_store, address, n_bytes } => {
                let touch = if *is_store { Touch::Write } else { Touch::Read };
                let (kind, unit) = (error.adjective(), if *n_bytes == 1 { "byte" } else { "bytes" });
                write!(f, "{kind} {space} {touch} of {n_bytes} {unit} at {address:#x}: {error}")
            }
            FaultKind::Undefined(undefined) => undefined.fmt(f),
            FaultKind::Race(race) => race.fmt(f),
            FaultKind::Trap => f.write_str("`trap` was executed"),
            FaultKind::NotCooperative => f.write_str(
                "`trap` was executed: `grid.sync()` waits for the whole grid, which requires a cooperative \
                 launch; use `weftc run --cooperative`",
            ),
            FaultKind::Breakpoint => f.write_str("`brkpt` was executed"),
            FaultKind::Assert(message) => f.write_str(message),
            FaultKind::BadFree(address, error) => write!(f, "`free` of {address:#x}: {error}"),
            FaultKind::BadCall(address) => write!(f, "call of {address:#x}, which is not a function"),
            FaultKind::MismatchedArguments(name) => {
                write!(f, "arguments of the call do not match the parameters of `{name}`")
            }
            FaultKind::BadBranch(index) => write!(f, "index {index} of an indexed branch is out of range"),
            FaultKind::Deadlock(groups) => {
                f.write_str("deadlock: threads wait for others that never arrive")?;
                list(groups, f)
            }
            FaultKind::Livelock(groups) => {
                f.write_str(
                    "livelock: no thread can make progress, since all loop or wait and no memory changes",
                )?;
                list(groups, f)
            }
            FaultKind::DivergentBarrier { number, groups } => {
                write!(f, "divergent threads of a warp at barrier {number}")?;
                list(groups, f)
            }
            FaultKind::MissedBarrier { number, n_threads, ended } => {
                let n_ended: u32 = ended.iter().map(|ended| ended.n_threads).sum();
                write!(
                    f,
                    "{n_ended} of {n_threads} threads of the block exited without reaching barrier {number}, at \
                     which all must arrive"
                )?;
                list(ended, f)
            }
            FaultKind::Members { mask, is_other: false } => {
                write!(f, "the executing thread is not in its own mask {mask:#010x}")
            }
            FaultKind::Members { mask, is_other: true } => {
                write!(f, "a thread is in the mask {mask:#010x} of other threads, but uses a different mask")
            }
            FaultKind::IncompleteWarp { missing } => {
                write!(
                    f,
                    "all 32 threads of the warp must execute this instruction together; those in mask \
                     {missing:#010x} do not"
                )
            }
            FaultKind::NotShared(address) => {
                write!(f, "the matrix row at {address:#x} is not in shared memory")
            }
            FaultKind::UnequalMatrices => {
                f.write_str("the threads of a warp access one matrix with different addresses or strides")
            }
            FaultKind::Matrix(misuse) => misuse.fmt(f),
            FaultKind::Texture { misuse, handle } => write!(f, "handle {handle:#x}: {misuse}"),
            FaultKind::TensorMap { misuse, address } => write!(f, "tensor map at {address:#x}: {misuse}"),
            FaultKind::Mbarrier { misuse, address } => write!(f, "mbarrier at {address:#x}: {misuse}"),
            FaultKind::ClusterBarrier { is_wait: true } => {
                f.write_str("a thread waits at the cluster barrier without having arrived at it")
            }
            FaultKind::ClusterBarrier { is_wait: false } => {
                f.write_str("a thread arrives at the cluster barrier twice without waiting")
            }
            FaultKind::BadCopy { n_bytes, of_source } => {
                write!(f, "`cp.async` reads {of_source} bytes of the source; the copy has only {n_bytes}")
            }
            FaultKind::Copy { kind, asked_by } => {
                write!(f, "{kind}; the copy was started by {asked_by} at ")?;
                asked_by.fmt_place(f)
            }
            FaultKind::NoProxyFence { piece, writer } => {
                write!(f, "a bulk copy reads {piece}, written by {writer} at ")?;
                writer.fmt_place(f)?;
                f.write_str(", without a `fence.proxy.async` in between")
            }
            FaultKind::BadBulkCopy(n_bytes) => {
                write!(f, "`cp.async.bulk` of {n_bytes} bytes; the size must be a multiple of 16")
            }
            FaultKind::BadBulkStore { address, n_bytes } => write!(
                f,
                "`st.bulk` of {n_bytes} bytes at {address:#x}: the size must be a multiple of 8 and at most \
                 16 MiB, and the address in shared memory"
            ),
            FaultKind::PrintTooLong => {
                write!(f, "one call of `printf` prints more than the limit of {MAX_PRINTED} bytes")
            }
            FaultKind::AllocaTooLarge(size) => {
                write!(f, "`alloca` of {size} bytes exceeds the local memory that is left")
            }
            FaultKind::BadStack(pointer) => {
                write!(
                    f,
                    "`stackrestore` of {pointer:#x}, which is not the result of a `stacksave` of this call, or \
                     no longer valid"
                )
            }
            FaultKind::OutOfMemory { purpose, error: HostOutOfMemory { wanted, left } } => {
                write!(f, "not enough host memory for {purpose}: {wanted} bytes needed, {left} available")
            }
            FaultKind::StackOverflow => f.write_str("stack overflow: nested calls use up local memory"),
            FaultKind::TooManySteps { limit, groups } => {
                write!(f, "limit of {limit} instructions per warp reached")?;
                list(groups, f)
            }
            FaultKind::Unsupported(what) => write!(f, "{what} is not supported yet"),
            FaultKind::BadLaunch(why) => f.write_str(why),
        }
    }
}

/// The number of groups of threads that a message names.
const MAX_GROUPS: usize = 8;

fn list(groups: &[impl fmt::Display], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (idx, group) in groups.iter().take(MAX_GROUPS).enumerate() {
        write!(f, "{}{group}", if idx == 0 { ": " } else { "; " })?;
    }
    match groups.len().saturating_sub(MAX_GROUPS) {
        0 => Ok(()),
        more => write!(f, "; and {more} more groups"),
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.n_threads, &self.waits) {
            (1, None) => write!(f, "{} was", self.first)?,
            (1, Some(waits)) => write!(f, "{} waits {waits}", self.first)?,
            (n, None) => write!(f, "{} and {} more of its warp were", self.first, n - 1)?,
            (n, Some(waits)) => write!(f, "{} and {} more of its warp wait {waits}", self.first, n - 1)?,
        }
        f.write_str(" at ")?;
        self.first.fmt_place(f)
    }
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.n_threads {
            1 => write!(f, "{} exited at ", self.first)?,
            n => write!(f, "{} and {} more exited at ", self.first, n - 1)?,
        }
        self.first.fmt_place(f)
    }
}

impl fmt::Display for Waits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Waits::Barrier { number, n_threads: None } => write!(f, "for all threads at barrier {number}"),
            Waits::Barrier { number, n_threads: Some(n) } => write!(f, "for {n} threads at barrier {number}"),
            Waits::Cluster => f.write_str("for all threads of the cluster"),
            Waits::Members(members) => write!(f, "for the threads in mask {members:#010x} of their warp"),
            Waits::Value(awaited) => awaited.fmt(f),
            Waits::Phase(phase) => {
                let Phase { piece, n_arrivals, n_bytes } = &**phase;
                write!(f, "for a phase of the mbarrier in {piece}, ")?;
                write!(f, "with {n_arrivals} arrivals and {n_bytes} bytes pending,")
            }
            Waits::Nothing => f.write_str("in a loop that reads no memory that can change"),
        }
    }
}

impl fmt::Display for Awaited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Awaited { piece, value, writer, writer_is_at } = self;
        write!(f, "for a value other than {value} in {piece}")?;
        let Some(writer) = writer else {
            return f.write_str(", never changed by an atomic operation,");
        };
        write!(f, ", written by {writer} at ")?;
        writer.fmt_place(f)?;
        match writer_is_at {
            None => f.write_str(" (that thread has exited),"),
            Some(thread) => {
                f.write_str(" (that thread is at ")?;
                thread.fmt_place(f)?;
                f.write_str("),")
            }
        }
    }
}

impl fmt::Display for Undefined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.usage {
            Usage::Condition => "condition depends on",
            Usage::Target => "jump or call target depends on",
            Usage::Address => "address depends on",
            Usage::Result => "value stored to global memory depends on",
            Usage::Atomic => "atomic operation depends on",
            Usage::Synchronization => "which threads synchronize depends on",
        })?;
        match &self.cause {
            Cause::Unwritten(piece) if piece.space == Space::Register => {
                write!(f, " an undefined value: {piece}, read by {} at ", self.by)?;
            }
            Cause::Unwritten(piece) => {
                write!(f, " uninitialized memory: {piece}, read by {} at ", self.by)?;
            }
            Cause::Shuffle { from, absence } => {
                write!(f, " an undefined value: shuffle from lane {from}, {absence}, by {} at ", self.by)?;
            }
            Cause::Division { is_remainder } => {
                let what = if *is_remainder { "remainder of a division by zero" } else { "division by zero" };
                write!(f, " an undefined value: {what}, by {} at ", self.by)?;
            }
        }
        self.by.fmt_place(f)
    }
}

impl fmt::Display for Absence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Absence::NoThread => "which the block does not contain",
            Absence::Ended => "which has exited",
            Absence::NotInMask => "which is not in the mask",
            Absence::Elsewhere => "which does not execute the shuffle",
        })
    }
}

impl fmt::Display for Race {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (access, before) = (&self.access, &self.other_access);
        let article = if before.order.is_none() && before.touch == Touch::Atomic { "an" } else { "a" };
        let value = if self.is_same_value { " of the same value" } else { "" };
        write!(
            f,
            "data race: {access} of {}, after {article} {before}{value} by {} at ",
            self.piece, self.other
        )?;
        self.other.fmt_place(f)?;
        write!(f, ", with no synchronization between them: {}", self.why)?;
        let is_volatile = |access: &RaceAccess| access.order.as_deref() == Some(".volatile");
        if [access, before].into_iter().any(is_volatile) {
            f.write_str(" (`.volatile` is `.relaxed.sys`, which orders nothing without fences)")?;
        }
        Ok(())
    }
}

impl fmt::Display for RaceAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.order {
            Some(order) => write!(f, "`{order}` {}", self.touch),
            None => self.touch.fmt(f),
        }
    }
}

impl fmt::Display for Unordered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unordered::SameWarp => {
                "the threads are in one warp, but no `__syncwarp()` or barrier of both comes between the \
                 accesses"
            }
            Unordered::SameBlock => {
                "neither a barrier of both threads nor a flag with fences comes between the accesses"
            }
            Unordered::DifferentBlocks => {
                "the threads are in different blocks, and no flag with fences comes between the accesses"
            }
            Unordered::DifferentBarrier => "the barrier in between did not include both threads",
            Unordered::NarrowScope => "a scope does not include the other thread",
            Unordered::DifferentSize => {
                "strong accesses of different sizes are not atomic with respect to each other"
            }
            Unordered::NoAcquire => {
                "a value that the other thread released was read, but not acquired: the reading thread needs \
                 a `__threadfence()` after that read"
            }
            Unordered::NarrowFence => {
                "a value that the other thread released was read, but the scope of the fence after that read \
                 is too narrow"
            }
            Unordered::OutOfScope => {
                "a value that the other thread released was read, but the scope of the release or of the \
                 read does not include the other thread"
            }
            Unordered::NoRelease => {
                "a flag that the other thread wrote later was read, but the other thread needs a \
                 `__threadfence()` before that write"
            }
            Unordered::Copy => "nothing waits for the copy in between",
        })
    }
}

impl fmt::Display for Touch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Touch::Read => "read",
            Touch::Write => "write",
            Touch::Atomic => "atomic operation",
        })
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let space = match self.space {
            Space::Shared => "shared",
            Space::Local => "local",
            Space::Global => "global",
            Space::Register => {
                let name = self.variable.as_ref().map_or("a register", |(name, _)| name);
                return write!(f, "register `{name}`, never written");
            }
        };
        match &self.variable {
            None => {}
            Some((name, 0)) => write!(f, "`{name}`, ")?,
            Some((name, offset)) => write!(f, "`{name}+{offset:#x}`, ")?,
        }
        let unit = if self.n_bytes == 1 { "byte" } else { "bytes" };
        write!(f, "{} {unit} of {space} memory at {:#x}", self.n_bytes, self.address)
    }
}

impl fmt::Display for Thread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([x, y, z], [bx, by, bz]) = (self.thread, self.block);
        write!(f, "thread ({x}, {y}, {z}) of block ({bx}, {by}, {bz})")
    }
}

impl Thread {
    fn fmt_place(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.place.0, self.place.1)?;
        match &self.source {
            Some((file, line)) => write!(f, ", from {file}:{line}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.kind)?;
        if let Some(thread) = &self.thread {
            write!(f, ", in `{}`", thread.function)?;
            if let Some(kernel) = self.kernel.as_ref().filter(|&kernel| *kernel != thread.function) {
                write!(f, " of kernel `{kernel}`")?;
            }
            write!(f, ", by {thread}, at ")?;
            thread.fmt_place(f)?;
        }
        Ok(())
    }
}
