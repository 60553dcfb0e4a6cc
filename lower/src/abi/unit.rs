//! Names that distinguish translation units, like nvcc's with `-rdc=true`.
//!
//! When several files are linked, a host finds a `static` kernel or variable by its symbol, so that must be
//! unique: `__nv_static_25__26a5afaa_4_k_cu_e3edcd8c__Z1kPi`. The number is the length of the following text,
//! which consists of a hash and the file's name.

/// The prefix of the symbols of static kernels and variables of a translation unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitName(String);

impl UnitName {
    /// A name from a file's name without folders and a hash of its content, so that it does not depend on the
    /// folder.
    pub fn new(file: &str, hash: u64) -> UnitName {
        let file: String =
            file.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect();
        let unit = format!("_{:08x}_{}_{file}_{:08x}", hash >> 32, file.len(), hash & 0xffff_ffff);
        UnitName(format!("__nv_static_{}_{unit}_", unit.len()))
    }

    /// The symbol of a static entity whose symbol otherwise is `symbol`.
    pub(super) fn of_static(&self, symbol: &str) -> String {
        format!("{}{symbol}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_nvcc() {
        let unit = UnitName::new("k.cu", 0x26a5_afaa_e3ed_cd8c);
        assert_eq!(unit.of_static("_Z1kPi"), "__nv_static_25__26a5afaa_4_k_cu_e3edcd8c__Z1kPi");
        assert_eq!(unit.of_static("v"), "__nv_static_25__26a5afaa_4_k_cu_e3edcd8c_v");
    }

    #[test]
    fn names_are_valid_ptx_for_any_file_name() {
        let unit = UnitName::new("größe (1).cu", 1);
        assert_eq!(unit.of_static("v"), "__nv_static_34__00000000_12_gr__e__1__cu_00000001_v");
    }
}
