//! Checks the outputs of NVIDIA's programs: a program that succeeds may not have written its output.

use std::io;
use std::path::Path;

use object::elf::FileHeader64;
use object::read::elf::FileHeader;
use object::{Endianness, FileKind, Object};

use weft_run::bounded;

/// The expected kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Artifact {
    /// A GPU object.
    Cubin,
    /// A fat binary.
    FatBinary,
    /// A host object.
    Object,
}

/// ELF's number for CUDA (`EM_CUDA`).
const EM_CUDA: u16 = 190;

/// The magic number of fat binaries.
const FAT_BINARY: [u8; 4] = [0x50, 0xed, 0x55, 0xba];

impl Artifact {
    /// Reads a file that a program has written.
    ///
    /// # Errors
    ///
    /// A phrase that describes the error.
    pub fn read(self, path: &Path) -> Result<Vec<u8>, String> {
        let bytes = bounded::read_file(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => "it produced no file".to_owned(),
            _ => format!("cannot read its output: {error}"),
        })?;
        match bytes.is_empty() {
            true => Err("its output is empty".to_owned()),
            false if self.is(&bytes) => Ok(bytes),
            false => Err(format!("its output is not a valid {}", self.name())),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Artifact::Cubin => "cubin",
            Artifact::FatBinary => "fat binary",
            Artifact::Object => "object",
        }
    }

    fn is(self, bytes: &[u8]) -> bool {
        // Checks that an object has its tables; their content is up to the reader.
        let is_whole = || object::File::parse(bytes).is_ok_and(|file| file.sections().next().is_some());
        match self {
            Artifact::FatBinary => bytes.starts_with(&FAT_BINARY),
            Artifact::Object => is_whole(),
            Artifact::Cubin => match FileKind::parse(bytes) {
                Ok(FileKind::Elf64) => {
                    let header = FileHeader64::<Endianness>::parse(bytes);
                    let machine = header.and_then(|header| Ok(header.e_machine(header.endian()?)));
                    machine == Ok(EM_CUDA) && is_whole()
                }
                // For 32-bit programs.
                Ok(FileKind::Elf32) => is_whole(),
                _ => false,
            },
        }
    }
}
