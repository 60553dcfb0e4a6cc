//! A cubin as if it were loaded: its sections get consecutive addresses, and the relocations of its debug
//! sections are applied.
//!
//! In a relocatable cubin all functions are at address 0, and llvm-dwarfdump does not support CUDA's
//! relocations (`EM_CUDA`, 190). In debug sections each is a symbol plus a constant: in four bytes for a
//! DWARF section, in eight for an address.

use std::collections::BTreeMap;

use object::elf::FileHeader64;
use object::read::elf::ElfFile64;
use object::read::{Object, ObjectSection, ObjectSymbol};
use object::{LittleEndian, RelocationTarget, SymbolKind};

use crate::Failure;

/// A cubin whose sections have addresses.
#[derive(Clone, Debug)]
pub struct Cubin {
    /// The file, for other DWARF readers.
    pub bytes: Vec<u8>,
    /// By section and offset: the symbol there.
    symbols: BTreeMap<String, BTreeMap<u64, String>>,
    /// The functions, by address.
    functions: BTreeMap<u64, String>,
}

/// The numbers of `R_CUDA_32`, `R_CUDA_64` and `R_CUDA_G64`, which ptxas uses in debug sections.
const R_CUDA_32: u32 = 1;
const R_CUDA_64: u32 = 2;
const R_CUDA_G64: u32 = 4;

/// The offsets of the type and the address in a section header.
const SH_TYPE: usize = 4;
const SH_ADDR: usize = 16;

type Elf<'d> = ElfFile64<'d, LittleEndian>;

impl Cubin {
    /// Reads a cubin.
    ///
    /// # Errors
    ///
    /// If the file is not ELF, or a relocation is unknown.
    pub fn read(mut bytes: Vec<u8>) -> Result<Cubin, Failure> {
        let failed = |e: object::Error| format!("the cubin cannot be read: {e}");
        let patches = Patches::of(&Elf::parse(&bytes[..]).map_err(failed)?)?;
        for (offset, patch) in &patches.bytes {
            let place = bytes.get_mut(*offset..*offset + patch.len());
            place.ok_or("a relocation lies beyond the cubin")?.copy_from_slice(patch);
        }
        Ok(Cubin { bytes, symbols: patches.symbols, functions: patches.functions })
    }

    /// The bytes of a section, if there is one.
    pub fn section(&self, name: &str) -> Option<Vec<u8>> {
        let elf = Elf::parse(&self.bytes[..]).ok()?;
        Some(elf.section_by_name(name)?.data().ok()?.to_vec())
    }

    /// The names of the DWARF sections.
    pub fn debug_sections(&self) -> Vec<String> {
        let Ok(elf) = Elf::parse(&self.bytes[..]) else { return Vec::new() };
        let names = elf.sections().filter_map(|section| Some(section.name().ok()?.to_owned()));
        names.filter(|name| name.starts_with(".debug_")).collect()
    }

    /// The symbol that is at an offset of a section.
    pub fn symbol_at(&self, section: &str, offset: u64) -> Option<&str> {
        Some(self.symbols.get(section)?.get(&offset)?)
    }

    /// The name of the section that defines a symbol.
    pub fn section_of(&self, symbol: &str) -> Option<String> {
        let elf = Elf::parse(&self.bytes[..]).ok()?;
        let symbol = elf.symbols().find(|own| own.name().is_ok_and(|name| name == symbol))?;
        let section = elf.section_by_index(symbol.section_index()?).ok()?;
        Some(section.name().ok()?.to_owned())
    }

    /// The function at an address.
    pub fn function_at(&self, address: u64) -> Option<&str> {
        self.functions.get(&address).map(String::as_str)
    }
}

/// The changes to a file.
#[derive(Default)]
struct Patches {
    bytes: BTreeMap<usize, Vec<u8>>,
    symbols: BTreeMap<String, BTreeMap<u64, String>>,
    functions: BTreeMap<u64, String>,
}

impl Patches {
    fn of(elf: &Elf<'_>) -> Result<Patches, Failure> {
        let mut patches = Patches::default();
        let addresses = patches.put_sections(elf);
        for section in elf.sections() {
            let name = section.name().unwrap_or_default().to_owned();
            // The tables of frames, which are not read here, have other relocations.
            if name.starts_with(".debug_") && name != ".debug_frame" {
                patches.relocate(elf, &section, &name, &addresses)?;
            }
        }
        for symbol in elf.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text) {
            if let Some(base) = symbol.section_index().and_then(|section| addresses.get(&section.0)) {
                let name = symbol.name().unwrap_or_default().to_owned();
                patches.functions.insert(base + symbol.address(), name);
            }
        }
        Ok(patches)
    }

    /// Assigns an address to each loaded section, and removes the relocations from the file.
    fn put_sections(&mut self, elf: &Elf<'_>) -> BTreeMap<usize, u64> {
        let header: &FileHeader64<LittleEndian> = elf.elf_header();
        let headers = header.e_shoff.get(LittleEndian) as usize;
        let size = usize::from(header.e_shentsize.get(LittleEndian));
        let mut addresses = BTreeMap::new();
        // Nothing is at 0, so that a missing relocation is noticed.
        let mut next: u64 = 0x1_0000;
        for (index, section) in elf.elf_section_table().enumerate() {
            let at = headers + index.0 * size;
            let (kind, flags) = (section.sh_type.get(LittleEndian), section.sh_flags.get(LittleEndian));
            if kind == object::elf::SHT_RELA || kind == object::elf::SHT_REL {
                self.bytes.insert(at + SH_TYPE, vec![0; 4]);
            } else if flags & u64::from(object::elf::SHF_ALLOC) != 0 {
                next = next.next_multiple_of(section.sh_addralign.get(LittleEndian).max(1));
                self.bytes.insert(at + SH_ADDR, next.to_le_bytes().to_vec());
                addresses.insert(index.0, next);
                next += section.sh_size.get(LittleEndian).max(1);
            }
        }
        addresses
    }

    fn relocate(
        &mut self,
        elf: &Elf<'_>,
        section: &object::read::elf::ElfSection64<'_, '_, LittleEndian>,
        name: &str,
        addresses: &BTreeMap<usize, u64>,
    ) -> Result<(), Failure> {
        let (start, _) = section.file_range().ok_or_else(|| format!("{name} has no contents"))?;
        for (offset, relocation) in section.relocations() {
            let RelocationTarget::Symbol(symbol) = relocation.target() else {
                return Err(format!("{name}+{offset:#x}: a relocation without a symbol"));
            };
            let symbol = elf.symbol_by_index(symbol).map_err(|e| e.to_string())?;
            let object::RelocationFlags::Elf { r_type } = relocation.flags() else {
                return Err(format!("{name}+{offset:#x}: a relocation that is not ELF's"));
            };
            let width = match r_type {
                R_CUDA_32 => 4,
                R_CUDA_64 | R_CUDA_G64 => 8,
                other => return Err(format!("{name}+{offset:#x}: relocation {other} is not known")),
            };
            let base = symbol.section_index().and_then(|section| addresses.get(&section.0)).copied();
            // Undefined symbols remain at 0; DWARF sections start at 0.
            let value =
                base.map_or(0, |base| base + symbol.address()).wrapping_add_signed(relocation.addend());
            self.bytes.insert((start + offset) as usize, value.to_le_bytes()[..width].to_vec());
            let symbol = symbol.name().unwrap_or_default().to_owned();
            self.symbols.entry(name.to_owned()).or_default().insert(offset, symbol);
        }
        Ok(())
    }
}
