//! Checks the PTX in `asm` statements before lowering.
//!
//! In: functions, one by one, while their bodies exist; finally the module, whose symbols the texts may name.
//! Out: diagnostics with positions in the strings, and the PTX version that the texts need. The emulator's
//! parser defines what PTX is; ptxas judges what the parser does not know.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt::Write;
use std::mem;
use std::ops::Range;

use weft_emulator::program::fragment::{self, Checked, Mistake, MistakeKind, TYPES};
use weft_frontend::diag::similar::similar;
use weft_frontend::diag::{Code, Diagnostic, Fix, Sink};
use weft_frontend::ir::{
    Asm, AsmPieceData, ConstInit, ExprData, Func, FunctionKind, InlineHint, Linkage, Module, StmtData,
};
use weft_frontend::source::Span;
use weft_lower::Options;
use weft_lower::abi::mangle::Symbols;
use weft_lower::target::PtxVersion;

/// The register names of operands while a text is checked, before the indices of the `asm` and of the
/// operand.
const OPERAND: &str = "%operand";

/// The findings in the texts so far.
#[derive(Debug, Default)]
pub(crate) struct InlinePtx {
    found: Vec<Found>,
    /// The functions that each function names.
    callees: HashMap<Func, Vec<Func>>,
    /// The highest version that an instruction needs, and its position.
    version: Option<(PtxVersion, Span)>,
    /// Whether the version of some instruction is unknown.
    has_unknown: bool,
}

#[derive(Debug)]
struct Found {
    func: Func,
    /// A symbol that decides whether this is an error.
    name: Option<Outer>,
    /// Whether a PTX version newer than our tables may define the word.
    may_be_newer: bool,
    diagnostic: Diagnostic,
}

/// A name that the texts of a function do not declare.
#[derive(Debug)]
enum Outer {
    /// An error unless it is a symbol.
    Right(String),
    /// An error if it is a symbol.
    Wrong(String),
}

impl InlinePtx {
    /// The findings of a whole module.
    pub(crate) fn of(module: &Module) -> Self {
        let mut inline = InlinePtx::default();
        module.functions.keys().for_each(|func| inline.visit_function(module, func));
        inline
    }

    /// Checks the texts of a function.
    pub(crate) fn visit_function(&mut self, module: &Module, func: Func) {
        let Some(body) = &module.functions[func].body else { return };
        let callees = body.exprs.values().filter_map(|node| match node.data {
            ExprData::Call { callee, .. } | ExprData::FuncAddr(callee) => Some(callee),
            _ => None,
        });
        self.callees.insert(func, callees.collect());
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
            self.keep(func, &texts, checked, &declared);
        }
    }

    fn keep(&mut self, func: Func, text: &Texts<'_>, checked: Checked, declared: &BTreeSet<String>) {
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
            self.found.push(Found { func, name, may_be_newer, diagnostic: text.diagnostic(&mistake) });
        }
    }

    /// The functions that other objects may have, and those that they use: nvcc does not look at the texts of others.
    fn emitted(&self, module: &Module) -> HashSet<Func> {
        let is_root = |&func: &Func| {
            let function = &module.functions[func];
            function.kind != FunctionKind::Device
                || matches!(function.linkage, Linkage::External | Linkage::Weak)
                || function.instance.is_some() && function.inline == InlineHint::Auto
        };
        let mut emitted: HashSet<Func> = module.functions.keys().filter(is_root).collect();
        for global in module.globals.values() {
            emitted.extend(global.init.iter().flat_map(ConstInit::functions));
        }
        let mut rest: Vec<Func> = emitted.iter().copied().collect();
        while let Some(func) = rest.pop() {
            for &callee in self.callees.get(&func).into_iter().flatten() {
                if emitted.insert(callee) {
                    rest.push(callee);
                }
            }
        }
        emitted
    }

    /// Reports the findings; unknown words only if the requested PTX version is not newer than the tables.
    /// Returns the version that the texts need: if an instruction's version is unknown, the highest that
    /// programs otherwise get.
    pub(crate) fn finish(
        mut self,
        module: &Module,
        options: &Options,
        sink: &mut Sink,
    ) -> Option<(PtxVersion, Option<Span>)> {
        if options.ptx_version.is_some_and(|version| numbers(version) > fragment::VERSION) {
            self.found.retain(|found| !found.may_be_newer);
        }
        if !self.found.is_empty() {
            let emitted = self.emitted(module);
            self.found.retain(|found| emitted.contains(&found.func));
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

/// Texts that are checked together: one `asm`, or several if one opens a block that another closes.
#[derive(Default)]
struct Texts<'a> {
    /// Each with its offset.
    parts: Vec<(usize, Text<'a>)>,
    joined: String,
}

impl<'a> Texts<'a> {
    /// The texts of a function. If a block is never closed, each text is separate.
    fn of(texts: Vec<Text<'a>>) -> Vec<Self> {
        let is_balanced = texts.iter().try_fold(0, |depth, text| depth_after(depth, &text.text)) == Some(0);
        let (mut all, mut open, mut depth) = (Vec::new(), Texts::default(), 0);
        for text in texts {
            depth = depth_after(depth, &text.text).filter(|_| is_balanced).unwrap_or(0);
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

    /// The text that contains a byte, and the text's offset.
    fn part(&self, byte_idx: usize) -> (usize, &Text<'a>) {
        let idx = self.parts.partition_point(|&(start, _)| start <= byte_idx);
        let (start, text) = &self.parts[idx.max(1) - 1];
        (*start, text)
    }

    /// The source span of a byte range.
    fn span_of(&self, place: Range<usize>) -> Span {
        let (start, text) = self.part(place.start);
        text.span_of(place.start - start..place.end.max(start) - start)
    }

    fn diagnostic(&self, mistake: &Mistake) -> Diagnostic {
        let (start, text) = self.part(mistake.place.start);
        text.diagnostic(mistake, self.span_of(start.max(mistake.place.start)..mistake.place.end))
    }
}

/// The number of open blocks after a text; `None` if it closes too many.
fn depth_after(depth: usize, text: &str) -> Option<usize> {
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
    /// Its index in the function.
    number: usize,
    text: String,
    /// The offset of each piece in the text.
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

    /// The source span of a byte range of the text.
    fn span_of(&self, place: Range<usize>) -> Span {
        let Some(first) = self.template(place.start) else { return self.span };
        let last = self.template(place.end.max(place.start + 1) - 1).unwrap_or_else(|| first.clone());
        self.asm.span_of(first.start..last.end)
    }

    /// The bytes of the template that a byte of the text comes from.
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
            // The word is known, but not valid here.
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
