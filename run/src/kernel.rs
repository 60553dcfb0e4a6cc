//! Kernels by name, in PTX or in the source, and the limits of their launches.

use std::fmt;

use cpp_demangle::{DemangleOptions, Symbol};

use weft_emulator::ptx::syntax::{Constant, Function};

use crate::device::Shape;
use crate::error::KernelError;

/// Finds the symbol of a kernel.
///
/// The name is the symbol (`_Z5saxpyifPKfPf`), the function's name (`saxpy`, `scan<float, 4>`), or the function with
/// its parameters (`saxpy(int, float, float const*, float*)`); spaces do not matter. It may be omitted if there is one
/// kernel.
///
/// # Errors
///
/// If there is no such kernel, or several.
pub fn find<'s>(symbols: &[&'s str], name: Option<&str>) -> Result<&'s str, KernelError> {
    let error = |message: String, similar| KernelError {
        message,
        kernels: symbols.iter().map(|symbol| shown(symbols, symbol)).collect(),
        similar,
    };
    let Some(name) = name else {
        return match symbols {
            [one] => Ok(one),
            [] => Err(error("the program contains no kernel".to_owned(), None)),
            _ => Err(error("no kernel selected; use `--kernel`".to_owned(), None)),
        };
    };
    let name = name.trim_start_matches("::");
    if let Some(symbol) = symbols.iter().find(|&&symbol| symbol == name) {
        return Ok(symbol);
    }
    let is_meant =
        |symbol: &str| [source_name(symbol), signature(symbol)].iter().any(|known| is_same_name(known, name));
    let meant: Vec<&'s str> = symbols.iter().copied().filter(|symbol| is_meant(symbol)).collect();
    match meant[..] {
        [one] => Ok(one),
        [] => {
            let names = symbols.iter().flat_map(|symbol| [(*symbol).to_owned(), source_name(symbol)]);
            let near = names.map(|other| (strsim::damerau_levenshtein(name, &other), other)).min();
            let near = near.filter(|(distance, other)| *distance <= other.len().max(3) / 3);
            Err(error(format!("no kernel named `{name}`"), near.map(|(_, other)| other)))
        }
        _ => {
            let several: Vec<String> =
                meant.iter().map(|symbol| format!("`{}`", signature(symbol))).collect();
            Err(error(format!("`{name}` is ambiguous: {}", several.join(", ")), None))
        }
    }
}

fn is_same_name(one: &str, other: &str) -> bool {
    one.chars().filter(|c| *c != ' ').eq(other.chars().filter(|c| *c != ' '))
}

/// Checks the shape of a launch against CUDA's limits (CUDA C++ Programming Guide "Compute Capabilities") and
/// those of the kernel (PTX ISA "Performance-Tuning Directives").
///
/// # Errors
///
/// A phrase that describes the exceeded limit.
pub fn check_shape(function: &Function<'_>, shape: &Shape) -> Result<(), String> {
    let axes = ["x", "y", "z"];
    for (extent, limits, what) in [(shape.grid, MAX_GRID, "grid"), (shape.block, MAX_BLOCK, "block")] {
        for ((n, most), axis) in extent.into_iter().zip(limits).zip(axes) {
            if n == 0 {
                return Err(format!("{what} {axis}-dimension is 0; the minimum is 1"));
            }
            if n > most {
                return Err(format!("{what} {axis}-dimension is {n}; the maximum is {most}"));
            }
        }
    }
    let stated = |name: &str| {
        let (_, values) = function.directives.iter().find(|(directive, _)| *directive == name)?;
        let value = |idx: usize| match values.get(idx) {
            Some(Constant::Int(value)) => *value,
            _ => 1,
        };
        Some([value(0), value(1), value(2)])
    };
    let n_threads: u64 = shape.block.iter().map(|&n| u64::from(n)).product();
    let name = source_name(function.name);
    if let Some(most) = stated("maxntid").map(|extent| extent.iter().product::<u64>())
        && n_threads > most
    {
        return Err(format!("block has {n_threads} threads; the maximum for `{name}` is {most}"));
    }
    if let Some(just) = stated("reqntid")
        && just != shape.block.map(u64::from)
    {
        let [x, y, z] = just;
        return Err(format!("`{name}` requires blocks of {x} x {y} x {z} threads"));
    }
    Ok(())
}

/// The maximum number of blocks along each axis of a grid.
const MAX_GRID: [u32; 3] = [i32::MAX as u32, 65535, 65535];

/// The maximum number of threads along each axis of a block.
const MAX_BLOCK: [u32; 3] = [1024, 1024, 64];

/// The source name of a function: `saxpy` for `_Z5saxpyifPKfPf`, `scan<float>` for an instance of a template.
pub fn source_name(symbol: &str) -> String {
    demangled(symbol, DemangleOptions::new().no_params().no_return_type())
}

/// The source name with parameter types: `saxpy(int, float, float const*, float*)`.
pub fn signature(symbol: &str) -> String {
    demangled(symbol, DemangleOptions::new().no_return_type())
}

/// The maximum size of a demangled name in bytes: a short symbol can refer to itself repeatedly.
const MAX_DEMANGLED: usize = 1 << 14;

/// The symbol without the prefix that distinguishes translation units with `-rdc=true`: `_Z1kPi` for
/// `__nv_static_25__26a5afaa_4_k_cu_e3edcd8c__Z1kPi`. The number is the length up to the last `_`.
fn without_unit(symbol: &str) -> &str {
    let without = || {
        let (len, rest) = symbol.strip_prefix("__nv_static_")?.split_once('_')?;
        rest.get(len.parse().ok()?..)?.strip_prefix('_')
    };
    without().filter(|name| !name.is_empty()).unwrap_or(symbol)
}

fn demangled(symbol: &str, options: DemangleOptions) -> String {
    let symbol = without_unit(symbol);
    if !symbol.starts_with("_Z") || symbol.len() > MAX_DEMANGLED {
        return symbol.to_owned();
    }
    let mut name = Bounded(String::new());
    let parsed = Symbol::new(symbol).ok();
    let is_whole = parsed.is_some_and(|parsed| parsed.structured_demangle(&mut name, &options).is_ok());
    if is_whole { name.0 } else { symbol.to_owned() }
}

/// A text of limited length.
struct Bounded(String);

impl fmt::Write for Bounded {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.0.len() + text.len() > MAX_DEMANGLED {
            return Err(fmt::Error);
        }
        self.0.push_str(text);
        Ok(())
    }
}

/// The short name, if it is unique.
fn shown(symbols: &[&str], symbol: &str) -> String {
    let name = source_name(symbol);
    let is_unique = symbols.iter().filter(|other| source_name(other) == name).count() == 1;
    if is_unique { name } else { signature(symbol) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SYMBOLS: [&str; 4] = ["_Z5saxpyifPKfPf", "_Z5twicei", "_Z5twicef", "plain"];

    #[test]
    fn names_are_those_of_ptx_or_of_the_source() {
        assert_eq!(find(&SYMBOLS, Some("saxpy")), Ok("_Z5saxpyifPKfPf"));
        assert_eq!(find(&SYMBOLS, Some("_Z5saxpyifPKfPf")), Ok("_Z5saxpyifPKfPf"));
        assert_eq!(find(&SYMBOLS, Some("twice(float)")), Ok("_Z5twicef"));
        assert_eq!(find(&SYMBOLS, Some("plain")), Ok("plain"));
        let instances = ["_Z4scanIf3SumIfELi4EEvPT_", "_Z4scanId3SumIdELi4EEvPT_"];
        assert_eq!(source_name(instances[0]), "scan<float, Sum<float>, 4>");
        assert_eq!(find(&instances, Some("scan<float, Sum<float>, 4>")), Ok(instances[0]));
        assert_eq!(find(&instances, Some("scan<double,Sum<double>,4>(double*)")), Ok(instances[1]));
        assert_eq!(find(&["k"], None), Ok("k"));
    }

    #[test]
    fn names_of_translation_units_are_left_out() {
        let symbols = ["__nv_static_25__26a5afaa_4_k_cu_e3edcd8c__Z1kPi", "_Z4userPi"];
        assert_eq!(find(&symbols, Some("k")), Ok(symbols[0]));
        assert_eq!(signature(symbols[0]), "k(int*)");
        assert_eq!(source_name("__nv_static_25__26a5afaa_4_k_cu_e3edcd8c_v"), "v");
        for odd in [
            "__nv_static_",
            "__nv_static_99_v",
            "__nv_static_25__26a5afaa_4_k_cu_e3edcd8c_",
            "__nv_static_1_é_v",
        ] {
            assert_eq!(source_name(odd), odd);
        }
    }

    #[test]
    fn a_name_that_grows_without_end_is_left_as_it_is() {
        // Each pair contains the previous one twice.
        let pairs = (0..40).map(|idx| match idx {
            0 => "4PairIiiE".to_owned(),
            1 => "4PairIS1_S1_E".to_owned(),
            _ => format!("S0_IS{0}_S{0}_E", idx),
        });
        let symbol = format!("_Z1fN{}E", pairs.collect::<String>());
        assert_eq!(source_name(&symbol), symbol);
        let nested = (0..40).fold("i".to_owned(), |inner, _| format!("4PairI{inner}S_E"));
        assert!(source_name(&format!("_Z1f{nested}")).len() <= MAX_DEMANGLED);
        let long = format!("_Z1f{}", "i".repeat(MAX_DEMANGLED));
        assert_eq!(signature(&long), long);
    }

    #[test]
    fn launches_keep_to_the_limits() {
        let text = ".version 7.0 .target sm_80 .address_size 64
            .visible .entry most() .maxntid 64, 2, 1 { ret; } .visible .entry just() .reqntid 32, 2 { ret; }";
        let module = weft_emulator::ptx::parse(text).expect("PTX");
        let check = |idx: usize, grid, block| {
            check_shape(&module.functions[idx], &Shape { grid, block, shared: 0, is_cooperative: false })
        };
        assert_eq!(check(0, [1, 1, 1], [128, 1, 1]), Ok(()));
        let most = "block has 129 threads; the maximum for `most` is 128";
        assert_eq!(check(0, [1, 1, 1], [129, 1, 1]), Err(most.to_owned()));
        assert_eq!(check(1, [1, 1, 1], [32, 2, 1]), Ok(()));
        let just = "`just` requires blocks of 32 x 2 x 1 threads";
        assert_eq!(check(1, [1, 1, 1], [64, 1, 1]), Err(just.to_owned()));
        let grid = "grid y-dimension is 65536; the maximum is 65535";
        assert_eq!(check(1, [1, 65536, 1], [32, 2, 1]), Err(grid.to_owned()));
        let block = "block z-dimension is 65; the maximum is 64";
        assert_eq!(check(1, [1, 1, 1], [1, 1, 65]), Err(block.to_owned()));
    }

    #[test]
    fn lists_kernels_when_ambiguous() {
        let refused = |symbols: &[&str], name| find(symbols, name).expect_err("not clear").to_string();
        assert_eq!(refused(&SYMBOLS, Some("sapxy")), "no kernel named `sapxy`; did you mean `saxpy`?");
        let several = "`twice` is ambiguous: `twice(int)`, `twice(float)`";
        assert!(refused(&SYMBOLS, Some("twice")).starts_with(several));
        let all = "no kernel selected; use `--kernel`; available: saxpy, twice(int), twice(float), plain";
        assert_eq!(refused(&SYMBOLS, None), all);
        assert_eq!(refused(&[], None), "the program contains no kernel");
        assert!(refused(&["_Z", "_Z4", "_Zx"], Some("y")).starts_with("no kernel named `y`"));
    }
}
