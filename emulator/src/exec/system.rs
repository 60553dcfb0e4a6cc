//! The functions that CUDA provides without a definition (PTX interoperability guide, chapter 3).

use super::fault::FaultKind;
use super::observe::lock;
use super::printf::{Argument, Directive, MAX_PRINTED, Part, TooLong, parts};
use super::step::{Step, StepError};
use super::trace::{PrintArgument, PrintCall};
use super::warp::Warp;
use crate::memory::bytes::Width;
use crate::program::code::{Memory, Slot, System};

/// The alignment of memory that a thread allocates.
const HEAP_ALIGN: u64 = 16;

/// A calling thread of a warp.
struct Caller<'a> {
    warp: &'a mut Warp,
    step: &'a Step<'a>,
    /// The start of the caller's frame.
    base: u64,
    lane: usize,
}

/// The argument list of a `vprintf` call.
struct List {
    start: u64,
    /// The earliest offset of the next one.
    at: u64,
    /// The arguments taken so far, if they are traced.
    taken: Vec<PrintArgument>,
}

impl List {
    fn at(start: u64) -> Self {
        List { start, at: start, taken: Vec::new() }
    }
}

impl Warp {
    /// Calls the function for one thread after the other. Their output is delivered together, even if one of
    /// them faults.
    pub(super) fn call_system(
        &mut self,
        step: &Step<'_>,
        system: System,
        args: &[Slot],
        returns: &[Slot],
    ) -> Result<(), StepError> {
        let mut printed = Vec::new();
        let outcome = self.call_for_each(step, system, args, returns, &mut printed);
        if !printed.is_empty() {
            step.cx.print(step.shared.position, &printed);
        }
        outcome
    }

    fn call_for_each(
        &mut self,
        step: &Step<'_>,
        system: System,
        args: &[Slot],
        returns: &[Slot],
        printed: &mut Vec<u8>,
    ) -> Result<(), StepError> {
        let base = self.frames[step.path.frame].base;
        for lane in step.lanes() {
            let mut caller = Caller { warp: self, step, base, lane };
            let value = match system {
                System::Vprintf => caller.vprintf(args, printed)?,
                // The addresses depend on which block allocates first.
                System::Malloc | System::AlignedMalloc | System::Free if step.cx.parallel.is_some() => {
                    step.cx.parallel.iter().for_each(|parallel| parallel.claims.give_up());
                    0
                }
                System::Malloc => {
                    let size = caller.argument(args, 0)?;
                    step.cx.global.allocate_heap(size, HEAP_ALIGN).unwrap_or(0)
                }
                System::AlignedMalloc => {
                    let (size, align) = (caller.argument(args, 0)?, caller.argument(args, 1)?);
                    match align.is_power_of_two() {
                        true => step.cx.global.allocate_heap(size, align.max(HEAP_ALIGN)).unwrap_or(0),
                        false => 0,
                    }
                }
                System::Free => caller.free(args)?,
                System::AssertFail => return Err(caller.assert_fail(args)?),
            };
            if let Some(slot) = returns.first() {
                let width = Width::of_bytes(slot.size).unwrap_or(Width::B4);
                self.store_one(step, Memory::Frame, lane, base + slot.offset, width, value)?;
            }
        }
        Ok(())
    }
}

impl Caller<'_> {
    /// An argument, from the caller's frame.
    fn argument(&mut self, args: &[Slot], idx: usize) -> Result<u64, StepError> {
        let missing =
            || FaultKind::Unsupported("a call of a system function with other arguments".to_owned());
        let slot = args.get(idx).ok_or_else(missing)?;
        let width = Width::of_bytes(slot.size).ok_or_else(missing)?;
        self.load(Memory::Local, self.base + slot.offset, width)
    }

    fn load(&mut self, memory: Memory, address: u64, width: Width) -> Result<u64, StepError> {
        self.warp.load_one(self.step, memory, self.lane, address, width)
    }

    fn generic(&self) -> Memory {
        match self.step.cx.program.windows.address_bits {
            32 => Memory::NarrowGeneric,
            _ => Memory::Generic,
        }
    }

    /// A C string in generic memory.
    fn string(&mut self, address: u64) -> Result<Vec<u8>, StepError> {
        let bytes = self.string_up_to(address, MAX_PRINTED + 1)?;
        if bytes.len() > MAX_PRINTED { Err(self.too_long()) } else { Ok(bytes) }
    }

    /// At most `n_bytes` of a string, which then need not be terminated (C17 7.21.6.1p8).
    fn string_up_to(&mut self, address: u64, n_bytes: usize) -> Result<Vec<u8>, StepError> {
        let mut bytes = Vec::new();
        while bytes.len() < n_bytes {
            let at = address.wrapping_add(bytes.len() as u64);
            match self.load(self.generic(), at, Width::B1)? as u8 {
                0 => break,
                byte => bytes.push(byte),
            }
        }
        Ok(bytes)
    }

    fn too_long(&self) -> StepError {
        StepError { kind: FaultKind::PrintTooLong, lane: Some(self.lane) }
    }

    /// Prints. The arguments follow one another, each aligned to its size. Returns their number, those for `*` included.
    fn vprintf(&mut self, args: &[Slot], printed: &mut Vec<u8>) -> Result<u64, StepError> {
        let format = self.argument(args, 0)?;
        let mut list = List::at(self.argument(args, 1)?);
        let format = self.string(format)?;
        let (mut text, mut n_arguments) = (Vec::new(), 0);
        for part in parts(&format, self.step.cx.program.windows.address_bits / 8) {
            let mut directive = match part {
                Part::Text(literal) => {
                    text.extend_from_slice(literal);
                    continue;
                }
                Part::Directive(directive) => directive,
            };
            n_arguments += 1 + u64::from(directive.has_star_width) + u64::from(directive.has_star_precision);
            self.stars(&mut directive, &mut list)?;
            let value = self.next(&mut list, directive.width_of_argument())?;
            let argument = match directive.conversion {
                b's' if value != 0 => {
                    Argument::String(self.string_of(&mut list, value, directive.precision)?)
                }
                b's' => Argument::String(b"(null)".to_vec()),
                _ => Argument::Bits(value),
            };
            directive.print(&argument, &mut text).map_err(|TooLong| self.too_long())?;
        }
        if text.len() > MAX_PRINTED {
            return Err(self.too_long());
        }
        printed.extend_from_slice(&text);
        if let Some(tracer) = self.step.cx.tracer {
            lock(tracer).printed(&PrintCall {
                block: self.step.shared.ctaid,
                thread: self.warp.specials.tid.map(|axis| axis[self.lane] as u32),
                format,
                address: list.start,
                arguments: list.taken,
            });
        }
        Ok(n_arguments)
    }

    /// The next argument.
    fn next(&mut self, list: &mut List, width: Width) -> Result<u64, StepError> {
        let address = list.at.next_multiple_of(width.bytes());
        let value = self.load(self.generic(), address, width)?;
        list.at = address + width.bytes();
        if self.step.cx.tracer.is_some() {
            let bytes = value.to_le_bytes()[..width.bytes() as usize].to_vec();
            list.taken.push(PrintArgument { offset: address - list.start, bytes, string: None });
        }
        Ok(value)
    }

    /// The string whose address is the last taken argument.
    fn string_of(
        &mut self,
        list: &mut List,
        address: u64,
        precision: Option<usize>,
    ) -> Result<Vec<u8>, StepError> {
        let string = match precision {
            Some(most) if most <= MAX_PRINTED => self.string_up_to(address, most)?,
            _ => self.string(address)?,
        };
        if let Some(argument) = list.taken.last_mut() {
            argument.string = Some(string.clone());
        }
        Ok(string)
    }

    /// Takes widths and precisions that are arguments.
    fn stars(&mut self, directive: &mut Directive, list: &mut List) -> Result<(), StepError> {
        let mut next = || -> Result<i32, StepError> { Ok(self.next(list, Width::B4)? as u32 as i32) };
        if directive.has_star_width {
            let width = next()?;
            directive.is_left |= width < 0;
            directive.width = width.unsigned_abs() as usize;
        }
        if directive.has_star_precision {
            directive.precision = usize::try_from(next()?).ok();
        }
        Ok(())
    }

    fn free(&mut self, args: &[Slot]) -> Result<u64, StepError> {
        let address = self.argument(args, 0)?;
        if address == 0 {
            return Ok(0);
        }
        let by = self.warp.thread(self.step, self.lane).to_string();
        let freed = self.step.cx.global.free_by(address, &by);
        freed
            .map(|()| 0)
            .map_err(|error| StepError { kind: FaultKind::BadFree(address, error), lane: Some(self.lane) })
    }

    /// `__assertfail(message, file, line, function, size of a character)`
    fn assert_fail(&mut self, args: &[Slot]) -> Result<StepError, StepError> {
        let mut text = |idx: usize| -> Result<String, StepError> {
            let address = self.argument(args, idx)?;
            Ok(String::from_utf8_lossy(&self.string(address)?).into_owned())
        };
        let (message, file, function) = (text(0)?, text(1)?, text(3)?);
        let line = self.argument(args, 2)?;
        let message = format!("{file}:{line}: {function}: assertion `{message}` failed");
        Ok(StepError { kind: FaultKind::Assert(message), lane: Some(self.lane) })
    }
}
