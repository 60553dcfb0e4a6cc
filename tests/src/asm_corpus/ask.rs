//! The answers of ptxas and `weftc` about `asm` statements.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::{Operand, Statement};
use crate::Failure;
use crate::isa::all_forms::{Names, Target, refused};
use crate::tools::{Tool, Tools, run};

/// GPUs and PTX versions: a statement that ptxas accepts for one is not tried for the later ones.
pub const TARGETS: &[Target<'_>] = &[
    ("sm_100a", "9.0"),
    ("sm_90a", "9.0"),
    ("sm_103a", "9.0"),
    ("sm_120a", "9.0"),
    ("sm_100a", "9.2"),
    ("sm_100a", "9.3"),
    ("sm_100a", "9.4"),
    ("sm_100a", "9.5"),
    ("sm_107a", "9.5"),
    ("sm_75", "6.3"),
];

/// Values for constants that the header does not specify: some instructions take sizes, some small numbers.
const NUMBERS: &[u64] = &[16, 24, 0, 128];

/// The accepted statements, by GPU and version, with the value of constants.
pub type Taken<'s> = BTreeMap<Target<'static>, Vec<(&'s Statement, u64)>>;

/// Asks ptxas about all statements; returns those that it accepts, each for the first GPU, and those that it
/// accepts for none.
///
/// # Errors
///
/// If ptxas cannot be run.
pub fn ptxas<'s>(
    tools: &Tools,
    statements: &[&'s Statement],
    work: &Path,
) -> Result<(Taken<'s>, Vec<&'s Statement>), Failure> {
    let mut left = statements.to_vec();
    let mut taken = Taken::new();
    for target in TARGETS {
        for &number in NUMBERS {
            let has_number =
                |statement: &Statement| statement.operands.iter().any(|operand| operand.letter == 'n');
            let is_asked = |statement: &Statement| number == NUMBERS[0] || has_number(statement);
            let texts: Vec<(&Statement, String)> =
                left.iter().filter(|it| is_asked(it)).map(|&it| (it, in_module(it, number))).collect();
            let registers = registers(&left, *target);
            let asked: Vec<&str> = texts.iter().map(|(_, text)| text.as_str()).collect();
            let refused = refused(
                tools,
                *target,
                Names { variables: "", registers: &registers },
                &asked,
                |_| false,
                work,
            )?;
            let takes: BTreeSet<&Statement> = texts
                .iter()
                .filter(|(_, text)| !refused.contains(text.as_str()))
                .map(|&(it, _)| it)
                .collect();
            taken.entry(*target).or_default().extend(takes.iter().map(|&it| (it, number)));
            left.retain(|it| !takes.contains(it));
        }
    }
    Ok((taken, left))
}

/// Registers of each letter, enough for all operand numbers; old versions lack those of 128 bits.
fn registers(statements: &[&Statement], (_, version): Target<'_>) -> String {
    let n = statements.iter().map(|it| it.operands.len()).max().unwrap_or(0) + 1;
    let types = [('h', "b16"), ('r', "b32"), ('l', "b64"), ('f', "f32"), ('d', "f64"), ('q', "b128")];
    let mut registers = String::new();
    for (letter, ty) in types.into_iter().filter(|(letter, _)| *letter != 'q' || version >= "8.3") {
        let _ = write!(registers, ".reg .{ty} %{letter}<{n}>; ");
    }
    registers
}

/// The text in braces, on one line, with registers instead of operands.
fn in_module(statement: &Statement, number: u64) -> String {
    let operand = |idx: usize, operand: &Operand| match operand.letter {
        'n' => operand.number.unwrap_or(number).to_string(),
        letter => format!("%{letter}{idx}"),
    };
    let lines: Vec<&str> =
        statement.text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
    let line = lines.join(" ");
    let mut text = String::from("{ ");
    let mut rest = line.as_str();
    while let Some((before, after)) = rest.split_once('%') {
        text.push_str(before);
        let n_digits = after.bytes().take_while(u8::is_ascii_digit).count();
        let of_name = |name: &str| statement.operands.iter().position(|it| it.name.as_deref() == Some(name));
        let named = after.strip_prefix('[').and_then(|named| named.split_once(']'));
        (rest, ()) = match (after.strip_prefix(['%', '=']), after[..n_digits].parse::<usize>(), named) {
            (Some(rest), ..) => (rest, text.push(if after.starts_with('%') { '%' } else { '0' })),
            (None, Ok(idx), _) if idx < statement.operands.len() => {
                (&after[n_digits..], text.push_str(&operand(idx, &statement.operands[idx])))
            }
            (None, _, Some((name, rest))) if let Some(idx) = of_name(name) => {
                (rest, text.push_str(&operand(idx, &statement.operands[idx])))
            }
            _ => (after, text.push('%')),
        };
    }
    format!("{text}{rest} }}")
}

/// A function with one statement per line.
fn source(statements: &[(&Statement, u64)]) -> String {
    let mut source = String::new();
    for (idx, (statement, number)) in statements.iter().enumerate() {
        let ty = |letter: char| match letter {
            'h' => "short",
            'l' => "long long",
            'f' => "float",
            'd' => "double",
            'q' => "__int128",
            _ => "int",
        };
        let (mut parameters, mut outputs, mut inputs) = (Vec::new(), Vec::new(), Vec::new());
        for (at, operand) in statement.operands.iter().enumerate() {
            let value = match operand.letter {
                'n' => operand.number.unwrap_or(*number).to_string(),
                letter => {
                    parameters.push(format!("{} x{at}", ty(letter)));
                    format!("x{at}")
                }
            };
            let name = operand.name.as_ref().map(|name| format!("[{name}] ")).unwrap_or_default();
            let written = format!("{name}\"{}{}\"({value})", operand.modes, operand.letter);
            if at < statement.n_outputs { &mut outputs } else { &mut inputs }.push(written);
        }
        let text = statement
            .text
            .replace('\\', "\\\\")
            .replace('"', "\\\"")
            .replace('\n', "\\n")
            .replace('\t', "\\t");
        let _ = writeln!(
            source,
            "__device__ void f{idx}({}) {{ asm volatile(\"{text}\" : {} : {} : \"memory\"); }}",
            parameters.join(", "),
            outputs.join(", "),
            inputs.join(", ")
        );
    }
    source
}

/// The number of statements per run of `weftc`, which stops after a hundred errors.
const N_OF_FILE: usize = 100;

/// Checks the statements with `weftc`, compiles the accepted ones for a GPU, and gives the output to ptxas;
/// returns the statements that one of them rejects, with the message.
///
/// # Errors
///
/// If one cannot be run, or fails otherwise.
pub fn weftc(
    tools: &Tools,
    arch: &str,
    statements: &[(&Statement, u64)],
    work: &Path,
) -> Result<Vec<String>, Failure> {
    let mut wrong = Vec::new();
    for some in statements.chunks(N_OF_FILE) {
        wrong.extend(refused_by_weftc(tools, arch, some, work)?);
    }
    if !wrong.is_empty() {
        return Ok(wrong);
    }
    let (input, ptx) = (work.join(format!("{arch}.src")), work.join(format!("{arch}.ptx")));
    fs::write(&input, source(statements)).map_err(|e| e.to_string())?;
    let mut weftc = tools.weftc();
    run(weftc.args(["-w", "-O0", "-arch", arch, "-o"]).arg(&ptx).arg(&input))?.success()?;
    let mut ptxas = tools.tool(Tool::Ptxas)?;
    ptxas.args(["-c", "-O0", &format!("-arch={arch}"), "-o"]).arg(work.join("corpus.o")).arg(&ptx);
    let answer = run(&mut ptxas)?;
    match answer.status {
        Some(0) => Ok(Vec::new()),
        _ => Ok(vec![answer.report("what weftc makes is refused")]),
    }
}

/// The errors of `weftc`, each with its statement.
fn refused_by_weftc(
    tools: &Tools,
    arch: &str,
    statements: &[(&Statement, u64)],
    work: &Path,
) -> Result<Vec<String>, Failure> {
    let input = work.join("some.src");
    fs::write(&input, source(statements)).map_err(|e| e.to_string())?;
    let mut weftc = tools.weftc();
    weftc.args(["-w", "-fsyntax-only", "--error-format=short", "-arch", arch]).arg(&input);
    let answer = run(&mut weftc)?;
    match answer.status {
        Some(0) => return Ok(Vec::new()),
        Some(1) => {}
        _ => return Err(answer.report("neither taken nor refused")),
    }
    let shown = |said: &str| {
        let (_, rest) = said.split_once("some.src:")?;
        let (statement, _) =
            statements.get(rest.split(':').next()?.parse::<usize>().ok()?.checked_sub(1)?)?;
        Some(format!("{}: {:?}", rest.split_once("]: ").map_or(rest, |(_, message)| message), statement.text))
    };
    Ok(answer.stderr.lines().map(|said| shown(said).unwrap_or_else(|| said.to_owned())).collect())
}
