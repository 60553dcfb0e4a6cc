//! Atomic memory operations with a memory order and a scope (PTX interoperability guide, chapter 4).

use std::fmt;

use super::super::Ty;
use super::atomic::{AtomicOp, Scope};
use super::signature::Operand::{Is, PointerToObject, PointerToT, T};
use super::{Class, Signature};

/// Which writes an operation makes visible, to and from other threads (C++17 32.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MemoryOrder {
    /// Nothing.
    Relaxed,
    /// Later accesses see released writes; consume is this too.
    Acquire,
    /// Earlier writes are visible to threads that acquire.
    Release,
    /// Both.
    AcqRel,
    /// Both, and all of these are in one order.
    SeqCst,
}

impl MemoryOrder {
    /// Whether no later access may move before the operation.
    pub fn acquires(self) -> bool {
        matches!(self, MemoryOrder::Acquire | MemoryOrder::AcqRel | MemoryOrder::SeqCst)
    }

    /// Whether no earlier access may move after the operation.
    pub fn releases(self) -> bool {
        matches!(self, MemoryOrder::Release | MemoryOrder::AcqRel | MemoryOrder::SeqCst)
    }

    /// The weakest order that is as strong as both.
    pub fn joined(self, other: MemoryOrder) -> MemoryOrder {
        let both = [self, other];
        if both.contains(&MemoryOrder::SeqCst) {
            return MemoryOrder::SeqCst;
        }
        match (both.iter().any(|it| it.acquires()), both.iter().any(|it| it.releases())) {
            (false, false) => MemoryOrder::Relaxed,
            (true, false) => MemoryOrder::Acquire,
            (false, true) => MemoryOrder::Release,
            (true, true) => MemoryOrder::AcqRel,
        }
    }
}

/// The operation. T is an integer, floating-point or pointer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OrderedOp {
    /// `T op(T *)`
    Load,
    /// `void op(T *, T)`
    Store,
    /// `T op(T *, T)`: gives the old value.
    Exchange,
    /// `bool op(T *, T *expected, T)`: whether the old value was as expected; the old value goes to `expected`.
    CompareExchange {
        /// It may fail where the old value is as expected.
        is_weak: bool,
    },
    /// `T op(T *, T)`: any of these but for the exchanges; gives the old value.
    Modify(AtomicOp),
    /// `void op()`: orders what is around it.
    Fence,
}

/// An operation with its order and its scope.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ordered {
    /// The operation.
    pub op: OrderedOp,
    /// The order; for a compare-and-swap, the weakest that is as strong as those of success and failure.
    pub order: MemoryOrder,
    /// The scope.
    pub scope: Scope,
    /// The operands are objects of 1, 2, 4, 8 or 16 bytes of whatever type, and each is named by its address, the result
    /// too: it comes after the others.
    pub is_by_address: bool,
}

impl Ordered {
    pub(super) fn signature(self) -> Signature {
        const VOID: super::Operand = Is(Ty::VOID);
        const BOOL: super::Operand = Is(Ty::BOOL);
        const OBJECT: super::Operand = PointerToObject;
        let by_value = |ret, params| Signature::of(Class::Atomic, ret, params);
        match (self.op, self.is_by_address) {
            (OrderedOp::Fence, _) => Signature::fixed(VOID, &[]),
            (OrderedOp::Load, false) => by_value(T, &[PointerToT]),
            (OrderedOp::Store, false) => by_value(VOID, &[PointerToT, T]),
            (OrderedOp::Exchange | OrderedOp::Modify(_), false) => by_value(T, &[PointerToT, T]),
            (OrderedOp::CompareExchange { .. }, false) => by_value(BOOL, &[PointerToT, PointerToObject, T]),
            (OrderedOp::Load | OrderedOp::Store, true) => Signature::fixed(VOID, &[OBJECT, OBJECT]),
            (OrderedOp::Exchange | OrderedOp::Modify(_), true) => {
                Signature::fixed(VOID, &[OBJECT, OBJECT, OBJECT])
            }
            (OrderedOp::CompareExchange { .. }, true) => Signature::fixed(BOOL, &[OBJECT, OBJECT, OBJECT]),
        }
    }
}

impl fmt::Debug for Ordered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.op {
            OrderedOp::Load => write!(f, "AtomicLoad")?,
            OrderedOp::Store => write!(f, "AtomicStore")?,
            OrderedOp::Exchange => write!(f, "AtomicExchange")?,
            OrderedOp::CompareExchange { is_weak: false } => write!(f, "AtomicCompareExchange")?,
            OrderedOp::CompareExchange { is_weak: true } => write!(f, "AtomicCompareExchange Weak")?,
            OrderedOp::Modify(op) => write!(f, "Atomic{op:?}")?,
            OrderedOp::Fence => write!(f, "Fence")?,
        }
        write!(f, " {:?} {:?}", self.order, self.scope)?;
        if self.is_by_address { write!(f, " ByAddress") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::MemoryOrder::{AcqRel, Acquire, Relaxed, Release, SeqCst};

    #[test]
    fn the_stronger_of_two_orders_is_as_strong_as_both() {
        let orders = [Relaxed, Acquire, Release, AcqRel, SeqCst];
        for a in orders {
            for b in orders {
                let joined = a.joined(b);
                assert_eq!(joined, b.joined(a), "{a:?} {b:?}");
                assert_eq!(joined.acquires(), a.acquires() || b.acquires(), "{a:?} {b:?}");
                assert_eq!(joined.releases(), a.releases() || b.releases(), "{a:?} {b:?}");
                assert_eq!(joined == SeqCst, a == SeqCst || b == SeqCst, "{a:?} {b:?}");
            }
        }
        assert_eq!(Release.joined(Acquire), AcqRel);
    }
}
