//! Source names in faults: of functions and objects, and of the element of an object at an offset.
//!
//! In: a fault with symbols and offsets. Out: the same with `tile[4][4]` instead of `_ZZ1kvE4tile` and 528
//! bytes. If the layout of an object is unknown, the offset remains: `tile+0x210`.

use std::collections::BTreeMap;

use super::fault::{
    Awaited, Cause, Fault, FaultKind, Group, Phase, Piece, Race, Space, Thread, Undefined, Waits,
};
use crate::memory::error::{AccessError, Extent, Nearest};
pub use crate::memory::layout::Layout;

/// The source names of functions and objects.
#[derive(Clone, Debug, Default)]
pub struct Names {
    functions: BTreeMap<String, String>,
    objects: BTreeMap<String, (String, Option<Layout>)>,
}

impl Names {
    /// Names the function with this symbol.
    pub fn add_function(&mut self, symbol: impl Into<String>, name: impl Into<String>) {
        self.functions.insert(symbol.into(), name.into());
    }

    /// Names the variable with this symbol, or the allocation with this name.
    pub fn add_object(&mut self, symbol: impl Into<String>, name: impl Into<String>, layout: Option<Layout>) {
        self.objects.insert(symbol.into(), (name.into(), layout));
    }

    /// Replaces the symbols in a fault, and sets its kernel.
    pub(super) fn finish(&self, fault: &mut Fault, kernel: &str) {
        self.rename_function(fault.kernel.insert(kernel.to_owned()));
        if let Some(thread) = &mut fault.thread {
            self.rename_thread(thread);
        }
        self.rename_kind(&mut fault.kind);
    }

    fn rename_function(&self, symbol: &mut String) {
        if let Some(name) = self.functions.get(symbol) {
            symbol.clone_from(name);
        }
    }

    fn rename_thread(&self, thread: &mut Thread) {
        self.rename_function(&mut thread.function);
    }

    fn rename_groups(&self, groups: &mut [Group]) {
        for Group { first, waits, n_threads: _ } in groups {
            self.rename_thread(first);
            match waits {
                Some(Waits::Value(awaited)) => {
                    let Awaited { piece, writer, writer_is_at, value: _ } = &mut **awaited;
                    self.rename_piece(piece);
                    [writer, writer_is_at]
                        .into_iter()
                        .flatten()
                        .for_each(|thread| self.rename_thread(thread));
                }
                Some(Waits::Phase(phase)) => {
                    let Phase { piece, n_arrivals: _, n_bytes: _ } = &mut **phase;
                    self.rename_piece(piece);
                }
                Some(Waits::Barrier { .. } | Waits::Members(_) | Waits::Cluster | Waits::Nothing) | None => {}
            }
        }
    }

    fn rename_kind(&self, kind: &mut FaultKind) {
        match kind {
            FaultKind::Access { error, .. } | FaultKind::BadFree(_, error) => self.rename_error(error),
            FaultKind::Undefined(undefined) => {
                let Undefined { cause, by, usage: _ } = &mut **undefined;
                self.rename_thread(by);
                match cause {
                    Cause::Unwritten(piece) => self.rename_piece(piece),
                    Cause::Shuffle { .. } | Cause::Division { .. } => {}
                }
            }
            FaultKind::Race(race) => {
                let Race { piece, other, .. } = &mut **race;
                self.rename_piece(piece);
                self.rename_thread(other);
            }
            FaultKind::NoProxyFence { piece, writer } => {
                self.rename_piece(piece);
                self.rename_thread(writer);
            }
            FaultKind::Copy { kind, asked_by } => {
                self.rename_kind(kind);
                self.rename_thread(asked_by);
            }
            FaultKind::MismatchedArguments(function) => self.rename_function(function),
            FaultKind::MissedBarrier { ended, .. } => {
                ended.iter_mut().for_each(|ended| self.rename_thread(&mut ended.first));
            }
            FaultKind::Deadlock(groups)
            | FaultKind::Livelock(groups)
            | FaultKind::TooManySteps { groups, .. }
            | FaultKind::DivergentBarrier { groups, .. } => self.rename_groups(groups),
            FaultKind::Trap
            | FaultKind::NotCooperative
            | FaultKind::Breakpoint
            | FaultKind::Assert(_)
            | FaultKind::BadCall(_)
            | FaultKind::BadBranch(_)
            | FaultKind::Members { .. }
            | FaultKind::IncompleteWarp { .. }
            | FaultKind::NotShared(_)
            | FaultKind::UnequalMatrices
            | FaultKind::Matrix(_)
            | FaultKind::Mbarrier { .. }
            | FaultKind::Texture { .. }
            | FaultKind::TensorMap { .. }
            | FaultKind::ClusterBarrier { .. }
            | FaultKind::BadCopy { .. }
            | FaultKind::BadBulkCopy(_)
            | FaultKind::BadBulkStore { .. }
            | FaultKind::PrintTooLong
            | FaultKind::AllocaTooLarge(_)
            | FaultKind::BadStack(_)
            | FaultKind::StackOverflow
            | FaultKind::OutOfMemory { .. }
            | FaultKind::Unsupported(_)
            | FaultKind::BadLaunch(_) => {}
        }
    }

    /// Turns a piece of a variable into a piece of an element.
    fn rename_piece(&self, piece: &mut Piece) {
        if piece.space == Space::Register {
            return;
        }
        if let Some((symbol, offset)) = &mut piece.variable
            && let Some((name, layout)) = self.objects.get(symbol)
        {
            let at = i64::try_from(*offset).unwrap_or(i64::MAX);
            let (path, rest) = layout.as_ref().map_or_else(|| (String::new(), at), |layout| layout.path(at));
            *symbol = format!("{name}{path}");
            *offset = rest.unsigned_abs();
        }
    }

    fn rename_error(&self, error: &mut AccessError) {
        match error {
            AccessError::OutOfBounds(Some(nearest)) => self.rename_nearest(nearest),
            AccessError::Strayed(strayed) => {
                self.rename_extent(&mut strayed.through);
                self.rename_nearest(&mut strayed.place);
            }
            AccessError::Freed(freed) => self.rename_extent(&mut freed.piece),
            AccessError::Misaligned
            | AccessError::OutOfBounds(None)
            | AccessError::ReadOnly
            | AccessError::NoRoom(_) => {}
        }
    }

    fn rename_nearest(&self, nearest: &mut Nearest) {
        if let Some((name, Some(layout))) = self.object(&nearest.piece) {
            let (path, _) = layout.path(nearest.offset as i64);
            nearest.element = (!path.is_empty()).then(|| format!("{name}{path}"));
        }
        self.rename_extent(&mut nearest.piece);
    }

    fn rename_extent(&self, extent: &mut Extent) {
        if let Some((name, _)) = self.object(extent) {
            extent.name = Some(format!("`{name}`"));
        }
    }

    fn object(&self, extent: &Extent) -> Option<&(String, Option<Layout>)> {
        let symbol = extent.name.as_deref()?.strip_prefix('`')?.strip_suffix('`')?;
        self.objects.get(symbol)
    }
}
