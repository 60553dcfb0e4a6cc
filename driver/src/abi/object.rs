//! What a cubin says of its symbols.
//!
//! A relocatable one has a section `.nv.prototype`: for each function, the number of its symbol and where its prototype
//! stands among the strings. That is a text as ptxas and nvlink write it for one another: `#`, the result, the parameters:
//! `i` and `l` for 4 and 8 bytes, `f` and `d` for floating-point numbers, `x` for 16 bytes, `b` and a number for as many
//! bytes, of which none are those behind `...`, and `v` for no result (measured with ptxas 13.5). Alignments are not there.

use std::collections::BTreeMap;

use object::elf::STT_FUNC;
use object::read::elf::ElfFile64;
use object::{Endianness, Object, ObjectSection, ObjectSymbol, SymbolFlags};

use super::interface::{Interface, Item, Kind, Passed, Prototype, Symbol};

/// ELF's number for CUDA (`EM_CUDA`).
const EM_CUDA: u16 = 190;

/// The type of a variable's symbol, and its space in what else is said of it (measured, as cuobjdump names them).
const STT_CUDA_OBJECT: u8 = 13;
const STO_SPACE: u8 = 0xE0;
const STO_SHARED: u8 = 0x40;
const STO_CONST: u8 = 0x80;

/// What a cubin defines and uses. Of what is no cubin nothing is known.
pub fn interface(name: &str, bytes: &[u8]) -> Interface {
    read(name, bytes).unwrap_or_else(|why| Interface {
        name: name.to_owned(),
        symbols: BTreeMap::new(),
        unknown: Some(why),
    })
}

fn read(name: &str, bytes: &[u8]) -> Result<Interface, String> {
    let file = ElfFile64::<Endianness>::parse(bytes).map_err(|_| format!("`{name}` is no cubin"))?;
    if file.elf_header().e_machine.get(file.endian()) != EM_CUDA {
        return Err(format!("`{name}` is an object of the host, whose device code is packed"));
    }
    let prototypes = prototypes(&file);
    let mut symbols = BTreeMap::new();
    for symbol in file.symbols().filter(ObjectSymbol::is_global) {
        let Ok(symbol_name) = symbol.name() else { continue };
        let SymbolFlags::Elf { st_info, st_other } = symbol.flags() else { continue };
        let item = match (prototypes.get(&symbol.index().0), st_info & 0xF) {
            (Some(prototype), _) => Item::Function(prototype.clone()),
            (None, STT_FUNC) => Item::Unknown,
            (None, STT_CUDA_OBJECT) => Item::Variable {
                space: match st_other & STO_SPACE {
                    STO_CONST => "const",
                    STO_SHARED => "shared",
                    _ => "global",
                },
                // One of which no size is known has none there.
                size: Some(symbol.size()).filter(|&size| size > 0),
                align: None,
            },
            (None, _) => continue,
        };
        let symbol = Symbol { is_defined: !symbol.is_undefined(), item, place: name.to_owned() };
        symbols.insert(symbol_name.to_owned(), symbol);
    }
    Ok(Interface { name: name.to_owned(), symbols, unknown: None })
}

/// The prototypes, by the numbers of their symbols.
fn prototypes(file: &ElfFile64<'_, Endianness>) -> BTreeMap<usize, Prototype> {
    let mut all = BTreeMap::new();
    let data = |name: &str| file.section_by_name(name).and_then(|section| section.data().ok());
    let (Some(table), Some(strings)) = (data(".nv.prototype"), data(".strtab")) else { return all };
    for entry in table.chunks_exact(8) {
        let word =
            |at: usize| u32::from_le_bytes([entry[at], entry[at + 1], entry[at + 2], entry[at + 3]]) as usize;
        let text = strings.get(word(4)..).and_then(|rest| rest.split(|&byte| byte == 0).next());
        if let Some(prototype) = text.and_then(|text| std::str::from_utf8(text).ok()).and_then(prototype) {
            all.insert(word(0), prototype);
        }
    }
    all
}

/// Reads `#il`.
fn prototype(text: &str) -> Option<Prototype> {
    let mut rest = text.strip_prefix('#')?;
    let mut kinds = Vec::new();
    while let Some(letter) = rest.chars().next() {
        rest = &rest[1..];
        kinds.push(match letter {
            'v' => None,
            'i' => Some(Kind::Bits(4)),
            'l' => Some(Kind::Bits(8)),
            'x' => Some(Kind::Bits(16)),
            'f' => Some(Kind::Float(4)),
            'd' => Some(Kind::Float(8)),
            'b' => {
                let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
                let size: u64 = rest[..end].parse().ok()?;
                rest = &rest[end..];
                Some(if size == 0 { Kind::Open } else { Kind::Bytes(size) })
            }
            _ => return None,
        });
    }
    let passed = |kind: &Option<Kind>| kind.map(|kind| Passed { kind, align: None, source: None });
    let (result, parameters) = kinds.split_first()?;
    Some(Prototype {
        results: passed(result).into_iter().collect(),
        parameters: parameters.iter().filter_map(passed).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prototypes_are_read() {
        let kinds = |text: &str| {
            let Prototype { results, parameters } = prototype(text)?;
            let kinds = |list: Vec<Passed>| list.into_iter().map(|passed| passed.kind).collect::<Vec<_>>();
            Some((kinds(results), kinds(parameters)))
        };
        use Kind::{Bits, Bytes, Float, Open};
        assert_eq!(kinds("#v"), Some((vec![], vec![])));
        assert_eq!(
            kinds("#b12ilxfdb5b0"),
            Some((vec![Bytes(12)], vec![Bits(4), Bits(8), Bits(16), Float(4), Float(8), Bytes(5), Open]))
        );
        assert_eq!((kinds("il"), kinds("#q"), kinds("#b")), (None, None, None));
    }
}
