//! Names that tell translation units apart, as nvcc makes them with `-rdc=true`.
//!
//! Where several files are linked, a host finds a kernel or a variable that is `static` by its symbol, of which there
//! must be one: `__nv_static_25__26a5afaa_4_k_cu_e3edcd8c__Z1kPi`. The number is the length of what stands between, which
//! is made of a hash and the file's name.

/// What the symbols of static kernels and variables of a translation unit begin with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitName(String);

impl UnitName {
    /// Of a file, by its name without folders, and a hash of what it holds: the same wherever it lies.
    pub fn new(file: &str, hash: u64) -> UnitName {
        let file: String =
            file.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect();
        let unit = format!("_{:08x}_{}_{file}_{:08x}", hash >> 32, file.len(), hash & 0xffff_ffff);
        UnitName(format!("__nv_static_{}_{unit}_", unit.len()))
    }

    /// The symbol of something static that would otherwise be called `symbol`.
    pub(super) fn of_static(&self, symbol: &str) -> String {
        format!("{}{symbol}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_the_form_of_nvcc() {
        let unit = UnitName::new("k.cu", 0x26a5_afaa_e3ed_cd8c);
        assert_eq!(unit.of_static("_Z1kPi"), "__nv_static_25__26a5afaa_4_k_cu_e3edcd8c__Z1kPi");
        assert_eq!(unit.of_static("v"), "__nv_static_25__26a5afaa_4_k_cu_e3edcd8c_v");
    }

    #[test]
    fn names_are_ptx_whatever_the_file_is_called() {
        let unit = UnitName::new("größe (1).cu", 1);
        assert_eq!(unit.of_static("v"), "__nv_static_34__00000000_12_gr__e__1__cu_00000001_v");
    }
}
