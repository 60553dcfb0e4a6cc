//! Finds instructions in the text of a module.

/// The instruction whose opcode is at an offset, with its guard and without its terminator. Empty if the text
/// does not match.
pub(crate) fn instruction_at(text: &str, offset: usize) -> String {
    let (Some(before), Some(rest)) = (text.get(..offset), text.get(offset..)) else { return String::new() };
    let end = rest.find(';').unwrap_or(rest.len());
    // The guard precedes it on the same line.
    let own = before.rfind(['\n', ';', '{', '}', ':']).map_or(0, |at| at + 1);
    let start = before[own..].rfind('@').map_or(offset, |at| own + at);
    text[start..offset + end].split_whitespace().collect::<Vec<&str>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::instruction_at;

    #[test]
    fn instructions_have_their_guards() {
        let text = "L: @%p1 bra L; add.u32 %r1, %r1, 1;\n  @!%p2\tst.u32 [%rd1], %r1;\n ret ;";
        let at = |opcode: &str| instruction_at(text, text.find(opcode).expect("it is there"));
        assert_eq!(at("bra"), "@%p1 bra L");
        assert_eq!(at("add"), "add.u32 %r1, %r1, 1");
        assert_eq!(at("st."), "@!%p2 st.u32 [%rd1], %r1");
        assert_eq!(at("ret"), "ret");
        assert_eq!(instruction_at("", 7), "");
    }
}
