//! Maps each line of inline PTX to its position in the source.

use weft_frontend::ir::{AsmPieceData, Module, StmtData};
use weft_frontend::source::Span;

/// An `asm` statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inline {
    /// The statement.
    pub span: Span,
    /// The lines of its text, trimmed; the statement's span for an empty one.
    pub lines: Vec<Span>,
}

/// The `asm` statements of a program.
pub fn of_module(module: &Module) -> Vec<Inline> {
    let bodies = module.functions.values().filter_map(|function| function.body.as_ref());
    let stmts = bodies.flat_map(|body| body.stmts.values());
    let all = stmts.filter_map(|node| match &node.data {
        StmtData::Asm(asm) => {
            let pieces = asm.pieces.iter().map(|piece| (&piece.data, piece.template.clone()));
            let lines = lines(pieces).into_iter();
            let lines = lines.map(|line| line.map_or(node.span, |(start, end)| asm.span_of(start..end)));
            Some(Inline { span: node.span, lines: lines.collect() })
        }
        _ => None,
    });
    all.collect()
}

/// The byte range in the template of each line; `None` for a blank one.
fn lines<'a>(
    pieces: impl Iterator<Item = (&'a AsmPieceData, std::ops::Range<u32>)>,
) -> Vec<Option<(u32, u32)>> {
    let mut lines = Vec::new();
    let mut line: Option<(u32, u32)> = None;
    let extend = |line: &mut Option<(u32, u32)>, start: u32, end: u32| {
        *line = Some(line.map_or((start, end), |(first, _)| (first, end)));
    };
    for (data, template) in pieces {
        let AsmPieceData::Text(text) = data else {
            extend(&mut line, template.start, template.end);
            continue;
        };
        // `%%` becomes one byte.
        let is_exact = text.len() == template.len();
        for (at, c) in text.char_indices() {
            let (start, end) = if is_exact {
                let start = template.start + at as u32;
                (start, start + c.len_utf8() as u32)
            } else {
                (template.start, template.end)
            };
            match c {
                '\n' => lines.push(line.take()),
                _ if c.is_whitespace() => {}
                _ => extend(&mut line, start, end),
            }
        }
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_parts_of_the_template() {
        let text = |text: &str| AsmPieceData::Text(text.into());
        // "\tmov %0, 3;\n\n { %%x; }"
        let pieces = [text("\tmov "), AsmPieceData::Operand(0), text(", 3;\n\n { "), text("%"), text("x; }")];
        let ranges = [0..5, 5..7, 7..16, 16..18, 18..22];
        assert_eq!(lines(pieces.iter().zip(ranges)), [Some((1, 11)), None, Some((14, 22))]);
        assert_eq!(lines([].into_iter()), [None]);
    }
}
