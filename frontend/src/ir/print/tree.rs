//! A tree of text, on one line if it fits.

/// The column at which lines are broken.
const WIDTH: usize = 100;

/// A node with its operands.
pub(super) struct Tree {
    head: String,
    children: Vec<Tree>,
    /// Characters of the whole on one line.
    flat_len: usize,
}

impl Tree {
    pub(super) fn leaf(head: String) -> Tree {
        let flat_len = head.chars().count();
        Tree { head, children: Vec::new(), flat_len }
    }

    /// `head(child, child)`
    pub(super) fn node(head: String, children: Vec<Tree>) -> Tree {
        let separators = 2 * children.len().max(1);
        let flat_len =
            head.chars().count() + separators + children.iter().map(|child| child.flat_len).sum::<usize>();
        let head = if children.is_empty() { head + "()" } else { head };
        Tree { head, children, flat_len }
    }

    /// The same with words in front.
    pub(super) fn labelled(mut self, label: &str) -> Tree {
        self.head.insert_str(0, label);
        self.flat_len += label.chars().count();
        self
    }

    /// Writes ` tree` after the first `column` columns of the line, or, if it does not fit there
    /// and is no leaf, with its operands on lines of their own at `depth` steps of indentation.
    pub(super) fn write(&self, out: &mut String, column: usize, depth: usize) {
        out.push(' ');
        self.write_at(out, column, depth);
    }

    fn write_at(&self, out: &mut String, column: usize, depth: usize) {
        out.push_str(&self.head);
        if self.children.is_empty() {
            return;
        }
        out.push('(');
        if column + self.flat_len <= WIDTH {
            self.write_flat_children(out);
        } else {
            for child in &self.children {
                out.push('\n');
                out.push_str(&"  ".repeat(depth));
                child.write_at(out, 2 * depth, depth + 1);
            }
        }
        out.push(')');
    }

    fn write_flat_children(&self, out: &mut String) {
        for (child_idx, child) in self.children.iter().enumerate() {
            if child_idx > 0 {
                out.push_str(", ");
            }
            out.push_str(&child.head);
            if !child.children.is_empty() {
                out.push('(');
                child.write_flat_children(out);
                out.push(')');
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breaks_long_lines_outermost_first() {
        let leaf = |c: &str| Tree::leaf(c.repeat(40));
        let inner = Tree::node("inner".into(), vec![leaf("a"), leaf("b")]);
        let mut out = "x =".to_owned();
        Tree::node("outer".into(), vec![inner, leaf("c"), Tree::node("none".into(), vec![])])
            .write(&mut out, 3, 1);
        let (a, b, c) = ("a".repeat(40), "b".repeat(40), "c".repeat(40));
        assert_eq!(out, format!("x = outer(\n  inner({a}, {b})\n  {c}\n  none())"));
    }
}
