//! The interfaces of objects: cubins, and those in the fat binaries of host objects and archives.
//!
//! A relocatable cubin has a section `.nv.prototype`: for each function, the index of its symbol and the
//! offset of its prototype in the string table. The prototype is a text that ptxas and nvlink exchange: `#`,
//! the result, the parameters: `i` and `l` for 4 and 8 bytes, `f` and `d` for floating-point numbers, `x` for
//! 16 bytes, `b` and a number for that many bytes, where zero means variadic arguments, and `v` for no result
//! (measured with ptxas 13.5). It lacks alignments.

use std::collections::{BTreeMap, BTreeSet};

use object::elf::{ELFCLASS32, ELFMAG, STT_FUNC};
use object::read::archive::ArchiveFile;
use object::read::elf::ElfFile64;
use object::{Endianness, Object, ObjectSection, ObjectSymbol, SymbolFlags};

use crate::fatbin::{self, Element, Kind};
use crate::interface::{Interface, Item, Kind as Value, Passed, Prototype, Symbol, Unknown};

/// The section of a host object with relocatable device code, and the one with linked code.
const LINKED_SECTION: &str = "__nv_relfatbin";
const WHOLE_SECTION: &str = ".nv_fatbin";

/// ELF's number for CUDA (`EM_CUDA`).
const EM_CUDA: u16 = 190;

/// The symbol type of a variable, and its state space in the symbol's other field (measured, with cuobjdump's
/// names).
const STT_CUDA_OBJECT: u8 = 13;
const STO_SPACE: u8 = 0xE0;
const STO_SHARED: u8 = 0x40;
const STO_CONST: u8 = 0x80;

/// The maximum size of a name, and of all names and prototypes of an object: in a damaged object, every
/// symbol can name most of a large string table.
const MAX_NAME: usize = 1 << 16;
const MAX_NAMES: usize = 64 << 20;

/// The interfaces of the objects in a file: a cubin, a host object with packed device code, or an archive of
/// these. If one cannot be read, its interface says why.
///
/// If an object has code for several GPUs, including `sm` (80 for sm_80), only that is read, since a link
/// uses only that.
pub fn interfaces(name: &str, bytes: &[u8], sm: u32) -> Vec<Interface> {
    if !bytes.starts_with(b"!<arch>\n") {
        return of_object(name, bytes, sm);
    }
    let damaged = |error| damaged(name, format!("`{name}` is a damaged archive: {error}"));
    let mut all = Vec::new();
    let archive = match ArchiveFile::parse(bytes) {
        Ok(archive) => archive,
        Err(error) => return vec![damaged(error)],
    };
    let mut n_members = 0;
    for member in archive.members() {
        n_members += 1;
        let data = member.and_then(|member| Ok((member.name().to_vec(), member.data(bytes)?)));
        match data {
            // An archive may contain anything; a link ignores what is not an object.
            Ok((_, data)) if !data.starts_with(&ELFMAG) => {}
            Ok((member, data)) => {
                let name = format!("{name}({})", String::from_utf8_lossy(&member));
                let has_code = |member: &Interface| member.unknown != Some(no_device_code(&name));
                let members = of_object(&name, data, sm).into_iter().filter(has_code);
                all.extend(members.map(|member| Interface { is_member: true, ..member }));
            }
            Err(error) => {
                all.push(damaged(error));
                break;
            }
        }
    }
    if n_members == 0 {
        all.push(not_compared(name, format!("`{name}` is an archive without members")));
    }
    all
}

fn not_compared(name: &str, why: String) -> Interface {
    Interface { name: name.to_owned(), unknown: Some(Unknown::NotCompared(why)), ..Interface::default() }
}

fn damaged(name: &str, why: String) -> Interface {
    Interface { name: name.to_owned(), unknown: Some(Unknown::Damaged(why)), ..Interface::default() }
}

fn no_device_code(name: &str) -> Unknown {
    Unknown::NotCompared(format!("`{name}` contains no device code"))
}

/// The interfaces of one object.
fn of_object(name: &str, bytes: &[u8], sm: u32) -> Vec<Interface> {
    let file = match ElfFile64::<Endianness>::parse(bytes) {
        Ok(file) => file,
        Err(error) => {
            let why = match bytes {
                [] => "is empty".to_owned(),
                _ if !bytes.starts_with(&ELFMAG) => "is not an ELF object".to_owned(),
                _ if bytes.get(4) == Some(&ELFCLASS32) => {
                    "is a 32-bit object, which cannot be linked".to_owned()
                }
                _ => format!("is a damaged object: {}", lower_case(&error.to_string())),
            };
            return vec![damaged(name, format!("`{name}` {why}"))];
        }
    };
    if file.elf_header().e_machine.get(file.endian()) == EM_CUDA {
        return vec![of_cubin(name, &file)];
    }
    let Some(section) = file.section_by_name(LINKED_SECTION) else {
        let is_whole = file.section_by_name(WHOLE_SECTION).is_some();
        let why = "contains a whole program, compiled without `-rdc=true`, which cannot be linked";
        let unknown = match is_whole {
            true => Unknown::NotCompared(format!("`{name}` {why}")),
            false => no_device_code(name),
        };
        return vec![Interface { name: name.to_owned(), unknown: Some(unknown), ..Interface::default() }];
    };
    let packed = section.data().map_err(|_| "its fat binary is truncated".to_owned());
    match packed.and_then(fatbin::containers) {
        Ok(modules) => {
            let n_modules = modules.len();
            let module = |(idx, elements): (usize, Vec<Element>)| {
                // Objects may have been joined to one.
                let name = if n_modules > 1 { format!("{name}#{}", idx + 1) } else { name.to_owned() };
                of_module(&name, &elements, sm)
            };
            modules.into_iter().enumerate().flat_map(module).collect()
        }
        Err(why) => vec![damaged(name, format!("`{name}` is a damaged object: {why}"))],
    }
}

fn lower_case(phrase: &str) -> String {
    let mut chars = phrase.chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}

/// The interfaces of one module, for each GPU that is read. PTX has alignments, which a cubin lacks.
fn of_module(name: &str, elements: &[Element], sm: u32) -> Vec<Interface> {
    let is_for_target = |element: &&Element| element.sm == sm;
    let known = || elements.iter().filter(|element| element.kind != Kind::Other);
    if known().next().is_none() && !elements.is_empty() {
        return vec![not_compared(name, format!("`{name}` contains device code of an unsupported kind"))];
    }
    let fits = known().any(|element| is_for_target(&element));
    let taken: Vec<&Element> = known().filter(|element| !fits || is_for_target(element)).collect();
    let gpus: BTreeSet<u32> = taken.iter().map(|element| element.sm).collect();
    let of_gpu = |&sm: &u32| {
        let of_kind = |kind: Kind| taken.iter().find(|element| element.sm == sm && element.kind == kind);
        let shown = if gpus.len() > 1 { format!("{name} (sm_{sm})") } else { name.to_owned() };
        let ptx = of_kind(Kind::Ptx).map(|ptx| Interface::of_ptx(&shown, &text_of(&ptx.bytes)));
        // With link-time optimization, the PTX is empty.
        let ptx = ptx.filter(|_| of_kind(Kind::Intermediate).is_none());
        let interface = match (ptx, of_kind(Kind::Cubin)) {
            (Some(Ok(mut interface)), _) => {
                // A position in PTX that the user does not have is useless.
                interface.symbols.values_mut().for_each(|symbol| symbol.place.clone_from(&shown));
                interface
            }
            (_, Some(cubin)) => match ElfFile64::parse(&*cubin.bytes) {
                Ok(file) => of_cubin(&shown, &file),
                Err(_) => damaged(&shown, format!("`{shown}` is a damaged object: its cubin cannot be read")),
            },
            (Some(Err(why)), None) => {
                not_compared(&shown, format!("the PTX in `{shown}` cannot be read: {why}"))
            }
            (None, None) => {
                let why =
                    format!("`{shown}` contains code for link-time optimization, which is not supported");
                not_compared(&shown, why)
            }
        };
        Interface { gpu: Some(sm), ..interface }
    };
    gpus.iter().map(of_gpu).collect()
}

/// A text, without trailing zeros.
fn text_of(bytes: &[u8]) -> String {
    let end = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

/// The interface of a cubin.
fn of_cubin(name: &str, file: &ElfFile64<'_, Endianness>) -> Interface {
    let cut_off = || damaged(name, format!("`{name}` is a damaged object: a section is truncated"));
    if file.sections().any(|section| section.data().is_err()) {
        return cut_off();
    }
    let mut room = MAX_NAMES;
    let Some(prototypes) = prototypes(file, &mut room) else { return too_many_names(name) };
    let mut symbols = BTreeMap::new();
    for symbol in file.symbols().filter(ObjectSymbol::is_global) {
        let Ok(symbol_name) = symbol.name() else { return cut_off() };
        if !takes(&mut room, symbol_name.len()) {
            return too_many_names(name);
        }
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
                // A symbol without a known size has size zero.
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

fn too_many_names(name: &str) -> Interface {
    let most = MAX_NAMES >> 20;
    damaged(name, format!("`{name}` is a damaged object: its symbol names exceed {most} MiB"))
}

/// Reserves the bytes of a name, if possible.
fn takes(room: &mut usize, n_bytes: usize) -> bool {
    let left = room.checked_sub(n_bytes).filter(|_| n_bytes <= MAX_NAME);
    *room = left.unwrap_or(*room);
    left.is_some()
}

/// The prototypes, by symbol index. `None` if they are too large.
fn prototypes(file: &ElfFile64<'_, Endianness>, room: &mut usize) -> Option<BTreeMap<usize, Prototype>> {
    let mut all = BTreeMap::new();
    let data = |name: &str| file.section_by_name(name).and_then(|section| section.data().ok());
    let (Some(table), Some(strings)) = (data(".nv.prototype"), data(".strtab")) else { return Some(all) };
    for entry in table.as_chunks::<8>().0 {
        let word =
            |at: usize| u32::from_le_bytes([entry[at], entry[at + 1], entry[at + 2], entry[at + 3]]) as usize;
        let text = strings.get(word(4)..).unwrap_or_default();
        // A longer text is not read to its end.
        let text =
            text.get(..MAX_NAME + 1).unwrap_or(text).split(|&byte| byte == 0).next().unwrap_or_default();
        // Each letter becomes a parameter.
        if !takes(room, text.len()) || !takes(room, text.len() * (size_of::<Passed>() - 1)) {
            return None;
        }
        if let Some(prototype) = std::str::from_utf8(text).ok().and_then(prototype) {
            all.insert(word(0), prototype);
        }
    }
    Some(all)
}

/// Parses `#il`.
fn prototype(text: &str) -> Option<Prototype> {
    let mut rest = text.strip_prefix('#')?;
    let mut kinds = Vec::new();
    let mut letters = rest.chars();
    while let Some(letter) = letters.next() {
        rest = letters.as_str();
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
                letters = rest[end..].chars();
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
        assert_eq!(kinds("#\u{47C}2"), None);
    }
}
