//! Compares a producer's code for variants of instructions with nvcc's code for the same source.

use std::fs;
use std::path::Path;
use std::rc::Rc;

use super::{Variant, source};
use crate::Failure;
use crate::conformance::producer::{self, NotMade, Producer};
use crate::math::{self, Kernels};
use crate::tools::Tools;

/// The number of kernels per file.
pub const N_KERNELS: usize = 100;

/// The number of calls of each kernel.
const N_CALLS: usize = 64;

/// The prefix of answers about variants whose source the producer rejects, or whose output ptxas rejects.
pub const REFUSED: &str = "it is refused: ";

/// The position of a variant's kernel: the PTX, and the kernel's index there.
type Place = (Rc<Kernels>, usize);

/// Checks for each variant that the producer's PTX, which ptxas must accept, has the instruction, and that it
/// computes the same as nvcc's. The variants have the same options, and there are at most [`N_KERNELS`]. The
/// optimizer chooses instructions, so without optimization only inline PTX and directives are checked for
/// their instruction.
///
/// # Errors
///
/// If a tool is missing or fails, or nvcc rejects the source.
pub fn compare(
    tools: &Tools,
    producer: &Producer,
    variants: &[Variant],
    arch: &str,
    work: &Path,
) -> Result<Vec<Result<(), Failure>>, Failure> {
    let options = variants.first().map_or(&[][..], |variant| &variant.form.options);
    let producer = with_options(producer, options);
    let file = written(variants, work)?;
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let theirs =
        producer::nvcc_ptx_with(tools, &file, arch, &options, work).map_err(|not_made| match not_made {
            NotMade::Refused { why, .. } => format!("nvcc refuses it: {why}"),
            NotMade::Failed(failure) => failure,
        })?;
    let theirs = Kernels::of(theirs);
    let ours = places(tools, &producer, variants, arch, work)?;
    let outcome = |(idx, (variant, place)): (usize, (&Variant, Result<Place, Failure>))| {
        let (ours, at) = place?;
        if producer.optimizes() || variant.is_as_written() {
            variant.is_in(&ours.ptx, at)?;
        }
        same_values(variant, (&ours, at), (&theirs, idx))
    };
    Ok(variants.iter().zip(ours).enumerate().map(outcome).collect())
}

fn with_options(producer: &Producer, options: &[String]) -> Producer {
    match producer {
        Producer::Weftc(own) => Producer::Weftc(own.iter().chain(options).cloned().collect()),
        // These options all request debug information.
        Producer::Command(_) if !options.is_empty() => producer.for_debugging(),
        Producer::Command(_) => producer.clone(),
    }
}

fn written(variants: &[Variant], work: &Path) -> Result<std::path::PathBuf, Failure> {
    let file = work.join("isa.src");
    fs::write(&file, source::source(variants)?).map_err(|e| format!("{}: {e}", file.display()))?;
    Ok(file)
}

/// The producer's output for each variant: of all at once, or if that is rejected, of each half.
fn places(
    tools: &Tools,
    producer: &Producer,
    variants: &[Variant],
    arch: &str,
    work: &Path,
) -> Result<Vec<Result<Place, Failure>>, Failure> {
    let file = written(variants, work)?;
    match producer.make(tools, &file, arch, work, false) {
        Ok(made) => {
            let ptx = Rc::new(Kernels::of(made.ptx));
            Ok((0..variants.len()).map(|idx| Ok((Rc::clone(&ptx), idx))).collect())
        }
        Err(NotMade::Failed(failure)) => Err(failure),
        Err(NotMade::Refused { why, .. }) if variants.len() == 1 => {
            let first = why.lines().find(|line| line.contains("error")).unwrap_or(&why);
            Ok(vec![Err(format!("{REFUSED}{first}"))])
        }
        Err(NotMade::Refused { .. }) => {
            let (first, second) = variants.split_at(variants.len() / 2);
            let mut places = self::places(tools, producer, first, arch, work)?;
            places.extend(self::places(tools, producer, second, arch, work)?);
            Ok(places)
        }
    }
}

fn same_values(
    variant: &Variant,
    (ours, at): (&Kernels, usize),
    (theirs, idx): (&Kernels, usize),
) -> Result<(), Failure> {
    if !variant.has_value() {
        return Ok(());
    }
    let words = source::inputs(variant, N_CALLS, idx as u64);
    let ours = ours.computed(at, &words)?;
    let theirs = theirs.computed(idx, &words).map_err(|fault| format!("by nvcc: {fault}"))?;
    match math::differences(&words, &ours, &theirs, 0) {
        Some((n, first)) => Err(format!("{n} of {N_CALLS} differ; {first}")),
        None => Ok(()),
    }
}
