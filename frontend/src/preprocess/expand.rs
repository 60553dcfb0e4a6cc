//! Invocations of macros, and rescanning (C17 6.10.3.4).
//!
//! The expansion of an invocation is a frame of tokens to read before the rest of the text; frames are on a stack,
//! the innermost on top. A macro is disabled as long as its frame is on the stack; a name that is met while its
//! macro is disabled is marked, and never expanded again. A frame is removed when a token after it is needed, so
//! that the arguments of a call may begin in a frame and end in the text after it.
//!
//! All lists are stacks: an invocation pushes its arguments and their expansions, and pops them when its
//! own frame is made. Nothing is allocated once they have grown.

use std::ops::Range;

use super::Preprocessor;
use super::file::File;
use super::macros::{Dynamic, Function, MacroId, MacroKind, Meaning, Variadic, as_usize};
use crate::diag::{Code, Diagnostic};
use crate::limits::{MAX_ARGUMENT_TOKENS, MAX_EXPANDED_TOKENS, MAX_MACRO_NESTING};
use crate::source::Span;
use crate::token::{Form, Punct, Puncts, Symbol, Token, TokenKind};

#[derive(Debug, Default)]
pub(super) struct Expander {
    /// The tokens of the frames, one frame after the other.
    pub(super) pool: Vec<Token>,
    pub(super) frames: Vec<Frame>,
    /// The arguments of the invocations that are being read, as they are written.
    pub(super) written: Vec<Token>,
    /// The expansions of arguments.
    pub(super) expanded: Vec<Token>,
    pub(super) args: Vec<Arg>,
    /// White space stood before something that expanded to nothing.
    pub(super) is_after_space: bool,
    /// The nesting depth of invocations within arguments.
    nesting: u32,
    n_tokens: u32,
    /// Bytes of tokens made by `#` and `##`.
    pub(super) n_made_bytes: usize,
}

#[derive(Debug)]
pub(super) struct Frame {
    /// Where its tokens begin in the pool.
    start: u32,
    next: u32,
    end: u32,
    /// White space stood before something at its end that came to nothing.
    ends_in_space: bool,
    /// The macro that is disabled; `None` at the end of an argument that is expanded alone.
    owner: Option<MacroId>,
}

/// An argument of an invocation.
#[derive(Clone, Debug)]
pub(super) struct Arg {
    /// In `written`.
    pub(super) written: Range<u32>,
    /// In `expanded`, once it has been asked for.
    pub(super) expanded: Option<Range<u32>>,
    /// The expansion ends in white space before something empty.
    pub(super) ends_in_space: bool,
}

/// An invocation whose arguments have been read.
#[derive(Debug)]
pub(super) struct Call {
    /// Its arguments are those from here on.
    pub(super) first_arg: usize,
    /// The offset to add to a place in the replacement list.
    pub(super) shift: u32,
    /// The argument of `...` was left out altogether.
    pub(super) lacks_variadic: bool,
}

impl Expander {
    pub(super) fn clear(&mut self) {
        let Expander { n_tokens, n_made_bytes, .. } = *self;
        *self = Expander { n_tokens, n_made_bytes, ..Expander::default() };
    }

    /// Gives back the room of the last frame, if all of it has been read: the call that is to be expanded ends it.
    fn drop_read_tokens(&mut self) {
        if let Some(frame) = self.frames.last_mut()
            && frame.next == frame.end
            && frame.end as usize == self.pool.len()
        {
            self.pool.truncate(frame.start as usize);
            (frame.next, frame.end) = (frame.start, frame.start);
        }
    }

    /// Sets the frames aside, for a file that is read in between.
    pub(super) fn suspend(&mut self) -> (Vec<Frame>, bool) {
        (std::mem::take(&mut self.frames), std::mem::take(&mut self.is_after_space))
    }

    pub(super) fn resume(&mut self, (frames, is_after_space): (Vec<Frame>, bool)) {
        (self.frames, self.is_after_space) = (frames, is_after_space);
    }

    fn push_frame(&mut self, start: usize, owner: Option<MacroId>) {
        let (start, end) = (start as u32, self.pool.len() as u32);
        self.frames.push(Frame { start, next: start, end, ends_in_space: false, owner });
    }
}

impl Preprocessor<'_> {
    /// Appends a word, or its expansion, to the tokens.
    pub(super) fn expand_into_out(&mut self, word: Token, file: &mut File<'_>) {
        let mut next = Some(word);
        while let Some(token) = next {
            if let Some(token) = self.expand(token, file) {
                self.emit(token, file);
            }
            self.emit_plain();
            next = self.next_in_frames();
        }
        self.expander.is_after_space = false;
    }

    /// Puts the next tokens of the innermost frame that are neither expanded nor emitted in a way of their own behind
    /// the tokens so far, all at once.
    fn emit_plain(&mut self) {
        let (macros, pragma) = (&self.macros, self.words.pragma);
        let Expander { pool, frames, is_after_space, .. } = &mut self.expander;
        move_plain(pool, frames, is_after_space, &mut self.out, |token| match token.kind {
            TokenKind::Ident(word) => word != pragma && macros.leaves(token, word),
            TokenKind::Keyword(keyword) => macros.leaves(token, keyword.symbol()),
            TokenKind::Punct(punct) => !matches!(punct, Punct::LBrace | Punct::RBrace),
            TokenKind::Number(_) | TokenKind::Char(_) | TokenKind::Str(_) => true,
            TokenKind::Other(_) | TokenKind::PragmaStart(_) | TokenKind::PragmaEnd | TokenKind::Eof => false,
        });
    }

    fn emit(&mut self, token: Token, file: &mut File<'_>) {
        match token.kind {
            TokenKind::Other(_) => self.report_other(token),
            TokenKind::Ident(symbol) if symbol == self.words.pragma => {
                return self.pragma_operator(token, file);
            }
            TokenKind::Punct(Punct::LBrace) => {
                if self.depth == 0 {
                    self.outermost_brace = None;
                }
                self.depth += 1;
            }
            TokenKind::Punct(Punct::RBrace) => self.depth -= 1,
            TokenKind::Ident(_)
            | TokenKind::Keyword(_)
            | TokenKind::Number(_)
            | TokenKind::Char(_)
            | TokenKind::Str(_)
            | TokenKind::Punct(_)
            | TokenKind::PragmaStart(_)
            | TokenKind::PragmaEnd
            | TokenKind::Eof => {}
        }
        self.out.push(token);
    }

    /// The next token with macros expanded, from the frames or else from the file.
    pub(super) fn next_expanded(&mut self, file: &mut File<'_>) -> Option<Token> {
        loop {
            let token = self.next_written(file)?;
            if let Some(token) = self.expand(token, file) {
                return Some(token);
            }
        }
    }

    /// Expands a list of tokens alone, as if it were the rest of the file, and appends it to `expanded`. Whether it
    /// ends in white space before something that came to nothing.
    fn expand_alone(&mut self, tokens: Range<usize>, file: &mut File<'_>) -> bool {
        let outer_space = std::mem::take(&mut self.expander.is_after_space);
        let start = self.expander.pool.len();
        self.expander.pool.extend_from_slice(&self.expander.written[tokens]);
        self.expander.push_frame(start, None);
        self.expander.nesting += 1;
        loop {
            let Expander { pool, frames, is_after_space, expanded, .. } = &mut self.expander;
            let is_plain = |token: &Token| token.word().is_none_or(|word| self.macros.leaves(token, word));
            move_plain(pool, frames, is_after_space, expanded, is_plain);
            let Some(token) = self.next_in_frames() else { break };
            if let Some(token) = self.expand(token, file) {
                self.expander.expanded.push(token);
            }
        }
        self.end_alone();
        self.expander.nesting = self.expander.nesting.saturating_sub(1);
        std::mem::replace(&mut self.expander.is_after_space, outer_space)
    }

    /// Puts the directive's tokens, which are in `self.line`, in front, to be read by `next_in_frames` up to their end.
    pub(super) fn begin_alone(&mut self) {
        let start = self.expander.pool.len();
        self.expander.pool.extend_from_slice(&self.line);
        self.expander.push_frame(start, None);
    }

    /// Takes the frame off that ends here.
    pub(super) fn end_alone(&mut self) {
        while let Some(frame) = self.expander.frames.last() {
            let is_end = frame.owner.is_none();
            self.pop_frame();
            if is_end {
                break;
            }
        }
    }

    /// The next token of the frames; `None` if there are no more, or at the end of text that is expanded alone.
    pub(super) fn next_in_frames(&mut self) -> Option<Token> {
        loop {
            let frame = self.expander.frames.last_mut()?;
            if frame.next < frame.end {
                frame.next += 1;
                let mut token = self.expander.pool[frame.next as usize - 1];
                token.after_space |= std::mem::take(&mut self.expander.is_after_space);
                return Some(token);
            }
            frame.owner?;
            self.pop_frame();
        }
    }

    fn pop_frame(&mut self) {
        let Some(frame) = self.expander.frames.pop() else { return };
        self.expander.pool.truncate(frame.start as usize);
        self.expander.is_after_space |= frame.ends_in_space;
        if let Some(owner) = frame.owner {
            self.macros.set_disabled(owner, false);
        }
    }

    /// The next token as it is written, from the frames or else from the file, whose directives are carried out.
    fn next_written(&mut self, file: &mut File<'_>) -> Option<Token> {
        if let Some(token) = self.next_in_frames() {
            return Some(token);
        }
        while self.expander.frames.is_empty() && !self.is_stopped {
            let mut token = self.lex(file);
            token.after_space |= std::mem::take(&mut self.expander.is_after_space);
            if token.kind == TokenKind::Eof {
                return None;
            }
            if !self.is_directive_in_args(token, file) {
                return Some(token);
            }
        }
        None
    }

    /// Puts the next tokens that are nothing but parts of an argument behind those of the arguments so far, and gives
    /// the one behind them.
    fn next_of_args(&mut self, file: &mut File<'_>) -> Option<Token> {
        const SPECIAL: Puncts = Puncts::of(&[Punct::LParen, Punct::RParen, Punct::Comma, Punct::Hash]);
        let macros = &self.macros;
        let Expander { pool, frames, is_after_space, written, .. } = &mut self.expander;
        if !frames.is_empty() {
            move_plain(pool, frames, is_after_space, written, |token| match token.kind {
                TokenKind::Punct(punct) => !SPECIAL.has(punct),
                _ => token.word().is_none_or(|word| !macros.is_disabled(word)),
            });
        }
        if !frames.is_empty() || *is_after_space || file.has_invalid {
            return self.next_written(file);
        }
        while !self.is_stopped {
            let is_plain_word = |word| !self.macros.is_disabled(word);
            let written = &mut self.expander.written;
            file.lexer.plain_tokens(written, &mut self.compilation.interner, is_plain_word, SPECIAL);
            let token = written.pop().filter(|last| last.kind != TokenKind::Eof)?;
            if !self.is_directive_in_args(token, file) {
                return Some(token);
            }
        }
        None
    }

    /// Whether a token among arguments is the `#` of a directive, which is then carried out.
    fn is_directive_in_args(&mut self, token: Token, file: &mut File<'_>) -> bool {
        let is_directive = token.kind == TokenKind::Punct(Punct::Hash) && token.at_line_start;
        if is_directive {
            let was_in_args = std::mem::replace(&mut file.is_in_args, true);
            self.directive(token, file);
            file.is_in_args = was_in_args;
        }
        is_directive
    }

    /// Whether a `(` comes next, so that the name of a macro with parameters is a call.
    fn is_before_paren(&mut self, file: &File<'_>) -> bool {
        loop {
            match self.expander.frames.last() {
                None => return file.lexer.is_before_paren(),
                Some(frame) if frame.next < frame.end => {
                    let next = self.expander.pool[frame.next as usize];
                    return next.kind == TokenKind::Punct(Punct::LParen);
                }
                Some(frame) if frame.owner.is_none() => return false,
                Some(_) => self.pop_frame(),
            }
        }
    }

    /// Skips the `(` that comes next.
    fn skip_paren(&mut self, file: &mut File<'_>) {
        match self.expander.frames.last_mut() {
            None => file.lexer.skip_paren(),
            Some(frame) => frame.next += 1,
        }
        self.expander.is_after_space = false;
    }

    /// The expansion of a token: itself, or a frame before the following text.
    pub(super) fn expand(&mut self, mut token: Token, file: &mut File<'_>) -> Option<Token> {
        let Some(word) = token.word().filter(|_| token.form != Form::Painted) else { return Some(token) };
        let id = match self.meaning(word) {
            Meaning::Macro(id) => id,
            Meaning::Poisoned => {
                self.report_poisoned(token);
                return Some(token);
            }
            Meaning::Plain | Meaning::Unasked => return Some(token),
        };
        self.macros.mark_used(id);
        let found = self.macros.get(id);
        if found.is_identity {
            return Some(token);
        }
        if found.is_disabled {
            // C17 6.10.3.4p2
            token.form = Form::Painted;
            return Some(token);
        }
        match &found.kind {
            MacroKind::Object(tokens) => {
                let tokens = as_usize(tokens);
                self.expand_object(token, id, tokens)
            }
            MacroKind::Function(function) => {
                let function = function.clone();
                if function.is_called && !self.is_before_paren(file) {
                    return Some(token);
                }
                self.expand_function(token, id, &function, file)
            }
            MacroKind::Dynamic(Dynamic::Pragma) => Some(token),
            &MacroKind::Dynamic(builtin) => Some(self.expand_builtin(token, builtin)),
        }
    }

    /// Whether a word may need expansion: it names a macro, or has not been looked up yet.
    fn is_plain(&self, word: Symbol) -> bool {
        self.macros.meaning(word) == Meaning::Plain
    }

    fn expand_object(&mut self, name: Token, id: MacroId, tokens: Range<usize>) -> Option<Token> {
        if tokens.is_empty() {
            self.expander.is_after_space = name.after_space;
            return None;
        }
        let shift = self.add_expansion(id, name.span)?;
        let in_place = |mut token: Token| {
            token.span = shifted(token.span, shift);
            token
        };
        let mut first = in_place(self.macros.tokens[tokens.start]);
        (first.at_line_start, first.after_space) = (name.at_line_start, name.after_space);
        if tokens.len() == 1 && first.word().is_none_or(|word| self.is_plain(word)) {
            return Some(first);
        }
        let start = self.expander.pool.len();
        self.expander.pool.push(first);
        let rest = &self.macros.tokens[tokens.start + 1..tokens.end];
        self.expander.pool.extend(rest.iter().map(|&token| in_place(token)));
        if self.count_tokens(tokens.len(), name.span) {
            self.expander.push_frame(start, Some(id));
            self.macros.set_disabled(id, true);
        }
        None
    }

    fn expand_function(
        &mut self,
        name: Token,
        id: MacroId,
        function: &Function,
        file: &mut File<'_>,
    ) -> Option<Token> {
        let Expander { written, expanded, args, .. } = &self.expander;
        let (n_written, n_expanded, n_args) = (written.len(), expanded.len(), args.len());
        let close = if function.is_called { self.read_args(name, function, file) } else { Some(name.span) };
        let result = close.and_then(|close| {
            let mut call = Call { first_arg: n_args, shift: 0, lacks_variadic: false };
            if function.is_called && !self.check_args(name, id, function, close, &mut call) {
                return None;
            }
            call.shift = self.add_expansion(id, name.span.to(close))?;
            self.expander.drop_read_tokens();
            let start = self.expander.pool.len();
            let edges = self.substitute(as_usize(&function.pieces), &call, function, file);
            Some((start, edges))
        });
        if let Some((start, edges)) = result
            && !self.is_stopped
        {
            let mut ends_in_space = edges.ends_in_space;
            match self.expander.pool.get_mut(start) {
                Some(first) => {
                    first.at_line_start = name.at_line_start;
                    // The white space in the list counts if something stood before it, though it came to nothing.
                    first.after_space = name.after_space || edges.starts_empty && first.after_space;
                }
                None => ends_in_space |= name.after_space,
            }
            self.expander.push_frame(start, Some(id));
            if let Some(frame) = self.expander.frames.last_mut() {
                frame.ends_in_space = ends_in_space;
            }
            self.macros.set_disabled(id, true);
        }
        self.expander.written.truncate(n_written);
        self.expander.expanded.truncate(n_expanded);
        self.expander.args.truncate(n_args);
        // After a mistake, the parser should not report what is missing.
        (result.is_none() && !self.is_stopped).then(|| self.gap(name.span))
    }

    /// Reads the arguments of an invocation, from the `(` to its `)`, which it gives (C17 6.10.3p10).
    fn read_args(&mut self, name: Token, function: &Function, file: &mut File<'_>) -> Option<Span> {
        self.skip_paren(file);
        let first_arg = self.expander.args.len();
        // The argument of `...` has commas of its own.
        let n_divided = match function.variadic {
            Variadic::No => usize::MAX,
            Variadic::Standard | Variadic::Gnu => function.params.len() - 1,
        };
        let mut depth = 0;
        let mut start = self.expander.written.len();
        loop {
            let Some(mut token) = self.next_of_args(file) else {
                self.unterminated_call(name, function);
                return None;
            };
            let mut ends_arg = false;
            match token.kind {
                TokenKind::Punct(Punct::LParen) => depth += 1,
                TokenKind::Punct(Punct::RParen) if depth > 0 => depth -= 1,
                TokenKind::Punct(Punct::RParen) => ends_arg = true,
                TokenKind::Punct(Punct::Comma) if depth == 0 => {
                    ends_arg = self.expander.args.len() - first_arg < n_divided;
                }
                TokenKind::Ident(_) | TokenKind::Keyword(_) => {
                    // Painted here, while the macro is disabled: GNU's preprocessor does so too.
                    if token.word().is_some_and(|word| self.macros.is_disabled(word)) {
                        token.form = Form::Painted;
                    }
                }
                TokenKind::Number(_)
                | TokenKind::Char(_)
                | TokenKind::Str(_)
                | TokenKind::Punct(_)
                | TokenKind::Other(_)
                | TokenKind::PragmaStart(_)
                | TokenKind::PragmaEnd
                | TokenKind::Eof => {}
            }
            if !ends_arg {
                self.expander.written.push(token);
                continue;
            }
            let end = self.expander.written.len();
            self.expander.args.push(Arg {
                written: start as u32..end as u32,
                expanded: None,
                ends_in_space: false,
            });
            start = end;
            if token.kind == TokenKind::Punct(Punct::RParen) {
                return Some(token.span);
            }
        }
    }

    fn unterminated_call(&mut self, name: Token, function: &Function) {
        if self.is_stopped {
            return;
        }
        let word = self.spelling(name);
        let message = format!("unterminated invocation of macro `{word}`");
        let what = if function.params.is_empty() { "call" } else { "argument list" };
        let diagnostic = Diagnostic::new(Code::UnterminatedMacroCall, name.span, message)
            .with_note(format!("missing `)` at the end of its {what}"));
        self.compilation.sink.error(diagnostic);
    }

    /// Whether a call has as many arguments as its macro has parameters (C17 6.10.3p4). Gives each parameter an
    /// argument.
    fn check_args(
        &mut self,
        name: Token,
        id: MacroId,
        function: &Function,
        close: Span,
        call: &mut Call,
    ) -> bool {
        let n_params = function.params.len();
        let args = &mut self.expander.args;
        if n_params == 0
            && let [only] = &args[call.first_arg..]
            && only.written.is_empty()
        {
            args.truncate(call.first_arg);
            return true;
        }
        let n_args = args.len() - call.first_arg;
        let is_variadic = function.variadic != Variadic::No;
        // GNU's preprocessor: the argument of `...` may be left out, and so may an empty one be that is the only one.
        let is_empty = n_args == 1 && args.last().is_some_and(|arg| arg.written.is_empty());
        call.lacks_variadic = is_variadic && (n_args + 1 == n_params || n_params == 1 && is_empty);
        if n_args == n_params {
            return true;
        }
        if is_variadic && n_args + 1 == n_params {
            args.push(Arg { written: 0..0, expanded: Some(0..0), ends_in_space: false });
            return true;
        }
        let word = self.spelling(name).to_owned();
        let definition = self.compilation.sources.definition(self.macros.get(id).definition).name;
        let few_or_many = if n_args < n_params { "few" } else { "many" };
        let at_least = if is_variadic { "at least " } else { "" };
        let n_needed = n_params - usize::from(is_variadic);
        let message = format!(
            "too {few_or_many} arguments to macro `{word}`, expected {at_least}{n_needed}, have {n_args}"
        );
        let diagnostic = Diagnostic::new(Code::MacroArgumentCount, name.span.to(close), message)
            .with_label(definition, format!("macro `{word}` defined here"));
        self.compilation.sink.error(diagnostic);
        false
    }

    /// The argument for a parameter without `#` and `##`: with macros expanded (C17 6.10.3.1p1).
    pub(super) fn expanded_arg(&mut self, idx: usize, file: &mut File<'_>) -> Range<usize> {
        let arg = self.expander.args[idx].clone();
        if let Some(expanded) = arg.expanded {
            return as_usize(&expanded);
        }
        let start = self.expander.expanded.len();
        let mut ends_in_space = false;
        let written = as_usize(&arg.written);
        let tokens = &self.expander.written[written.clone()];
        let is_plain = |token: &Token| token.word().is_none_or(|word| self.macros.leaves(token, word));
        if tokens.iter().all(is_plain) {
            self.expander.expanded.extend_from_slice(tokens);
        } else if self.expander.written.len() > MAX_ARGUMENT_TOKENS {
            let at = tokens.first().map_or(Span::default(), |token| token.span);
            self.too_large(at, format!("the maximum is {MAX_ARGUMENT_TOKENS} tokens in macro arguments"));
        } else if self.expander.nesting >= MAX_MACRO_NESTING {
            let at = tokens.first().map_or(Span::default(), |token| token.span);
            self.too_large(
                at,
                format!("the maximum is {MAX_MACRO_NESTING} nested macro invocations in arguments"),
            );
        } else {
            ends_in_space = self.expand_alone(written, file);
        }
        let expanded = start as u32..self.expander.expanded.len() as u32;
        let Some(arg) = self.expander.args.get_mut(idx) else { return 0..0 };
        (arg.expanded, arg.ends_in_space) = (Some(expanded.clone()), ends_in_space);
        as_usize(&expanded)
    }

    /// Reserves addresses for an expansion; returns the offset to add to a place in its list.
    fn add_expansion(&mut self, id: MacroId, call: Span) -> Option<u32> {
        let shift = self.compilation.sources.add_expansion(self.macros.get(id).definition, call);
        if shift.is_none() {
            self.too_large(call, "the addresses for expanded text are used up".into());
        }
        shift
    }

    /// Counts tokens of expansions; returns false at the limit.
    pub(super) fn count_tokens(&mut self, n: usize, at: Span) -> bool {
        let n = u32::try_from(n).unwrap_or(u32::MAX);
        self.expander.n_tokens = self.expander.n_tokens.saturating_add(n);
        let fits = self.expander.n_tokens <= MAX_EXPANDED_TOKENS;
        if !fits {
            self.too_large(at, format!("the maximum is {MAX_EXPANDED_TOKENS} tokens in one compilation"));
        }
        fits
    }

    pub(super) fn too_large(&mut self, at: Span, note: String) {
        let message = "macro expansion is too large";
        self.stop(Diagnostic::new(Code::MacroExpansionTooLarge, at, message).with_note(note));
    }
}

/// Moves the next tokens of the innermost frame, as long as they are plain, to the end of a list.
fn move_plain(
    pool: &[Token],
    frames: &mut [Frame],
    is_after_space: &mut bool,
    list: &mut Vec<Token>,
    is_plain: impl Fn(&Token) -> bool,
) {
    let Some(frame) = frames.last_mut() else { return };
    let tokens = &pool[frame.next as usize..frame.end as usize];
    let n_plain = tokens.iter().position(|token| !is_plain(token)).unwrap_or(tokens.len());
    let start = list.len();
    list.extend_from_slice(&tokens[..n_plain]);
    if let Some(first) = list.get_mut(start) {
        first.after_space |= std::mem::take(is_after_space);
    }
    frame.next += n_plain as u32;
}

/// A place in a replacement list as one in an expansion of it.
pub(super) fn shifted(span: Span, shift: u32) -> Span {
    Span::new(span.lo.wrapping_add(shift), span.hi.wrapping_add(shift))
}
