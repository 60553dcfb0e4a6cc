//! Ends the program when there is no more memory: exit code 2, and one line that names the limit.
//!
//! The allocator serves LLVM too, and nearly all callers assume that allocations succeed: so the program ends
//! at a failed allocation. This module does not allocate.

use std::ffi::{c_int, c_void};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::process::{Resource, getrlimit};

/// Whether messages are JSON.
static IS_JSON: AtomicBool = AtomicBool::new(false);

/// Installs the handler of failed allocations. Only the program does this, not the library.
pub(crate) fn watch(is_json: bool) {
    IS_JSON.store(is_json, Ordering::Relaxed);
    // SAFETY: as mimalloc requires, the handler does not allocate; it takes no argument.
    unsafe { libmimalloc_sys::mi_register_error(Some(on_error), std::ptr::null_mut()) };
}

extern "C" fn on_error(code: c_int, _: *mut c_void) {
    if code == libc::ENOMEM || code == libc::EOVERFLOW {
        end();
    }
}

fn end() -> ! {
    let mut buffer = [0_u8; 256];
    let mut rest = &mut buffer[..];
    let size = rest.len();
    let (before, after) = if IS_JSON.load(Ordering::Relaxed) {
        (r#"{"severity":"error","kind":"environment","message":""#, "\",\"notes\":[],\"help\":[]}\n")
    } else {
        ("error: ", "\n")
    };
    // Text that exceeds the buffer is cut off.
    let _ = match getrlimit(Resource::As).current {
        Some(limit) => {
            write!(
                rest,
                "{before}out of memory: the address space is limited to {} MiB (`ulimit -v`){after}",
                limit >> 20
            )
        }
        None => write!(rest, "{before}out of memory{after}"),
    };
    let n_bytes = size - rest.len();
    let _ = rustix::io::write(rustix::stdio::stderr(), &buffer[..n_bytes]);
    // SAFETY: this ends the process without destructors, since the program stopped in the middle of an
    // operation.
    unsafe { libc::_exit(2) }
}
