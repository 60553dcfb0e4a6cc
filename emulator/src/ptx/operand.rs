//! Operands of instructions (PTX ISA "Instruction Operands").

use super::lex::Token;
use super::parse::{Parsed, Parser};
use super::place::Place;
use super::syntax::{Address, Constant, Operand, SymbolAddress};

/// How deep operands may nest.
const MAX_DEPTH: u32 = 8;

impl<'t> Parser<'t> {
    /// `operand = simple ["|" simple]`; a call's may be `"(" operands ")"`
    pub(super) fn operand(&mut self, opcode: &str) -> Parsed<Operand<'t>> {
        if opcode == "call" && self.eat(b'(') {
            return self.operands_to(b')', 0).map(Operand::List);
        }
        self.nested_operand(0)
    }

    fn nested_operand(&mut self, depth: u32) -> Parsed<Operand<'t>> {
        if depth > MAX_DEPTH {
            return Err(self.error("the operand is nested too deeply"));
        }
        let first = self.simple(depth)?;
        if !self.is(b'|') {
            return Ok(first);
        }
        self.skip(1);
        let second = self.simple(depth)?;
        Ok(Operand::Pair(Box::new((first, second))))
    }

    /// `simple = ["-"] name | constant | "!" name | "_" | "{" operands "}" | "[" address "]"`
    fn simple(&mut self, depth: u32) -> Parsed<Operand<'t>> {
        match self.token() {
            Token::Word("_") => {
                self.skip(1);
                Ok(Operand::Sink)
            }
            Token::Word("WARP_SZ") => self.constant().map(Operand::Constant),
            Token::Word(_) => self.named(),
            Token::Punct(b'-') if matches!(self.token_at(1), Token::Word(name) if name != "WARP_SZ") => {
                self.skip(1);
                Ok(Operand::Negated(Box::new(self.named()?)))
            }
            Token::Punct(b'!') if matches!(self.token_at(1), Token::Word(name) if name != "WARP_SZ") => {
                self.skip(1);
                let (name, _) = self.expect_word("a predicate")?;
                Ok(Operand::Not(name))
            }
            Token::Punct(b'{') => {
                self.skip(1);
                self.operands_to(b'}', depth).map(Operand::Vector)
            }
            Token::Punct(b'[') => {
                self.skip(1);
                self.address(depth)
            }
            _ => self.constant().map(Operand::Constant),
        }
    }

    /// `named = word ["." part | offset | "[" index "]"]`
    fn named(&mut self) -> Parsed<Operand<'t>> {
        let (name, place) = self.expect_word("a name")?;
        if let Token::Dot(part) = self.token() {
            self.skip(1);
            return Ok(Operand::Part(name, part));
        }
        if self.eat(b'[') {
            let index = match self.token() {
                Token::Word(name) if name != "WARP_SZ" => self.sum()?,
                _ => self.constant().map(Operand::Constant)?,
            };
            self.expect(b']')?;
            return Ok(Operand::Element(name, Box::new(index)));
        }
        self.with_offset(name, place)
    }

    /// `sum = word [offset]`
    fn sum(&mut self) -> Parsed<Operand<'t>> {
        let (name, place) = self.expect_word("a name")?;
        self.with_offset(name, place)
    }

    fn with_offset(&mut self, name: &'t str, place: Place) -> Parsed<Operand<'t>> {
        if self.is(b'+') || self.is(b'-') {
            let addend = self.offset()?;
            let address = SymbolAddress { name, addend, is_generic: false, mask: None, place };
            return Ok(Operand::Constant(Constant::Symbol(address)));
        }
        Ok(Operand::Name(name))
    }

    /// The operands up to the bracket that closes them.
    fn operands_to(&mut self, close: u8, depth: u32) -> Parsed<Vec<Operand<'t>>> {
        let mut operands = Vec::new();
        if !self.is(close) {
            operands.push(self.listed(close, depth)?);
            while self.eat(b',') {
                operands.push(self.listed(close, depth)?);
            }
        }
        self.expect(close)?;
        Ok(operands)
    }

    /// An operand of a list: in braces there are no sums.
    fn listed(&mut self, close: u8, depth: u32) -> Parsed<Operand<'t>> {
        match self.nested_operand(depth + 1)? {
            Operand::Constant(Constant::Symbol(_)) if close == b'}' => {
                Err(self.error("a list in braces cannot contain a sum of a name and a number"))
            }
            operand => Ok(operand),
        }
    }

    /// `address = (word offset | integer) "]" | operand ("," operand)+ "]"`
    fn address(&mut self, depth: u32) -> Parsed<Operand<'t>> {
        let first = self.nested_operand(depth + 1)?;
        if self.is(b',') {
            self.skip(1);
            let mut parts = vec![first];
            parts.extend(self.operands_to(b']', depth)?);
            return Ok(Operand::Parts(parts));
        }
        self.expect(b']')?;
        Ok(match first {
            Operand::Name(name) => Operand::Address(Address { base: Some(name), offset: 0 }),
            Operand::Constant(Constant::Symbol(SymbolAddress {
                name,
                addend,
                is_generic: false,
                mask: None,
                ..
            })) => Operand::Address(Address { base: Some(name), offset: addend }),
            Operand::Constant(Constant::Int(offset)) => {
                Operand::Address(Address { base: None, offset: offset as i64 })
            }
            other => Operand::Parts(vec![other]),
        })
    }
}
