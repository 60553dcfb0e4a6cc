//! Mutates forms of instructions that do more than compute: random valid forms, and the same with an error.
//! What the emulator rejects, ptxas rejects for each GPU; of what ptxas rejects for all of them, the
//! emulator's share is counted.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use weft_emulator::program::fragment::forms::{
    AddressWidth, Count, Form, LabelKind, Numbers, OperandForm, OperandKind, OperandType, Pairing, forms,
    ordered,
};
use weft_emulator::program::fragment::{Mistake, MistakeKind, check};

use super::all_forms::{Names, Target, refused};
use crate::Failure;
use crate::random::Random;
use crate::tools::Tools;

/// GPUs and PTX versions, those that accept most first.
pub(super) const TARGETS: [Target<'_>; 6] = [
    ("sm_100a", "9.5"),
    ("sm_90a", "9.0"),
    ("sm_107a", "9.5"),
    ("sm_120a", "9.0"),
    ("sm_103a", "9.0"),
    ("sm_75", "6.3"),
];

/// Typed and untyped registers; old versions lack those of 128 bits.
pub(super) const REGISTERS: &str = ".reg .b128 %q<9>; .reg .b16 %h<9>; .reg .b32 %r<136>; .reg .b64 %l<40>; .reg .pred %p<9>; \
                         .reg .f32 %f<9>; .reg .f64 %d<9>; B: .branchtargets L; C: .calltargets f0; L:";

pub(super) const VARIABLES: &str =
    ".global .texref t; .global .surfref s; .shared .b64 m[32]; .global .b32 g[8]; .func f0() { ret; }";

/// Opcodes of instructions that only compute.
const OTHERS: &[&str] = &[
    "lo",
    "hi",
    "wide",
    "rn",
    "rz",
    "rni",
    "rzi",
    "approx",
    "full",
    "wrap",
    "ftz",
    "sat",
    "satfinite",
    "relu",
    "NaN",
    "eq",
    "ne",
    "lt",
    "cc",
    "xorsign",
    "abs",
    "rs",
    "rna",
    "u33",
    "foo",
    "b24",
    "v3",
    "s16x2",
    "f32x2",
];

/// Replacements for an operand.
const OPERANDS: &[&str] = &[
    "%h0",
    "%r0",
    "%l0",
    "%q0",
    "%p0",
    "%f0",
    "%d0",
    "!%p0",
    "[%l0]",
    "[%r0]",
    "[m]",
    "{%r0, %r1}",
    "{%r0, %r1, %r2, %r3}",
    "0",
    "4",
    "128",
    "-1",
    "1.0",
    "0f3F800000",
    "_",
    "%r0|%p0",
    "%tid.x",
    "[%l0, {%r1}]",
    "m",
    "[%l0+4]",
    "[%p0]",
    "-%r0",
];

/// Instructions whose forms do not specify their operands.
pub(super) const OPEN: &[&str] = &[
    "brx.idx %r0, B",
    "call f0",
    "call.uni f0",
    "call %l0, C",
    "tensormap.replace.tile.global_address.global.b1024.b64 [%l0], %l1",
    "tensormap.replace.tile.rank.global.b1024.b32 [%l0], 2",
    "tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%r0], 1, %r1",
    "tensormap.replace.tile.elemtype.b1024.b32 [%l0], 3",
    "tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [t, {%f4, %f5}]",
    "tex.1d.v4.s32.s32 {%r0, %r1, %r2, %r3}, [%l0, {%r4}]",
    "tex.level.3d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [t, {%f4, %f5, %f6, %f7}], %f8",
    "tex.grad.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}|%p0, [t, {%f4, %f5}], {%f0, %f1}, {%f2, %f3}",
    "tex.a2d.v4.u32.f32 {%r0, %r1, %r2, %r3}, [%l0, {%r4, %f5, %f6, %f7}]",
    "tex.base.2d.v2.f16x2.f32 {%r0, %r1}, [t, {%f4, %f5}]",
    "tld4.r.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%l0, {%f4, %f5}]",
    "tld4.g.cube.v4.u32.f32 {%r0, %r1, %r2, %r3}, [t, {%f4, %f5, %f6, %f7}]",
    "txq.width.b32 %r0, [t]",
    "txq.level.height.b32 %r0, [%l0], %r1",
    "suq.channel_order.b32 %r0, [s]",
    "suld.b.2d.b32.trap %r0, [s, {%r4, %r5}]",
    "suld.b.1d.v2.b16.clamp {%h0, %h1}, [%l0, {%r4}]",
    "sust.b.3d.cg.v4.b32.zero [s, {%r4, %r5, %r6, %r7}], {%r0, %r1, %r2, %r3}",
    "sust.p.2d.b32.trap [s, {%r4, %r5}], {%r0}",
    "sured.b.add.2d.u32.clamp [s, {%r4, %r5}], %r0",
    "sured.p.or.1d.b32.trap [%l0, {%r4}], %r0",
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, %r3}, {%r4, %r5}, {%f0, %f1, %f2, %f3}",
    "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32 {%r0, %r1, %r2, %r3}, {%r0, %r1, %r2, %r3}, {%r4, %r5}, {%r0, %r1, %r2, %r3}",
    "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc {%r0, %r1}, {%r0}, {%r4}, {%r0, %r1}",
    "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%d0, %d1}, {%d2}, {%d3}, {%d4, %d5}",
    "mma.sp.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32 {%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, %r3}, {%r4, %r5, %r6, %r7}, {%f0, %f1, %f2, %f3}, %r8, 0",
    "mma.sync.aligned.kind::f8f6f4.m16n8k32.row.col.f32.e4m3.e2m1.f32 {%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, %r3}, {%r4, %r5}, {%f0, %f1, %f2, %f3}",
    "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0 {%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, %r3}, \
     {%r4, %r5}, {%f0, %f1, %f2, %f3}, %r6, {%h0, %h1}, %r7, {%h2, %h3}",
    "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r0, %r1, %r2, %r3}, [%l0]",
    "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r0, %r1}, [%l0]",
    "ldmatrix.sync.aligned.m8n16.x2.b8x16.b4x16_p64 {%r0, %r1}, [%l0]",
    "stmatrix.sync.aligned.m8n8.x2.shared::cta.b16 [%l0], {%r0, %r1}",
    "movmatrix.sync.aligned.m8n8.trans.b16 %r0, %r1",
    "st.bulk.weak.shared::cta [%l0], %l1, 0",
    "isspacep.global %p0, %l0",
    "istypep.texref %p0, %l0",
    "mapa.shared::cluster.u32 %r0, %r1, %r2",
    "getctarank.u64 %r0, %l0",
    "cp.async.cg.shared.global.L2::cache_hint [%l0], [%l1], 16, %r0, %l2",
    "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%l0], [%l1, {%r0, %r1}], [%l2]",
    "st.async.mbarrier::complete_tx::bytes.v2.b32 [%l0], {%r0, %r1}, [%l1]",
    "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p0, %q0",
    "clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%r0, %r1, %r2, %r3}, %q0",
    "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, [%l0], %r8",
    "wmma.load.b.sync.aligned.col.m8n8k4.f64 {%d0}, [%l0]",
    "wmma.load.c.sync.aligned.row.m16n16k16.shared.f32 {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}, [%l0]",
    "wmma.mma.sync.aligned.row.col.m8n8k4.rn.f64.f64.f64.f64 {%d0, %d1}, {%d2}, {%d3}, {%d4, %d5}",
    "wmma.mma.sync.aligned.row.col.m8n8k32.s32.s4.s4.s32 {%r0, %r1}, {%r2}, {%r3}, {%r4, %r5}",
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %l0, %l1, %p0, 1, 1, 0, 0",
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, %r3}, %l1, %p0, 1, -1, 0",
    "wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.u8.satfinite {%r0, %r1, %r2, %r3}, %l0, %l1, 1",
    "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%f0, %f1, %f2, %f3}, %l0, %l1, %r0, 0, %p0, 1, 1, 0, 0",
    "tcgen05.ld.sync.aligned.16x64b.x2.b32 {%r0, %r1}, [%r2]",
    "tcgen05.ld.sync.aligned.16x32bx2.x1.pack::16b.b32 {%r0}, [%r2], 4",
    "tcgen05.st.sync.aligned.32x32b.x2.b32 [%r2], {%r0, %r1}",
    "tcgen05.st.sync.aligned.16x32bx2.x1.unpack::16b.b32 [%r2], 4, {%r0}",
    "tcgen05.ld.red.sync.aligned.32x32b.x2.min.u32 {%r0, %r1}, %r3, [%r2]",
    "tcgen05.mma.cta_group::1.kind::f16 [%r0], %l0, %l1, %r1, %p0",
    "tcgen05.mma.cta_group::1.kind::tf32.ashift [%r0], [%r2], %l1, %r1, %p0",
    "tcgen05.mma.cta_group::2.kind::i8 [%r0], %l0, %l1, %r1, {%r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9}, %p0",
    "tcgen05.mma.cta_group::1.kind::f16 [%r0], %l0, %l1, %r1, %p0, 5",
    "tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale [%r0], %l0, %l1, %r1, [%r2], [%r3], %p0",
    "tcgen05.mma.sp.cta_group::1.kind::f8f6f4 [%r0], %l0, %l1, [%r5], %r1, %p0",
    "tcgen05.mma.ws.cta_group::1.kind::f16.collector::b0::fill [%r0], %l0, %l1, %r1, %p0",
    "tcgen05.mma.ws.sp.cta_group::1.kind::f16 [%r0], %l0, %l1, [%r5], %r1, %p0, %l3",
    "vadd.u32.u32.s32.sat %r0, %r1, %r2",
    "vsub.s32.u32.u32.add %r0, %r1.b0, %r2.h1, %r3",
    "vabsdiff.u32.s32.s32 %r0.b1, %r1, %r2, %r3",
    "vmin.s32.s32.s32 %r0, %r1, %r2",
    "vmax.s32.s32.s32.max %r0, %r1, %r2, %r3",
    "vshl.u32.u32.u32.clamp %r0, %r1, %r2",
    "vshr.s32.s32.u32.sat.wrap.add %r0, %r1, %r2, %r3",
    "vmad.u32.u32.u32.sat.shr7 %r0, %r1, %r2, -%r3",
    "vmad.s32.s32.u32.po %r0, %r1, %r2, %r3",
    "vset.u32.s32.lt %r0, %r1, %r2",
    "vset.u32.u32.ge.add %r0, %r1, %r2, %r3",
    "vadd2.u32.u32.s32.sat %r0.h0, %r1, %r2, %r3",
    "vsub2.s32.u32.u32.add %r0, %r1.h10, %r2.h32, %r3",
    "vabsdiff2.u32.u32.u32 %r0, %r1, %r2, %r3",
    "vmin2.s32.s32.s32 %r0, %r1, %r2, %r3",
    "vmax2.u32.u32.u32 %r0, %r1, %r2, %r3",
    "vavrg2.u32.u32.u32 %r0, %r1, %r2, %r3",
    "vset2.u32.u32.eq %r0, %r1, %r2, %r3",
    "vadd4.u32.u32.s32 %r0, %r1, %r2, %r3",
    "vsub4.s32.s32.s32.add %r0, %r1.b7654, %r2, %r3",
    "vabsdiff4.u32.u32.u32.add %r0, %r1, %r2, %r3",
    "vmin4.s32.s32.s32 %r0.b10, %r1, %r2, %r3",
    "vmax4.u32.u32.u32 %r0, %r1, %r2, %r3",
    "vavrg4.u32.u32.u32 %r0, %r1, %r2, %r3",
    "vset4.u32.u32.ne.add %r0, %r1, %r2, %r3",
];

/// An instruction in parts.
#[derive(Clone)]
pub(super) struct Written {
    pub(super) name: String,
    pub(super) words: Vec<String>,
    operands: Vec<String>,
}

impl Written {
    pub(super) fn text(&self) -> String {
        let words: String = self.words.iter().map(|word| format!(".{word}")).collect();
        format!("{}{words} {};", self.name, self.operands.join(", "))
    }

    /// The instruction with its modifiers in PTX ISA order, where the tables have another one.
    pub(super) fn in_order(&self) -> String {
        let words: Vec<&str> = self.name.split('.').chain(self.words.iter().map(String::as_str)).collect();
        let name = ordered(words[0], &words[1..]).unwrap_or_else(|| words.join("."));
        format!("{name} {};", self.operands.join(", "))
    }
}

pub(super) fn whole(random: &mut Random, form: &Form) -> Written {
    let (mut words, mut was_there) = (Vec::new(), false);
    for slot in &form.slots {
        let is_present = match slot.is_with_last {
            true => was_there,
            false => !slot.is_optional || random.once_in(3),
        };
        if is_present {
            words.push((*random.of(&slot.words)).to_owned());
        }
        was_there = is_present;
    }
    let mut operands = Vec::new();
    for operand in &form.operands {
        if is_present(operand, &words)
            && (!operand.with.is_empty() || !operand.is_optional || random.once_in(2))
        {
            operands.push(operand_of(random, &operand.kind, &words));
        }
    }
    Written { name: form.name.join("."), words, operands }
}

/// Whether the modifier that an operand depends on is present.
fn is_present(operand: &OperandForm, words: &[String]) -> bool {
    operand.with.is_empty() || operand.with.iter().any(|with| words.iter().any(|word| word == with))
}

/// Parses an instruction, with the form for its name.
pub(super) fn parts(text: &str) -> (&'static Form, Written) {
    let (opcode, operands) = text.split_once(' ').unwrap_or((text, ""));
    let words: Vec<&str> = opcode.split('.').collect();
    let form = forms().iter().filter(|form| words.starts_with(&form.name)).max_by_key(|form| form.name.len());
    let form = form.unwrap_or_else(|| panic!("{text} has a form"));
    let (mut list, mut depth) = (vec![String::new()], 0_u32);
    for c in operands.chars() {
        match c {
            '{' | '[' => depth += 1,
            '}' | ']' => depth -= 1,
            _ => {}
        }
        match (c, list.last_mut()) {
            (',', _) if depth == 0 => list.push(String::new()),
            (_, Some(last)) => last.push(c),
            (_, None) => {}
        }
    }
    let words = words[form.name.len()..].iter().map(|&word| word.to_owned()).collect();
    let operands = list.iter().map(|operand| operand.trim().to_owned()).collect();
    (form, Written { name: form.name.join("."), words, operands })
}

fn operand_of(random: &mut Random, kind: &OperandKind, words: &[String]) -> String {
    match kind {
        OperandKind::Result(ty, pairing) => {
            let result = registers(random, ty, words, false);
            let is_pair = *pairing == Pairing::Must || *pairing == Pairing::May && random.once_in(3);
            if is_pair { format!("{result}|%p1") } else { result }
        }
        OperandKind::Value(ty, numbers) if ty.is_register => {
            debug_assert!(numbers.is_empty(), "a register is not a number");
            registers(random, ty, words, false)
        }
        OperandKind::Value(_, numbers) if !numbers.is_empty() && random.once_in(3) => number(random, numbers),
        OperandKind::Value(ty, numbers) => registers(random, ty, words, numbers.is_empty()),
        OperandKind::Register => "%r2".to_owned(),
        OperandKind::Sink => "_".to_owned(),
        OperandKind::Predicate => (*random.of(&["%p2", "!%p3"])).to_owned(),
        OperandKind::Address(AddressWidth::Tensor) => (*random.of(&["[%r5]", "[%r6+4]"])).to_owned(),
        OperandKind::Address(_) => (*random.of(&["[%l5]", "[%l4]", "[%l6+16]"])).to_owned(),
        OperandKind::Parts(parts) => {
            let parts = parts.iter().filter(|part| is_present(part, words));
            let part = |part: &OperandForm| match part.kind {
                OperandKind::Any => "%l7".to_owned(),
                ref kind => operand_of(random, kind, words),
            };
            format!("[{}]", parts.map(part).collect::<Vec<_>>().join(", "))
        }
        OperandKind::Handle => (*random.of(&["[%l5]", "[t]", "[s]"])).to_owned(),
        OperandKind::Coordinates(counts) => {
            let n = if counts.is_empty() { 1 + random.below(5) } else { *random.of(counts) };
            format!("[%l7, {{{}}}]", (0..n).map(|idx| format!("%r{idx}")).collect::<Vec<_>>().join(", "))
        }
        OperandKind::Braces => {
            let n = *random.of(&[1, 2, 3, 4, 8]);
            let register = *random.of(&["%r", "%r", "%f", "%h"]);
            format!("{{{}}}", (0..n).map(|idx| format!("{register}{idx}")).collect::<Vec<_>>().join(", "))
        }
        OperandKind::List(list) => {
            let stem = match list.ty.as_ref().map(|ty| ty.name) {
                Some("b16" | "u16") => "%h",
                Some("b64") => "%l",
                _ => "%r",
            };
            let count = match list.count {
                Count::Fixed(count) => count,
                Count::OfShape(divisor) => n_columns(words) / divisor,
                Count::OfDimensions(less) => n_dimensions(words) - less,
            };
            let list: Vec<String> = (0..count).map(|idx| format!("{stem}{idx}")).collect();
            format!("{{{}}}", list.join(", "))
        }
        OperandKind::Number(numbers) => number(random, numbers),
        OperandKind::Arguments => "(%r1)".to_owned(),
        OperandKind::Label(LabelKind::Place) => "L".to_owned(),
        OperandKind::Label(LabelKind::BranchTargets) => "B".to_owned(),
        OperandKind::Label(LabelKind::Callee) => "f0".to_owned(),
        OperandKind::Label(LabelKind::Callees) => "C".to_owned(),
        OperandKind::Any => (*random.of(&[
            "%r8",
            "%l8",
            "%p4",
            "{%r0, %r1, %r2, %r3}",
            "{%r0, %r1}",
            "1",
            "[%r3]",
            "[t, {%r0, %r1}]",
        ]))
        .to_owned(),
    }
}

/// The `n` of a shape such as `m64n16k8`.
fn n_columns(words: &[String]) -> usize {
    let mut shapes = words.iter().filter_map(|word| word.strip_prefix("m64n")?.split('k').next());
    shapes.next().and_then(|columns| columns.parse().ok()).expect("a list as long as a shape says has one")
}

/// The number before the `d` of `3d`.
fn n_dimensions(words: &[String]) -> usize {
    let mut numbers = words.iter().filter_map(|word| word.strip_suffix('d')?.parse().ok());
    numbers.next().expect("a list as long as an instruction has dimensions names them")
}

/// The minimum or maximum of some ranges.
fn number(random: &mut Random, numbers: &[Numbers]) -> String {
    if numbers.is_empty() {
        return random.below(4).to_string();
    }
    let Numbers { from, to, step, .. } = *random.of(numbers);
    let last = if to == u64::MAX && from != to { from + step } else { to };
    random.of(&[from, last]).cast_signed().to_string()
}

/// A register of a type, or several.
fn registers(random: &mut Random, of: &OperandType, words: &[String], may_be_constant: bool) -> String {
    let is_type = |word: &&String| {
        let digits = word.trim_start_matches(['b', 'u', 's', 'f']);
        *word == "pred"
            || word.ends_with("x2")
            || word.len() < 5 && word.len() > digits.len() && digits.parse::<u32>().is_ok()
    };
    let mut types = words.iter().filter(is_type).map(String::as_str);
    let ty = match of.name {
        "t" | "a" => types.next().unwrap_or("b32"),
        "t2" => types.nth(1).unwrap_or("b32"),
        name => name,
    };
    let one = |random: &mut Random| {
        if may_be_constant && random.once_in(8) {
            return if ty.starts_with('f') { "0f3F800000" } else { "1" }.to_owned();
        }
        let is_float = random.once_in(4);
        let stem = match ty {
            "pred" => "%p",
            "b128" => "%q",
            "f32" | "b32" if is_float => "%f",
            "f64" | "b64" if is_float => "%d",
            _ if ty.ends_with("64") => "%l",
            _ if ty.ends_with("32") || ty.ends_with("16x2") => "%r",
            _ => "%h",
        };
        format!("{stem}{}", random.below(8))
    };
    let n = words.iter().find_map(|word| word.strip_prefix('v').and_then(|n| n.parse::<usize>().ok()));
    match n {
        // ptxas crashes at eight halves in another order than that of their registers.
        Some(n) if of.is_vector => {
            let number = |at: usize, one: String| match one.strip_prefix('%') {
                Some(register) => format!("%{}{at}", register.trim_end_matches(|c: char| c.is_ascii_digit())),
                None => one,
            };
            let all: Vec<String> = (0..n).map(|at| number(at, one(random))).collect();
            format!("{{{}}}", all.join(", "))
        }
        _ => one(random),
    }
}

/// Applies one mutation to an instruction.
fn mutate(random: &mut Random, it: &mut Written, near: &[&'static str], all: &[&'static str]) {
    let (n_words, n_operands) = (it.words.len(), it.operands.len());
    match random.below(10) {
        0 if n_words > 0 => drop(it.words.remove(random.below(n_words))),
        1 if n_words > 0 => {
            let word = random.of(&it.words).clone();
            it.words.insert(random.below(n_words + 1), word);
        }
        2 if n_words > 1 => it.words.swap(random.below(n_words), random.below(n_words)),
        3 if n_words > 0 => it.words[random.below(n_words)] = (*random.of(all)).to_owned(),
        4 => it.words.insert(random.below(n_words + 1), (*random.of(all)).to_owned()),
        5 if n_words > 0 => it.words[random.below(n_words)] = (*random.of(near)).to_owned(),
        6 => it.words.insert(random.below(n_words + 1), (*random.of(near)).to_owned()),
        7 if n_operands > 0 => drop(it.operands.remove(random.below(n_operands))),
        8 => it.operands.insert(random.below(n_operands + 1), (*random.of(OPERANDS)).to_owned()),
        9 if n_operands > 0 => it.operands[random.below(n_operands)] = (*random.of(OPERANDS)).to_owned(),
        _ => {}
    }
}

/// Whether an operand of a form depends on more than the form specifies.
pub(super) fn has_open(form: &Form) -> bool {
    // For calls it depends on the function.
    let is_open = |kind: &OperandKind| {
        matches!(kind, OperandKind::Any | OperandKind::Label(LabelKind::Callee | LabelKind::Callees))
    };
    form.operands.iter().any(|operand| is_open(&operand.kind))
}

/// Instructions, with the name of the form that each was made from.
fn candidates(seed: u64, n_each: usize) -> BTreeMap<String, String> {
    let mut random = Random::new(seed);
    let words = |form: &'static Form| form.slots.iter().flat_map(|slot| slot.words.iter().copied());
    let all: BTreeSet<&'static str> = forms().iter().flat_map(words).chain(OTHERS.iter().copied()).collect();
    let all: Vec<&'static str> = all.into_iter().collect();
    let mut found: BTreeMap<String, String> =
        OPEN.iter().map(|text| parts(text).1).map(|it| (it.text(), it.name)).collect();
    let open: Vec<(&'static Form, Written)> = OPEN.iter().map(|text| parts(text)).collect();
    // The same number for each line of the tables, regardless of the number of its forms.
    let closed = forms().chunk_by(|a, b| a.line == b.line).filter(|line| !line.iter().any(has_open));
    let closed = closed.map(|line| (line, None));
    let open = open.into_iter().map(|(form, written)| (std::slice::from_ref(form), Some(written)));
    for (line, open) in closed.chain(open) {
        let form = &line[0];
        let near: BTreeSet<&'static str> =
            forms().iter().filter(|other| other.name[0] == form.name[0]).flat_map(words).collect();
        let near: Vec<&'static str> = if near.is_empty() { all.clone() } else { near.into_iter().collect() };
        for _ in 0..n_each {
            let of_line = random.of(line);
            let mut written = open.clone().unwrap_or_else(|| whole(&mut random, of_line));
            for _ in 0..random.below(3) {
                mutate(&mut random, &mut written, &near, &all);
            }
            // With a predicate instead of an address, ptxas accepts the instruction, or uses up all memory.
            let is_predicate = |operand: &String| operand.trim_start_matches('!').starts_with("%p");
            if form.name.contains(&"tensor") && written.operands.iter().any(is_predicate) {
                continue;
            }
            found.insert(written.text(), form.name.join("."));
        }
    }
    found
}

/// The counts of an instruction.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// The number that ptxas rejects for all GPUs.
    pub n_refused: usize,
    /// The number of those that are rejected here.
    pub n_rejected_here: usize,
    /// The number that it accepts for some GPU.
    pub n_taken: usize,
}

/// By name.
pub type Seen = BTreeMap<String, Counts>;

/// The results.
#[derive(Debug, Default)]
pub struct Found {
    /// The counts of each instruction.
    pub seen: Seen,
    /// What only ptxas rejects.
    pub only_ptxas: Vec<String>,
}

/// The first mistake in an instruction.
fn mistake(text: &str) -> Option<Mistake> {
    // The variables belong to the module.
    let is_name = |mistake: &Mistake| matches!(mistake.kind, MistakeKind::Name(_));
    check(&format!("{REGISTERS} {text}"), 64).mistakes.into_iter().find(|mistake| !is_name(mistake))
}

/// Compares random forms.
///
/// # Errors
///
/// Lists those that ptxas accepts for a GPU and that are rejected here.
pub fn compare(tools: &Tools, seed: u64, n_each: usize, work: &Path) -> Result<Found, Failure> {
    let candidates = candidates(seed, n_each);
    // What a GPU accepts is not tried for the others.
    let mut by_all: Vec<&str> = candidates.keys().map(String::as_str).collect();
    let is_expected = |text: &str| mistake(text).is_some();
    for target in TARGETS {
        let old_registers = REGISTERS.split_once("; ").map_or(REGISTERS, |(_, others)| others);
        let registers = if target.1.starts_with('6') { old_registers } else { REGISTERS };
        let names = Names { variables: VARIABLES, registers };
        let refused = refused(tools, target, names, &by_all, is_expected, work)?;
        by_all.retain(|text| refused.contains(text));
    }
    let by_all: BTreeSet<&str> = by_all.into_iter().collect();
    let (mut found, mut wrong) = (Found::default(), Vec::new());
    for (text, name) in &candidates {
        let seen = found.seen.entry(name.clone()).or_default();
        match (by_all.contains(text.as_str()), mistake(text)) {
            (true, Some(_)) => {
                seen.n_refused += 1;
                seen.n_rejected_here += 1;
            }
            (true, None) => {
                seen.n_refused += 1;
                found.only_ptxas.push(text.clone());
            }
            (false, None) => seen.n_taken += 1,
            (false, Some(mistake)) => wrong.push(format!("{text} ({})", mistake.message)),
        }
    }
    let are_open: BTreeSet<String> = OPEN.iter().map(|text| parts(text).1.text()).collect();
    wrong.extend(
        are_open.iter().filter(|text| by_all.contains(text.as_str())).map(|text| format!("not {text}")),
    );
    if wrong.is_empty() { Ok(found) } else { Err(format!("ptxas takes\n{}", wrong.join("\n"))) }
}
