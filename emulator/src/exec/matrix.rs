//! Matrix instructions (PTX ISA "Warp Level Matrix Multiply-Accumulate Instructions"): they require all
//! threads of the warp.

use smallvec::SmallVec;

use super::access::{Access, in_global, in_memory, origin, space_name};
use super::claims::Claim;
use super::fault::{FaultKind, Touch, Usage};
use super::races::Watched;
use super::step::{Step, StepError, lanes_of};
use super::undefined::Hole;
use super::warp::{Next, Wait, Warp};
use crate::compute::matrix::{rows_of_bytes, rows_of_words, unpacked, words_of_columns, words_of_rows};
use crate::compute::{Lanes, WARP_SIZE};
use crate::memory::Generic;
use crate::memory::bytes::Width;
use crate::memory::error::AccessError;
use crate::program::code::{
    MatrixCompute, MatrixFragment, MatrixRegisters, MatrixRows, Order, Register, RowForm, Source,
};

/// The size of a row of `ldmatrix`, in bytes.
const ROW: u64 = 16;

/// The rows of an 8×8 matrix of 16-bit elements.
type Rows = [[u16; 8]; 8];

impl Warp {
    /// Whether all threads of the warp have arrived; they wait for one another.
    fn is_whole(&mut self, step: &Step<'_>) -> Result<bool, StepError> {
        let Step { idx, path, mask, .. } = *step;
        let live = self.paths.iter().fold(0, |live, path| live | path.mask);
        // Threads that have ended, and threads whose predicate is false.
        let missing = !live | path.mask & !mask;
        if missing != 0 {
            return Err(FaultKind::IncompleteWarp { missing }.into());
        }
        if path.mask != u32::MAX {
            self.paths[idx].waits = Some(Wait::Members(u32::MAX));
            // They will execute the instruction again.
            self.n_executed -= u64::from(mask.count_ones());
            return Ok(false);
        }
        Ok(true)
    }

    /// `mma`, `wmma.mma`, `movmatrix`
    pub(super) fn matrix_compute(
        &mut self,
        step: &Step<'_>,
        matrix: &MatrixCompute,
    ) -> Result<Next, StepError> {
        if !self.is_whole(step)? {
            return Ok(Next::Reschedule);
        }
        let MatrixCompute { compute, checked, operands, results } = matrix;
        if self.is_shadowed(step) {
            self.follow(step, operands, results, |operands, results| compute(operands, results));
        }
        let operands: SmallVec<[Lanes; 8]> =
            operands.iter().map(|&operand| self.value(step, operand)).collect();
        let operands: SmallVec<[&Lanes; 8]> = operands.iter().collect();
        if let Some((misuse, lane)) = checked.and_then(|multiply| multiply.misuse(&operands)) {
            return Err(StepError { kind: FaultKind::Matrix(misuse), lane: Some(lane) });
        }
        let mut computed = vec![[0; WARP_SIZE]; results.len()];
        compute(&operands, &mut computed);
        self.put(step, results, &computed);
        Ok(Next::Step)
    }

    /// `ldmatrix`, `stmatrix`
    pub(super) fn matrix_rows(&mut self, step: &Step<'_>, matrix: &MatrixRows) -> Result<Next, StepError> {
        if !self.is_whole(step)? {
            return Ok(Next::Reschedule);
        }
        // Eight threads give the row addresses of a matrix; those of other threads are ignored.
        let step = &Step { mask: matrix.lanes(), ..*step };
        self.require_address(step, &matrix.address)?;
        let addresses = self.addresses(step, &matrix.address);
        let memory = matrix.address.memory;
        if let Some(lane) =
            step.lanes().find(|&lane| !matches!(in_memory(memory, addresses[lane]), Generic::Shared(_)))
        {
            return Err(StepError { kind: FaultKind::NotShared(addresses[lane]), lane: Some(lane) });
        }
        match &matrix.registers {
            MatrixRegisters::Loaded(results) => self.load_rows(step, matrix, &addresses, results)?,
            MatrixRegisters::Stored(values) => self.store_rows(step, matrix, &addresses, values)?,
        }
        Ok(Next::Step)
    }

    fn load_rows(
        &mut self,
        step: &Step<'_>,
        matrix: &MatrixRows,
        addresses: &Lanes,
        results: &[Option<Register>],
    ) -> Result<(), StepError> {
        let memory = matrix.address.memory;
        let access = Access { memory, n_bytes: ROW, is_store: false, claim: Claim::Read };
        let (mut rows, mut undefined): ([Rows; 4], [Rows; 4]) = Default::default();
        let mut has_holes = false;
        let valid = self.access_valid(step, access, addresses, |place| {
            let (matrix, row) = (place.lane / 8, place.lane % 8);
            for half in 0..2 {
                let (distance, width) = (8 * half as u64, Width::B8);
                let (bits, holes) = (place.load(distance, width), place.hole(distance, width).unwrap_or(0));
                has_holes |= holes != 0;
                for col in 0..4 {
                    rows[matrix][row][4 * half + col] = (bits >> (16 * col)) as u16;
                    undefined[matrix][row][4 * half + col] = (holes >> (16 * col)) as u16;
                }
            }
        })?;
        if let RowForm::Packed(n_bits) | RowForm::Square(n_bits) = matrix.form {
            for row in rows.iter_mut().chain(&mut undefined).flatten() {
                *row = unpacked(*row, n_bits);
            }
        }
        let all = Step { mask: u32::MAX, ..*step };
        let mut holes = Vec::new();
        if has_holes {
            let width = if matches!(matrix.form, RowForm::Square(_)) { Width::B1 } else { Width::B2 };
            for idx in 0..results.len() {
                let words = words(matrix.form, &undefined, idx);
                for lane in lanes_of(u32::MAX).filter(|&lane| words[lane] != 0) {
                    let (row, distance) =
                        place(matrix.form, idx, lane, words[lane].trailing_zeros() as usize);
                    let address = addresses[row].wrapping_add(distance);
                    let origin = origin(&all, access, lane, address, width);
                    holes.push(Hole { idx, bits: words[lane], origin });
                }
            }
        }
        if has_holes || self.is_shadowed(&all) {
            self.load_undefined(&all, results, &holes, |bits| bits);
        }
        let words: SmallVec<[Lanes; 4]> =
            (0..results.len()).map(|idx| words(matrix.form, &rows, idx)).collect();
        self.put(&all, results, &words);
        self.watch_valid(step, valid, &access.watched(addresses, Touch::Read, Order::WEAK))
    }

    fn store_rows(
        &mut self,
        step: &Step<'_>,
        matrix: &MatrixRows,
        addresses: &Lanes,
        values: &[Source],
    ) -> Result<(), StepError> {
        let memory = matrix.address.memory;
        let access = Access { memory, n_bytes: ROW, is_store: true, claim: Claim::Write };
        let all = Step { mask: u32::MAX, ..*step };
        let rows = |words: &Lanes| {
            let rows = rows_of_words(words);
            match matrix.form {
                RowForm::Transposed => std::array::from_fn(|row| std::array::from_fn(|col| rows[col][row])),
                RowForm::Bytes => rows_of_bytes(words),
                RowForm::Words | RowForm::Packed(_) | RowForm::Square(_) => rows,
            }
        };
        let undefined: SmallVec<[Rows; 4]> = self.undefined_bits(&all, values).iter().map(rows).collect();
        let stored: SmallVec<[Rows; 4]> =
            values.iter().map(|&value| rows(&self.value(&all, value))).collect();
        let mut changed = [0; WARP_SIZE];
        let valid = self.access_valid(step, access, addresses, |place| {
            let (matrix, row) = (place.lane / 8, place.lane % 8);
            for half in 0..2 {
                let of = |rows: &Rows| {
                    let cols = rows[row][4 * half..4 * half + 4].iter().rev();
                    cols.fold(0, |word, &col| word << 16 | u64::from(col))
                };
                let (distance, width, word) = (8 * half as u64, Width::B8, of(&stored[matrix]));
                changed[place.lane] |= place.changes(distance, width, word);
                place.store(distance, width, word, of(&undefined[matrix]));
            }
        })?;
        let watched = access.watched(addresses, Touch::Write, Order::WEAK);
        self.watch_valid(step, valid, &Watched { changed: &changed, ..watched })
    }

    /// `wmma.load`, `wmma.store`
    pub(super) fn matrix_fragment(
        &mut self,
        step: &Step<'_>,
        matrix: &MatrixFragment,
    ) -> Result<Next, StepError> {
        if !self.is_whole(step)? {
            return Ok(Next::Reschedule);
        }
        self.require_address(step, &matrix.address)?;
        let bases = self.addresses(step, &matrix.address);
        let strides = match matrix.stride {
            Some(stride) => {
                self.require_defined(step, stride, Usage::Address)?;
                self.value(step, stride)
            }
            None => [matrix.usual_stride(); WARP_SIZE],
        };
        let differs = |lane: &usize| bases[*lane] != bases[0] || strides[*lane] != strides[0];
        if let Some(lane) = step.lanes().find(differs) {
            return Err(StepError { kind: FaultKind::UnequalMatrices, lane: Some(lane) });
        }
        let (n_bytes, is_store) =
            (matrix.fragment_bytes(), matches!(matrix.registers, MatrixRegisters::Stored(_)));
        if !bases[0].is_multiple_of(n_bytes) {
            let (error, address) = (AccessError::Misaligned, bases[0]);
            let space = space_name(matrix.address.memory, address);
            step.survive(FaultKind::Access { error, space, is_store, address, n_bytes }.into())?;
            if let MatrixRegisters::Loaded(results) = &matrix.registers {
                self.load_undefined(step, results, &[], |bits| bits);
                self.put(step, results, &vec![[0; WARP_SIZE]; results.len()]);
            }
            return Ok(Next::Step);
        }
        match &matrix.registers {
            MatrixRegisters::Loaded(results) => {
                self.load_fragment(step, matrix, bases[0], strides[0], results)?
            }
            MatrixRegisters::Stored(values) => {
                self.store_fragment(step, matrix, bases[0], strides[0], values)?
            }
        }
        Ok(Next::Step)
    }

    fn load_fragment(
        &mut self,
        step: &Step<'_>,
        matrix: &MatrixFragment,
        base: u64,
        stride: u64,
        results: &[Option<Register>],
    ) -> Result<(), StepError> {
        let (memory, width) = (matrix.address.memory, matrix.width());
        let access = Access { memory, n_bytes: width.bytes(), is_store: false, claim: Claim::Read };
        let mut loaded = vec![[0; WARP_SIZE]; results.len()];
        let mut holes = Vec::new();
        for part in 0..matrix.n_parts() {
            let addresses = std::array::from_fn(|lane| base.wrapping_add(matrix.offset(lane, part, stride)));
            let (idx, shift) = matrix.position(part);
            let valid = self.access_valid(step, access, &addresses, |place| {
                let lane = place.lane;
                loaded[idx][lane] |= place.load(0, width) << shift;
                if let Some(bits) = place.hole(0, width) {
                    let origin = origin(step, access, lane, addresses[lane], width);
                    holes.push(Hole { idx, bits: bits << shift, origin });
                }
            })?;
            self.watch_valid(step, valid, &access.watched(&addresses, Touch::Read, Order::WEAK))?;
        }
        if !holes.is_empty() || self.is_shadowed(step) {
            self.load_undefined(step, results, &joined(holes), |bits| bits);
        }
        self.put(step, results, &loaded);
        Ok(())
    }

    fn store_fragment(
        &mut self,
        step: &Step<'_>,
        matrix: &MatrixFragment,
        base: u64,
        stride: u64,
        values: &[Source],
    ) -> Result<(), StepError> {
        let (memory, width) = (matrix.address.memory, matrix.width());
        let access = Access { memory, n_bytes: width.bytes(), is_store: true, claim: Claim::Write };
        let global = |lane: usize| in_global(memory, base.wrapping_add(matrix.offset(lane, 0, stride)));
        for &value in values {
            self.require_result(step, (0, value), width, global)?;
        }
        let undefined = self.undefined_bits(step, values);
        let values: SmallVec<[Lanes; 8]> = values.iter().map(|&value| self.value(step, value)).collect();
        for part in 0..matrix.n_parts() {
            let addresses = std::array::from_fn(|lane| base.wrapping_add(matrix.offset(lane, part, stride)));
            let (idx, shift) = matrix.position(part);
            let mut changed = [0; WARP_SIZE];
            let valid = self.access_valid(step, access, &addresses, |place| {
                let lane = place.lane;
                let value = values[idx][lane] >> shift & width.mask();
                changed[lane] = place.changes(0, width, value);
                place.store(0, width, value, undefined[idx][lane] >> shift & width.mask());
            })?;
            let watched = access.watched(&addresses, Touch::Write, Order::WEAK);
            self.watch_valid(step, valid, &Watched { changed: &changed, ..watched })?;
        }
        Ok(())
    }

    /// Writes the results of all threads.
    fn put(&mut self, step: &Step<'_>, results: &[Option<Register>], computed: &[Lanes]) {
        let registers = &mut self.frames[step.path.frame].registers;
        for (result, computed) in results.iter().zip(computed) {
            let Some(register) = result else { continue };
            registers[register.0 as usize] = *computed;
        }
    }
}

/// One hole for each register of a thread.
fn joined(holes: Vec<Hole>) -> Vec<Hole> {
    let mut joined: Vec<Hole> = Vec::new();
    for hole in holes {
        let same = |other: &&mut Hole| other.idx == hole.idx && other.origin.lane() == hole.origin.lane();
        match joined.iter_mut().find(same) {
            Some(other) => other.bits |= hole.bits,
            None => joined.push(hole),
        }
    }
    joined
}

/// One register of all threads.
fn words(form: RowForm, rows: &[Rows; 4], idx: usize) -> Lanes {
    match form {
        RowForm::Square(_) => words_of_columns(&rows[idx / 2 * 2..][..2], idx % 2 * 8),
        RowForm::Words | RowForm::Transposed | RowForm::Packed(_) | RowForm::Bytes => {
            words_of_rows(&rows[idx], form == RowForm::Transposed)
        }
    }
}

/// The source of a bit of a thread's register: the thread that gives the row's address, and an offset in
/// bytes.
fn place(form: RowForm, idx: usize, lane: usize, bit: usize) -> (usize, u64) {
    let (row, col) = (lane / 4, lane % 4 * 2 + bit / 16);
    let (row, distance) = match form {
        RowForm::Words | RowForm::Bytes => (8 * idx + row, 2 * col),
        RowForm::Transposed => (8 * idx + col, 2 * row),
        RowForm::Packed(n_bits) => (8 * idx + row, 2 * col * n_bits as usize / 8),
        RowForm::Square(n_bits) => {
            (idx / 2 * 16 + lane % 4 * 4 + bit / 8, (idx % 2 * 8 + row) * n_bits as usize / 8)
        }
    };
    (row, distance as u64)
}
