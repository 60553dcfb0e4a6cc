//! Reads `DW_AT_location`, for the few expressions that CUDA compilers write.
//!
//! A register's number is its PTX name, with the characters as one number. That exceeds the range of DWARF
//! readers, so expressions are parsed here. For an address in the frame, ptxas writes a `DW_OP_fbreg`
//! followed by `DW_OP_nop`s and an offset.

use gimli::{AttributeValue, DwOp, Reader};

use super::cubin::Cubin;
use super::die::{Die, Slice, Unit};
use super::tree::Location;

/// The location of a variable.
pub(super) fn location<'d>(cubin: &Cubin, unit: &Unit<'d>, die: &Die<'d>) -> Location {
    match die.attribute(gimli::DW_AT_location) {
        None => Location::None,
        Some(AttributeValue::Exprloc(_) | AttributeValue::Block(_)) => {
            let Some(bytes) = die.expression(gimli::DW_AT_location) else { return Location::None };
            expression(cubin, unit.offset_of(bytes), bytes)
                .unwrap_or_else(|| Location::Other(hexadecimal(bytes)))
        }
        Some(_) => Location::List,
    }
}

fn hexadecimal(bytes: Slice<'_>) -> String {
    bytes.slice().iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}

/// `None` for an unknown expression.
fn expression(cubin: &Cubin, start: u64, mut bytes: Slice<'_>) -> Option<Location> {
    let whole = bytes;
    let mut found = None;
    while !bytes.is_empty() {
        let operation = DwOp(bytes.read_u8().ok()?);
        let offset = bytes.offset_from(whole) as u64;
        found = Some(match (operation, found) {
            (gimli::DW_OP_addr, None) => {
                let address = bytes.read_u64().ok()?;
                match cubin.symbol_at(".debug_info", start + offset) {
                    Some(symbol) => Location::Symbol(symbol.to_owned()),
                    None => Location::Address(address),
                }
            }
            (gimli::DW_OP_regx, None) => Location::Register(register(bytes.read_uleb128().ok()?)),
            (gimli::DW_OP_bregx, None) => {
                let name = register(bytes.read_uleb128().ok()?);
                bytes.read_sleb128().ok()?;
                Location::AtRegister(name)
            }
            (gimli::DW_OP_fbreg, None) => Location::Frame(bytes.read_sleb128().ok()?),
            (gimli::DW_OP_call_frame_cfa, None) => Location::Frame(0),
            (gimli::DW_OP_nop, Some(found)) => found,
            (gimli::DW_OP_plus_uconst, Some(Location::Frame(base))) => {
                Location::Frame(base.checked_add_unsigned(bytes.read_uleb128().ok()?)?)
            }
            (gimli::DW_OP_plus_uconst, Some(found @ Location::Symbol(_))) => {
                bytes.read_uleb128().ok()?;
                found
            }
            _ => return None,
        });
    }
    found
}

/// The name that a register number encodes.
fn register(number: u64) -> String {
    let bytes = number.to_be_bytes();
    let name: Vec<u8> = bytes.into_iter().skip_while(|byte| *byte == 0).collect();
    String::from_utf8(name).unwrap_or_else(|_| number.to_string())
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_number_is_a_name() {
        assert_eq!(super::register(0x25_72_64_31), "%rd1");
    }
}
