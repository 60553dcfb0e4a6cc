//! Bodies of functions: statements and instructions (PTX ISA "Statements").

use smallvec::SmallVec;

use super::lex::Token;
use super::parse::{MAX_DEPTH, Parsed, Parser};
use super::syntax::{Block, Guard, Inlined, Instruction, Linkage, Loc, Statement};

impl<'t> Parser<'t> {
    /// `block = "{" statement* "}"`
    pub(super) fn block(&mut self) -> Parsed<Block<'t>> {
        self.expect(b'{')?;
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error("blocks are nested too deeply"));
        }
        let mut statements = Vec::new();
        while !self.is(b'}') {
            self.statement(&mut statements)?;
        }
        self.depth -= 1;
        let end = self.place();
        self.skip(1);
        Ok(Block { statements, end })
    }

    pub(super) fn statement(&mut self, statements: &mut Vec<Statement<'t>>) -> Parsed<()> {
        match (self.token(), self.token_at(1)) {
            (Token::Punct(b'{'), _) => statements.push(Statement::Block(self.block()?)),
            (Token::Word(_), Token::Punct(b':')) => statements.push(self.labelled()?),
            (Token::Word(_) | Token::Punct(b'@'), _) => {
                statements.push(Statement::Instruction(self.instruction()?));
            }
            (Token::Dot("loc"), _) => {
                self.skip(1);
                statements.push(Statement::Loc(self.loc()?));
            }
            (Token::Dot("pragma"), _) => {
                self.skip(1);
                statements.push(Statement::Pragma(self.pragma()?));
            }
            (Token::Dot(_), _) => {
                let variables = self.variables(Linkage::Internal)?;
                self.expect(b';')?;
                statements.extend(variables.into_iter().map(Statement::Variable));
            }
            _ => return Err(self.expected("a statement")),
        }
        Ok(())
    }

    /// `labelled = label ":" [(".branchtargets" | ".calltargets") word ("," word)* ";" | ".callprototype" … ";"]`
    fn labelled(&mut self) -> Parsed<Statement<'t>> {
        let (label, place) = self.expect_word("a label")?;
        self.expect(b':')?;
        let Token::Dot(directive @ ("branchtargets" | "calltargets" | "callprototype")) = self.token() else {
            return Ok(Statement::Label(label, place));
        };
        self.skip(1);
        let statement = match directive {
            "branchtargets" => Statement::BranchTargets(label, self.words("a label")?, place),
            "calltargets" => Statement::CallTargets(label, self.words("a function")?, place),
            _ => Statement::CallPrototype(label, self.call_prototype()?, place),
        };
        self.expect(b';')?;
        Ok(statement)
    }

    /// `instruction = ["@" ["!"] predicate] opcode .modifier* [operand ("," operand)*] ";"`
    fn instruction(&mut self) -> Parsed<Instruction<'t>> {
        let guard = if self.eat(b'@') {
            let is_negated = self.eat(b'!');
            let (name, _) = self.expect_word("a predicate")?;
            Some(Guard { name, is_negated })
        } else {
            None
        };
        let (opcode, place) = self.expect_word("an instruction")?;
        let mut modifiers = SmallVec::new();
        while let Token::Dot(modifier) = self.token() {
            self.skip(1);
            modifiers.push(modifier);
        }
        let mut operands = SmallVec::new();
        if !self.is(b';') {
            operands.push(self.operand(opcode)?);
            while self.eat(b',') {
                operands.push(self.operand(opcode)?);
            }
        }
        self.expect(b';')?;
        Ok(Instruction { guard, opcode, modifiers, operands, place })
    }

    /// `loc = ".loc" file line column ["," "function_name" label ["+" number] "," "inlined_at" file line column]`
    fn loc(&mut self) -> Parsed<Loc<'t>> {
        let (file, line, column) = self.file_line_column()?;
        let mut loc = Loc { file, line, column, inlined: None };
        if self.eat(b',') {
            self.expect_attribute("function_name")?;
            let (name, _) = self.expect_word("a label")?;
            self.offset()?;
            self.expect(b',')?;
            self.expect_attribute("inlined_at")?;
            loc.inlined = Some(Inlined { name, at: self.file_line_column()? });
        }
        Ok(loc)
    }

    fn file_line_column(&mut self) -> Parsed<(u32, u32, u32)> {
        let file = self.expect_u32("the number of a file")?;
        let line = self.expect_u32("a line")?;
        let column = self.expect_u32("a column")?;
        Ok((file, line, column))
    }

    fn expect_attribute(&mut self, name: &str) -> Parsed<()> {
        if self.token() != Token::Word(name) {
            return Err(self.expected(&format!("`{name}`")));
        }
        self.skip(1);
        Ok(())
    }
}
