//! Conversions from and to formats of at most eight bits: the emulator and ptxas accept the same forms.

use super::all_forms::{AllForms, Names, Target};

/// GPUs and PTX versions that introduced some of them.
pub const TARGETS: [Target<'_>; 9] = [
    ("sm_80", "9.5"),
    ("sm_89", "8.0"),
    ("sm_89", "8.1"),
    ("sm_90", "7.8"),
    ("sm_100a", "8.7"),
    ("sm_103a", "9.1"),
    ("sm_120f", "9.2"),
    ("sm_100a", "9.5"),
    ("sm_107f", "9.4"),
];

/// The forms to compare with ptxas.
pub fn forms() -> AllForms {
    let modes = "(rn.|rz.|rp.|rna.|)(satfinite.|)(relu.|)";
    let scaled = "(scaled::n2::ue8m0.|)";
    let (formats, fixed) = ("e4m3x2|e5m2x2|e2m3x2|e3m2x2|ue8m0x2|ue5m3x2", "s2f6x2");
    let mut slotted = Vec::new();
    for factor in ["", ", %h1"] {
        slotted.extend([
            format!("cvt.{modes}{scaled}({formats}|{fixed}).f32 %h0, %r0, %r1{factor};"),
            format!("cvt.{modes}{scaled}({formats}|{fixed}).(f16x2|bf16x2) %h0, %r0{factor};"),
            format!("cvt.{modes}{scaled}(f16x2|bf16x2).({formats}|{fixed}) %r0, %h0{factor};"),
            format!("cvt.{modes}{scaled}e2m1x2.f32 %b0, %r0, %r1{factor};"),
            format!("cvt.{modes}{scaled}e2m1x2.(f16x2|bf16x2) %b0, %r0{factor};"),
            format!("cvt.{modes}{scaled}(f16x2|bf16x2).e2m1x2 %r0, %b0{factor};"),
        ]);
    }
    slotted.extend([
        "cvt.rs.(satfinite.|)(relu.|)(f16x2|bf16x2).f32 %r0, %r0, %r1, %r2;".to_owned(),
        "cvt.(rs.|rn.)(satfinite.|)(relu.|)(e4m3x4|e5m2x4|e2m3x4|e3m2x4).f32 %r0, {%r0, %r1, %r2, %r3}, %r4;"
            .to_owned(),
        "cvt.(rs.|rn.)(satfinite.|)(relu.|)e2m1x4.f32 %h0, {%r0, %r1, %r2, %r3}, %r4;".to_owned(),
        "cvt.rn.satfinite.(e4m3|e5m2|e2m1|ue8m0).(f32|f16) %h0, %r0;".to_owned(),
        // A conversion that all support.
        "cvt.rn.f16.f32 %h0, %r0;".to_owned(),
    ]);
    let names = Names { variables: "", registers: ".reg .b8 %b<2>; .reg .b16 %h<2>; .reg .b32 %r<5>;" };
    AllForms { slotted, names, is_beyond_isa }
}

/// Forms that are not executed: for `.s2f6` the PTX ISA does not define the result below its minimum but one;
/// and scale factors without their modifier, which ptxas accepts here.
fn is_beyond_isa(instruction: &str) -> bool {
    let is_fixed = instruction.contains(".s2f6x2.f32") || instruction.contains(".s2f6x2.bf16x2");
    is_fixed || instruction.contains(".ue5m3x2.bf16x2") && instruction.ends_with(", %h1;")
}
