//! The elements and members of objects, for messages.

/// The structure of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Layout {
    /// An object without named parts, of this size in bytes.
    Number(u64),
    /// An element type, and the number of elements.
    Array(Box<Layout>, u64),
    /// A struct: its size in bytes, and for each member the name, the offset and the layout.
    Struct(u64, Vec<(String, u64, Layout)>),
}

impl Layout {
    /// The size in bytes.
    pub fn size(&self) -> u64 {
        match self {
            Layout::Number(size) | Layout::Struct(size, _) => *size,
            Layout::Array(element, len) => element.size().saturating_mul(*len),
        }
    }

    /// The element at an offset, as it is written after the object's name, and the offset in the element.
    /// Elements outside the outermost array are named, too.
    pub fn path(&self, offset: i64) -> (String, i64) {
        match self {
            Layout::Number(_) => (String::new(), offset),
            Layout::Array(element, _) => match i64::try_from(element.size()) {
                Ok(size @ 1..) => {
                    let (inner, rest) = element.path(offset.rem_euclid(size));
                    (format!("[{}]{inner}", offset.div_euclid(size)), rest)
                }
                _ => (String::new(), offset),
            },
            Layout::Struct(_, members) => {
                let holds = |(_, start, member): &&(String, u64, Layout)| {
                    u64::try_from(offset).is_ok_and(|at| (*start..*start + member.size()).contains(&at))
                };
                match members.iter().find(holds) {
                    Some((name, start, member)) => {
                        let (inner, rest) = member.path(offset - *start as i64);
                        (format!(".{name}{inner}"), rest)
                    }
                    None => (String::new(), offset),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_elements_of_arrays_and_members() {
        let point = Layout::Struct(
            12,
            vec![("x".to_owned(), 0, Layout::Number(4)), ("y".to_owned(), 8, Layout::Number(4))],
        );
        let rows = Layout::Array(Box::new(Layout::Array(Box::new(point), 4)), 2);
        assert_eq!(rows.size(), 96);
        let path = |offset| rows.path(offset);
        assert_eq!(path(0), ("[0][0].x".to_owned(), 0));
        assert_eq!(path(48 + 12 + 9), ("[1][1].y".to_owned(), 1));
        assert_eq!(path(4), ("[0][0]".to_owned(), 4), "padding");
        assert_eq!(path(96), ("[2][0].x".to_owned(), 0), "past the end");
        assert_eq!(path(-12), ("[-1][3].x".to_owned(), 0));
        assert_eq!(Layout::Array(Box::new(Layout::Number(0)), 4).path(3), (String::new(), 3));
    }
}
