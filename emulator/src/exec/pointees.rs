//! The objects in global, shared and local memory that the addresses of a kernel derive from
//! (`program::provenance`); for pointer parameters, the objects that they point to at launch.

use std::ops::Range;

use super::device::{Device, LaunchContext};
use super::launch::Checks;
use super::step::Step;
use crate::memory::bytes::{Bytes, Width};
use crate::memory::error::{AccessError, Nearest, Strayed};
use crate::program::SharedVariable;
use crate::program::code::{Code, FrameVariable};
use crate::program::provenance::Base;

/// The allocations that the pointer parameters of a kernel point to.
pub(super) struct Pointees {
    is_checked: bool,
    /// The start of each allocation, by the pointer's parameter offset over 4; 0 if the parameter is not a
    /// pointer.
    starts: Vec<u64>,
}

impl Pointees {
    /// The pointees of a launch's arguments.
    pub(super) fn new(device: &Device<'_>, kernel: usize, params: &Bytes, checks: Checks) -> Self {
        let mut starts = Vec::new();
        let is_checked = checks.provenance;
        if is_checked {
            let width = if device.program.windows.address_bits == 32 { Width::B4 } else { Width::B8 };
            starts.resize(params.len() / 4 + 1, 0);
            for base in device.program.codes[kernel].bases.iter().flatten() {
                let Base::Param(offset) = *base else { continue };
                let at = u64::from(offset);
                if !at.is_multiple_of(width.bytes()) || !params.holds(at, width.bytes()) {
                    continue;
                }
                let found = device.global.find(params.load(at, width), 1);
                starts[offset as usize / 4] = found.map_or(0, |allocation| allocation.start());
            }
        }
        Pointees { is_checked, starts }
    }

    /// The start of the object that an instruction's address derives from, if known.
    pub(super) fn start(&self, step: &Step<'_>) -> Option<u64> {
        if !self.is_checked {
            return None;
        }
        match step.code.bases[step.path.pc as usize]? {
            Base::Param(offset) => self.starts.get(offset as usize / 4).copied().filter(|&start| start != 0),
            Base::Global(start) => Some(start),
            Base::Shared(_) | Base::Constant(_) | Base::Frame(_) => None,
        }
    }

    /// The variable in shared memory that an instruction's address derives from, if known.
    pub(super) fn shared<'p>(&self, step: &Step<'p>) -> Option<&'p SharedVariable> {
        match step.code.bases[step.path.pc as usize] {
            Some(Base::Shared(start)) if self.is_checked => step.cx.program.shared_variable_at(start),
            _ => None,
        }
    }

    /// The variable in the function's frame, which begins at `base`, that an instruction's address derives
    /// from, if known.
    pub(super) fn local<'p>(&self, step: &Step<'p>, base: u64) -> Option<LocalVariable<'p>> {
        match step.code.bases[step.path.pc as usize] {
            Some(Base::Frame(offset)) if self.is_checked => {
                let variable = step.code.variable_at(u64::from(offset))?;
                Some(LocalVariable { code: step.code, variable, base })
            }
            _ => None,
        }
    }
}

/// A variable in a frame, and the start of the frame.
#[derive(Clone, Copy)]
pub(super) struct LocalVariable<'p> {
    code: &'p Code,
    variable: &'p FrameVariable,
    base: u64,
}

impl LocalVariable<'_> {
    /// Its addresses in the thread's local memory.
    pub(super) fn addresses(&self) -> Range<u64> {
        let start = self.base + self.variable.start;
        start..start + self.variable.size
    }

    /// The error of an access through it to `at` in local memory, which begins at `window` in the
    /// instruction's state space.
    pub(super) fn strayed(&self, at: u64, window: u64) -> AccessError {
        let LocalVariable { code, variable, base } = *self;
        let extent = |found: &FrameVariable| found.extent(window.wrapping_add(base));
        let through = extent(variable);
        let nearest = |found: &FrameVariable| {
            let offset = at.wrapping_sub(base + found.start);
            Nearest { piece: extent(found), offset, element: found.element(offset as i64) }
        };
        match at.checked_sub(base).and_then(|offset| code.variable_at(offset)) {
            Some(found) if found.start != variable.start => {
                AccessError::Strayed(Box::new(Strayed { through, place: nearest(found) }))
            }
            _ => AccessError::OutOfBounds(Some(Box::new(nearest(variable)))),
        }
    }
}

/// The error of an access through a variable in shared memory to another place there.
pub(super) fn strayed_in_shared(cx: &LaunchContext<'_>, through: &SharedVariable, at: u64) -> AccessError {
    match cx.program.shared_variable_with(at) {
        Some(found) if found.start != through.start => {
            let place = Nearest { piece: found.extent(), offset: at - found.start, element: None };
            AccessError::Strayed(Box::new(Strayed { through: through.extent(), place }))
        }
        _ => {
            // A 32-bit address before the first variable has wrapped.
            let offset = match u32::try_from(at) {
                Ok(at) => at.wrapping_sub(through.start as u32) as i32 as u64,
                Err(_) => at.wrapping_sub(through.start),
            };
            let place = Nearest { piece: through.extent(), offset, element: None };
            AccessError::OutOfBounds(Some(Box::new(place)))
        }
    }
}
