//! The PTX inside of `asm` statements, checked before anything is translated.
//!
//! In: functions, one by one, while their bodies are there; in the end the module, whose symbols the texts may name. Out: diagnostics at
//! their places in the strings, and the version of PTX that the texts need. What PTX is, the emulator's parser says; what it
//! does not know, ptxas will say.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write;
use std::mem;
use std::ops::Range;

use weft_emulator::program::fragment::{self, Checked, Mistake, MistakeKind, TYPES};
use weft_frontend::diag::similar::similar;
use weft_frontend::diag::{Code, Diagnostic, Fix, Sink};
use weft_frontend::ir::{Asm, AsmPieceData, Func, Module, StmtData};
use weft_frontend::source::Span;
use weft_lower::Options;
use weft_lower::abi::mangle::Symbols;
use weft_lower::target::PtxVersion;

/// What the registers of operands are called while a text is checked, before the numbers of the `asm` and of the operand.
const OPERAND: &str = "%operand";

/// What has been found in the texts so far.
#[derive(Debug, Default)]
pub(crate) struct InlinePtx {
    found: Vec<Found>,
    /// The highest version that an instruction needs, and where it stands.
    version: Option<(PtxVersion, Span)>,
    /// There is an instruction of which that is not known.
    has_unknown: bool,
}

#[derive(Debug)]
struct Found {
    /// The name on which it depends whether this is wrong.
    name: Option<Outer>,
    /// It is a word that a newer version of PTX than that of the tables may have.
    may_be_newer: bool,
    diagnostic: Diagnostic,
}

/// A name that the texts of a function do not declare.
#[derive(Debug)]
enum Outer {
    /// It is right if it is a symbol's.
    Right(String),
    /// It is wrong if it is.
    Wrong(String),
}

impl InlinePtx {
    /// What is found in a whole module.
    pub(crate) fn of(module: &Module) -> Self {
        let mut inline = InlinePtx::default();
        module.functions.keys().for_each(|func| inline.visit_function(module, func));
        inline
    }

    /// Checks the texts of a function.
    pub(crate) fn visit_function(&mut self, module: &Module, func: Func) {
        let Some(body) = &module.functions[func].body else { return };
        let statements = body.stmts.values().filter_map(|node| match &node.data {
            StmtData::Asm(asm) => Some((&**asm, node.span)),
            _ => None,
        });
        let texts: Vec<Text<'_>> =
            statements.enumerate().map(|(idx, (asm, span))| Text::of(asm, span, idx)).collect();
        let found: Vec<(Texts<'_>, Checked)> = Texts::of(texts)
            .into_iter()
            .map(|texts| {
                let checked = fragment::check(&texts.joined, module.types.model().address_bits());
                (texts, checked)
            })
            .collect();
        let declared: BTreeSet<String> = found.iter().flat_map(|(_, found)| found.declared.clone()).collect();
        for (texts, checked) in found {
            self.keep(&texts, checked, &declared);
        }
    }

    fn keep(&mut self, text: &Texts<'_>, checked: Checked, declared: &BTreeSet<String>) {
        self.has_unknown |= checked.unknown_version.is_some();
        if let Some((version, place)) = checked.version
            && let Some(version) = PtxVersion::all().find(|&known| numbers(known) >= version)
            && self.version.is_none_or(|(highest, _)| highest < version)
        {
            self.version = Some((version, text.span_of(place)));
        }
        for mistake in checked.mistakes {
            let name = match &mistake.kind {
                // Another text of the function declares it.
                MistakeKind::Name(name) | MistakeKind::Symbol(name) if declared.contains(name) => continue,
                MistakeKind::Name(name) => Some(Outer::Right(name.clone())),
                MistakeKind::Symbol(name) => Some(Outer::Wrong(name.clone())),
                MistakeKind::Text
                | MistakeKind::Opcode(_)
                | MistakeKind::Type(_)
                | MistakeKind::Modifier { .. } => None,
            };
            let may_be_newer = matches!(mistake.kind, MistakeKind::Opcode(_) | MistakeKind::Modifier { .. });
            self.found.push(Found { name, may_be_newer, diagnostic: text.diagnostic(&mistake) });
        }
    }

    /// Reports what is wrong; words that are not known only where no newer version of PTX was asked for. Gives the version that the texts need: where one of its instructions is not known, the highest that
    /// programs otherwise have.
    pub(crate) fn finish(
        mut self,
        module: &Module,
        options: &Options,
        sink: &mut Sink,
    ) -> Option<(PtxVersion, Option<Span>)> {
        if options.ptx_version.is_some_and(|version| numbers(version) > fragment::VERSION) {
            self.found.retain(|found| !found.may_be_newer);
        }
        if self.found.iter().any(|found| found.name.is_some()) {
            let symbols = Symbols::in_unit(module, options.unit.as_ref());
            let known: HashSet<&str> =
                symbols.functions.values().chain(symbols.globals.values()).map(String::as_str).collect();
            let is_known = |name: &str| {
                let function = name.rsplit_once("_param_").map_or(name, |(function, _)| function);
                known.contains(name) || known.contains(function)
            };
            for Found { name, diagnostic, .. } in self.found {
                let is_right = match name {
                    Some(Outer::Right(name)) => is_known(&name),
                    Some(Outer::Wrong(name)) => !is_known(&name),
                    None => false,
                };
                if !is_right {
                    sink.emit(diagnostic);
                }
            }
        } else {
            self.found.into_iter().for_each(|found| sink.emit(found.diagnostic));
        }
        let needed = self.version.map(|(version, span)| (version, Some(span)));
        if !self.has_unknown {
            return needed;
        }
        needed
            .filter(|&(version, _)| version > PtxVersion::MAX_OF_LLVM)
            .or(Some((PtxVersion::MAX_OF_LLVM, None)))
    }
}

fn numbers(version: PtxVersion) -> (u32, u32) {
    (version.major().into(), version.minor().into())
}

/// What is checked together: the text of one `asm`; or several, where a block that one opens another closes.
#[derive(Default)]
struct Texts<'a> {
    /// Each with where it begins.
    parts: Vec<(usize, Text<'a>)>,
    joined: String,
}

impl<'a> Texts<'a> {
    /// The texts of a function. Where a block is never closed, each by itself.
    fn of(texts: Vec<Text<'a>>) -> Vec<Self> {
        let is_balanced = texts.iter().try_fold(0, |depth, text| depth_behind(depth, &text.text)) == Some(0);
        let (mut all, mut open, mut depth) = (Vec::new(), Texts::default(), 0);
        for text in texts {
            depth = depth_behind(depth, &text.text).filter(|_| is_balanced).unwrap_or(0);
            open.push(text);
            if depth == 0 {
                all.push(mem::take(&mut open));
            }
        }
        all
    }

    fn push(&mut self, text: Text<'a>) {
        let start = self.joined.len();
        self.joined.push_str(&text.text);
        self.joined.push('\n');
        self.parts.push((start, text));
    }

    /// The text that has a byte, and where it begins.
    fn part(&self, byte_idx: usize) -> (usize, &Text<'a>) {
        let idx = self.parts.partition_point(|&(start, _)| start <= byte_idx);
        let (start, text) = &self.parts[idx.max(1) - 1];
        (*start, text)
    }

    /// Where bytes of the text are written.
    fn span_of(&self, place: Range<usize>) -> Span {
        let (start, text) = self.part(place.start);
        text.span_of(place.start - start..place.end.max(start) - start)
    }

    fn diagnostic(&self, mistake: &Mistake) -> Diagnostic {
        let (start, text) = self.part(mistake.place.start);
        text.diagnostic(mistake, self.span_of(start.max(mistake.place.start)..mistake.place.end))
    }
}

/// How many blocks are open after a text; none if it closes more than there are.
fn depth_behind(depth: usize, text: &str) -> Option<usize> {
    text.bytes().try_fold(depth, |depth, byte| match byte {
        b'{' => Some(depth + 1),
        b'}' => depth.checked_sub(1),
        _ => Some(depth),
    })
}

/// The text of an `asm` with registers instead of its operands.
struct Text<'a> {
    asm: &'a Asm,
    span: Span,
    /// Its number in the function.
    number: usize,
    text: String,
    /// Where each of the pieces begins in the text.
    starts: Vec<usize>,
}

impl<'a> Text<'a> {
    fn of(asm: &'a Asm, span: Span, number: usize) -> Self {
        let mut text = String::new();
        for (idx, register) in asm.registers().enumerate() {
            write!(text, ".reg .{} {OPERAND}{number}_{idx}; ", register.ptx_type())
                .expect("invariant: a string takes all");
        }
        let mut starts = Vec::with_capacity(asm.pieces.len());
        for piece in &asm.pieces {
            starts.push(text.len());
            match &piece.data {
                AsmPieceData::Text(part) => text.push_str(part),
                AsmPieceData::Operand(idx) => {
                    write!(text, "{OPERAND}{number}_{idx}").expect("invariant: a string takes all");
                }
                AsmPieceData::Unique => text.push('0'),
            }
        }
        Text { asm, span, number, text, starts }
    }

    /// Where bytes of the text are written.
    fn span_of(&self, place: Range<usize>) -> Span {
        let Some(first) = self.template(place.start) else { return self.span };
        let last = self.template(place.end.max(place.start + 1) - 1).unwrap_or_else(|| first.clone());
        self.asm.span_of(first.start..last.end)
    }

    /// The bytes of the template that a byte of the text was made of.
    fn template(&self, byte_idx: usize) -> Option<Range<u32>> {
        let idx = self.starts.partition_point(|&start| start <= byte_idx).checked_sub(1)?;
        let piece = &self.asm.pieces[idx];
        match &piece.data {
            AsmPieceData::Text(text) if text.len() == piece.template.len() => {
                let at = piece.template.start + (byte_idx - self.starts[idx]) as u32;
                // After the last byte there is only the end of the literal.
                let at = at.min(piece.template.end - 1);
                Some(at..at + 1)
            }
            _ => Some(piece.template.clone()),
        }
    }

    fn diagnostic(&self, mistake: &Mistake, span: Span) -> Diagnostic {
        let mut message = mistake.message.clone();
        let numbers = self.asm.outputs.iter().map(|output| output.number);
        for (idx, number) in numbers.chain(self.asm.inputs.iter().map(|input| input.number)).enumerate() {
            message = message.replace(&format!("`{OPERAND}{}_{idx}`", self.number), &format!("`%{number}`"));
        }
        let diagnostic = Diagnostic::new(Code::InvalidPtx, span, message);
        let fix = |candidates: &[&'static str], name: &str| {
            let meant = candidates[similar(name, candidates.iter().copied())?];
            Some(Fix::new(format!("did you mean `{meant}`?"), span, meant))
        };
        let fixed = |fix: Option<Fix>| fix.map(|fix| diagnostic.clone().with_fix(fix));
        let newer = || {
            let (major, minor) = fragment::VERSION;
            diagnostic.clone().with_help(format!(
                "weftc knows the instructions of PTX {major}.{minor}; with `--ptx-version {major}.{}` only \
                 ptxas checks newer ones",
                minor + 1
            ))
        };
        match &mistake.kind {
            MistakeKind::Opcode(name) => {
                let opcodes: Vec<&str> = fragment::opcodes().collect();
                fixed(fix(&opcodes, name)).unwrap_or_else(newer)
            }
            MistakeKind::Type(name) => fixed(fix(TYPES, name)).unwrap_or(diagnostic),
            // The word is known, and is where it does not belong.
            MistakeKind::Modifier { known, .. } if known.is_empty() => diagnostic,
            MistakeKind::Modifier { name, known } => fixed(fix(known, name)).unwrap_or_else(newer),
            MistakeKind::Name(name) if name.starts_with('%') => diagnostic.with_note(
                "the compiler's registers have no fixed names; use an operand, or declare the register in \
                 the `asm`",
            ),
            MistakeKind::Name(_) | MistakeKind::Symbol(_) | MistakeKind::Text => diagnostic,
        }
    }
}
