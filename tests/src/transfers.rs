//! Copies and fills of bytes: kernels for every size, alignment and pair of state spaces, and the expected
//! results.
//!
//! A kernel fills the destination with a mark, copies or fills a part of it, and outputs the whole. Variables
//! are aligned to 16, and offsets are odd multiples of the alignment that the compiler can know: if it
//! assumes more, the emulator reports a misaligned access.

use std::fmt::Write as _;

use weft_emulator::exec::device::Device;
use weft_emulator::exec::launch::Launch;

use crate::Failure;
use crate::conformance::machine::program;
use crate::random::Random;

/// The size of the source, in bytes.
const N_BYTES: usize = 4200;

/// The mark in the destination.
const MARK: u8 = 0xee;

/// The bytes before and after the destination that must not change.
const MARGIN: usize = 40;

/// Sizes larger than the small ones, which are all tried.
const LARGE: [usize; 16] =
    [176, 191, 192, 193, 240, 255, 256, 257, 511, 512, 513, 1023, 1024, 1040, 2048, 4096];

/// The location of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Space {
    /// In global memory, through a kernel parameter.
    Pointer,
    Global,
    Shared,
    Local,
    Constant,
    /// In a parameter of a function.
    Param,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    /// `memcpy`
    Copy(Space),
    /// A struct assignment.
    Assign(Space),
    /// `memset` with a constant byte.
    Fill(u8),
    /// `memset` with a byte of the source.
    FillUnknown,
}

/// A copy or a fill.
#[derive(Clone, Debug)]
pub struct Transfer {
    what: What,
    to: Space,
    /// The size in bytes.
    size: usize,
    /// The known alignment of both addresses.
    align: usize,
    /// The offsets in the destination and in the source, in bytes.
    offsets: [usize; 2],
    /// For an unknown size, its known divisor.
    unit: Option<usize>,
}

/// The results of a transfer.
#[derive(Clone, Debug)]
pub struct Executed {
    output: Vec<u8>,
    n_instructions: u64,
}

/// All small sizes once, in a random order of everything else, and large ones: `n` in all.
pub fn transfers(seed: u64, n: usize) -> Vec<Transfer> {
    let mut random = Random::new(seed);
    (0..n)
        .map(|idx| {
            let size = if idx < 130 { idx } else { *random.of(&LARGE) };
            transfer(&mut random, size)
        })
        .collect()
}

fn transfer(random: &mut Random, size: usize) -> Transfer {
    use Space::{Constant, Global, Local, Param, Pointer, Shared};
    let to = *random.of(&[Pointer, Global, Shared, Local]);
    let from = *random.of(&[Pointer, Global, Shared, Local, Constant, Param]);
    let align = *random.of(&[1, 2, 4, 8, 16]);
    let what = match random.below(8) {
        0 => What::Fill(*random.of(&[0, 0x5a])),
        1 => What::FillUnknown,
        2 | 3 => What::Assign(if from == Param { Local } else { from }),
        _ => What::Copy(from),
    };
    let unit = (!matches!(what, What::Assign(_)) && random.once_in(3)).then(|| *random.of(&[1, 4, 16]));
    let size = match (what, unit) {
        (What::Assign(_), _) => size.max(1).next_multiple_of(align),
        (_, Some(unit)) => size / unit * unit,
        _ => size,
    };
    // The alignment of a parameter is only that of its type.
    let mut offset = |space| match space {
        Pointer if !matches!(what, What::Assign(_)) => random.below(20),
        _ => align,
    };
    let offsets = [offset(to), offset(from)];
    Transfer { what, to, size, align, offsets, unit }
}

/// The program with all of them.
pub fn source(transfers: &[Transfer]) -> String {
    let bytes: Vec<String> = bytes().iter().map(u8::to_string).collect();
    let bytes = bytes.join(",");
    let mut text = format!(
        "typedef unsigned char Byte;\n\
         __constant__ __align__(16) Byte constants[] = {{{bytes}}};\n\
         __device__ __align__(16) Byte globals[] = {{{bytes}}};\n\
         static __device__ __noinline__ void mark(Byte *to, int n)\n\
         {{\n    for (int k = 0; k < n; k++)\n        to[k] = {MARK};\n}}\n\
         static __device__ __noinline__ void show(Byte *to, const Byte *from, int n)\n\
         {{\n    for (int k = 0; k < n; k++)\n        to[k] = from[k];\n}}\n"
    );
    for (idx, transfer) in transfers.iter().enumerate() {
        transfer.kernel(idx, &mut text);
    }
    text
}

/// The results of each kernel in a PTX text.
///
/// # Errors
///
/// If the PTX is invalid.
pub fn executed(
    ptx: &str,
    transfers: &[Transfer],
    is_wide: bool,
) -> Result<Vec<Result<Executed, Failure>>, Failure> {
    let program = program(&[("transfers.ptx", ptx)])?;
    let mut device = Device::new(&program, 1 << 30).map_err(|e| e.to_string())?;
    let (input, room) = (bytes(), vec![0; 2 * N_BYTES]);
    let from = device.global.allocate(input.len() as u64, 256).map_err(|e| format!("{e:?}"))?;
    let to = device.global.allocate(room.len() as u64, 256).map_err(|e| format!("{e:?}"))?;
    device.global.write(from, &input).map_err(|e| e.to_string())?;
    device.global.write(to, &room).map_err(|e| e.to_string())?;
    let launch = Launch { is_profiled: true, ..Launch::new([1; 3], [1; 3]) };
    let results = transfers.iter().enumerate().map(|(idx, transfer)| {
        let n_units = (transfer.size / transfer.unit.unwrap_or(1)) as u32;
        let address = |address: u64| address.to_le_bytes()[..if is_wide { 8 } else { 4 }].to_vec();
        let args = [address(to), address(from), n_units.to_le_bytes().to_vec()];
        device.launch(&format!("k{idx}"), &launch, &args).map_err(|fault| fault.to_string())?;
        let mut output = vec![0; transfer.n_bytes()];
        device.global.read(to, &mut output).map_err(|e| e.to_string())?;
        let profile = device.take_profile().ok_or("nothing was counted")?;
        let own = profile
            .instructions
            .iter()
            .filter(|it| !it.function.contains("mark") && !it.function.contains("show"));
        Ok(Executed { output, n_instructions: own.map(|it| it.counts.n_warps).sum() })
    });
    Ok(results.collect())
}

/// The content of the source.
fn bytes() -> Vec<u8> {
    (0..N_BYTES).map(|idx| (idx * 37 + idx / 256 * 11 + 5) as u8).collect()
}

impl Transfer {
    /// The size of the output in bytes.
    fn n_bytes(&self) -> usize {
        self.offsets[0] + self.size + MARGIN
    }

    /// The number of instructions, without those for the mark and the output.
    ///
    /// # Errors
    ///
    /// If the output is wrong.
    pub fn n_instructions(&self, executed: Executed) -> Result<u64, Failure> {
        let (found, wanted) = (executed.output, self.expected());
        match found.iter().zip(&wanted).position(|(found, wanted)| found != wanted) {
            Some(at) => {
                Err(format!("byte {at} of {} is {}, and not {}", wanted.len(), found[at], wanted[at]))
            }
            None => Ok(executed.n_instructions),
        }
    }

    /// The expected output.
    fn expected(&self) -> Vec<u8> {
        let source = bytes();
        let mut output = vec![MARK; self.n_bytes()];
        let to = &mut output[self.offsets[0]..][..self.size];
        match self.what {
            What::Copy(_) | What::Assign(_) => to.copy_from_slice(&source[self.offsets[1]..][..self.size]),
            What::Fill(byte) => to.fill(byte),
            What::FillUnknown => to.fill(source[0]),
        }
        output
    }

    fn kernel(&self, idx: usize, text: &mut String) {
        let Transfer { what, to, size, align, offsets: [to_offset, from_offset], unit } = *self;
        let n_bytes = self.n_bytes();
        let mut body = String::new();
        let target = match to {
            Space::Pointer => "out".to_owned(),
            Space::Global => {
                let _ = writeln!(text, "__device__ __align__(16) Byte to{idx}[{n_bytes}];");
                format!("to{idx}")
            }
            Space::Shared | Space::Local | Space::Constant | Space::Param => {
                let shared = if to == Space::Shared { "__shared__ " } else { "" };
                let _ = writeln!(body, "    {shared}__align__(16) Byte to[{n_bytes}];");
                "to".to_owned()
            }
        };
        let _ = writeln!(body, "    mark({target}, {n_bytes});");
        let size_text = unit.map_or(size.to_string(), |unit| format!("n * {unit}ul"));
        let to_text = format!("{target} + {to_offset}");
        if let What::Copy(from) | What::Assign(from) = what {
            let n_read = from_offset + size;
            let origin = match from {
                Space::Pointer => "in",
                Space::Global => "globals",
                Space::Constant => "constants",
                Space::Param => "from.bytes",
                Space::Shared | Space::Local => {
                    let shared = if from == Space::Shared { "__shared__ " } else { "" };
                    let _ = writeln!(body, "    {shared}__align__(16) Byte from[{}];", n_read.max(1));
                    let _ = writeln!(body, "    show(from, in, {n_read});");
                    "from"
                }
            };
            let from_text = format!("{origin} + {from_offset}");
            if from == Space::Param {
                let n_read = n_read.max(1);
                let _ = writeln!(text, "struct __align__({align}) From{idx} {{ Byte bytes[{n_read}]; }};");
                let _ = writeln!(
                    text,
                    "static __device__ __noinline__ void copy{idx}(Byte *to, From{idx} from, unsigned n)\n{{\n    \
                     memcpy(to, {from_text}, {size_text});\n}}"
                );
                let _ = writeln!(body, "    From{idx} from;\n    show(from.bytes, in, {n_read});");
                let _ = writeln!(body, "    copy{idx}({to_text}, from, n);");
            } else if let What::Assign(_) = what {
                let elem = match align {
                    1 => "char",
                    2 => "short",
                    4 => "int",
                    8 => "long long",
                    _ => "int4",
                };
                let _ = writeln!(text, "struct Whole{idx} {{ {elem} elems[{}]; }};", size / align);
                let _ =
                    writeln!(body, "    *(Whole{idx} *)({to_text}) = *(const Whole{idx} *)({from_text});");
            } else {
                let _ = writeln!(body, "    memcpy({to_text}, {from_text}, {size_text});");
            }
        } else {
            let byte = if let What::Fill(byte) = what { byte.to_string() } else { "in[0]".to_owned() };
            let _ = writeln!(body, "    memset({to_text}, {byte}, {size_text});");
        }
        if to != Space::Pointer {
            let _ = writeln!(body, "    show(out, {target}, {n_bytes});");
        }
        let _ = writeln!(text, "// {self:?}");
        let _ = writeln!(
            text,
            "extern \"C\" __global__ void k{idx}(Byte *out, const Byte *in, unsigned n)\n{{\n{body}}}"
        );
    }
}
