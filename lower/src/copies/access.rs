//! The accesses that cover a number of bytes, and the instructions for them.

use inkwell::builder::Builder;
use inkwell::types::{BasicTypeEnum, VectorType};
use inkwell::values::{BasicValue, BasicValueEnum, IntValue, PointerValue};

use super::alignment::Known;
use crate::Bug;
use crate::context::Cx;

/// The size of the widest access in bytes.
pub(super) const WIDEST: u32 = 16;

/// The number of values that are read before any is written.
pub(super) const RUN: usize = 8;

/// Bytes that are read and written together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Access {
    /// The offset in bytes.
    pub(super) offset: u64,
    /// The size of an access that is never split.
    pub(super) width: u32,
    /// How many of these form one access, on one of the two sides.
    pub(super) lanes: Lanes,
}

/// If the two sides are not equally aligned, only the better aligned one uses vectors (PTX ISA "ld", ".v4").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lanes {
    One,
    Read(u32),
    Written(u32),
}

/// The value to write.
#[derive(Clone, Copy)]
pub(super) enum Source<'ctx> {
    /// The value at an address.
    Bytes(PointerValue<'ctx>),
    /// A repeated byte.
    Fill(IntValue<'ctx>),
}

impl Access {
    fn n_lanes(self) -> u32 {
        match self.lanes {
            Lanes::One => 1,
            Lanes::Read(n) | Lanes::Written(n) => n,
        }
    }
}

/// The accesses that cover a number of bytes, as wide as the known alignment of the destination and the source allows.
pub(super) fn cover(size: u64, to: Known, from: Known) -> impl Iterator<Item = Access> {
    let mut offset = 0;
    std::iter::from_fn(move || {
        let rest = size - offset;
        if rest == 0 {
            return None;
        }
        let most = 1 << rest.ilog2().min(WIDEST.ilog2());
        let (written, read) = (to.further(offset).align().min(most), from.further(offset).align().min(most));
        let width = written.min(read);
        let n = (written.max(read) / width).min(4);
        let lanes = match (n, read > written) {
            (1, _) => Lanes::One,
            (_, true) => Lanes::Read(n),
            (_, false) => Lanes::Written(n),
        };
        let access = Access { offset, width, lanes };
        offset += u64::from(width * n);
        Some(access)
    })
}

/// The same, if they are few enough not to need a loop. If wider accesses are possible at some addresses, a
/// loop that tests the addresses soon costs less.
pub(super) fn few(size: u64, to: Known, from: Known) -> Option<Vec<Access>> {
    // This exceeds every limit below.
    let accesses: Vec<Access> = cover(size, to, from).take(33).collect();
    let most = match accesses.iter().map(|access| access.width).max().unwrap_or(WIDEST) {
        4.. => 32,
        _ => 8,
    };
    let n: u32 = accesses.iter().map(|access| access.n_lanes()).sum();
    (n <= most).then_some(accesses)
}

/// Emits the accesses.
pub(super) fn write<'ctx>(
    cx: &Cx<'_, 'ctx>,
    builder: &Builder<'ctx>,
    to: PointerValue<'ctx>,
    source: Source<'ctx>,
    accesses: &[Access],
) -> Result<(), Bug> {
    let writer = Writer { cx, builder };
    for run in accesses.chunks(RUN) {
        let mut values = Vec::with_capacity(run.len());
        for &access in run {
            values.push(match source {
                Source::Bytes(from) => writer.read(from, access)?,
                Source::Fill(byte) => vec![writer.repeated(byte, access.width)?],
            });
        }
        for (&access, lanes) in run.iter().zip(values) {
            writer.write(to, access, &lanes)?;
        }
    }
    Ok(())
}

struct Writer<'a, 'b, 'ctx> {
    cx: &'a Cx<'b, 'ctx>,
    builder: &'a Builder<'ctx>,
}

impl<'ctx> Writer<'_, '_, 'ctx> {
    /// Reads the lanes of an access.
    fn read(&self, from: PointerValue<'ctx>, access: Access) -> Result<Vec<BasicValueEnum<'ctx>>, Bug> {
        let ty = self.ty(access.width);
        if let Lanes::Read(n) = access.lanes {
            let vector =
                self.load(self.vector_ty(access.width, n)?.into(), from, access.offset, access.width * n)?;
            let vector = vector.into_vector_value();
            let lane = |idx| self.builder.build_extract_element(vector, self.lane(idx), "");
            return (0..n).map(|idx| Ok(lane(idx)?)).collect();
        }
        let offsets = (0..access.n_lanes()).map(|idx| access.offset + u64::from(idx * access.width));
        offsets.map(|offset| self.load(ty, from, offset, access.width)).collect()
    }

    fn write(
        &self,
        to: PointerValue<'ctx>,
        access: Access,
        lanes: &[BasicValueEnum<'ctx>],
    ) -> Result<(), Bug> {
        if let Lanes::Written(n) = access.lanes {
            let mut vector = self.vector_ty(access.width, n)?.get_poison();
            for (idx, &lane) in (0..).zip(lanes) {
                vector = self.builder.build_insert_element(vector, lane, self.lane(idx), "")?;
            }
            return self.store(vector.into(), to, access.offset, access.width * n);
        }
        for (idx, &lane) in (0..).zip(lanes) {
            self.store(lane, to, access.offset + idx * u64::from(access.width), access.width)?;
        }
        Ok(())
    }

    fn load(
        &self,
        ty: BasicTypeEnum<'ctx>,
        from: PointerValue<'ctx>,
        offset: u64,
        align: u32,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let value = self.builder.build_load(ty, self.at(from, offset)?, "")?;
        value.as_instruction_value().ok_or("a load that is not an instruction")?.set_alignment(align)?;
        Ok(value)
    }

    fn store(
        &self,
        value: BasicValueEnum<'ctx>,
        to: PointerValue<'ctx>,
        offset: u64,
        align: u32,
    ) -> Result<(), Bug> {
        Ok(self.builder.build_store(self.at(to, offset)?, value)?.set_alignment(align)?)
    }

    fn at(&self, base: PointerValue<'ctx>, offset: u64) -> Result<PointerValue<'ctx>, Bug> {
        match offset {
            0 => Ok(base),
            _ => self.cx.gep(
                self.builder,
                self.cx.tys.i8.into(),
                base,
                self.cx.tys.word.const_int(offset, false),
            ),
        }
    }

    /// The type of this size.
    fn ty(&self, width: u32) -> BasicTypeEnum<'ctx> {
        match width {
            16 => self.cx.tys.i32.vec_type(4).into(),
            8 => self.cx.tys.i64.into(),
            4 => self.cx.tys.i32.into(),
            2 => self.cx.llvm.i16_type().into(),
            _ => self.cx.tys.i8.into(),
        }
    }

    fn vector_ty(&self, width: u32, n: u32) -> Result<VectorType<'ctx>, Bug> {
        match self.ty(width) {
            BasicTypeEnum::IntType(ty) => Ok(ty.vec_type(n)),
            _ => Err(Bug::from("a lane is an integer")),
        }
    }

    fn lane(&self, idx: u32) -> IntValue<'ctx> {
        self.cx.tys.i32.const_int(idx.into(), false)
    }

    /// A byte repeated to fill a width. For a constant, LLVM's builder returns a constant.
    fn repeated(&self, byte: IntValue<'ctx>, width: u32) -> Result<BasicValueEnum<'ctx>, Bug> {
        match self.ty(width) {
            BasicTypeEnum::IntType(ty) => {
                let wide = self.builder.build_int_z_extend_or_bit_cast(byte, ty, "")?;
                Ok(self.builder.build_int_mul(wide, ty.const_int(u64::MAX / 255, false), "")?.into())
            }
            BasicTypeEnum::VectorType(ty) => {
                let lane = self.repeated(byte, 4)?;
                let mut vector = ty.get_poison();
                for idx in 0..4 {
                    vector = self.builder.build_insert_element(vector, lane, self.lane(idx), "")?;
                }
                Ok(vector.into())
            }
            _ => Err(Bug::from("an access is of integers")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(align: u32, offset: u64) -> Known {
        Known::multiple_of(align).further(offset)
    }

    fn accesses(size: u64, to: Known, from: Known) -> Vec<(u64, u32, Lanes)> {
        cover(size, to, from).map(|it| (it.offset, it.width, it.lanes)).collect()
    }

    fn plain(size: u64, align: u32) -> Vec<(u64, u32)> {
        let accesses = accesses(size, at(align, 0), at(align, 0));
        assert!(accesses.iter().all(|it| it.2 == Lanes::One));
        accesses.into_iter().map(|(offset, width, _)| (offset, width)).collect()
    }

    #[test]
    fn accesses_are_as_wide_as_alignment_allows_and_cover_all() {
        assert_eq!(plain(0, 16), []);
        assert_eq!(plain(23, 16), [(0, 16), (16, 4), (20, 2), (22, 1)]);
        assert_eq!(plain(23, 64), plain(23, 16));
        assert_eq!(plain(7, 4), [(0, 4), (4, 2), (6, 1)]);
        assert_eq!(plain(3, 1), [(0, 1), (1, 1), (2, 1)]);
    }

    #[test]
    fn alignment_follows_from_the_offset() {
        let accesses = accesses(20, at(16, 1), at(16, 17));
        let accesses: Vec<(u64, u32)> = accesses.into_iter().map(|it| (it.0, it.1)).collect();
        assert_eq!(accesses, [(0, 1), (1, 2), (3, 4), (7, 8), (15, 4), (19, 1)]);
    }

    #[test]
    fn better_aligned_side_uses_vectors() {
        assert_eq!(accesses(20, at(4, 0), at(16, 0)), [(0, 4, Lanes::Read(4)), (16, 4, Lanes::One)]);
        assert_eq!(accesses(16, at(16, 0), at(8, 0)), [(0, 8, Lanes::Written(2))]);
        assert_eq!(accesses(6, at(16, 0), at(1, 0)), [(0, 1, Lanes::Written(4)), (4, 1, Lanes::Written(2))]);
    }

    #[test]
    fn many_accesses_become_a_loop() {
        let few = |size, align| few(size, at(align, 0), at(align, 0)).map(|accesses| accesses.len());
        assert_eq!(few(512, 16), Some(32));
        assert_eq!(few(513, 16), None);
        assert_eq!(few(9, 1), None);
        assert_eq!(few(u64::MAX, 16), None);
    }
}
