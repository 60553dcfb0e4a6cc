//! Compares the `vprintf` calls of two compilers' code byte by byte (PTX Interop 3): the printed text shows
//! neither the upper bytes of a `char`, nor the last digits of a fraction.

use std::fmt::Write as _;

use weft_run::print_calls::{PrintArgument, PrintCall};

use crate::Failure;

/// The alignment of the argument list.
const LIST_ALIGN: u64 = 8;

/// Compares the calls in order: formats, whether there is an argument list, its alignment, and each
/// argument's offset and bytes; for strings, their contents.
///
/// # Errors
///
/// Lists the calls that differ.
pub fn compare(ours: &[PrintCall], theirs: &[PrintCall]) -> Result<(), Failure> {
    if ours.len() != theirs.len() {
        return Err(format!("{} calls of vprintf, where there are {}", ours.len(), theirs.len()));
    }
    let mut differences = String::new();
    for (our, their) in ours.iter().zip(theirs) {
        let (our_text, their_text) = (shown(our), shown(their));
        if our_text != their_text {
            // Writing to a `String` cannot fail.
            let _ = writeln!(differences, "{our_text}\nwhere there is\n{their_text}");
        }
    }
    if differences.is_empty() { Ok(()) } else { Err(differences) }
}

/// The parts of a call that must be equal.
fn shown(call: &PrintCall) -> String {
    let mut text = format!("\"{}\"", call.format.escape_ascii());
    match call.address {
        0 => text.push_str(", no arguments"),
        address if !address.is_multiple_of(LIST_ALIGN) => {
            let _ = write!(text, ", arguments aligned to {}", 1_u64 << address.trailing_zeros());
        }
        _ => {}
    }
    for PrintArgument { offset, bytes, string } in &call.arguments {
        let _ = match string {
            Some(string) => write!(text, ", {offset}: {} to \"{}\"", bytes.len(), string.escape_ascii()),
            None => write!(text, ", {offset}: {bytes:02x?}"),
        };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call() -> PrintCall {
        let argument = |offset, bytes: &[u8]| PrintArgument { offset, bytes: bytes.to_vec(), string: None };
        let text = PrintArgument { string: Some(b"text".to_vec()), ..argument(8, &[0x10; 8]) };
        PrintCall {
            block: [0; 3],
            thread: [0; 3],
            format: b"%c %s\n".to_vec(),
            address: 0x1008,
            arguments: vec![argument(0, &[65, 0, 0, 0]), text],
        }
    }

    #[test]
    fn a_string_may_lie_elsewhere() {
        let mut other = call();
        other.address += 0x100;
        other.arguments[1].bytes[0] += 1;
        assert_eq!(compare(&[call()], &[other]), Ok(()));
    }

    #[test]
    fn each_difference_is_found() {
        let changes: [fn(&mut PrintCall); 8] = [
            |call| call.address = 0,
            |call| call.address += 4,
            |call| call.format.push(b' '),
            |call| call.arguments[0].bytes[3] = 1,
            |call| call.arguments[1].offset += 8,
            |call| call.arguments[1].bytes.truncate(4),
            |call| call.arguments[1].string = None,
            |call| call.arguments.truncate(1),
        ];
        for (idx, change) in changes.iter().enumerate() {
            let mut changed = call();
            change(&mut changed);
            assert!(compare(&[changed], &[call()]).is_err(), "{idx}");
        }
        assert!(compare(&[], &[call()]).is_err());
    }
}
