//! Punctuators (C17 6.4.6, C++17 5.12), by maximal munch.
//!
//! As in nvcc and clang for CUDA, `<<<` and `>>>` are tokens, so `>>>=` is `>>>` `=`. No C program has
//! three in a row.

use super::Lexer;
use crate::token::Punct;

impl Lexer<'_> {
    /// The punctuator at the position, which begins with `first`. Consumes nothing if there is none.
    pub(super) fn punct(&mut self, first: u8) -> Option<Punct> {
        let start = self.pos;
        self.pos += 1;
        let punct = match first {
            b'.' => self.dot(),
            b'-' => self.one_of(
                &[(b'>', Punct::Arrow), (b'-', Punct::MinusMinus), (b'=', Punct::MinusEq)],
                Punct::Minus,
            ),
            b'+' => self.one_of(&[(b'+', Punct::PlusPlus), (b'=', Punct::PlusEq)], Punct::Plus),
            b'&' => self.one_of(&[(b'&', Punct::AmpAmp), (b'=', Punct::AmpEq)], Punct::Amp),
            b'|' => self.one_of(&[(b'|', Punct::PipePipe), (b'=', Punct::PipeEq)], Punct::Pipe),
            b'*' => self.one_of(&[(b'=', Punct::StarEq)], Punct::Star),
            b'/' => self.one_of(&[(b'=', Punct::SlashEq)], Punct::Slash),
            b'^' => self.one_of(&[(b'=', Punct::CaretEq)], Punct::Caret),
            b'!' => self.one_of(&[(b'=', Punct::Ne)], Punct::Bang),
            b'=' => self.one_of(&[(b'=', Punct::EqEq)], Punct::Eq),
            b':' => self.one_of(&[(b':', Punct::ColonColon), (b'>', Punct::RBracket)], Punct::Colon),
            b'#' => self.one_of(&[(b'#', Punct::HashHash)], Punct::Hash),
            b'%' => self.percent(),
            b'<' => self.less(),
            b'>' => self.greater(),
            _ => {
                self.pos = start;
                return None;
            }
        };
        Some(punct)
    }

    #[inline(always)]
    fn one_of(&mut self, choices: &[(u8, Punct)], otherwise: Punct) -> Punct {
        let pos = self.unsplice(self.pos);
        let next = self.byte(pos);
        let Some(&(_, punct)) = choices.iter().find(|&&(byte, _)| byte == next) else { return otherwise };
        self.pos = pos + 1;
        punct
    }

    fn dot(&mut self) -> Punct {
        let start = self.pos;
        if self.eat(b'.') && self.eat(b'.') {
            return Punct::Ellipsis;
        }
        self.pos = start;
        Punct::Dot
    }

    fn percent(&mut self) -> Punct {
        if !self.eat(b':') {
            return self.one_of(&[(b'=', Punct::PercentEq), (b'>', Punct::RBrace)], Punct::Percent);
        }
        let start = self.pos;
        if self.eat(b'%') && self.eat(b':') {
            return Punct::HashHash;
        }
        self.pos = start;
        Punct::Hash
    }

    fn less(&mut self) -> Punct {
        let start = self.pos;
        if self.eat(b'<') {
            return self.one_of(&[(b'<', Punct::LaunchOpen), (b'=', Punct::ShlEq)], Punct::Shl);
        }
        if self.eat(b':') {
            // C++17 5.4p3: `<::` is `<` `::` unless `:` or `>` follows.
            let digraph_end = self.pos;
            let splits = self.eat(b':') && !self.eat(b':') && !self.eat(b'>');
            self.pos = if splits { start } else { digraph_end };
            return if splits { Punct::Lt } else { Punct::LBracket };
        }
        self.one_of(&[(b'=', Punct::Le), (b'%', Punct::LBrace)], Punct::Lt)
    }

    fn greater(&mut self) -> Punct {
        if self.eat(b'>') {
            return self.one_of(&[(b'>', Punct::LaunchClose), (b'=', Punct::ShrEq)], Punct::Shr);
        }
        self.one_of(&[(b'=', Punct::Ge)], Punct::Gt)
    }
}
