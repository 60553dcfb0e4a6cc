//! What messages say of faults.

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
                "`trap` was executed: the program waits for the whole grid (`grid.sync()` of cooperative groups), which takes a \
                 cooperative launch (`weftc run --cooperative`), and this launch is not one",
            ),
            FaultKind::Breakpoint => f.write_str("`brkpt` was executed"),
            FaultKind::Assert(message) => f.write_str(message),
            FaultKind::BadFree(address, error) => write!(f, "`free` of {address:#x}: {error}"),
            FaultKind::BadCall(address) => write!(f, "call of {address:#x}, which is no function"),
            FaultKind::OtherArguments(name) => {
                write!(f, "a call of `{name}` with other arguments than it has parameters")
            }
            FaultKind::BadBranch(index) => write!(f, "indexed branch beyond its labels, by {index}"),
            FaultKind::Deadlock(groups) => {
                f.write_str("threads wait for others that never come")?;
                list(groups, f)
            }
            FaultKind::Livelock(groups) => {
                f.write_str("no thread can make progress: all loop or wait, and nothing changes")?;
                list(groups, f)
            }
            FaultKind::DivergentBarrier { number, groups } => {
                write!(f, "the threads of a warp reach barrier {number} separately")?;
                list(groups, f)
            }
            FaultKind::MissedBarrier { number, n_threads, ended } => {
                let n_ended: u32 = ended.iter().map(|ended| ended.n_threads).sum();
                write!(
                    f,
                    "{n_ended} of {n_threads} threads of the block have ended without coming to barrier {number}, which is for all"
                )?;
                list(ended, f)
            }
            FaultKind::Members { mask, is_other: false } => {
                write!(f, "a thread is not in the mask {mask:#010x} with which it takes part")
            }
            FaultKind::Members { mask, is_other: true } => {
                write!(f, "a thread is in the mask {mask:#010x} of others, and takes part with another mask")
            }
            FaultKind::IncompleteWarp { missing } => {
                write!(
                    f,
                    "all 32 threads of a warp execute this together, and those of the mask {missing:#010x} do not"
                )
            }
            FaultKind::NotShared(address) => {
                write!(f, "a row of a matrix at {address:#x}, which is not in shared memory")
            }
            FaultKind::UnequalMatrices => f.write_str(
                "the threads of a warp load or store one matrix, and give other addresses or strides",
            ),
            FaultKind::Matrix(misuse) => misuse.fmt(f),
            FaultKind::Texture { misuse, handle } => write!(f, "the handle {handle:#x}: {misuse}"),
            FaultKind::TensorMap { misuse, address } => write!(f, "the tensor map at {address:#x}: {misuse}"),
            FaultKind::Mbarrier { misuse, address } => write!(f, "the mbarrier at {address:#x}: {misuse}"),
            FaultKind::ClusterBarrier { is_wait: true } => {
                f.write_str("a thread waits at the cluster barrier without having arrived")
            }
            FaultKind::ClusterBarrier { is_wait: false } => {
                f.write_str("a thread arrives at the cluster barrier twice without waiting")
            }
            FaultKind::BadCopy { n_bytes, of_source } => {
                write!(f, "`cp.async` of {n_bytes} bytes, and {of_source} of the source")
            }
            FaultKind::Copy { kind, asked_by } => {
                write!(f, "{kind}; the copy was asked for by {asked_by} at ")?;
                asked_by.fmt_place(f)
            }
            FaultKind::NoProxyFence { piece, writer } => {
                write!(f, "a bulk copy reads {piece}, written by {writer} at ")?;
                writer.fmt_place(f)?;
                f.write_str(", and no `fence.proxy.async` stands between")
            }
            FaultKind::BadBulkCopy(n_bytes) => {
                write!(f, "`cp.async.bulk` of {n_bytes} bytes, which is no multiple of 16")
            }
            FaultKind::BadBulkStore { address, n_bytes } => write!(
                f,
                "`st.bulk` of {n_bytes} bytes at {address:#x}: it writes a multiple of 8 bytes, 16 MiB at most, in shared memory"
            ),
            FaultKind::PrintTooLong => {
                write!(f, "a call of `printf` prints more than {MAX_PRINTED} bytes, which is the limit")
            }
            FaultKind::AllocaTooLarge(size) => {
                write!(f, "`alloca` of {size} bytes, and so much local memory is not left")
            }
            FaultKind::BadStack(pointer) => {
                write!(
                    f,
                    "`stackrestore` of {pointer:#x}, which no `stacksave` of this call has given, or which is gone"
                )
            }
            FaultKind::OutOfMemory { purpose, error: HostOutOfMemory { wanted, left } } => write!(
                f,
                "not enough host memory for {purpose}: {wanted} bytes needed, {left} available"
            ),
            FaultKind::StackOverflow => f.write_str("calls nest so deep that local memory is used up"),
            FaultKind::TooManySteps { limit, groups } => {
                write!(f, "a warp has executed {limit} instructions, which is the limit")?;
                list(groups, f)
            }
            FaultKind::Unsupported(what) => write!(f, "{what} is not supported yet"),
            FaultKind::BadLaunch(why) => f.write_str(why),
        }
    }
}

/// How many groups of threads a message names.
const MAX_GROUPS: usize = 8;

fn list(groups: &[impl fmt::Display], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (idx, group) in groups.iter().take(MAX_GROUPS).enumerate() {
        write!(f, "{}{group}", if idx == 0 { ": " } else { "; " })?;
    }
    match groups.len().saturating_sub(MAX_GROUPS) {
        0 => Ok(()),
        more => write!(f, "; and {more} groups more"),
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
            1 => write!(f, "{} ended at ", self.first)?,
            n => write!(f, "{} and {} more ended at ", self.first, n - 1)?,
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
            Waits::Members(members) => write!(f, "for those of the mask {members:#010x} of their warp"),
            Waits::Value(awaited) => awaited.fmt(f),
            Waits::Phase(phase) => {
                let Phase { piece, n_arrivals, n_bytes } = &**phase;
                write!(f, "for the end of a phase of the mbarrier in {piece}, ")?;
                write!(f, "which is short of {n_arrivals} arrivals and {n_bytes} bytes,")
            }
            Waits::Nothing => f.write_str("in a loop that reads nothing that could change"),
        }
    }
}

impl fmt::Display for Awaited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Awaited { piece, value, writer, writer_is_at } = self;
        write!(f, "for another value than {value} in {piece}")?;
        let Some(writer) = writer else {
            return f.write_str(", which no atomic operation has changed,");
        };
        write!(f, ", which {writer} wrote at ")?;
        writer.fmt_place(f)?;
        match writer_is_at {
            None => f.write_str(" (that thread has ended),"),
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
            Usage::Condition => "a condition depends on",
            Usage::Target => "where the program goes on depends on",
            Usage::Address => "an address depends on",
            Usage::Result => "the value stored to global memory depends on",
            Usage::Atomic => "an atomic operation depends on",
            Usage::Synchronization => "with whom a thread waits depends on",
        })?;
        match &self.cause {
            Cause::Unwritten(piece) if piece.space == Space::Register => {
                write!(f, " an undefined value: {piece}, read by {} at ", self.by)?;
            }
            Cause::Unwritten(piece) => {
                write!(f, " uninitialised memory: {piece}, read by {} at ", self.by)?;
            }
            Cause::Shuffle { from, absence } => {
                write!(
                    f,
                    " an undefined value: the shuffle from lane {from}, {absence}, by {} at ",
                    self.by
                )?;
            }
            Cause::Division { is_remainder } => {
                let what =
                    if *is_remainder { "the remainder of a division by zero" } else { "a division by zero" };
                write!(f, " an undefined value: {what} by {} at ", self.by)?;
            }
        }
        self.by.fmt_place(f)
    }
}

impl fmt::Display for Absence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Absence::NoThread => "which the block does not have",
            Absence::Ended => "which has ended",
            Absence::NotInMask => "which is not in the mask",
            Absence::Elsewhere => "which does not execute it",
        })
    }
}

impl fmt::Display for Race {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (access, before) = (&self.access, &self.other_access);
        let article = if before.order.is_none() && before.touch == Touch::Atomic { "an" } else { "a" };
        let value = if self.is_same_value { " of the same value" } else { "" };
        write!(f, "race: {access} of {}, after {article} {before}{value} by {} at ", self.piece, self.other)?;
        self.other.fmt_place(f)?;
        write!(f, ", and nothing orders the two: {}", self.why)?;
        let is_volatile = |access: &RaceAccess| access.order.as_deref() == Some(".volatile");
        if [access, before].into_iter().any(is_volatile) {
            f.write_str(" (`.volatile` is `.relaxed.sys`, and orders nothing without fences)")?;
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
                "the threads are of one warp, and no `__syncwarp()` or barrier of both is between them"
            }
            Unordered::SameBlock => "no barrier of both threads is between them, nor a flag with fences",
            Unordered::OtherBlock => {
                "the threads are of different blocks, and no flag with fences is between them"
            }
            Unordered::OtherBarrier => "the barrier since then was not one of both threads",
            Unordered::NarrowScope => "a scope does not include the other thread",
            Unordered::OtherSize => "strong accesses of different sizes are not atomic for one another",
            Unordered::NoAcquire => {
                "what the other thread released has been read, but not acquired: a `__threadfence()` after that read, \
                 by the same thread, is missing"
            }
            Unordered::NarrowFence => {
                "what the other thread released has been read, but the fence after that has too narrow a scope"
            }
            Unordered::OutOfScope => {
                "what the other thread released has been read, but the scope of the release or of the read does not \
                 include the other thread"
            }
            Unordered::NoRelease => {
                "a flag that the other thread wrote afterwards has been read, but a `__threadfence()` before that \
                 write is missing"
            }
            Unordered::Copy => "nothing that waits for the copy is between them",
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
                return write!(f, "the register `{name}`, to which nothing is written");
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
