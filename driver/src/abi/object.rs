//! What objects say of their symbols: cubins, and those in the fat binaries of objects of the host and in archives.
//!
//! A relocatable cubin has a section `.nv.prototype`: for each function, the number of its symbol and where its prototype
//! stands among the strings. That is a text as ptxas and nvlink write it for one another: `#`, the result, the parameters:
//! `i` and `l` for 4 and 8 bytes, `f` and `d` for floating-point numbers, `x` for 16 bytes, `b` and a number for as many
//! bytes, of which none are those behind `...`, and `v` for no result (measured with ptxas 13.5). Alignments are not there.

use std::collections::{BTreeMap, BTreeSet};

use object::elf::STT_FUNC;
use object::read::archive::ArchiveFile;
use object::read::elf::ElfFile64;
use object::{Endianness, Object, ObjectSection, ObjectSymbol, SymbolFlags};

use weft_lower::target::Target;

use super::fatbin::{self, Element, Kind};
use super::interface::{Interface, Item, Kind as Value, Passed, Prototype, Symbol};

/// Where an object of the host holds device code that is to be linked, and where such as is complete.
const LINKED_SECTION: &str = "__nv_relfatbin";
const WHOLE_SECTION: &str = ".nv_fatbin";

/// ELF's number for CUDA (`EM_CUDA`).
const EM_CUDA: u16 = 190;

/// The type of a variable's symbol, and its space in what else is said of it (measured, as cuobjdump names them).
const STT_CUDA_OBJECT: u8 = 13;
const STO_SPACE: u8 = 0xE0;
const STO_SHARED: u8 = 0x40;
const STO_CONST: u8 = 0x80;

/// What the objects of a file define and use: of a cubin; of an object of the host, whose device code is packed; of an
/// archive of such. Of what cannot be read it is said why.
///
/// Where an object has code for several GPUs, and some of it for the target, that alone is looked at, since it is what a
/// link takes.
pub fn interfaces(name: &str, bytes: &[u8], target: Target) -> Vec<Interface> {
    if !bytes.starts_with(b"!<arch>\n") {
        return of_object(name, bytes, target, true);
    }
    let mut all = Vec::new();
    let archive = match ArchiveFile::parse(bytes) {
        Ok(archive) => archive,
        Err(error) => return vec![silent(name, format!("`{name}` is a damaged archive: {error}"))],
    };
    let mut n_members = 0;
    for member in archive.members() {
        n_members += 1;
        let data = member.and_then(|member| Ok((member.name().to_vec(), member.data(bytes)?)));
        match data {
            Ok((member, data)) => {
                let name = format!("{name}({})", String::from_utf8_lossy(&member));
                let members = of_object(&name, data, target, false).into_iter();
                all.extend(members.map(|member| Interface { is_member: true, ..member }));
            }
            Err(error) => all.push(silent(name, format!("`{name}` is a damaged archive: {error}"))),
        }
    }
    if n_members == 0 {
        all.push(silent(name, format!("`{name}` is an archive without members")));
    }
    all
}

fn silent(name: &str, why: String) -> Interface {
    Interface { name: name.to_owned(), unknown: Some(why), ..Interface::default() }
}

/// What one object says. One without device code is worth a word where it was named itself.
fn of_object(name: &str, bytes: &[u8], target: Target, is_named: bool) -> Vec<Interface> {
    let Ok(file) = ElfFile64::<Endianness>::parse(bytes) else {
        return vec![silent(name, format!("`{name}` is no object of 64 bits"))];
    };
    if file.elf_header().e_machine.get(file.endian()) == EM_CUDA {
        return vec![of_cubin(name, &file)];
    }
    let section = |wanted: &str| file.section_by_name(wanted).and_then(|section| section.data().ok());
    let Some(packed) = section(LINKED_SECTION) else {
        let why = match section(WHOLE_SECTION) {
            Some(_) => "holds a whole program, made without `-rdc=true`: nothing links with it",
            None if is_named => "holds no device code",
            None => return Vec::new(),
        };
        return vec![silent(name, format!("`{name}` {why}"))];
    };
    match fatbin::containers(packed) {
        Ok(modules) => {
            let n_modules = modules.len();
            let module = |(idx, elements): (usize, Vec<Element>)| {
                // Several, where objects were joined to one.
                let name = if n_modules > 1 { format!("{name}#{}", idx + 1) } else { name.to_owned() };
                of_module(&name, &elements, target)
            };
            modules.into_iter().enumerate().flat_map(module).collect()
        }
        Err(why) => vec![silent(name, format!("`{name}`: {why}"))],
    }
}

/// What one module says, for each GPU that is looked at. PTX says alignments, which a cubin does not.
fn of_module(name: &str, elements: &[Element], target: Target) -> Vec<Interface> {
    let is_for_target = |element: &&Element| element.sm == u32::from(target.sm());
    let known = || elements.iter().filter(|element| element.kind != Kind::Other);
    if known().next().is_none() && !elements.is_empty() {
        return vec![silent(name, format!("`{name}` holds device code of a kind that is not read"))];
    }
    let fits = known().any(|element| is_for_target(&element));
    let taken: Vec<&Element> = known().filter(|element| !fits || is_for_target(element)).collect();
    let gpus: BTreeSet<u32> = taken.iter().map(|element| element.sm).collect();
    let of_gpu = |&sm: &u32| {
        let of_kind = |kind: Kind| taken.iter().find(|element| element.sm == sm && element.kind == kind);
        let shown = if gpus.len() > 1 { format!("{name} (sm_{sm})") } else { name.to_owned() };
        let ptx = of_kind(Kind::Ptx).map(|ptx| Interface::of_ptx(&shown, &text_of(&ptx.bytes)));
        // Where code is left to the link, the PTX beside it is empty.
        let ptx = ptx.filter(|_| of_kind(Kind::Intermediate).is_none());
        let interface = match (ptx, of_kind(Kind::Cubin)) {
            (Some(Ok(mut interface)), _) => {
                // A place in a text that nobody has is none.
                interface.symbols.values_mut().for_each(|symbol| symbol.place.clone_from(&shown));
                interface
            }
            (_, Some(cubin)) => match ElfFile64::parse(&*cubin.bytes) {
                Ok(file) => of_cubin(&shown, &file),
                Err(_) => silent(&shown, format!("the cubin in `{shown}` cannot be read")),
            },
            (Some(Err(why)), None) => silent(&shown, format!("the PTX in `{shown}` cannot be read: {why}")),
            (None, None) => {
                silent(&shown, format!("`{shown}` holds code for link-time optimisation, which is not read"))
            }
        };
        Interface { gpu: Some(sm), ..interface }
    };
    gpus.iter().map(of_gpu).collect()
}

/// A text, without the zeros that may fill it up.
fn text_of(bytes: &[u8]) -> String {
    let end = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

/// What a cubin says.
fn of_cubin(name: &str, file: &ElfFile64<'_, Endianness>) -> Interface {
    let prototypes = prototypes(file);
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
        let (is_defined, is_weak) = (!symbol.is_undefined(), symbol.is_weak());
        let symbol = Symbol { is_defined, is_weak, item, place: name.to_owned() };
        symbols.insert(symbol_name.to_owned(), symbol);
    }
    Interface { name: name.to_owned(), symbols, ..Interface::default() }
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
            'i' => Some(Value::Bits(4)),
            'l' => Some(Value::Bits(8)),
            'x' => Some(Value::Bits(16)),
            'f' => Some(Value::Float(4)),
            'd' => Some(Value::Float(8)),
            'b' => {
                let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
                let size: u64 = rest[..end].parse().ok()?;
                rest = &rest[end..];
                Some(if size == 0 { Value::Open } else { Value::Bytes(size) })
            }
            _ => return None,
        });
    }
    let passed =
        |kind: &Option<Value>| kind.map(|kind| Passed { kind, align: None, source: None, number: None });
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
        use Value::{Bits, Bytes, Float, Open};
        assert_eq!(kinds("#v"), Some((vec![], vec![])));
        assert_eq!(
            kinds("#b12ilxfdb5b0"),
            Some((vec![Bytes(12)], vec![Bits(4), Bits(8), Bits(16), Float(4), Float(8), Bytes(5), Open]))
        );
        assert_eq!((kinds("il"), kinds("#q"), kinds("#b")), (None, None, None));
    }
}
