//! What the threads of a warp do with a matrix (PTX ISA "Warp-Level Matrix Instructions").

use smallvec::SmallVec;

use super::{Address, Register, Source};
use crate::compute::Compute;
use crate::compute::matrix::Multiply;
use crate::compute::matrix::fragment::Fragment;
use crate::memory::bytes::Width;

/// `mma`, `wmma.mma`, `movmatrix`
pub(crate) struct MatrixCompute {
    pub(crate) compute: Compute,
    /// What operands may have no meaning of.
    pub(crate) checked: Option<Multiply>,
    pub(crate) operands: SmallVec<[Source; 8]>,
    pub(crate) results: SmallVec<[Option<Register>; 8]>,
}

/// The registers of an access to a matrix.
pub(crate) enum MatrixRegisters {
    Loaded(SmallVec<[Option<Register>; 8]>),
    Stored(SmallVec<[Source; 8]>),
}

/// How the elements of a matrix lie in memory and registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowForm {
    /// 8 rows of 8 numbers of 16 bits.
    Words,
    /// Likewise, and a thread has elements of a column.
    Transposed,
    /// 8 rows of 16 numbers of so many bits, which become bytes.
    Packed(u32),
    /// 16 rows of 8 bytes, which are stored as columns.
    Bytes,
    /// 16 rows of 16 numbers of so many bits, which become bytes; a thread has elements of two columns, in two registers.
    Square(u32),
}

/// `ldmatrix`, `stmatrix`: one register for each matrix of 8 rows of 16 bytes.
pub(crate) struct MatrixRows {
    /// Of a row.
    pub(crate) address: Address,
    pub(crate) form: RowForm,
    pub(crate) registers: MatrixRegisters,
}

/// `wmma.load`, `wmma.store`
pub(crate) struct MatrixFragment {
    pub(crate) address: Address,
    /// From a row or column to the next, in elements.
    pub(crate) stride: Option<Source>,
    /// Rows follow one another in memory, and not columns.
    pub(crate) is_row: bool,
    pub(crate) fragment: Fragment,
    pub(crate) registers: MatrixRegisters,
}

impl MatrixRegisters {
    pub(super) fn sources(&self) -> &[Source] {
        match self {
            MatrixRegisters::Loaded(_) => &[],
            MatrixRegisters::Stored(values) => values,
        }
    }

    pub(super) fn results(&self) -> &[Option<Register>] {
        match self {
            MatrixRegisters::Loaded(results) => results,
            MatrixRegisters::Stored(_) => &[],
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.sources().len() + self.results().len()
    }
}

impl MatrixRows {
    /// The threads that give addresses.
    pub(crate) fn lanes(&self) -> u32 {
        u32::MAX >> (32 - 8 * self.registers.len())
    }
}

impl MatrixFragment {
    /// The stride if none is said.
    pub(crate) fn usual_stride(&self) -> u64 {
        let (rows, cols) = self.fragment.size();
        (if self.is_row { cols } else { rows }) as u64
    }

    /// How large the registers of a thread are, in bytes.
    pub(crate) fn fragment_bytes(&self) -> u64 {
        (self.fragment.n_elements() * self.fragment.element.n_bits() / 8) as u64
    }

    /// What is read or written at once: an element, or a word of what is smaller than a byte.
    pub(crate) fn width(&self) -> Width {
        let n_bits = self.fragment.element.n_bits();
        let n_bytes = if n_bits < 8 { 4 } else { n_bits as u64 / 8 };
        Width::of_bytes(n_bytes).expect("invariant: elements have 8, 16, 32 or 64 bits")
    }

    /// How many of them each thread has.
    pub(crate) fn n_parts(&self) -> usize {
        (self.fragment_bytes() / self.width().bytes()) as usize
    }

    /// The register of such a part, and where it lies there.
    pub(crate) fn position(&self, part: usize) -> (usize, u32) {
        let n_bits = 8 * self.width().bytes() as usize;
        let n_register = if n_bits == 64 { 64 } else { 32 };
        (part * n_bits / n_register, (part * n_bits % n_register) as u32)
    }

    /// How far from the beginning of the matrix such a part of a thread lies, in bytes.
    pub(crate) fn offset(&self, lane: usize, part: usize, stride: u64) -> u64 {
        let n_bits = self.fragment.element.n_bits();
        let idx = part * 8 * self.width().bytes() as usize / n_bits;
        let (_, row, col) = self.fragment.place(lane, idx);
        let (line, along) = if self.is_row { (row, col) } else { (col, row) };
        // A stride has 32 bits.
        ((line as u64 * u64::from(stride as u32)) + along as u64) * n_bits as u64 / 8
    }
}
