//! Operands of `asm` and their constraints (Inline PTX Assembly in CUDA, "Parameters", "Constraints").

use crate::ast::{AsmOperand, AsmString};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{AsmInput, AsmOutput, AsmRegister, Expr, ExprData, IntTy, Place, PlaceData, Ty, TyKind};
use crate::layout;
use crate::sema::Statements;
use crate::sema::constant::const_eval::{Base, Mode, Value};
use crate::source::Span;

/// What stands in the text for an operand.
#[derive(Debug)]
pub(super) enum Slot {
    /// Its register: the number of the operand among those that have one.
    Register(u32),
    /// Text.
    Text(String),
}

/// What an `asm` is given.
pub(super) enum Input {
    Register(AsmInput),
    Text(String),
}

/// The letter of a constraint.
enum Letter {
    Register(AsmRegister),
    /// `n`
    Number,
    /// `C`
    Text,
}

/// A constraint taken apart.
struct Constraint {
    is_written: bool,
    is_read: bool,
    is_early: bool,
    letter: Letter,
}

const LETTERS: &str = "`h`, `r`, `l` and `q` are integers of 16, 32, 64 and 128 bits, `f` and `d` are `float` and \
     `double`, `n` is an integer constant, `C` the text of a constant array of `char`";

impl Statements<'_> {
    pub(super) fn asm_output(&mut self, operand: &AsmOperand, number: u32) -> Result<AsmOutput, Reported> {
        let constraint = self.asm_constraint(operand.constraint);
        let target = self.expressions().check_expr(operand.expr);
        let (constraint, target) = (constraint?, target?);
        if !constraint.is_written {
            let message = "output constraint must begin with `=` or `+`";
            let diagnostic = Diagnostic::new(Code::InvalidAsmConstraint, operand.constraint.span, message)
                .with_help("use `\"=r\"` for a write-only operand, `\"+r\"` for one that is also read");
            return Err(self.sink.error(diagnostic));
        }
        let Letter::Register(register) = constraint.letter else {
            let message = "`n` and `C` are allowed only for inputs";
            return Err(self.error(Code::InvalidAsmConstraint, operand.constraint.span, message));
        };
        let span = self.unit.exprs[operand.expr].span;
        let place = self.expressions().modifiable(target, span)?;
        if self.is_compound(place) {
            let diagnostic = Diagnostic::new(
                Code::InvalidAsmOperand,
                span,
                "output operand of an `asm` is a conditional, comma or assignment expression",
            )
            .with_help("take its address first, and write through the pointer");
            return Err(self.sink.error(diagnostic));
        }
        self.require_register(register, self.place_ty(place), span, operand.constraint.span)?;
        let Constraint { is_read, is_early, .. } = constraint;
        Ok(AsmOutput { place, register, is_read, is_early, number })
    }

    pub(super) fn asm_input(&mut self, operand: &AsmOperand, number: u32) -> Result<Input, Reported> {
        let constraint = self.asm_constraint(operand.constraint);
        if let Ok(constraint) = &constraint {
            if constraint.is_written {
                let message = "input constraint must not begin with `=` or `+`";
                let diagnostic =
                    Diagnostic::new(Code::InvalidAsmConstraint, operand.constraint.span, message)
                        .with_help("outputs go before the second `:`");
                return Err(self.sink.error(diagnostic));
            }
            match constraint.letter {
                Letter::Register(_) => {}
                Letter::Number => {
                    return self.in_scratch(|cx| cx.statements().asm_number(operand)).map(Input::Text);
                }
                Letter::Text => {
                    return self.in_scratch(|cx| cx.statements().asm_text(operand)).map(Input::Text);
                }
            }
        }
        let value = self.expressions().check_rvalue(operand.expr);
        let (constraint, value) = (constraint?, value?);
        let Letter::Register(register) = constraint.letter else {
            unreachable!("invariant: the other letters were dealt with")
        };
        let span = self.unit.exprs[operand.expr].span;
        self.require_register(register, self.ty_of(value), span, operand.constraint.span)?;
        Ok(Input::Register(AsmInput { value, register, number }))
    }

    /// `constraint = ["=" | "+"] ["&"] letter`
    fn asm_constraint(&mut self, string: AsmString) -> Result<Constraint, Reported> {
        let text: String =
            self.unit.strings[string.literal].units.iter().filter_map(|&unit| char::from_u32(unit)).collect();
        let mut rest = text.as_str();
        let is_read = rest.starts_with('+');
        let is_written = is_read || rest.starts_with('=');
        rest = &rest[usize::from(is_written)..];
        let is_early = rest.starts_with('&');
        rest = &rest[usize::from(is_early)..];
        let mut letters = rest.chars();
        let (message, note) = match (letters.next(), letters.next()) {
            (Some(letter), None) => {
                let register = AsmRegister::ALL.into_iter().find(|register| register.letter() == letter);
                let letter = match letter {
                    'n' => Some(Letter::Number),
                    'C' => Some(Letter::Text),
                    _ => register.map(Letter::Register),
                };
                if let Some(letter) = letter {
                    if is_early && !is_written {
                        let message = "`&` is allowed only in an output constraint";
                        return Err(self.error(Code::InvalidAsmConstraint, string.span, message));
                    }
                    return Ok(Constraint { is_written, is_read, is_early, letter });
                }
                match rest {
                    "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" => (
                        "matching constraints are not supported".to_owned(),
                        "use `\"+r\"` for an output that is also read",
                    ),
                    _ => (format!("unknown constraint `{}`", rest.escape_debug()), LETTERS),
                }
            }
            (None, _) => ("constraint has no letter".to_owned(), LETTERS),
            (Some(_), Some(_)) => ("constraint has more than one letter".to_owned(), LETTERS),
        };
        let diagnostic = Diagnostic::new(Code::InvalidAsmConstraint, string.span, message).with_note(note);
        Err(self.sink.error(diagnostic))
    }

    /// A value goes into a register as it is: nvcc converts none.
    fn require_register(
        &mut self,
        register: AsmRegister,
        ty: Ty,
        span: Span,
        constraint: Span,
    ) -> Result<(), Reported> {
        let types = &self.module.types;
        if register.takes(types, ty) {
            return Ok(());
        }
        if self.canonical(ty) == Ty::ERROR {
            return Err(self.poisoned());
        }
        let half = types.half_ty(ty);
        let ty = self.module.types.unqualified(ty);
        let shown = self.show(ty);
        let types = &self.module.types;
        let letter = register.letter();
        let is_scalar = matches!(
            types.kind(ty),
            TyKind::Int(_) | TyKind::Enum(_) | TyKind::Float(_) | TyKind::Pointer(_)
        );
        if !is_scalar {
            let message = format!("operand of an `asm` must be a number or a pointer, not {shown}");
            let mut diagnostic = Diagnostic::new(Code::InvalidAsmOperand, span, message);
            if let Some(half) = half {
                let help = match half.is_pair() {
                    true => "read its bits through a pointer: `\"r\"(*(unsigned *)&x)`",
                    false => "read its bits through a pointer: `\"h\"(*(unsigned short *)&x)`",
                };
                diagnostic = diagnostic.with_help(help);
            }
            return Err(self.sink.error(diagnostic));
        }
        let message = format!("value of type {shown} does not match the constraint `{letter}`");
        let mut diagnostic = Diagnostic::new(Code::InvalidAsmOperand, span, message)
            .with_label(constraint, format!("`{letter}` is {}", described(register)));
        diagnostic = match AsmRegister::of(types, ty) {
            Some(own) => diagnostic.with_help(format!("the constraint for {shown} is `{}`", own.letter())),
            None => diagnostic
                .with_help("PTX has no register of this size: convert it to `short` (`h`) or `int` (`r`)"),
        };
        Err(self.sink.error(diagnostic))
    }

    /// Whether a place is found by more than one expression, which nvcc does not take as an output.
    fn is_compound(&self, place: Place) -> bool {
        match self.arena.places[place].data {
            PlaceData::Conditional(..) | PlaceData::Comma(..) => true,
            PlaceData::Assigned(assignment) => {
                !matches!(self.arena.exprs[assignment].data, ExprData::Assign { .. })
            }
            PlaceData::Field(outer, _) => self.is_compound(outer),
            PlaceData::Local(_)
            | PlaceData::Global(_)
            | PlaceData::Deref(_)
            | PlaceData::Temporary(_)
            | PlaceData::CompoundLiteral(..) => false,
        }
    }

    /// `n`: the number as nvcc writes it, with the sign that its highest bit says, of 128 bits the lower 64.
    fn asm_number(&mut self, operand: &AsmOperand) -> Result<String, Reported> {
        let value = self.expressions().check_rvalue(operand.expr)?;
        let ty = self.ty_of(value);
        let TyKind::Int(int) = *self.module.types.kind(ty) else {
            if self.canonical(ty) == Ty::ERROR {
                return Err(self.poisoned());
            }
            let shown = self.show(ty);
            let message = format!("operand with the constraint `n` must be an integer constant, not {shown}");
            let mut diagnostic = Diagnostic::new(Code::InvalidAsmOperand, self.span_of(value), message);
            if let TyKind::Enum(_) = self.module.types.kind(ty) {
                diagnostic =
                    diagnostic.with_help("nvcc does not accept an enumerator here: cast it with `(int)`");
            }
            return Err(self.sink.error(diagnostic));
        };
        self.expressions().require_int(value, "operand with the constraint `n`")?;
        let Ok(Value::Int(number)) = self.constants().eval(value, Mode::Required) else {
            return Err(self.poisoned());
        };
        let n_bits = match int {
            // Its value is 0 or 1.
            IntTy::Bool => 64,
            _ => layout::size_of(&self.module.types, ty).map_or(64, |size| 8 * size).min(64),
        };
        let shift = 64 - n_bits as u32;
        Ok((((number as u64) << shift) as i64 >> shift).to_string())
    }

    /// `C`: what a constant array of characters holds, up to its first zero.
    fn asm_text(&mut self, operand: &AsmOperand) -> Result<String, Reported> {
        let value = self.expressions().check_rvalue(operand.expr)?;
        let span = self.unit.exprs[operand.expr].span;
        let bytes = self.constant_text(value).map(|mut bytes| {
            let len = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
            bytes.truncate(len);
            bytes
        });
        match bytes.map(String::from_utf8) {
            Some(Ok(text)) => Ok(text),
            _ => {
                let message = "operand with the constraint `C` must be a constant array of `char`";
                let diagnostic = Diagnostic::new(Code::InvalidAsmOperand, span, message)
                    .with_help("declare it `static constexpr char name[] = \"…\";`");
                Err(self.sink.error(diagnostic))
            }
        }
    }

    /// The bytes of the array of characters whose address the value is.
    fn constant_text(&self, value: Expr) -> Option<Vec<u8>> {
        let global = match self.arena.exprs[value].data {
            // It need not have memory on the device: nothing of it is read when the program runs.
            ExprData::ArrayDecay(place) if let PlaceData::Global(global) = self.arena.places[place].data => {
                global
            }
            _ => match self.constants().eval(value, Mode::Required) {
                Ok(Value::Addr(Base::Global(global), 0)) => global,
                _ => return None,
            },
        };
        // A literal has no name, and nvcc wants a variable.
        self.module.globals[global].name.as_ref()?;
        let pointee = self.module.types.pointee(self.ty_of(value))?;
        matches!(self.module.types.kind(pointee), TyKind::Int(IntTy::Char))
            .then(|| self.constants().constant_bytes(value))?
    }
}

fn described(register: AsmRegister) -> &'static str {
    match register {
        AsmRegister::Short => "an integer of 16 bits",
        AsmRegister::Word => "an integer of 32 bits",
        AsmRegister::Long => "an integer or an address of 64 bits",
        AsmRegister::Quad => "an integer of 128 bits",
        AsmRegister::Float => "a `float`",
        AsmRegister::Double => "a `double`",
    }
}
