//! The cells of the matrix, and a C function for each.

use std::fmt::{self, Write as _};

/// The operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Op {
    /// `__nv_atomic_load_n`
    Load,
    /// `__nv_atomic_store_n`
    Store,
    /// `__nv_atomic_exchange_n`
    Exchange,
    /// `__nv_atomic_compare_exchange_n`, with the order on failure.
    Compare {
        /// The order on failure.
        failure: Order,
        /// Whether it may fail spuriously.
        is_weak: bool,
    },
    /// `__nv_atomic_fetch_add` and so on, by the suffix after `fetch_`.
    Fetch(&'static str),
    /// `__nv_atomic_thread_fence`
    Fence,
}

/// A memory order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Order {
    /// `__NV_ATOMIC_RELAXED`
    Relaxed,
    /// `__NV_ATOMIC_CONSUME`, which is acquire.
    Consume,
    /// `__NV_ATOMIC_ACQUIRE`
    Acquire,
    /// `__NV_ATOMIC_RELEASE`
    Release,
    /// `__NV_ATOMIC_ACQ_REL`
    AcqRel,
    /// `__NV_ATOMIC_SEQ_CST`
    SeqCst,
}

/// A thread scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// `__NV_THREAD_SCOPE_THREAD`, for which PTX uses block scope.
    Thread,
    /// `__NV_THREAD_SCOPE_BLOCK`
    Block,
    /// `__NV_THREAD_SCOPE_CLUSTER`
    Cluster,
    /// `__NV_THREAD_SCOPE_DEVICE`
    Device,
    /// `__NV_THREAD_SCOPE_SYSTEM`
    System,
}

/// The state space of the object, if the function shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Space {
    /// Anywhere.
    Generic,
    /// The target of a kernel's parameter.
    Global,
    /// A `__shared__` variable.
    Shared,
    /// A `__shared__` variable of another block of the cluster.
    ClusterShared,
}

/// The kind of object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A signed integer.
    Signed,
    /// An unsigned integer.
    Unsigned,
    /// A floating-point number.
    Float,
    /// An object without arithmetic, accessed by address.
    Object,
}

/// The type of the object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Type {
    /// Its name in C.
    pub name: &'static str,
    /// Its width in bits.
    pub n_bits: u32,
    /// Its kind.
    pub kind: Kind,
}

/// A cell of the matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// The operation.
    pub op: Op,
    /// Its order; for a comparison, the order on success.
    pub order: Order,
    /// Its scope.
    pub scope: Scope,
    /// The type of the object; `None` for a fence.
    pub ty: Option<Type>,
    /// The state space.
    pub space: Space,
}

const fn ty(name: &'static str, n_bits: u32, kind: Kind) -> Type {
    Type { name, n_bits, kind }
}

const TYPES: &[Type] = &[
    ty("signed char", 8, Kind::Signed),
    ty("unsigned char", 8, Kind::Unsigned),
    ty("short", 16, Kind::Signed),
    ty("unsigned short", 16, Kind::Unsigned),
    ty("int", 32, Kind::Signed),
    ty("unsigned", 32, Kind::Unsigned),
    ty("long long", 64, Kind::Signed),
    ty("unsigned long long", 64, Kind::Unsigned),
    ty("__int128", 128, Kind::Signed),
    ty("unsigned __int128", 128, Kind::Unsigned),
    ty("float", 32, Kind::Float),
    ty("double", 64, Kind::Float),
    ty("Four", 32, Kind::Object),
    ty("Sixteen", 128, Kind::Object),
    ty("int *", 64, Kind::Object),
];

impl Order {
    /// All orders.
    pub const ALL: [Order; 6] =
        [Order::Relaxed, Order::Consume, Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst];

    fn name(self) -> &'static str {
        match self {
            Order::Relaxed => "RELAXED",
            Order::Consume => "CONSUME",
            Order::Acquire => "ACQUIRE",
            Order::Release => "RELEASE",
            Order::AcqRel => "ACQ_REL",
            Order::SeqCst => "SEQ_CST",
        }
    }

    /// The weakest order in the guide's table that is as strong as both.
    pub fn joined(self, other: Order) -> Order {
        let has = |orders: &[Order]| orders.contains(&self) || orders.contains(&other);
        let acquires = has(&[Order::Consume, Order::Acquire, Order::AcqRel]);
        let releases = has(&[Order::Release, Order::AcqRel]);
        match (acquires, releases) {
            _ if has(&[Order::SeqCst]) => Order::SeqCst,
            (true, true) => Order::AcqRel,
            (true, false) => Order::Acquire,
            (false, true) => Order::Release,
            (false, false) => Order::Relaxed,
        }
    }
}

impl Scope {
    const ALL: [Scope; 5] = [Scope::Thread, Scope::Block, Scope::Cluster, Scope::Device, Scope::System];

    fn name(self) -> &'static str {
        match self {
            Scope::Thread => "THREAD",
            Scope::Block => "BLOCK",
            Scope::Cluster => "CLUSTER",
            Scope::Device => "DEVICE",
            Scope::System => "SYSTEM",
        }
    }
}

impl Cell {
    /// The order with a row in the guide.
    pub fn guide_order(&self) -> Order {
        match self.op {
            Op::Compare { failure, .. } => self.order.joined(failure),
            _ => self.order.joined(Order::Relaxed),
        }
    }

    /// The guide's row: `load-seq_cst`.
    pub fn row(&self) -> String {
        let op = match self.op {
            Op::Load => "load",
            Op::Store => "store",
            Op::Exchange | Op::Compare { .. } | Op::Fetch(_) => "rmw",
            Op::Fence => "fence",
        };
        format!("{op}-{}", self.guide_order().name().to_lowercase())
    }

    /// The group of cells that a compiler rejects together: a compiler's failure says nothing about the other
    /// groups.
    pub fn group(&self) -> (Op, Option<Type>, Order) {
        let op = match self.op {
            Op::Compare { .. } => Op::Compare { failure: Order::Relaxed, is_weak: false },
            op => op,
        };
        (op, self.ty, self.guide_order())
    }

    /// Whether C permits it and nvcc supports it for a GPU.
    fn is_legal(&self, sm: u32) -> bool {
        use Order::{AcqRel, Acquire, Consume, Relaxed, Release, SeqCst};
        let orders: &[Order] = match self.op {
            Op::Load => &[Relaxed, Consume, Acquire, SeqCst],
            Op::Store => &[Relaxed, Release, SeqCst],
            Op::Fence => &[Consume, Acquire, Release, AcqRel, SeqCst],
            Op::Exchange | Op::Fetch(_) | Op::Compare { .. } => &Order::ALL,
        };
        let is_of_cluster = self.scope == Scope::Cluster || self.space == Space::ClusterShared;
        if !orders.contains(&self.order) || is_of_cluster && sm < 90 {
            return false;
        }
        if let Op::Compare { failure: Release | AcqRel, .. } = self.op {
            return false;
        }
        let Some(ty) = self.ty else { return self.op == Op::Fence && self.space == Space::Generic };
        // From there on, nvcc uses loops for operations without an instruction.
        let has_loops = sm >= 100;
        match (self.op, ty.kind) {
            (Op::Fence, _) => false,
            (Op::Load | Op::Store, _) => true,
            (Op::Exchange, _) => (has_loops || ty.n_bits >= 32) && (ty.n_bits < 128 || sm >= 90),
            (Op::Compare { .. }, _) => (has_loops || ty.n_bits >= 16) && (ty.n_bits < 128 || sm >= 90),
            (Op::Fetch("add" | "sub"), Kind::Signed) => has_loops || ty.n_bits == 32,
            (Op::Fetch("add" | "sub"), Kind::Float) => true,
            (Op::Fetch("min" | "max"), Kind::Float) => has_loops,
            (Op::Fetch(_), Kind::Float | Kind::Object) => false,
            (Op::Fetch(_), Kind::Signed | Kind::Unsigned) => has_loops || matches!(ty.n_bits, 32 | 64),
        }
    }

    fn orders(&self) -> String {
        let order = format!("__NV_ATOMIC_{}", self.order.name());
        let scope = format!("__NV_THREAD_SCOPE_{}", self.scope.name());
        match self.op {
            Op::Compare { failure, .. } => format!("{order}, __NV_ATOMIC_{}, {scope}", failure.name()),
            _ => format!("{order}, {scope}"),
        }
    }

    /// An expression, or statements that leave its value in `r`.
    pub(super) fn call(&self) -> String {
        let orders = self.orders();
        let is_object = self.ty.is_some_and(|ty| matches!(ty.kind, Kind::Object | Kind::Float));
        match self.op {
            Op::Load if is_object => format!("__nv_atomic_load(p, &r, {orders});"),
            Op::Load => format!("r = __nv_atomic_load_n(p, {orders});"),
            Op::Store if is_object => format!("__nv_atomic_store(p, &v, {orders});"),
            Op::Store => format!("__nv_atomic_store_n(p, v, {orders});"),
            Op::Exchange if is_object => format!("__nv_atomic_exchange(p, &v, &r, {orders});"),
            Op::Exchange => format!("r = __nv_atomic_exchange_n(p, v, {orders});"),
            Op::Compare { is_weak, .. } if is_object => {
                format!("done = __nv_atomic_compare_exchange(p, &r, &v, {is_weak}, {orders});")
            }
            Op::Compare { is_weak, .. } => {
                format!("done = __nv_atomic_compare_exchange_n(p, &r, v, {is_weak}, {orders});")
            }
            Op::Fetch(op) => format!("r = __nv_atomic_fetch_{op}(p, v, {orders});"),
            Op::Fence => format!("__nv_atomic_thread_fence({orders});"),
        }
    }

    /// A function with this index; `r` and `done` are passed out where they are used.
    fn function(&self, idx: usize) -> String {
        let call = self.call();
        let Some(Type { name, .. }) = self.ty else {
            return format!("extern \"C\" __device__ void f{idx}() {{ {call} }}\n");
        };
        let is_shared = matches!(self.space, Space::Shared | Space::ClusterShared);
        // Stores that are never read would be dropped.
        let read = if self.op == Op::Store && is_shared { "r = s[1 - i]; " } else { "" };
        let body = format!("{name} r = *o; bool done = true; {call} {read}*o = r; *d = done;");
        match self.space {
            Space::Generic => {
                format!(
                    "extern \"C\" __device__ void f{idx}({name} *p, {name} v, {name} *o, bool *d) {{ {body} }}\n"
                )
            }
            Space::Global => {
                format!(
                    "extern \"C\" __global__ void f{idx}({name} *p, {name} v, {name} *o, bool *d) {{ {body} }}\n"
                )
            }
            Space::Shared => format!(
                "extern \"C\" __global__ void f{idx}({name} v, {name} *o, bool *d, int i) \
                 {{ __shared__ {name} s[2]; s[i] = v; {name} *p = s + i; {body} }}\n"
            ),
            Space::ClusterShared => format!(
                "extern \"C\" __global__ void f{idx}({name} v, {name} *o, bool *d, int i) \
                 {{ __shared__ {name} s[2]; s[i] = v; {name} *p = ({name} *)__cluster_map_shared_rank(s + i, i); {body} }}\n"
            ),
        }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let op = match self.op {
            Op::Load => "load".to_owned(),
            Op::Store => "store".to_owned(),
            Op::Exchange => "exchange".to_owned(),
            Op::Compare { failure, is_weak } => {
                let weak = if is_weak { "weak " } else { "" };
                format!("{weak}compare_exchange (failure {})", failure.name().to_lowercase())
            }
            Op::Fetch(op) => format!("fetch_{op}"),
            Op::Fence => "fence".to_owned(),
        };
        write!(f, "{op} {} {}", self.order.name().to_lowercase(), self.scope.name().to_lowercase())?;
        match self.ty {
            Some(ty) => write!(f, " {} {:?}", ty.name, self.space),
            None => Ok(()),
        }
    }
}

/// All legal cells for a GPU.
pub fn cells(sm: u32) -> Vec<Cell> {
    let mut ops = vec![Op::Load, Op::Store, Op::Exchange, Op::Fence];
    ops.extend(["add", "sub", "and", "or", "xor", "min", "max"].map(Op::Fetch));
    ops.extend(Order::ALL.map(|failure| Op::Compare { failure, is_weak: false }));
    ops.extend(Order::ALL.map(|failure| Op::Compare { failure, is_weak: true }));
    let mut cells = Vec::new();
    for op in ops {
        let tys: Vec<Option<Type>> =
            if op == Op::Fence { vec![None] } else { TYPES.iter().copied().map(Some).collect() };
        for ty in tys {
            for space in [Space::Generic, Space::Global, Space::Shared, Space::ClusterShared] {
                for order in Order::ALL {
                    for scope in Scope::ALL {
                        cells.push(Cell { op, order, scope, ty, space });
                    }
                }
            }
        }
    }
    cells.retain(|cell| cell.is_legal(sm));
    cells
}

impl Cell {
    /// The same for an `int`.
    pub(super) fn of_int(self) -> Cell {
        Cell { ty: TYPES.iter().copied().find(|ty| ty.name == "int"), ..self }
    }
}

/// The legal cells of an `int` in global memory on `sm_90`, and fences.
pub(super) fn int_cells() -> Vec<Cell> {
    let is_one = |cell: &Cell| match cell.ty {
        Some(ty) => ty.name == "int" && cell.space == Space::Global,
        None => true,
    };
    cells(90).into_iter().filter(is_one).collect()
}

/// A file with a function for each cell: `f0`, `f1`.
pub fn source(cells: &[Cell]) -> String {
    let mut text = String::from(include_str!("../../conformance/atomics/spellings.h"));
    text.push_str(
        "struct __align__(4) Four { short a, b; };\nstruct __align__(16) Sixteen { int a, b, c, d; };\n",
    );
    for (idx, cell) in cells.iter().enumerate() {
        // Writing to a `String` cannot fail.
        let _ = write!(text, "{}", cell.function(idx));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_thousands_of_legal_cells() {
        let counts = [75, 90, 100].map(|sm| cells(sm).len());
        assert!(counts[0] > 3000 && counts[0] < counts[1] && counts[1] < counts[2], "{counts:?}");
    }

    #[test]
    fn omits_operations_that_c_lacks() {
        for cell in cells(90) {
            assert!(cell.op != Op::Load || cell.order != Order::Release, "{cell}");
            assert!(cell.op != Op::Store || cell.order != Order::Acquire, "{cell}");
            assert!(cell.op != Op::Exchange || cell.ty.is_some_and(|ty| ty.n_bits >= 32), "{cell}");
        }
    }
}
