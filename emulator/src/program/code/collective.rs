//! What several threads find out together.

use super::{Register, Source};

/// What the threads at a barrier find out together (PTX ISA "bar.red").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BarrierVotes {
    pub(crate) reduction: BarrierReduction,
    pub(crate) predicate: Source,
    pub(crate) result: Option<Register>,
}

/// What is made of the predicates of all threads at a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BarrierReduction {
    /// How many hold.
    Count,
    /// Whether all hold.
    All,
    /// Whether one holds.
    Any,
}

/// What the threads of a warp do together (PTX ISA "Parallel Synchronization and Communication Instructions").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WarpCollective {
    /// `shfl.sync`, and `shfl` of the threads that are there.
    Shuffle(Shuffle),
    /// `vote.sync` and what it tells, and `vote` of the threads that are there.
    Vote(Vote),
    /// `match.any.sync`: who has the same value.
    MatchAny { is_wide: bool },
    /// `match.all.sync`: the members if all have the same value.
    MatchAll { is_wide: bool },
    /// `redux.sync`
    Reduce(Reduce),
    /// `redux.sync` of `.f32`
    ReduceFloat(ReduceFloat),
    /// `activemask`
    ActiveMask,
    /// `elect.sync`: the first of the members.
    Elect,
    /// `bar.warp.sync`
    Meet,
}

/// From which thread a value comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shuffle {
    Up,
    Down,
    Butterfly,
    Index,
}

/// What a vote tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vote {
    All,
    Any,
    Uniform,
    Ballot,
}

/// What is made of the values of all members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reduce {
    Add,
    MinSigned,
    MinUnsigned,
    MaxSigned,
    MaxUnsigned,
    And,
    Or,
    Xor,
}

/// What is made of the numbers of all members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ReduceFloat {
    /// The greatest, and not the least.
    pub(crate) is_max: bool,
    /// Of the magnitudes: `.abs`.
    pub(crate) is_abs: bool,
    /// One that is no number makes all none: `.NaN`. Otherwise it is left out.
    pub(crate) gives_nan: bool,
}
