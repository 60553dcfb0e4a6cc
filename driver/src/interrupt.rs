//! Cleans up when a signal arrives: removes temporaries, and stops child processes.
//!
//! In: temporaries and children, each registered while it exists. On SIGINT, SIGTERM or SIGHUP they are
//! removed, and the program then dies by the signal, so that a shell sees it. When the CPU time is used up
//! (SIGXCPU), it ends with a message.
//!
//! Only the program `weftc` handles signals ([`watch`]): a program that embeds the compiler has its own
//! handlers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{self, Child};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::{fs, io, thread};

use rustix::process::{Pid, Resource, Signal, getrlimit, kill_process_group};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXCPU, SIGXFSZ};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use crate::emit::report;

/// The stack of the thread that waits for signals, in bytes.
const STACK_BYTES: usize = 256 << 10;

/// What to clean up. Signals are per process, and so is this.
static HELD: Mutex<All> = Mutex::new(All {
    is_watched: false,
    has_thread: false,
    next: 0,
    temporaries: BTreeMap::new(),
    children: BTreeMap::new(),
});

struct All {
    is_watched: bool,
    has_thread: bool,
    next: u64,
    temporaries: BTreeMap<u64, PathBuf>,
    children: BTreeMap<u64, Pid>,
}

/// A registered temporary or child, which is removed when a signal ends the program. Dropping this only
/// unregisters it.
#[derive(Debug)]
pub struct Held(u64);

impl Drop for Held {
    fn drop(&mut self) {
        let mut all = all();
        all.temporaries.remove(&self.0);
        all.children.remove(&self.0);
    }
}

/// Creates a temporary file or folder, with signals deferred.
///
/// # Errors
///
/// Those of `make`.
pub fn temporary<T: AsRef<Path>>(make: impl FnOnce() -> io::Result<T>) -> io::Result<(T, Held)> {
    let mut all = all();
    let made = make()?;
    let id = all.hold();
    all.temporaries.insert(id, made.as_ref().to_owned());
    Ok((made, Held(id)))
}

/// Starts a child, which leads a process group, with signals deferred.
///
/// # Errors
///
/// Those of `start`.
pub fn child(start: impl FnOnce() -> io::Result<Child>) -> io::Result<(Child, Held)> {
    let mut all = all();
    let child = start()?;
    let id = all.hold();
    all.children.insert(id, Pid::from_child(&child));
    Ok((child, Held(id)))
}

/// Installs the handlers. A file that exceeds its size limit (SIGXFSZ) is then an error of the write.
pub fn watch() {
    // An empty handler rather than "ignore", which child processes would inherit.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    let mut all = all();
    all.is_watched = true;
    // Otherwise the thread starts when there is something to clean up.
    if getrlimit(Resource::Cpu).current.is_some() {
        all.start_thread();
    }
}

fn all() -> MutexGuard<'static, All> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

impl All {
    fn hold(&mut self) -> u64 {
        self.start_thread();
        self.next += 1;
        self.next
    }

    fn start_thread(&mut self) {
        if !self.is_watched || self.has_thread {
            return;
        }
        self.has_thread = true;
        let ignored = ignored();
        let wanted = [SIGINT, SIGTERM, SIGHUP, SIGXCPU].into_iter();
        // Ignored signals remain ignored: `nohup weftc …`.
        let wanted = wanted.filter(|signal| ignored >> (signal - 1) & 1 == 0);
        let Ok(mut signals) = Signals::new(wanted) else { return };
        let wait = move || {
            if let Some(signal) = signals.forever().next() {
                end(signal);
            }
        };
        // Without a thread, signals would be lost.
        let thread = thread::Builder::new().name("signals".to_owned()).stack_size(STACK_BYTES);
        if thread.spawn(wait).is_err() {
            self.is_watched = false;
        }
    }
}

/// The signals that the process ignores, as a mask.
fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// Cleans up, and ends the program.
fn end(signal: i32) {
    // Held until the end, so that nothing new is created.
    let all = all();
    for &child in all.children.values() {
        let _ = kill_process_group(child, Signal::KILL);
    }
    for path in all.temporaries.values() {
        remove(path);
    }
    if signal == SIGXCPU {
        report::say("error: CPU time limit exceeded (`ulimit -t`)\n");
        process::exit(2);
    }
    let _ = emulate_default_handler(signal);
}

/// A dying child may still create a file in the folder.
fn remove(path: &Path) {
    const TRIES: u32 = 20;
    for _ in 0..TRIES {
        let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
        match removed {
            Err(error) if error.kind() != io::ErrorKind::NotFound => thread::sleep(Duration::from_millis(5)),
            Ok(()) | Err(_) => return,
        }
    }
}
