//! The resources that kernels and functions need, from the output of `ptxas -v` and `nvlink -v`.
//!
//! In: their messages. Out: a [`Usage`] for each function, and a [`Memory`] for the whole program. Spills are
//! only in these messages, not in the cubin; the size of a kernel's constant bank, which newer versions omit,
//! is that of its section in the cubin.

use object::read::elf::ElfFile64;
use object::{Endianness, Object, ObjectSection};

use super::tool_message::{Severity, ToolMessage};

/// The resources of a kernel or function; `None` for those that are not reported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Its symbol.
    pub symbol: String,
    /// Whether it is a kernel, rather than a function.
    pub is_kernel: bool,
    /// The number of 32-bit registers per thread.
    pub registers: Option<u64>,
    /// Stack in local memory per thread, in bytes: for a kernel, including its callees if known.
    pub stack: Option<u64>,
    /// Bytes of spill stores.
    pub spill_stores: Option<u64>,
    /// Bytes of spill loads.
    pub spill_loads: Option<u64>,
    /// Static shared memory per block, in bytes.
    pub shared: Option<u64>,
    /// The constant bank of parameters, in bytes.
    pub constant: Option<u64>,
    /// Local memory besides the stack, in bytes.
    pub local: Option<u64>,
    /// The number of barriers.
    pub barriers: Option<u64>,
}

/// The resources that a program needs once, for any number of threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// Global memory in bytes.
    pub global: u64,
    /// The bank of `__constant__` variables, in bytes.
    pub constant: u64,
}

/// Parses the messages of ptxas or nvlink.
pub fn read(messages: &[ToolMessage]) -> (Memory, Vec<Usage>) {
    let mut memory = Memory::default();
    let mut all: Vec<Usage> = Vec::new();
    // "Compiling entry function" names ptxas's current kernel; nvlink only reports kernels.
    let mut kernel = String::new();
    let mut current: Option<usize> = None;
    for message in messages.iter().filter(|message| message.severity == Severity::Info) {
        if let Some(name) = message.text.strip_prefix("Compiling entry function '") {
            kernel = name.split('\'').next().unwrap_or_default().to_owned();
            continue;
        }
        let (head, rest) = message.text.split_once('\n').unwrap_or((&message.text, ""));
        if let Some(name) = head.strip_prefix("Function properties for ") {
            let symbol = name.trim_end_matches(':').trim_matches('\'').to_owned();
            let is_kernel = symbol == kernel;
            let idx = all.iter().position(|usage| usage.symbol == symbol).unwrap_or(all.len());
            if idx == all.len() {
                all.push(Usage { symbol, is_kernel, ..Usage::default() });
            }
            current = Some(idx);
            rest.lines().for_each(|line| take(&mut all[idx], line));
        } else if head.starts_with("Used ") || head.starts_with("used ") {
            if let Some(usage) = current.and_then(|idx| all.get_mut(idx)) {
                usage.is_kernel |= head.starts_with("used ");
                take(usage, head);
            }
        } else {
            for part in head.split(", ") {
                match amount(part) {
                    Some((n, "bytes gmem")) => memory.global = n,
                    Some((n, "bytes cmem[3]")) => memory.constant = n,
                    _ => {}
                }
            }
        }
    }
    (memory, all)
}

fn take(usage: &mut Usage, line: &str) {
    let is_used = line.starts_with("Used ") || line.starts_with("used ");
    for part in line.trim_start_matches("Used ").trim_start_matches("used ").split(", ") {
        // If barriers are not the first number, "used" is repeated before it.
        let part = part.trim_start_matches("used ");
        let Some((n, what)) = amount(part) else { continue };
        match what {
            "registers" => usage.registers = Some(n),
            "barriers" => usage.barriers = Some(n),
            "bytes stack frame" if usage.stack.is_none() => usage.stack = Some(n),
            "bytes cumulative stack size" | "stack" => usage.stack = Some(n),
            "bytes spill stores" => usage.spill_stores = Some(n),
            "bytes spill loads" => usage.spill_loads = Some(n),
            "bytes smem" => usage.shared = Some(n),
            "bytes cmem[0]" => usage.constant = Some(n),
            "bytes lmem" => usage.local = Some(n),
            _ => {}
        }
    }
    // A reported kernel has values for all of it. Barriers are always reported, except by ptxas 12.
    if is_used {
        usage.shared.get_or_insert(0);
    }
}

fn amount(part: &str) -> Option<(u64, &str)> {
    let (number, what) = part.trim().split_once(' ')?;
    Some((number.parse().ok()?, what))
}

/// Adds the constant banks, which are only in the cubin.
pub fn add_banks(cubin: &[u8], memory: &mut Memory, all: &mut [Usage]) {
    let Ok(file) = ElfFile64::<Endianness>::parse(cubin) else { return };
    let size = |name: &str| file.section_by_name(name).map(|section| section.size());
    memory.constant = size(".nv.constant3").unwrap_or(memory.constant);
    for usage in all.iter_mut().filter(|usage| usage.constant.is_none() && usage.is_kernel) {
        usage.constant = size(&format!(".nv.constant0.{}", usage.symbol));
    }
}

#[cfg(test)]
mod tests {
    use super::super::tool_message;
    use super::*;

    #[test]
    fn reads_resource_usage_of_ptxas() {
        let (memory, all) = read(&tool_message::read(
            "ptxas info    : 8 bytes gmem, 64 bytes cmem[3]\n\
             ptxas info    : Compiling entry function '_Z1kPi' for 'sm_90'\n\
             ptxas info    : Function properties for _Z1kPi\n    \
             0 bytes stack frame, 1152 bytes spill stores, 1276 bytes spill loads\n\
             ptxas info    : Used 32 registers, used 1 barriers, 256 bytes cumulative stack size, 128 bytes smem, 544 bytes cmem[0]\n\
             ptxas info    : Compile time = 28.771 ms\n\
             ptxas info    : Function properties for _Z1fi\n    \
             16 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n",
        ));
        assert_eq!(memory, Memory { global: 8, constant: 64 });
        let kernel = Usage {
            symbol: "_Z1kPi".into(),
            is_kernel: true,
            registers: Some(32),
            stack: Some(256),
            spill_stores: Some(1152),
            spill_loads: Some(1276),
            shared: Some(128),
            constant: Some(544),
            local: None,
            barriers: Some(1),
        };
        let function = Usage {
            symbol: "_Z1fi".into(),
            stack: Some(16),
            spill_stores: Some(0),
            spill_loads: Some(0),
            ..Usage::default()
        };
        assert_eq!(all, [kernel, function]);
    }

    #[test]
    fn reads_resource_usage_of_nvlink() {
        let (memory, all) = read(&tool_message::read(
            "nvlink info    : 0 bytes gmem, 64 bytes cmem[3]\n\
             nvlink info    : Function properties for 'k':\n\
             nvlink info    : used 70 registers, used 1 barriers, 264 stack, 1152 bytes smem, 544 bytes cmem[0], 0 bytes lmem\n",
        ));
        assert_eq!(memory, Memory { global: 0, constant: 64 });
        let [usage] = &all[..] else { panic!("one kernel: {all:?}") };
        assert_eq!((usage.is_kernel, usage.registers, usage.stack), (true, Some(70), Some(264)));
        assert_eq!((usage.shared, usage.local, usage.barriers), (Some(1152), Some(0), Some(1)));
    }
}
