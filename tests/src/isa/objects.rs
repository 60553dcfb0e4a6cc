//! Forms of instructions on textures, samplers and surfaces: the emulator's decoder and ptxas accept the same
//! ones. This includes those that are decoded but not executed, because their results are undocumented.

use super::all_forms::{AllForms, Names, Target};

/// GPUs and PTX versions: from 8.1 on `sured.p` supports 64 bits.
pub const TARGETS: [Target<'_>; 3] = [("sm_75", "6.5"), ("sm_90", "8.0"), ("sm_100", "8.7")];

const GEOMETRIES: [&str; 9] = ["1d", "2d", "3d", "a1d", "a2d", "cube", "acube", "2dms", "a2dms"];

/// A register list: the first may have another type.
fn list(first: &str, others: &str, n: usize) -> String {
    let registers = (0..n).map(|idx| format!("{}{}", if idx == 0 { first } else { others }, 4 + idx));
    format!("{{{}}}", registers.collect::<Vec<_>>().join(", "))
}

/// The operands after coordinates: a level or derivatives of either length, then an offset, a depth, both, or
/// something invalid.
fn operands_after(lod: &str, coordinates: &str) -> Vec<String> {
    let lods = match (lod, coordinates) {
        ("level", "s32") => vec![", %r1".to_owned()],
        ("level", _) => vec![", %f1".to_owned()],
        ("grad", _) => {
            [1, 2, 4].map(|n| format!(", {}, {}", list("%f", "%f", n), list("%f", "%f", n))).to_vec()
        }
        _ => vec![String::new()],
    };
    let mut after = Vec::new();
    for lod in lods {
        after.push(lod.clone());
        for n in [1, 2, 4] {
            after.push(format!("{lod}, {}", list("%r", "%r", n)));
        }
        after.push(format!("{lod}, %f2"));
        after.push(format!("{lod}, {}, %f2", list("%r", "%r", 4)));
        after.push(format!("{lod}, %f2, {}", list("%r", "%r", 4)));
        after.push(format!("{lod}, {}", list("%f", "%f", 4)));
    }
    after
}

/// Reads of each geometry.
fn reads(found: &mut Vec<String>) {
    for geometry in GEOMETRIES {
        let is_numbered = geometry.starts_with('a') || geometry.ends_with("ms");
        for (coordinates, register) in [("f32", "%f"), ("s32", "%r")] {
            let first = if is_numbered { "%r" } else { register };
            for lod in ["", "base.", "level.", "grad."] {
                let place = format!("[t, {}]", list(first, register, 4));
                let opcode = format!("tex.{lod}{geometry}.v4.f32.{coordinates} {{%f0, %f1, %f2, %f3}}, ");
                for after in operands_after(lod.trim_end_matches('.'), coordinates) {
                    found.push(format!("{opcode}{place}{after};"));
                }
                for n in [1, 2] {
                    found.push(format!("{opcode}[t, {}];", list(first, register, n)));
                }
            }
            let place = format!("[t, {}]", list(first, register, 4));
            for (types, registers) in [
                ("v4.s32", "{%r0, %r1, %r2, %r3}"),
                ("v4.u32", "{%r0, %r1, %r2, %r3}|%p0"),
                ("v4.f16", "{%h0, %h1, %h2, %h3}"),
                ("v2.f16x2", "{%r0, %r1}"),
                ("v2.f16", "{%h0, %h1}"),
                ("v4.f16x2", "{%r0, %r1, %r2, %r3}"),
                ("v2.f32", "{%f0, %f1}"),
                ("v4.b32", "{%r0, %r1, %r2, %r3}"),
                ("v4.f64", "{%d0, %d1, %d2, %d3}"),
            ] {
                found.push(format!("tex.{geometry}.{types}.{coordinates} {registers}, {place};"));
                found.push(format!("tld4.r.{geometry}.{types}.{coordinates} {registers}, {place};"));
            }
            let opcode = format!("tld4.(r|g|b|a|x).{geometry}.v4.f32.{coordinates} {{%f0, %f1, %f2, %f3}}, ");
            for after in operands_after("", coordinates) {
                found.push(format!("{opcode}{place}{after};"));
            }
        }
    }
}

/// Accesses to surfaces.
fn accesses(found: &mut Vec<String>) {
    let place = format!("[s, {}]", list("%r", "%r", 4));
    let geometry = format!("({})", GEOMETRIES.join("|"));
    let clamp = "(.trap|.clamp|.zero|.wrap|)";
    found.push(format!("suld.(b|p).{geometry}.v2.b32{clamp} {{%r0, %r1}}, {place};"));
    found.push(format!("sust.(b|p).{geometry}.v2.b32{clamp} {place}, {{%r0, %r1}};"));
    found.push(format!("sured.(b|p).add.{geometry}.b32{clamp} {place}, %r0;"));
    found.push(format!("sured.(b|p).max.{geometry}.u32{clamp} {place}, %r0;"));
    found.push(format!("suld.b.{geometry}.b32.trap %r0, [s, {{%r4(|, %r4)}}];"));
    let place = "[s, {%r4, %r5}]";
    for (types, registers) in
        [("b8|b16", "%h"), ("b32|u32|s32", "%r"), ("b32|f32", "%f"), ("b64|b128", "%rd")]
    {
        for n in [1, 2, 4] {
            let values: Vec<String> = (0..n).map(|idx| format!("{registers}{idx}")).collect();
            let (vector, values) = (if n > 1 { format!("v{n}.") } else { String::new() }, values.join(", "));
            found.push(format!("suld.(b|p).2d.{vector}({types}).clamp {{{values}}}, {place};"));
            found.push(format!("sust.(b|p).2d.{vector}({types}).clamp {place}, {{{values}}};"));
        }
    }
    let cached = "(ca|cg|cs|cv|wb|wt)";
    found.push(format!("suld.b.2d.{cached}.b32.clamp %r0, {place};"));
    found.push(format!("sust.b.2d.{cached}.b32.clamp {place}, %r0;"));
    found.push(format!("sured.b.add.2d.{cached}.u32.clamp {place}, %r0;"));
    for (types, register) in [("u32|s32|b32", "%r0"), ("u64|s64|b64", "%rd0"), ("f32", "%f0")] {
        let reduction = format!("sured.(b|p).(add|min|max|and|or|xor).2d.({types}).clamp");
        found.push(format!("{reduction} {place}, {register};"));
    }
    found.push(format!("sured.b.add.2d.u32.clamp {place}, {{%r0}};"));
    found.push("suld.b.2d.b32.trap %r0, (s, {%r4, %r5}|[t, {%r4, %r5}]);".to_owned());
}

/// The queries.
fn queries(found: &mut Vec<String>) {
    let what = "(width|height|depth|channel_data_type|channel_order|normalized_coords|force_unnormalized_coords|array_size\
                |num_mipmap_levels|num_samples|filter_mode|addr_mode_0|addr_mode_1|addr_mode_2|addr_mode_3|memory_layout)";
    found.push(format!("(txq|suq).{what}.b32 %r0, [(%rd1|t|s)];"));
    found.push(format!("txq.level.{what}.b32 %r0, [%rd1](|, %r2);"));
    found.push("txq.width.u32 %r0, [%rd1];".to_owned());
    let operands = "(%p0, %rd1|%p0, [%rd1]|%p0, t|%r0, %rd1|%p0, %r1)";
    found.push(format!("istypep.(texref|samplerref|surfref|global) {operands};"));
}

/// The forms to compare with ptxas.
pub fn forms() -> AllForms {
    let mut slotted = Vec::new();
    reads(&mut slotted);
    accesses(&mut slotted);
    queries(&mut slotted);
    let names = Names {
        variables: ".global .texref t; .global .surfref s;",
        registers: ".reg .pred %p<2>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .f64 %d<9>; .reg .b64 %rd<9>;",
    };
    AllForms { slotted, names, is_beyond_isa }
}

/// Forms that ptxas accepts, but the PTX ISA does not define.
fn is_beyond_isa(candidate: &str) -> bool {
    let is_short =
        |prefix: &str| candidate.starts_with(prefix) && !candidate.contains("{%f4, %f5, %f6, %f7}, {%f4");
    is_short("tex.grad.cube.") || is_short("tex.grad.acube.") || candidate.starts_with("txq.memory_layout")
}
