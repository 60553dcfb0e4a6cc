//! Texts that may become very long.

/// The maximum size of a piece in bytes, unless it is appended as one.
const MAX_PIECE: usize = 1 << 20;

/// An append-only text. It is in pieces, so that it never needs much more memory than it has bytes: the
/// host's memory is checked before it is used up.
#[derive(Debug, Default)]
pub struct Text {
    pieces: Vec<Vec<u8>>,
    len: usize,
}

impl Text {
    /// Appends bytes.
    pub fn push(&mut self, text: &[u8]) {
        match self.pieces.last_mut() {
            Some(last) if last.capacity() - last.len() >= text.len() => last.extend_from_slice(text),
            _ => {
                // Short texts take little memory, and long ones have few pieces.
                let mut piece = Vec::with_capacity(self.len.min(MAX_PIECE).max(text.len()));
                piece.extend_from_slice(text);
                self.pieces.push(piece);
            }
        }
        self.len += text.len();
    }

    /// Its pieces, in order.
    pub fn pieces(&self) -> impl Iterator<Item = &[u8]> {
        self.pieces.iter().map(Vec::as_slice)
    }

    /// The whole text.
    pub fn into_bytes(mut self) -> Vec<u8> {
        if self.pieces.len() == 1 {
            return self.pieces.swap_remove(0);
        }
        let mut bytes = Vec::with_capacity(self.len);
        self.pieces.iter().for_each(|piece| bytes.extend_from_slice(piece));
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_grow_in_pieces() {
        let mut text = Text::default();
        assert_eq!(text.pieces().count(), 0);
        let mut expected = Vec::new();
        for n in 0..2000_usize {
            let word = vec![n as u8; n];
            text.push(&word);
            expected.extend(word);
        }
        assert!((2..40).contains(&text.pieces().count()), "{}", text.pieces().count());
        assert_eq!(text.pieces().flatten().copied().collect::<Vec<u8>>(), expected);
        assert_eq!(text.into_bytes(), expected);
        assert_eq!(Text::default().into_bytes(), Vec::<u8>::new());
    }
}
