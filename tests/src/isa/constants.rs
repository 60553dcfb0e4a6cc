//! Constant expressions as operands (PTX ISA, "Constant Expressions"): the emulator's parser accepts the same
//! ones as ptxas. The parser's tests check their values.

use super::all_forms::{AllForms, Names, Target};

/// The GPUs and PTX versions; constants are the same in all.
pub const TARGETS: [Target<'_>; 1] = [("sm_90", "8.0")];

const REGISTERS: [&str; 3] = ["mov.b32 %r1", "mov.f32 %f1", "mov.f64 %d1"];

/// `||` and `|` would separate slots.
const OPERATORS: [&str; 16] =
    ["+", "-", "*", "/", "&", "^", "&&", "<<", ">>", "==", "!=", "<", "<=", ">", ">=", " % "];

/// All of them, with slots.
pub fn forms() -> AllForms {
    let mut slotted = Vec::new();
    for register in REGISTERS {
        slotted
            .push(format!("{register}, (|+|-|!|~|--|-!|!~)(3|4U|WARP_SZ|0x10|1.5|2e1|0d3FF0000000000000);"));
        slotted.push(format!("{register}, (0f3F800000|-0f3F800000|!0f3F800000);"));
        slotted.push(format!("{register}, (1|0|0.5|1<2|0.5<1.5) ? (2|2.5|-3) : (4|4.5|~5);"));
        for operator in OPERATORS {
            slotted.push(format!("{register}, (3|4U|1.5|0d3FF0000000000000){operator}(5|-1|2.5);"));
        }
        slotted.push(format!("{register}, (1|1.5)(/| % |*)(0|0.0|1+1|1.5-2.0);"));
        slotted.push(format!("{register}, (1<2|1.5==1.5)(+|&&|==)(1|1.0);"));
    }
    AllForms {
        slotted,
        names: Names { variables: "", registers: ".reg .b32 %r<4>; .reg .f32 %f<4>; .reg .f64 %d<4>;" },
        is_beyond_isa: |_| false,
    }
}
