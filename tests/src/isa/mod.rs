//! The instructions of PTX ISA 1.1, each with a source that reaches it: `tests/conformance/instructions.toml`.
//!
//! A form has many variants: `{t}` in its texts is each of the types that it is `over`, and likewise for other names. A
//! variant is a kernel, `k0` and so on, with two requirements: its PTX has the instruction, or its replacement, and it
//! computes the same as nvcc's PTX for the same source.
//!
//! - this file: the table and its variants; [`source`]: their kernels and input words; [`compare`]: compares a compiler's
//!   output with nvcc's; [`report`]: the page
//! - for newer versions: [`all_forms`] of instructions with slots, compared only with ptxas: those of [`matrices`],
//!   [`objects`], [`conversions`] and [`constants`]; random [`forms`] of computing instructions, and [`orders`] of modifiers

pub mod all_forms;
pub mod compare;
pub mod constants;
pub mod conversions;
pub mod forms;
pub mod matrices;
pub mod mutated;
pub mod objects;
pub mod orders;
pub mod report;
pub mod source;
pub mod unexecuted;

use std::collections::BTreeMap;
use std::fs;

use regex::Regex;
use serde::Deserialize;

use crate::Failure;
use crate::tools::repository;

/// The path of the table, from the repository's root.
pub const PATH: &str = "tests/conformance/instructions.toml";

/// A form of an instruction, special register or directive.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Form {
    /// The name of its table in the ISA: `add`, `%tid`, `.entry`.
    pub of: String,
    /// The number of that table.
    #[serde(default)]
    pub table: u32,
    /// Or the section that describes it.
    #[serde(default)]
    pub section: String,
    /// Its spelling in ISA 1.1: `add.{t}`.
    pub isa: String,
    /// The values of the names in its texts.
    #[serde(default)]
    pub over: BTreeMap<String, Vec<String>>,
    /// The types of the operands `a`, `b`, `c` and `d`, by their PTX names.
    #[serde(default)]
    pub operands: Vec<String>,
    /// The type of the result; `None` if there is no value.
    pub result: Option<String>,
    /// The text before the kernel.
    #[serde(default)]
    pub prelude: String,
    /// An expression of the operands.
    pub value: Option<String>,
    /// Or statements that return the result.
    pub body: Option<String>,
    /// Or PTX, with `%0` for the result and `%1` and so on for the operands.
    pub asm: Option<String>,
    /// The instruction in current PTX, as a regular expression for its whole name; by default `isa`.
    pub ptx: Option<String>,
    /// Or a regular expression that must match somewhere in the PTX.
    pub text: Option<String>,
    /// PTX of ISA 1.1 that is no longer valid: declarations, or statements of a kernel in braces. The other
    /// fields describe its replacement.
    #[serde(default)]
    pub retired: String,
    /// Why the instruction differs.
    #[serde(default)]
    pub why: String,
    /// Options for both compilers.
    #[serde(default)]
    pub options: Vec<String>,
    /// Why comparing the computed results is useless, if it is.
    #[serde(default)]
    pub unrun: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    form: Vec<Form>,
}

/// One instruction: a form with values for all names.
#[derive(Clone, Debug)]
pub struct Variant {
    /// Filled in.
    pub form: Form,
    /// The index of its form in the table.
    pub idx: usize,
}

/// Reads the table.
///
/// # Errors
///
/// If it cannot be read.
pub fn forms() -> Result<Vec<Form>, Failure> {
    let text = fs::read_to_string(repository().join(PATH)).map_err(|e| format!("{PATH}: {e}"))?;
    let table: Table = toml::from_str(&text).map_err(|e| format!("{PATH}: {e}"))?;
    Ok(table.form)
}

/// Groups of variants that are compared at once: of one instruction, with the same options.
pub fn files(variants: &[Variant]) -> Vec<&[Variant]> {
    let is_alike = |a: &Variant, b: &Variant| (&a.form.of, &a.form.options) == (&b.form.of, &b.form.options);
    variants.chunk_by(is_alike).flat_map(|alike| alike.chunks(compare::N_KERNELS)).collect()
}

/// The variants, in order.
///
/// # Errors
///
/// A form without a source, or with two.
pub fn variants(forms: &[Form]) -> Result<Vec<Variant>, Failure> {
    let mut variants = Vec::new();
    for (idx, form) in forms.iter().enumerate() {
        let sources = [&form.value, &form.body, &form.asm].into_iter().flatten().count();
        if sources != 1 {
            return Err(format!("{}: {sources} sources", form.isa));
        }
        let mut some = vec![form.clone()];
        for (name, values) in &form.over {
            some = some.iter().flat_map(|form| values.iter().map(|value| form.filled(name, value))).collect();
        }
        variants.extend(some.into_iter().map(|form| Variant { form, idx }));
    }
    Ok(variants)
}

impl Form {
    /// The form with a value for a name. `{t.c}` is the C type for PTX type `t`, `{t.v}` the base name of its
    /// CUDA vectors.
    fn filled(&self, name: &str, value: &str) -> Form {
        let fill = |text: &str| {
            let text = text.replace(&format!("{{{name}}}"), value);
            let text = text.replace(&format!("{{{name}.c}}"), source::c_type(value).unwrap_or_default());
            text.replace(&format!("{{{name}.v}}"), &source::vector_type(value).unwrap_or_default())
        };
        let may_fill = |text: &Option<String>| text.as_deref().map(fill);
        Form {
            of: self.of.clone(),
            table: self.table,
            section: self.section.clone(),
            isa: fill(&self.isa),
            over: self.over.clone(),
            operands: self.operands.iter().map(|ty| fill(ty)).collect(),
            result: may_fill(&self.result),
            prelude: fill(&self.prelude),
            value: may_fill(&self.value),
            body: may_fill(&self.body),
            asm: may_fill(&self.asm),
            ptx: may_fill(&self.ptx),
            text: may_fill(&self.text),
            retired: self.retired.clone(),
            why: self.why.clone(),
            options: self.options.clone(),
            unrun: self.unrun.clone(),
        }
    }
}

impl Variant {
    /// Whether its result is compared.
    pub fn has_value(&self) -> bool {
        self.form.result.is_some() && self.form.unrun.is_empty()
    }

    /// Whether the PTX has its instruction as written in the source, even without optimization: inline PTX,
    /// and directives.
    fn is_as_written(&self) -> bool {
        let is_asm = |body: &String| body.contains("asm");
        self.form.asm.is_some()
            || self.form.body.as_ref().is_some_and(is_asm)
            || self.form.of.starts_with('.')
    }

    /// Checks that the PTX has the instruction in the kernel with this index.
    ///
    /// # Errors
    ///
    /// The instructions instead; an invalid regular expression.
    pub fn is_in(&self, ptx: &str, idx: usize) -> Result<(), Failure> {
        let compiled = |pattern: &str| Regex::new(pattern).map_err(|e| format!("{}: {e}", self.form.isa));
        if let Some(text) = &self.form.text {
            let text = text.replace("{n}", &idx.to_string());
            let is_there = compiled(&format!("(?m){text}"))?.is_match(ptx);
            return if is_there { Ok(()) } else { Err(format!("`{text}` is nowhere in it")) };
        }
        let pattern = self.form.ptx.clone().unwrap_or_else(|| regex::escape(&self.form.isa));
        let wanted = compiled(&format!("^(?:{pattern})$"))?;
        let instructions = instructions(ptx, &format!("k{idx}"));
        if instructions.iter().any(|instruction| wanted.is_match(instruction)) {
            return Ok(());
        }
        Err(format!("there is no `{pattern}` among {}", instructions.join(" ")))
    }
}

impl Form {
    /// Its place in the ISA.
    pub fn place(&self) -> String {
        match &*self.section {
            "" => format!("table {}", self.table),
            section => format!("section {section}"),
        }
    }

    /// A module with the retired PTX.
    pub fn retired_module(&self) -> String {
        let is_statement = self.retired.starts_with('{');
        let (before, inside) = if is_statement { ("", &*self.retired) } else { (&*self.retired, "") };
        format!(
            ".version 9.0\n.target sm_90\n.address_size 64\n{before}\n.visible .entry k()\n{{\n{inside}\nret;\n}}\n"
        )
    }
}

/// The names of a kernel's instructions, in order.
fn instructions(ptx: &str, kernel: &str) -> Vec<String> {
    let head = format!(".entry {kernel}(");
    let mut lines = ptx.lines().skip_while(|line| !line.contains(&head)).skip_while(|line| *line != "{");
    let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "}").collect();
    let statements = body
        .iter()
        .flat_map(|line| line.split("//").next().unwrap_or_default().split(['{', '}', ';']).map(str::trim));
    let names = statements.filter_map(|statement| {
        let mut words = statement.split_whitespace();
        let first = words.next()?;
        let name = if first.starts_with('@') { words.next()? } else { first };
        name.starts_with(|c: char| c.is_ascii_lowercase()).then(|| name.to_owned())
    });
    names.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_those_of_the_kernel() {
        let ptx = ".visible .entry k1(\n)\n{\n\tadd.s32 %r1, %r2, 1;\n}\n.visible .entry k10(\n)\n{\n\
                   \t@%p1 bra $L;\n\t{ .reg .pred p; setp.ne.u32 p, %r1, 0; } // sub\n$L:\n\tret;\n}\n";
        assert_eq!(instructions(ptx, "k10"), ["bra", "setp.ne.u32", "ret"]);
    }

    #[test]
    fn a_form_expands_to_all_combinations() {
        let form = "of = \"x\"\ntable = 1\nisa = \"x.{op}.{t}\"\nover = { op = [\"lt\", \"gt\"], t = [\"u16\", \"f32\"] }\n\
                    operands = [\"{t}\"]\nvalue = \"({t.c})a\"\n";
        let form: Form = toml::from_str(form).expect("a form");
        let variants = variants(&[form]).expect("it has one source");
        let shown: Vec<(&str, &str)> = variants
            .iter()
            .map(|variant| (&*variant.form.isa, variant.form.value.as_deref().unwrap_or_default()))
            .collect();
        let expected = [
            ("x.lt.u16", "(unsigned short)a"),
            ("x.lt.f32", "(float)a"),
            ("x.gt.u16", "(unsigned short)a"),
            ("x.gt.f32", "(float)a"),
        ];
        assert_eq!(shown, expected);
    }
}
