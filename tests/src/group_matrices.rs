//! Warpgroup matrix products as built-in functions: calls with all combinations of options, and the
//! instructions that a compiler makes from them, with the memory offsets that their registers come from and
//! go to.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The functions: their suffixes, the columns of A, and the number of options after the shape.
const FUNCTIONS: [(&str, u32, usize); 4] = [("f16", 16, 6), ("bf16", 16, 5), ("tf32", 8, 3), ("f8", 32, 6)];

/// The columns of B; nvcc has an internal error at other multiples of 8.
const COLUMNS: [u32; 6] = [8, 16, 32, 64, 128, 256];

/// A file with a function for each call.
pub fn source() -> String {
    let mut text = String::new();
    let mut idx = 0;
    for (name, k, n_options) in FUNCTIONS {
        for a in ["unsigned long long", "unsigned *"] {
            // No option, each option alone, and all.
            let choices = (0..=n_options).map(|bit| (1_u32 << bit) >> 1).chain([(1 << n_options) - 1]);
            for choice in choices {
                let n = COLUMNS[idx % COLUMNS.len()];
                let options: String = (0..n_options).map(|bit| format!("{}, ", choice >> bit & 1)).collect();
                // Writing to a `String` cannot fail.
                let _ = writeln!(
                    text,
                    "extern \"C\" __device__ void f{idx}(void *d, {a} a, unsigned long long b) \
                     {{ __wgmma_mma_async_{name}(64, {n}, {k}, {options}d, a, b); }}"
                );
                idx += 1;
            }
        }
    }
    text
}

/// The product instruction of each function in a module: without spaces, and with the memory offset of each
/// register that is loaded or stored.
pub fn products(ptx: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for function in ptx.split(".func ").skip(1) {
        let Some((name, rest)) = function.split_once('(') else { continue };
        let mut offsets: BTreeMap<&str, u32> = BTreeMap::new();
        let code: Vec<&str> = rest.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        let code = code.join("\n");
        for statement in code.split(';').map(str::trim) {
            let Some((opcode, operands)) = statement.split_once(char::is_whitespace) else { continue };
            let Some((at, after)) = operands.split_once('[').and_then(|(_, at)| at.split_once(']')) else {
                continue;
            };
            let offset = at.split_once('+').map_or(Ok(0), |(_, offset)| offset.parse());
            let register = match opcode.split('.').next() {
                Some("ld") => operands.split(',').next(),
                Some("st") => after.split(',').nth(1),
                _ => None,
            };
            if let (Some(register), Ok(offset)) = (register, offset)
                && opcode.ends_with("32")
            {
                offsets.insert(register.trim(), offset);
            }
        }
        let Some((_, product)) = code.split_once("wgmma.mma_async") else { continue };
        let product = product.split(';').next().unwrap_or_default();
        let mut text = String::new();
        for word in product.split_inclusive([',', '{', '}', ' ', '\t', '\n']) {
            let register = word.trim_end_matches([',', '{', '}', ' ', '\t', '\n']);
            match offsets.get(register) {
                Some(offset) => {
                    let _ = write!(text, "[{offset}]{}", &word[register.len()..]);
                }
                None if register.starts_with('%') => text.push_str(&word.replace(register, "%")),
                None => text.push_str(word),
            }
        }
        text.retain(|c| !c.is_whitespace());
        found.insert(name.trim().to_owned(), text);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_are_where_they_come_from() {
        let ptx = ".visible .func f0(\n\t.param .b64 f0_param_0\n)\n{\n\tld.param.b64 \t%rd1, [f0_param_0];\n\
                   \tld.b32 \t%r1, [%rd1+4];\n\tld.b32 \t%r2, [%rd1];\n\
                   \twgmma.mma_async.sync {%f1, %f2},\n\t{%r2, %r1}, %rd2, 1;\n\
                   \tst.b32 \t[%rd1+4], %f2;\n\tst.b32 \t[%rd1], %f1;\n\tret;\n}\n";
        let found = products(ptx);
        // After the opcode there may be a space.
        assert_eq!(found["f0"], ".sync{[0],[4]},{[0],[4]},%,1");
    }
}
