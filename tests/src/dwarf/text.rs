//! A tree as text, for CHECK lines: one line for each function, parameter, variable and block, with contents
//! indented.

use super::tree::{Block, Location, Subprogram, Tree, TypeId, Types, Variable};

/// The tree as text.
pub fn text(tree: &Tree) -> String {
    let mut text = Text { types: &tree.types, lines: String::new() };
    text.line(0, &format!("unit of {}, DWARF {}", tree.language, tree.version));
    tree.variables.iter().for_each(|variable| text.variable(1, "variable", variable));
    tree.subprograms.iter().for_each(|subprogram| text.subprogram(subprogram));
    text.lines
}

struct Text<'t> {
    types: &'t Types,
    lines: String,
}

impl Text<'_> {
    fn line(&mut self, depth: usize, line: &str) {
        self.lines.push_str(&"  ".repeat(depth));
        self.lines.push_str(line);
        self.lines.push('\n');
    }

    fn ty(&self, id: TypeId) -> String {
        self.types.describe(id)
    }

    fn subprogram(&mut self, of: &Subprogram) {
        let symbol = of.linkage_name.as_deref().unwrap_or("none");
        let external = if of.is_external { "external" } else { "internal" };
        let line = of.place.as_ref().map_or(0, |place| place.line);
        self.line(
            1,
            &format!(
                "subprogram {}, symbol {symbol}, line {line}, {external}: {}",
                of.name,
                self.ty(of.result)
            ),
        );
        of.parameters.iter().for_each(|parameter| self.variable(2, "parameter", parameter));
        self.block(2, &of.body);
    }

    fn block(&mut self, depth: usize, block: &Block) {
        block.variables.iter().for_each(|variable| self.variable(depth, "variable", variable));
        for inner in &block.blocks {
            self.line(depth, "block");
            self.block(depth + 1, inner);
        }
    }

    fn variable(&mut self, depth: usize, what: &str, of: &Variable) {
        let class = of.class.map_or("no class".to_owned(), |class| format!("class {class}"));
        let line = of.place.as_ref().map_or(0, |place| place.line);
        let place = match &of.location {
            Location::Register(name) => format!("in register {name}"),
            Location::Symbol(name) => format!("at {name}"),
            other => other.kind().to_owned(),
        };
        self.line(depth, &format!("{what} {}, line {line}, {class}, {place}: {}", of.name, self.ty(of.ty)));
    }
}
