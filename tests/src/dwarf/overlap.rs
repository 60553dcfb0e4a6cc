//! Checks that variables of a function whose scopes overlap have separate locations in the frame.

use super::tree::{Block, Location, Subprogram, Tree, Type, TypeId, Types, Variable};

/// The overlapping pairs, each with its function.
pub fn overlaps(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for subprogram in &tree.subprograms {
        let mut frame = Frame { types: &tree.types, subprogram, in_scope: Vec::new(), found: &mut found };
        subprogram.parameters.iter().for_each(|parameter| frame.add(parameter));
        frame.block(&subprogram.body);
    }
    found
}

struct Frame<'t, 'f> {
    types: &'t Types,
    subprogram: &'t Subprogram,
    /// Names, with the start and the end of the location.
    in_scope: Vec<(&'t str, i64, i64)>,
    found: &'f mut Vec<String>,
}

impl<'t> Frame<'t, '_> {
    fn block(&mut self, block: &'t Block) {
        let outer = self.in_scope.len();
        block.variables.iter().for_each(|variable| self.add(variable));
        block.blocks.iter().for_each(|inner| self.block(inner));
        self.in_scope.truncate(outer);
    }

    fn add(&mut self, variable: &'t Variable) {
        let Location::Frame(start) = variable.location else { return };
        let end = start + size(self.types, variable.ty).cast_signed();
        for (name, from, to) in &self.in_scope {
            if start < *to && *from < end {
                let Subprogram { name: function, .. } = self.subprogram;
                self.found.push(format!("{function}: {} and {name} overlap in the frame", variable.name));
            }
        }
        self.in_scope.push((&variable.name, start, end));
    }
}

/// The size in bytes; 0 if unknown.
fn size(types: &Types, id: TypeId) -> u64 {
    match types.get(id) {
        Type::Void | Type::Function { .. } => 0,
        Type::Base { size, .. } | Type::Enum { size, .. } => *size,
        Type::Record(record) => record.size,
        Type::Pointer { .. } => 8,
        Type::Typedef { to, .. } | Type::Qualified { to, .. } => size(types, *to),
        Type::Array { of, counts } => {
            counts.iter().map(|count| count.unwrap_or(0)).product::<u64>() * size(types, *of)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_at_one_place_overlap() {
        let mut tree = Tree::default();
        let long = Type::Base { name: "long".into(), encoding: "DW_ATE_signed".into(), size: 8 };
        let ty = tree.types.add(long);
        let at = |name: &str, offset| Variable {
            name: name.into(),
            location: Location::Frame(offset),
            ty,
            ..Variable::default()
        };
        let inner = |offset| Block { variables: vec![at("inner", offset)], blocks: Vec::new() };
        let found = |outer: i64, inners: [i64; 2]| {
            let mut tree = tree.clone();
            let body = Block { variables: vec![at("outer", outer)], blocks: inners.map(inner).to_vec() };
            tree.subprograms.push(Subprogram { name: "f".into(), body, ..Subprogram::default() });
            overlaps(&tree)
        };
        assert_eq!(found(0, [8, 8]), [""; 0]);
        assert_eq!(found(0, [4, 8]), ["f: inner and outer overlap in the frame"]);
    }
}
