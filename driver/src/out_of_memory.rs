//! The end of the program when there is no more memory: exit code 2, and one line that names the limit.
//!
//! The allocator serves LLVM too, and nearly all that asks for memory takes for granted that there is some: so the
//! program ends where it is refused. Nothing here allocates.

use std::ffi::{c_int, c_void};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::process::{Resource, getrlimit};

/// Messages are JSON.
static IS_JSON: AtomicBool = AtomicBool::new(false);

/// Takes over what happens when the allocator finds no memory. Only the program does, not who embeds the compiler.
pub(crate) fn watch(is_json: bool) {
    IS_JSON.store(is_json, Ordering::Relaxed);
    // SAFETY: the handler allocates nothing, as mimalloc asks of it, and takes no argument.
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
    // What exceeds the buffer is left out.
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
    // SAFETY: it ends the process, without the destructors of a program that stopped half-way.
    unsafe { libc::_exit(2) }
}
