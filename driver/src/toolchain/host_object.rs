//! C++ for the host's compiler: a fat binary in an object, with the code that registers it at the program's start.
//!
//! Three kinds, as of nvcc:
//!
//! - a whole program's (`-c`): registers its fat binary with CUDA's runtime
//! - a relocatable one (`-dc`): hands its fat binary to the object of the device link, which knows it by the module's name
//! - the object of a device link (`-dlink`): registers the linked fat binary once all its modules have come
//!
//! Source: nvcc's `crt/host_runtime.h` and `crt/link.stub` say which functions, sections and structs the runtime and nvlink expect.

use std::fmt::Write;
use std::path::Path;

/// What every object has: the fat binary's bytes, and the struct by which the runtime finds them. nvlink and cuobjdump find them
/// by the sections.
const IMAGE: &str = r#"
__asm__(".pushsection @SECTION@, \"a\"\n"
        ".balign 8\n"
        "weft_image:\n"
        ".incbin \"@FILE@\"\n"
        ".balign 8\n"
        ".popsection\n");
extern "C" const unsigned long long weft_image[] __attribute__((visibility("hidden")));
struct weft_wrapper {
    int magic, version;
    const void *image;
    void **parts;
};
"#;

const WHOLE: &str = r#"
extern "C" {
void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
int atexit(void (*)(void)) noexcept;
}
static const weft_wrapper weft_fat_binary __attribute__((section(".nvFatBinSegment"), aligned(8))) = {0x466243b1, 1, weft_image, 0};
static void **weft_handle;
static void weft_unregister(void) { __cudaUnregisterFatBinary(weft_handle); }
__attribute__((constructor)) static void weft_register_module(void)
{
    weft_handle = __cudaRegisterFatBinary((void *)&weft_fat_binary);
    weft_register(weft_handle);
    __cudaRegisterFatBinaryEnd(weft_handle);
    atexit(weft_unregister);
}
"#;

// The device link counts modules, and its start-up code registers the linked image only when each of them has called its function.
const RELOCATABLE: &str = r#"
extern "C" {
static const char weft_module[] __attribute__((section("__nv_module_id"), aligned(16))) = "@ID@";
extern const weft_wrapper __fatbinwrap@ID@;
const weft_wrapper __fatbinwrap@ID@ __attribute__((section(".nvFatBinSegment"), aligned(8))) = {0x466243b1, 1, weft_image, 0};
void __cudaRegisterLinkedBinary@ID@(void (*)(void **), void *, void *, void (*)(void *));
}
static void weft_keep(void *object) { __asm__ volatile("" : : "r"(object)); }
__attribute__((constructor)) static void weft_register_module(void)
{
    __cudaRegisterLinkedBinary@ID@(weft_register, (void *)&__fatbinwrap@ID@, (void *)weft_module, weft_keep);
}
"#;

const LINKED: &str = r#"
#define DEFINE_REGISTER_FUNC(id) \
    extern const weft_wrapper __fatbinwrap##id; \
    static const char weft_module##id[] __attribute__((section("__nv_module_id"), aligned(1), used)) = "def " #id; \
    void __cudaRegisterLinkedBinary##id(void (*weft_register)(void **), void *, void *, void (*)(void *)) \
    { \
        weft_add(__fatbinwrap##id.image, weft_register); \
    }
extern "C" {
void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
int atexit(void (*)(void)) noexcept;
}
static void weft_add(const void *image, void (*callback)(void **));
extern "C" {
@MODULES@}
static const void *weft_parts[NUM_PRELINKED_OBJECTS + 1];
static void (*weft_callbacks[NUM_PRELINKED_OBJECTS + 1])(void **);
static const weft_wrapper weft_fat_binary
    __attribute__((section(".nvFatBinSegment"), aligned(8))) = {0x466243b1, 2, weft_image, (void **)weft_parts};
static void **weft_handle;
static void weft_unregister(void) { __cudaUnregisterFatBinary(weft_handle); }
static void weft_add(const void *image, void (*callback)(void **))
{
    static int n;
    weft_parts[n] = image;
    weft_callbacks[n++] = callback;
    if (n < NUM_PRELINKED_OBJECTS) return;
    weft_handle = __cudaRegisterFatBinary((void *)&weft_fat_binary);
    atexit(weft_unregister);
    for (int i = 0; i < n; i++) weft_callbacks[i](weft_handle);
    __cudaRegisterFatBinaryEnd(weft_handle);
}
"#;

/// The host's part of a program without kernels or variables that are known.
pub const NO_STUB: &str = "static void weft_register(void **) {}\n";

/// A whole program: the file of its fat binary, and the host's part.
pub fn whole(fat_file: &Path, stub: &str) -> String {
    format!("{stub}{}{WHOLE}", image(".nv_fatbin", fat_file))
}

/// A part of a program, to be linked: also the fat binary's bytes, and the base name of the source. The module's name depends only
/// on these, so that the same input gives the same object.
pub fn relocatable(fat_file: &Path, fat_binary: &[u8], stem: &str, stub: &str) -> String {
    let name: String = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let id = format!("_weft_{:016x}_{}_{name}", fnv1a(fat_binary), name.len());
    format!("{stub}{}{}", image("__nv_relfatbin", fat_file), RELOCATABLE.replace("@ID@", &id))
}

/// A device link: the file of its fat binary, and nvlink's list of the modules in it.
pub fn linked(fat_file: &Path, modules: &str) -> String {
    format!("{}{}", image(".nv_fatbin", fat_file), LINKED.replace("@MODULES@", modules))
}

fn image(section: &str, fat_file: &Path) -> String {
    let mut escaped = String::new();
    for c in fat_file.display().to_string().chars() {
        // Within a string of the assembler within a string of C++.
        let _ = match c {
            '\\' | '"' => write!(escaped, "\\\\\\{c}"),
            _ => write!(escaped, "{c}"),
        };
    }
    IMAGE.replace("@SECTION@", section).replace("@FILE@", &escaped)
}

/// FNV-1a, 64 bits.
pub(crate) fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_has_one_name() {
        let text = relocatable(Path::new("a.fatbin"), b"12345678abc", "my-kernel", NO_STUB);
        let id = format!("_weft_{:016x}_9_my_kernel", fnv1a(b"12345678abc"));
        assert_eq!(text.matches(&id).count(), 6, "{text}");
        assert_eq!(fnv1a(b"a"), 0xaf63_dc4c_8601_ec8c);
    }

    #[test]
    fn paths_are_escaped() {
        let text = image(".nv_fatbin", Path::new("a\"b.fatbin"));
        assert!(text.contains(r#".incbin \"a\\\"b.fatbin\""#), "{text}");
    }
}
