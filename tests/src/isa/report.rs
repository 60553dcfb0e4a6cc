//! The table as a documentation page.

use std::fmt::Write as _;

use super::{Form, Variant};

/// The path of the page, from the repository's root.
pub const PATH: &str = "docs/reference/ptx-isa-1.1.md";

/// The page.
pub fn page(forms: &[Form], variants: &[Variant]) -> String {
    let mut text = format!(
        "# PTX ISA 1.1\n\n\
         Every instruction, special register and directive of *PTX: Parallel Thread Execution, ISA Version 1.1*, a source that reaches it, and the instruction in\n\
         today's PTX: {} variants of {} forms. A row is a form; names in braces are alternatives. The suite `isa` finds each variant in `weftc`'s PTX, assembles it,\n\
         and compares results with nvcc's PTX of the same source on the emulator. ptxas rejects the text of ISA 1.1 for forms that are marked as retired.\n\
         `BLESS=1` writes this page from `{}`.\n",
        variants.len(),
        forms.len(),
        super::PATH
    );
    let mut table = None;
    for (idx, form) in forms.iter().enumerate() {
        if table != Some(&form.of) {
            table = Some(&form.of);
            // Writing to a `String` cannot fail.
            let _ = write!(
                text,
                "\n## `{}` ({})\n\n| ISA 1.1 | of these | variants | source | today |\n|---|---|---|---|---|\n",
                form.of,
                form.place()
            );
        }
        let over: Vec<String> =
            form.over.iter().map(|(name, values)| format!("{name}: {}", shown(values))).collect();
        let n = variants.iter().filter(|variant| variant.idx == idx).count();
        let _ = writeln!(
            text,
            "| `{}` | {} | {n} | {} | {} |",
            cell(&form.isa),
            over.join("; "),
            source(form),
            today(form)
        );
    }
    text
}

fn shown(values: &[String]) -> String {
    let values =
        values.iter().map(|value| if value.is_empty() { "nothing" } else { value.trim_start_matches('.') });
    values.collect::<Vec<_>>().join(" ")
}

fn source(form: &Form) -> String {
    let options = form.options.iter().map(|option| format!(", `{option}`")).collect::<String>();
    let source = match (&form.value, &form.body, &form.asm) {
        (_, _, Some(_)) => "inline PTX".to_owned(),
        (_, Some(body), _) if body.contains("asm") => "inline PTX".to_owned(),
        (Some(value), ..) if value == "a" && !form.prelude.is_empty() => format!("`{}`", cell(&form.prelude)),
        (Some(value), ..) => format!("`{}`", cell(value)),
        (_, Some(body), _) => {
            format!("`{}`", cell(body.split_whitespace().collect::<Vec<_>>().join(" ").as_str()))
        }
        _ => String::new(),
    };
    source + &options
}

fn today(form: &Form) -> String {
    let instruction = match (&form.ptx, &form.text) {
        (Some(pattern), _) | (None, Some(pattern)) => format!("`{}`", cell(&pattern.replace("\\.", "."))),
        (None, None) => "the same".to_owned(),
    };
    let retired = if form.retired.is_empty() { "" } else { "retired; " };
    if form.why.is_empty() { instruction } else { format!("{retired}{instruction}: {}", form.why) }
}

/// A bar would end a table cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace("{n}", "").replace('\n', " ")
}
