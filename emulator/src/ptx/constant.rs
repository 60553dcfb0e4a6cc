//! Constant expressions (PTX ISA "Constants"): 64-bit integers with C's operators, signed or unsigned; numbers of double
//! precision with those of arithmetic and comparison; exact bits of single precision alone; addresses with an offset.

use super::lex::Token;
use super::parse::{Parsed, Parser};
use super::syntax::{Constant, SymbolAddress};

/// How deep parentheses and operators may nest.
const MAX_DEPTH: u32 = 200;

/// What `WARP_SZ` stands for.
const WARP_SIZE: u64 = 32;

/// An integer with its signedness, which decides about `/`, `%`, `>>` and comparisons.
#[derive(Clone, Copy)]
struct Int {
    bits: u64,
    is_unsigned: bool,
}

impl Int {
    fn signed(value: i64) -> Self {
        Int { bits: value as u64, is_unsigned: false }
    }

    fn truth(value: bool) -> Self {
        Int::signed(i64::from(value))
    }
}

/// A value of an expression.
#[derive(Clone, Copy)]
enum Number {
    Int(Int),
    Double(f64),
    /// `0f` and its bits, which no operator takes.
    Single(u32),
}

/// Binary operators by precedence, the loosest first.
const LEVELS: &[&[&str]] = &[
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

impl<'t> Parser<'t> {
    /// A constant of an initializer, or an immediate operand.
    pub(super) fn constant(&mut self) -> Parsed<Constant<'t>> {
        match (self.token(), self.token_at(1)) {
            (Token::Int(mask, _), Token::Punct(b'(')) => {
                self.skip(2);
                let address = self.symbol_address()?;
                self.expect(b')')?;
                Ok(Constant::Symbol(SymbolAddress { mask: Some(mask), ..address }))
            }
            (Token::Word(name), _) if name != "WARP_SZ" => self.symbol_address().map(Constant::Symbol),
            _ => Ok(match self.conditional(0)? {
                Number::Int(value) => Constant::Int(value.bits),
                Number::Double(value) => Constant::F64(value),
                Number::Single(bits) => Constant::F32(bits),
            }),
        }
    }

    /// `address = (symbol | "generic" "(" symbol ")") (("+" | "-") integer)*`
    fn symbol_address(&mut self) -> Parsed<SymbolAddress<'t>> {
        let is_generic = self.token() == Token::Word("generic") && self.token_at(1) == Token::Punct(b'(');
        if is_generic {
            self.skip(2);
        }
        let (name, place) = self.expect_word("a symbol")?;
        let mut address = SymbolAddress { name, addend: 0, is_generic, mask: None, place };
        if is_generic {
            address.addend = self.offset()?;
            self.expect(b')')?;
        }
        address.addend = address.addend.wrapping_add(self.offset()?);
        Ok(address)
    }

    /// `offset = ("-" factor)* ["+" expression]`: what follows `+` is one expression, as ptxas reads it, which has no `-` after a name.
    pub(super) fn offset(&mut self) -> Parsed<i64> {
        let mut sum = 0_i64;
        while self.eat(b'-') {
            let value = self.factor(0)?;
            sum = sum.wrapping_sub(self.int(value)?.bits as i64);
        }
        if self.eat(b'+') {
            let value = self.conditional(0)?;
            sum = sum.wrapping_add(self.int(value)?.bits as i64);
        }
        Ok(sum)
    }

    /// An integer that is known where it is read.
    pub(super) fn integer(&mut self) -> Parsed<u64> {
        let value = self.conditional(0)?;
        self.int(value).map(|value| value.bits)
    }

    fn int(&self, value: Number) -> Parsed<Int> {
        match value {
            Number::Int(value) => Ok(value),
            Number::Double(_) | Number::Single(_) => Err(self.error("this constant must be an integer")),
        }
    }

    /// `conditional = binary ["?" conditional ":" conditional]`, all of integers
    fn conditional(&mut self, depth: u32) -> Parsed<Number> {
        let cond = self.binary(0, depth)?;
        if !self.is(b'?') {
            return Ok(cond);
        }
        if depth > MAX_DEPTH {
            return Err(self.error("the expression is nested too deeply"));
        }
        let cond = self.int(cond)?;
        self.skip(1);
        let then = self.conditional(depth + 1)?;
        let then = self.int(then)?;
        self.expect(b':')?;
        let otherwise = self.conditional(depth + 1)?;
        let otherwise = self.int(otherwise)?;
        Ok(Number::Int(if cond.bits != 0 { then } else { otherwise }))
    }

    /// `binary = factor (operator factor)*`, by precedence.
    fn binary(&mut self, level: usize, depth: u32) -> Parsed<Number> {
        let Some(operators) = LEVELS.get(level) else { return self.factor(depth) };
        let mut lhs = self.binary(level + 1, depth)?;
        while let Some(operator) = operators.iter().find(|operator| self.is_operator(operator)) {
            self.skip(1);
            let rhs = self.binary(level + 1, depth)?;
            lhs = evaluate(operator, lhs, rhs).map_err(|message| self.error(message))?;
        }
        Ok(lhs)
    }

    fn is_operator(&self, operator: &str) -> bool {
        match *operator.as_bytes() {
            [byte] => self.is(byte),
            [first, second] => self.token() == Token::Punct2([first, second]),
            _ => false,
        }
    }

    /// `factor = number | "WARP_SZ" | ("+" | "-" | "!" | "~") factor | "(" (".s64" | ".u64") ")" factor | "(" conditional ")"`
    fn factor(&mut self, depth: u32) -> Parsed<Number> {
        if depth > MAX_DEPTH {
            return Err(self.error("the expression is nested too deeply"));
        }
        let number = match self.token() {
            Token::Int(bits, is_unsigned) => Number::Int(Int { bits, is_unsigned }),
            Token::Word("WARP_SZ") => Number::Int(Int { bits: WARP_SIZE, is_unsigned: false }),
            Token::F64(value) => Number::Double(value),
            Token::F32(bits) => Number::Single(bits),
            Token::Punct(operator @ (b'+' | b'-' | b'!' | b'~')) => {
                self.skip(1);
                return match (operator, self.factor(depth + 1)?) {
                    (_, Number::Single(_)) => {
                        Err(self.error("operators cannot be applied to a `0f` constant"))
                    }
                    (b'+', operand) => Ok(operand),
                    (b'-', Number::Double(value)) => Ok(Number::Double(-value)),
                    (operator, operand) => {
                        let operand = self.int(operand)?;
                        Ok(Number::Int(match operator {
                            b'-' => Int { bits: operand.bits.wrapping_neg(), ..operand },
                            b'~' => Int { bits: !operand.bits, ..operand },
                            _ => Int::truth(operand.bits == 0),
                        }))
                    }
                };
            }
            Token::Punct(b'(') => {
                self.skip(1);
                if let Token::Dot(ty @ ("s64" | "u64")) = self.token() {
                    self.skip(1);
                    self.expect(b')')?;
                    let operand = self.factor(depth + 1)?;
                    return Ok(Number::Int(Int { is_unsigned: ty == "u64", ..self.int(operand)? }));
                }
                let value = self.conditional(depth + 1)?;
                self.expect(b')')?;
                return Ok(value);
            }
            _ => return Err(self.expected("a constant")),
        };
        self.skip(1);
        Ok(number)
    }
}

/// What an operator gives, or what is wrong.
fn evaluate(operator: &str, lhs: Number, rhs: Number) -> Result<Number, &'static str> {
    match (lhs, rhs) {
        (Number::Int(lhs), Number::Int(rhs)) => {
            evaluate_ints(operator, lhs, rhs).map(Number::Int).ok_or("division by zero")
        }
        (Number::Double(lhs), Number::Double(rhs)) => evaluate_doubles(operator, lhs, rhs),
        (Number::Single(_), _) | (_, Number::Single(_)) => {
            Err("operators cannot be applied to a `0f` constant")
        }
        (Number::Int(_), Number::Double(_)) | (Number::Double(_), Number::Int(_)) => {
            Err("the operands must be both integers or both floating-point numbers")
        }
    }
}

fn evaluate_doubles(operator: &str, lhs: f64, rhs: f64) -> Result<Number, &'static str> {
    let truth = |value| Ok(Number::Int(Int::truth(value)));
    Ok(Number::Double(match operator {
        "==" => return truth(lhs == rhs),
        "!=" => return truth(lhs != rhs),
        "<" => return truth(lhs < rhs),
        ">=" => return truth(lhs >= rhs),
        ">" => return truth(lhs > rhs),
        "<=" => return truth(lhs <= rhs),
        "+" => lhs + rhs,
        "-" => lhs - rhs,
        "*" => lhs * rhs,
        "/" if rhs == 0.0 => return Err("division by zero"),
        "/" => lhs / rhs,
        _ => return Err("this operator requires integers"),
    }))
}

/// None for a division by zero.
fn evaluate_ints(operator: &str, lhs: Int, rhs: Int) -> Option<Int> {
    let is_unsigned = lhs.is_unsigned || rhs.is_unsigned;
    let (a, b) = (lhs.bits, rhs.bits);
    let (signed_a, signed_b) = (a as i64, b as i64);
    let is_less = if is_unsigned { a < b } else { signed_a < signed_b };
    let amount = (b & 63) as u32;
    let bits = match operator {
        "||" => return Some(Int::truth(a != 0 || b != 0)),
        "&&" => return Some(Int::truth(a != 0 && b != 0)),
        "==" => return Some(Int::truth(a == b)),
        "!=" => return Some(Int::truth(a != b)),
        "<" => return Some(Int::truth(is_less)),
        ">=" => return Some(Int::truth(!is_less)),
        ">" => return Some(Int::truth(!is_less && a != b)),
        "<=" => return Some(Int::truth(is_less || a == b)),
        // The left operand's type alone counts.
        "<<" => return Some(Int { bits: a << amount, ..lhs }),
        ">>" if lhs.is_unsigned => return Some(Int { bits: a >> amount, ..lhs }),
        ">>" => return Some(Int::signed(signed_a >> amount)),
        "|" => a | b,
        "^" => a ^ b,
        "&" => a & b,
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        "/" if is_unsigned => a.checked_div(b)?,
        "/" if b == 0 => return None,
        "/" => signed_a.wrapping_div(signed_b) as u64,
        "%" if is_unsigned => a.checked_rem(b)?,
        "%" if b == 0 => return None,
        _ => signed_a.wrapping_rem(signed_b) as u64,
    };
    Some(Int { bits, is_unsigned })
}
