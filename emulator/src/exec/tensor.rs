//! Copies of tensor tiles (PTX ISA "cp.async.bulk.tensor"), which are deferred like other bulk copies.

use super::access::Access;
use super::bulk::{Notification, Piece, PieceSource, Reduction, Transfer, absolute, of_rank};
use super::claims::Claim;
use super::fault::{FaultKind, Usage};
use super::step::{Step, StepError};
use super::warp::Warp;
use crate::compute::WARP_SIZE;
use crate::memory::bytes::Width;
use crate::program::atomic::update;
use crate::program::code::{Address, Memory, TensorAction, TensorCopy};
use crate::tensor::{CHUNK, MAP_ALIGN, MAP_SIZE, MapMisuse, TILE_ALIGN, TILE_START_ALIGN, TensorMap};

impl Warp {
    /// `cp.async.bulk.tensor`, `cp.reduce.async.bulk.tensor`
    pub(super) fn tensor_copy(&mut self, step: &Step<'_>, copy: &TensorCopy) -> Result<(), StepError> {
        for source in step.instruction.op.sources() {
            self.require_defined(step, source, Usage::Address)?;
        }
        let (maps, places) = (self.addresses(step, &copy.map), self.addresses(step, &copy.shared));
        let coordinates: Vec<_> = copy.coordinates.iter().map(|&source| self.value(step, source)).collect();
        for lane in step.lanes() {
            let misused = |misuse| StepError {
                kind: FaultKind::TensorMap { misuse: Box::new(misuse), address: maps[lane] },
                lane: Some(lane),
            };
            if !maps[lane].is_multiple_of(MAP_ALIGN) {
                return Err(misused(MapMisuse::Misaligned("the map", maps[lane], MAP_ALIGN)));
            }
            let bytes = self.map_bytes(step, copy.map.memory, lane, maps[lane])?;
            let map = TensorMap::decode(&bytes).map_err(misused)?;
            if map.extents.len() != coordinates.len() {
                let (rank, wanted) = (map.extents.len(), coordinates.len());
                return Err(misused(MapMisuse::OtherRank { rank, wanted }));
            }
            if !places[lane].is_multiple_of(TILE_ALIGN) {
                return Err(misused(MapMisuse::Misaligned("the tile", places[lane], TILE_ALIGN)));
            }
            let first: Vec<i32> = coordinates.iter().map(|lanes| lanes[lane] as u32 as i32).collect();
            let is_load = matches!(copy.action, TensorAction::Load { .. });
            let start = i64::from(first[0]) * map.element.size() as i64;
            if start % TILE_START_ALIGN != 0 {
                return Err(misused(MapMisuse::MisalignedStart { bytes: start }));
            }
            if !is_load && first.iter().any(|&coordinate| coordinate < 0) {
                return Err(misused(MapMisuse::NegativeStart));
            }
            let reduction = match copy.action {
                TensorAction::Reduce(operation) => Some(reduction(&map, operation).ok_or_else(|| {
                    let element = map.element.name();
                    misused(MapMisuse::Wrong(format!(
                        "`.{operation}` does not support elements of type {element}"
                    )))
                })?),
                TensorAction::Load { .. } | TensorAction::Store => None,
            };
            if !is_load && map.steps.iter().skip(1).any(|&step| step != 1) {
                return Err(misused(MapMisuse::Unsupported("steps of tiles that are written")));
            }
            let blocks = match copy.action {
                TensorAction::Load { blocks } => blocks,
                TensorAction::Store | TensorAction::Reduce(_) => None,
            };
            for rank in self.ranks(step, lane, blocks) {
                let place = of_rank(step.shared, copy.shared.memory, places[lane], rank);
                self.require_range(step, lane, copy.shared.memory, place, map.tile_size(), is_load)?;
                let shared = absolute(step.shared, copy.shared.memory, place);
                let tile = map.tile(&first, shared, reduction.is_some());
                for piece in &tile {
                    self.require_global(step, lane, piece.global, piece.n_bytes, !is_load)?;
                }
                let pieces = tile.into_iter().filter_map(|piece| match (is_load, piece.global) {
                    (true, Some(address)) => Some((PieceSource::At(address), piece.shared, piece.n_bytes)),
                    (true, None) => Some((PieceSource::Bits(0), piece.shared, piece.n_bytes)),
                    (false, Some(address)) => Some((PieceSource::At(piece.shared), address, piece.n_bytes)),
                    // Elements outside the tensor are not written.
                    (false, None) => None,
                });
                let pieces = pieces.map(|(source, to, n_bytes)| Piece { source, to, n_bytes }).collect();
                let (from, to) = match is_load {
                    true => (Memory::Global, Memory::Shared),
                    false => (Memory::Shared, Memory::Global),
                };
                let transfer = Transfer {
                    asked: self.ask(step, lane),
                    from,
                    to,
                    pieces,
                    reduction: reduction.clone(),
                    notification: Notification::Group { lane, number: 0 },
                    values: None,
                };
                self.ask_for_bulk(step, lane, &copy.completion, rank, map.tile_size(), transfer)?;
            }
        }
        Ok(())
    }

    /// `tensormap.cp_fenceproxy`, once for the warp.
    pub(super) fn copy_map(
        &mut self,
        step: &Step<'_>,
        to: &Address,
        from: &Address,
    ) -> Result<(), StepError> {
        self.require_address(step, to)?;
        self.require_address(step, from)?;
        let lane = step.first_lane();
        let (target, source) = (self.addresses(step, to)[lane], self.addresses(step, from)[lane]);
        let bytes = self.map_bytes(step, from.memory, lane, source)?;
        for (idx, word) in bytes.chunks_exact(8).enumerate() {
            let word = word.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
            self.store_one(step, to.memory, lane, target.wrapping_add(8 * idx as u64), Width::B8, word)?;
        }
        Ok(())
    }

    fn map_bytes(
        &mut self,
        step: &Step<'_>,
        memory: Memory,
        lane: usize,
        address: u64,
    ) -> Result<[u8; MAP_SIZE], StepError> {
        let mut bytes = [0; MAP_SIZE];
        for (idx, word) in bytes.chunks_exact_mut(8).enumerate() {
            let value = self.load_one(step, memory, lane, address.wrapping_add(8 * idx as u64), Width::B8)?;
            word.copy_from_slice(&value.to_le_bytes());
        }
        Ok(bytes)
    }

    /// Requires the part of a tile that is inside the tensor to be in bounds.
    fn require_global(
        &mut self,
        step: &Step<'_>,
        lane: usize,
        address: Option<u64>,
        n_bytes: u64,
        is_store: bool,
    ) -> Result<(), StepError> {
        let Some(address) = address else { return Ok(()) };
        let alone = Step { mask: 1 << lane, ..*step };
        let claim = if is_store { Claim::Write } else { Claim::Read };
        let access = Access { memory: Memory::Global, n_bytes: n_bytes.min(CHUNK), is_store, claim };
        self.access(&alone, access, &[address; WARP_SIZE], |_| {})
    }
}

/// The reduction of a map's elements.
fn reduction(map: &TensorMap, operation: &str) -> Option<Reduction> {
    let width = Width::of_bytes(map.element.size())?;
    let bits = ["b8", "b16", "b32", "b64"][map.element.size().trailing_zeros() as usize];
    let ty = match (operation, map.element.name()) {
        ("and" | "or" | "xor", "u32" | "s32" | "u64" | "s64") => bits,
        ("inc" | "dec", "u32") => "u32",
        ("add", "s64") => "u64",
        ("add", ty @ ("u32" | "s32" | "u64" | "f16" | "bf16" | "f32" | "f64")) => ty,
        ("min" | "max", ty @ ("u32" | "s32" | "u64" | "s64" | "f16" | "bf16")) => ty,
        _ => return None,
    };
    Some(Reduction { width, update: update(operation, ty)? })
}
