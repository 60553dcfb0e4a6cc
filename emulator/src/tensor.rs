//! Tensor maps: which elements of global memory a tile has, and where they lie in shared memory (PTX ISA "Tensors",
//! "tensormap"; CUDA Driver API "cuTensorMapEncodeTiled"; CUDA Programming Guide "Tensor Memory Access").
//!
//! What is in the 128 bytes of a map, NVIDIA does not say. Here they are, as `weftc run` makes them and `tensormap.replace`
//! changes them, from the low end: a mark; a byte each for the type of elements, the number of axes less one, how axes are
//! interleaved, the swizzle, and what lies beside the tensor, in the numbers of `tensormap.replace`; the address; five words
//! each for the box, for the steps and for the extents; four distances of 64 bits. Not there: tiles by im2col, of four rows that
//! are gathered, interleaved ones, and elements of less than eight bits or that are rounded on their way.

use std::fmt;

/// How large a map is, in bytes.
pub const MAP_SIZE: usize = 128;

/// What maps are aligned to, in bytes.
pub(crate) const MAP_ALIGN: u64 = 64;

/// What tiles in shared memory are aligned to, in bytes.
pub(crate) const TILE_ALIGN: u64 = 128;

/// What the start of a tile along the innermost axis is a multiple of, in bytes. Measured: docs/internals/gpu-results.md.
pub(crate) const TILE_START_ALIGN: i64 = 16;

/// How many axes a tensor may have.
pub const MAX_RANK: usize = 5;

/// The first four bytes of a map.
const MARK: u32 = u32::from_le_bytes(*b"WTM1");

/// The highest extent of a box, and the largest step.
const MAX_BOX: u32 = 256;
const MAX_STEP: u32 = 8;

/// How many bytes one piece of a tile has that stays together.
pub(crate) const CHUNK: u64 = 16;

/// The fields that `tensormap.replace` changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    Address,
    Rank,
    BoxExtent,
    Extent,
    Stride,
    Step,
    ElementType,
    Interleave,
    Swizzle,
    Fill,
}

impl Field {
    /// Where the field of an axis begins, and how many bytes it has.
    pub(crate) fn place(self, axis: usize) -> (usize, usize) {
        match self {
            Field::ElementType => (4, 1),
            Field::Rank => (5, 1),
            Field::Interleave => (6, 1),
            Field::Swizzle => (7, 1),
            Field::Fill => (8, 1),
            Field::Address => (16, 8),
            Field::BoxExtent => (24 + 4 * axis, 4),
            Field::Step => (44 + 4 * axis, 4),
            Field::Extent => (64 + 4 * axis, 4),
            Field::Stride => (88 + 8 * axis, 8),
        }
    }

    /// How many axes have one.
    pub(crate) fn n_axes(self) -> usize {
        match self {
            Field::BoxExtent | Field::Extent | Field::Step => MAX_RANK,
            Field::Stride => MAX_RANK - 1,
            _ => 1,
        }
    }
}

/// The type of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TensorElement {
    /// 8 bits.
    U8,
    /// 16 bits.
    U16,
    /// 32 bits.
    U32,
    /// 32 bits with a sign.
    S32,
    /// 64 bits.
    U64,
    /// 64 bits with a sign.
    S64,
    /// Half precision.
    F16,
    /// Single precision.
    F32,
    /// Double precision.
    F64,
    /// bfloat16
    Bf16,
}

impl TensorElement {
    /// By their numbers in `tensormap.replace`.
    const ALL: [(u8, TensorElement, &'static str); 10] = [
        (0, TensorElement::U8, "u8"),
        (1, TensorElement::U16, "u16"),
        (2, TensorElement::U32, "u32"),
        (3, TensorElement::S32, "s32"),
        (4, TensorElement::U64, "u64"),
        (5, TensorElement::S64, "s64"),
        (6, TensorElement::F16, "f16"),
        (7, TensorElement::F32, "f32"),
        (9, TensorElement::F64, "f64"),
        (10, TensorElement::Bf16, "bf16"),
    ];

    fn known(self) -> (u8, &'static str) {
        let found = TensorElement::ALL.into_iter().find(|(_, element, _)| *element == self);
        found.map_or((u8::MAX, ""), |(number, _, name)| (number, name))
    }

    /// Its name in PTX.
    pub fn name(self) -> &'static str {
        self.known().1
    }

    /// How many bytes it has.
    pub fn size(self) -> u64 {
        match self {
            TensorElement::U8 => 1,
            TensorElement::U16 | TensorElement::F16 | TensorElement::Bf16 => 2,
            TensorElement::U32 | TensorElement::S32 | TensorElement::F32 => 4,
            TensorElement::U64 | TensorElement::S64 | TensorElement::F64 => 8,
        }
    }
}

/// How pieces of 16 bytes change places in shared memory, so that columns of a tile lie in different banks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Swizzle {
    /// They stay.
    #[default]
    None,
    /// Within 32 bytes.
    B32,
    /// Within 64 bytes.
    B64,
    /// Within 128 bytes.
    B128,
}

impl Swizzle {
    /// The one of so many bytes; zero is none.
    pub fn of_bytes(n_bytes: u64) -> Option<Self> {
        Some(match n_bytes {
            0 => Swizzle::None,
            32 => Swizzle::B32,
            64 => Swizzle::B64,
            128 => Swizzle::B128,
            _ => return None,
        })
    }

    fn of_number(number: u8) -> Option<Self> {
        [Swizzle::None, Swizzle::B32, Swizzle::B64, Swizzle::B128].get(usize::from(number)).copied()
    }

    /// How long rows may be, in bytes.
    fn span(self) -> u64 {
        match self {
            Swizzle::None => u64::MAX,
            Swizzle::B32 => 32,
            Swizzle::B64 => 64,
            Swizzle::B128 => 128,
        }
    }

    /// Where what would lie at an address of shared memory does lie: bits of the number of its 16 bytes are those of the
    /// row of 128 bytes besides.
    pub(crate) fn place(self, address: u64) -> u64 {
        let mask = match self {
            Swizzle::None => 0,
            Swizzle::B32 => 1,
            Swizzle::B64 => 3,
            Swizzle::B128 => 7,
        };
        address ^ (address >> 7 & mask) << 4
    }
}

/// A tensor in global memory, and the tiles that copies take of it. The innermost axis comes first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorMap {
    /// Of the first element.
    pub address: u64,
    /// The type of the elements.
    pub element: TensorElement,
    /// How many elements there are along each axis.
    pub extents: Vec<u32>,
    /// How far elements of an axis lie apart, but of the innermost, in bytes.
    pub strides: Vec<u64>,
    /// Along each axis, how many elements of the tensor a tile spans.
    pub box_extents: Vec<u32>,
    /// Along each axis, which of them it has: each first, each second, …
    pub steps: Vec<u32>,
    /// How the tile lies in shared memory.
    pub swizzle: Swizzle,
}

/// What is wrong with a map, or with what is asked of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MapMisuse {
    /// The bytes are none that `weftc run` has made.
    NoMap,
    /// The copy has another number of coordinates.
    OtherRank {
        /// The map's.
        rank: usize,
        /// The instruction's.
        wanted: usize,
    },
    /// An address that is not aligned: what it is of, and to how many bytes.
    Misaligned(&'static str, u64, u64),
    /// The tile begins at so many bytes along the innermost axis. An H200 reports an illegal instruction.
    MisalignedStart {
        /// Before the tensor, if negative.
        bytes: i64,
    },
    /// A tile that is written begins before the tensor. An H200 reports an illegal instruction.
    NegativeStart,
    /// A part of it that makes no sense.
    Wrong(String),
    /// What is not executed here.
    Unsupported(&'static str),
}

impl fmt::Display for MapMisuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MapMisuse::NoMap => f.write_str(
                "not a tensor map of the emulator; pass `tensor_map(…)`, since the format of the CUDA \
                 driver's maps is not public",
            ),
            MapMisuse::OtherRank { rank, wanted } => {
                write!(f, "the tensor has {rank} dimensions, but the copy has {wanted} coordinates")
            }
            MapMisuse::Misaligned(what, address, align) => {
                write!(f, "the address of {what}, {address:#x}, is not a multiple of {align}")
            }
            MapMisuse::MisalignedStart { bytes } => write!(
                f,
                "the first coordinate is at {bytes} bytes along the innermost axis, not at a multiple of \
                 {TILE_START_ALIGN}"
            ),
            MapMisuse::NegativeStart => f.write_str("a tile that is written has a negative coordinate"),
            MapMisuse::Wrong(what) => f.write_str(what),
            MapMisuse::Unsupported(what) => write!(f, "{what} are not supported yet"),
        }
    }
}

/// An element or several of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TilePiece {
    /// In global memory; none: beside the tensor.
    pub(crate) global: Option<u64>,
    /// In shared memory.
    pub(crate) shared: u64,
    pub(crate) n_bytes: u64,
}

impl TensorMap {
    /// Whether a driver would make such a map.
    ///
    /// # Errors
    /// What it would refuse, in words.
    pub fn check(&self) -> Result<(), MapMisuse> {
        let wrong = |message: String| Err(MapMisuse::Wrong(message));
        let (rank, size) = (self.extents.len(), self.element.size());
        if !(1..=MAX_RANK).contains(&rank) {
            return wrong(format!("tensor has {rank} dimensions; it must have from 1 to {MAX_RANK}"));
        }
        if self.box_extents.len() != rank || self.steps.len() != rank || self.strides.len() != rank - 1 {
            return wrong(format!(
                "the box and the steps must have as many dimensions as the tensor, {rank}"
            ));
        }
        if !self.address.is_multiple_of(CHUNK) {
            return Err(MapMisuse::Misaligned("the tensor", self.address, CHUNK));
        }
        if self.extents.contains(&0) {
            return wrong("the tensor has a dimension of size 0".to_owned());
        }
        if let Some(extent) = self.box_extents.iter().find(|extent| !(1..=MAX_BOX).contains(*extent)) {
            return wrong(format!("box dimension is {extent}; it must be from 1 to {MAX_BOX}"));
        }
        if let Some(step) = self.steps.iter().find(|step| !(1..=MAX_STEP).contains(*step)) {
            return wrong(format!("element stride is {step}; it must be from 1 to {MAX_STEP}"));
        }
        if let Some(stride) =
            self.strides.iter().find(|stride| !stride.is_multiple_of(CHUNK) || **stride >> 40 != 0)
        {
            return wrong(format!("stride is {stride} bytes; it must be a multiple of {CHUNK} below 2^40"));
        }
        let row = u64::from(self.box_extents[0]) * size;
        if !row.is_multiple_of(CHUNK) {
            return wrong(format!("a row of the box has {row} bytes; it must have a multiple of {CHUNK}"));
        }
        let span = self.swizzle.span();
        if row > span {
            return wrong(format!(
                "a row of the box has {row} bytes; the maximum with this swizzle is {span}"
            ));
        }
        Ok(())
    }

    /// Its bytes.
    pub fn encode(&self) -> [u8; MAP_SIZE] {
        let mut bytes = [0; MAP_SIZE];
        let mut put = |field: Field, axis: usize, value: u64| {
            let (at, size) = field.place(axis);
            bytes[at..at + size].copy_from_slice(&value.to_le_bytes()[..size]);
        };
        put(Field::ElementType, 0, self.element.known().0.into());
        put(Field::Rank, 0, (self.extents.len() as u64).saturating_sub(1));
        put(Field::Swizzle, 0, self.swizzle as u64);
        put(Field::Address, 0, self.address);
        for (field, values) in [
            (Field::BoxExtent, &self.box_extents),
            (Field::Extent, &self.extents),
            (Field::Step, &self.steps),
        ] {
            values
                .iter()
                .enumerate()
                .take(MAX_RANK)
                .for_each(|(axis, &value)| put(field, axis, value.into()));
        }
        let strides = self.strides.iter().enumerate().take(MAX_RANK - 1);
        strides.for_each(|(axis, &stride)| put(Field::Stride, axis, stride));
        bytes[..4].copy_from_slice(&MARK.to_le_bytes());
        bytes
    }

    /// The map that bytes are.
    pub(crate) fn decode(bytes: &[u8; MAP_SIZE]) -> Result<Self, MapMisuse> {
        let get = |field: Field, axis: usize| {
            let (at, size) = field.place(axis);
            bytes[at..at + size].iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte))
        };
        if bytes[..4] != MARK.to_le_bytes() {
            return Err(MapMisuse::NoMap);
        }
        if get(Field::Interleave, 0) != 0 {
            return Err(MapMisuse::Unsupported("interleaved tensors"));
        }
        if get(Field::Fill, 0) != 0 {
            return Err(MapMisuse::Unsupported("fill values other than zero"));
        }
        let element = TensorElement::ALL
            .into_iter()
            .find(|(number, ..)| u64::from(*number) == get(Field::ElementType, 0));
        let Some((_, element, _)) = element else {
            return Err(MapMisuse::Unsupported("elements of this type"));
        };
        let Some(swizzle) = Swizzle::of_number(get(Field::Swizzle, 0) as u8) else {
            return Err(MapMisuse::Unsupported("swizzles of this kind"));
        };
        let rank = get(Field::Rank, 0) as usize + 1;
        let words = |field: Field| (0..rank.min(MAX_RANK)).map(|axis| get(field, axis) as u32).collect();
        let map = TensorMap {
            address: get(Field::Address, 0),
            element,
            extents: words(Field::Extent),
            strides: (0..rank.min(MAX_RANK) - 1).map(|axis| get(Field::Stride, axis)).collect(),
            box_extents: words(Field::BoxExtent),
            steps: words(Field::Step),
            swizzle,
        };
        if rank > MAX_RANK {
            return Err(MapMisuse::Wrong(format!(
                "tensor has {rank} dimensions; it must have from 1 to {MAX_RANK}"
            )));
        }
        map.check()?;
        Ok(map)
    }

    /// How many elements a tile has along an axis. Of the innermost it has all.
    fn n_along(&self, axis: usize) -> u64 {
        u64::from(self.box_extents[axis].div_ceil(self.step(axis)))
    }

    fn step(&self, axis: usize) -> u32 {
        if axis == 0 { 1 } else { self.steps[axis] }
    }

    /// How many bytes a tile has in shared memory.
    pub(crate) fn tile_size(&self) -> u64 {
        (0..self.extents.len()).map(|axis| self.n_along(axis)).product::<u64>() * self.element.size()
    }

    /// The pieces of the tile whose first element has these coordinates, and which lies at an address of shared memory: single
    /// elements, or more of them where they lie together on both sides.
    pub(crate) fn tile(&self, first: &[i32], shared: u64, are_single: bool) -> Vec<TilePiece> {
        let size = self.element.size();
        let row = self.n_along(0);
        let n_rows = self.tile_size() / (row * size);
        let mut pieces = Vec::new();
        for number in 0..n_rows {
            let (mut left, mut start, mut is_inside) = (number, self.address, true);
            for (axis, &first) in first.iter().enumerate().skip(1) {
                let at = i64::from(first) + (left % self.n_along(axis)) as i64 * i64::from(self.step(axis));
                left /= self.n_along(axis);
                is_inside &= (0..i64::from(self.extents[axis])).contains(&at);
                start = start.wrapping_add((at as u64).wrapping_mul(self.strides[axis - 1]));
            }
            let is_there = |column: i64| is_inside && (0..i64::from(self.extents[0])).contains(&column);
            let address = |column: i64| start.wrapping_add((column as u64).wrapping_mul(size));
            let n_together = CHUNK / size;
            for chunk in 0..row / n_together {
                let column = i64::from(first[0]) + (chunk * n_together) as i64;
                let place = self.swizzle.place(shared + number * row * size + chunk * CHUNK);
                let last = column + n_together as i64 - 1;
                let are_together = !are_single
                    && is_there(column)
                    && is_there(last)
                    && address(column).is_multiple_of(CHUNK);
                if are_together {
                    pieces.push(TilePiece { global: Some(address(column)), shared: place, n_bytes: CHUNK });
                    continue;
                }
                for idx in 0..n_together {
                    let column = column + idx as i64;
                    let global = is_there(column).then(|| address(column));
                    pieces.push(TilePiece { global, shared: place + idx * size, n_bytes: size });
                }
            }
        }
        pieces
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map() -> TensorMap {
        TensorMap {
            address: 0x1000,
            element: TensorElement::F32,
            extents: vec![6, 5],
            strides: vec![32],
            box_extents: vec![4, 3],
            steps: vec![1, 1],
            swizzle: Swizzle::None,
        }
    }

    #[test]
    fn maps_come_back_from_their_bytes() {
        let five = TensorMap {
            extents: vec![8, 7, 6, 5, 4],
            strides: vec![32, 224, 1344, 6720],
            box_extents: vec![8, 1, 2, 3, 256],
            steps: vec![1, 2, 3, 4, 8],
            swizzle: Swizzle::B32,
            element: TensorElement::Bf16,
            ..map()
        };
        let five = TensorMap { box_extents: vec![16, 1, 2, 3, 256], ..five };
        for map in [map(), five] {
            assert_eq!(TensorMap::decode(&map.encode()), Ok(map));
        }
        assert_eq!(TensorMap::decode(&[0; MAP_SIZE]), Err(MapMisuse::NoMap));
    }

    #[test]
    fn tiles_have_nothing_beside_the_tensor() {
        let map = map();
        assert_eq!(map.tile_size(), 48);
        let tile = map.tile(&[-1, 4], 256, false);
        let row: Vec<_> = tile[..4].iter().map(|piece| piece.global).collect();
        assert_eq!(row, [None, Some(0x1080), Some(0x1084), Some(0x1088)]);
        assert!(tile[4..].iter().all(|piece| piece.global.is_none()) && tile.len() == 12);
        assert_eq!(
            tile.iter().map(|piece| piece.shared).collect::<Vec<_>>(),
            (0..12).map(|n| 256 + 4 * n).collect::<Vec<_>>()
        );
        // Where they lie together, they are taken together.
        let whole = map.tile(&[0, 1], 0, false);
        assert_eq!(whole[0], TilePiece { global: Some(0x1020), shared: 0, n_bytes: 16 });
        assert_eq!(whole.len(), 3);
        assert_eq!(map.tile(&[0, 1], 0, true).len(), 12);
    }

    #[test]
    fn steps_leave_rows_out() {
        let map = TensorMap { box_extents: vec![4, 4], steps: vec![1, 2], ..map() };
        let rows: Vec<_> = map.tile(&[0, 1], 0, false).iter().map(|piece| piece.global).collect();
        assert_eq!((map.tile_size(), rows), (32, vec![Some(0x1020), Some(0x1060)]));
    }

    /// CUDA Programming Guide "Shared Memory Bank Swizzling": each row has its pieces in another order, until they repeat.
    #[test]
    fn swizzles_change_the_places_of_pieces() {
        let chunks = |swizzle: Swizzle, row: u64, n: u64| -> Vec<u64> {
            (0..n).map(|chunk| swizzle.place(row * 16 * n + chunk * 16) / 16 % n).collect()
        };
        assert_eq!(chunks(Swizzle::B128, 0, 8), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(chunks(Swizzle::B128, 1, 8), [1, 0, 3, 2, 5, 4, 7, 6]);
        assert_eq!(chunks(Swizzle::B128, 5, 8), [5, 4, 7, 6, 1, 0, 3, 2]);
        assert_eq!(chunks(Swizzle::B128, 8, 8), chunks(Swizzle::B128, 0, 8));
        assert_eq!(chunks(Swizzle::B64, 1, 4), [0, 1, 2, 3]);
        assert_eq!(chunks(Swizzle::B64, 2, 4), [1, 0, 3, 2]);
        assert_eq!(chunks(Swizzle::B64, 6, 4), [3, 2, 1, 0]);
        assert_eq!(chunks(Swizzle::B32, 3, 2), [0, 1]);
        assert_eq!(chunks(Swizzle::B32, 4, 2), [1, 0]);
        assert_eq!(chunks(Swizzle::None, 5, 8), [0, 1, 2, 3, 4, 5, 6, 7]);
    }

    #[test]
    fn rejects_tensor_maps_like_the_driver() {
        let wrong = |map: TensorMap| map.check().expect_err("it is wrong").to_string();
        assert!(wrong(TensorMap { address: 8, ..map() }).contains("the address of the tensor, 0x8"));
        assert!(wrong(TensorMap { strides: vec![24], ..map() }).contains("stride is 24 bytes"));
        assert!(wrong(TensorMap { box_extents: vec![4, 257], ..map() }).contains("dimension is 257"));
        assert!(wrong(TensorMap { box_extents: vec![3, 1], ..map() }).contains("has 12 bytes"));
        assert!(wrong(TensorMap { steps: vec![1, 9], ..map() }).contains("is 9;"));
        assert!(
            wrong(TensorMap { box_extents: vec![64, 1], swizzle: Swizzle::B128, ..map() })
                .contains("with this swizzle is 128")
        );
        assert!(wrong(TensorMap { extents: vec![6], ..map() }).contains("as many dimensions"));
    }
}
