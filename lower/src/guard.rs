//! Turns LLVM's fatal errors into values.
//!
//! LLVM ends the process on a fatal error, and on an unhandled diagnostic. Here it runs on a guarded thread,
//! which collects errors. The handler of a fatal error cannot return to LLVM: the thread stops permanently,
//! and the caller gets a [`Bug`].

use std::cell::{Cell, RefCell};
use std::convert::Infallible;
use std::ffi::{CStr, c_char, c_void};
use std::sync::mpsc::channel;
use std::{fs, thread};

use inkwell::context::Context;
use inkwell::llvm_sys::LLVMDiagnosticSeverity;
use inkwell::llvm_sys::core::{
    LLVMContextSetDiagnosticHandler, LLVMDisposeMessage, LLVMGetDiagInfoDescription, LLVMGetDiagInfoSeverity,
};
use inkwell::llvm_sys::error_handling::LLVMInstallFatalErrorHandler;
use inkwell::llvm_sys::prelude::LLVMDiagnosticInfoRef;

use rustix::process::{Resource, getrlimit};
use weft_frontend::limits::{self, Depth};

use crate::Bug;

/// Enough for recursion over the deepest tree that the parser accepts, and for LLVM's. This is address space:
/// only used pages take memory.
pub const MAX_STACK_BYTES: usize = limits::STACK_BYTES * 4;

/// The minimum stack for compiling.
pub const MIN_STACK_BYTES: usize = 16 << 20;

/// The divisor of the remaining address space that gives the size of the stack, if the address space is
/// limited.
const STACK_SHARE: u64 = 3;

/// Why a guarded thread returned no value.
#[derive(Debug)]
pub enum Stopped {
    /// A fatal error of LLVM.
    Bug(Bug),
    /// The thread could not be created.
    NoStack(NoStack),
}

/// There is too little address space for a stack.
#[derive(Debug)]
pub struct NoStack {
    /// A phrase that names the limit.
    pub message: String,
}

impl From<NoStack> for Stopped {
    fn from(error: NoStack) -> Self {
        Stopped::NoStack(error)
    }
}

impl From<Stopped> for Bug {
    fn from(stopped: Stopped) -> Self {
        match stopped {
            Stopped::Bug(bug) => bug,
            Stopped::NoStack(error) => Bug { message: error.message },
        }
    }
}

type OnFatal = Box<dyn FnOnce(Bug)>;

thread_local! {
    /// The handler of a fatal error on a guarded thread.
    static ON_FATAL: RefCell<Option<OnFatal>> = const { RefCell::new(None) };
    /// The stack of a guarded thread, in bytes.
    static STACK_BYTES: Cell<usize> = const { Cell::new(MAX_STACK_BYTES) };
    /// The errors that LLVM reported.
    static ERRORS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Installs the handler of LLVM's fatal errors in the process, once.
pub(crate) fn install() {
    // SAFETY: the handler does not return, as LLVM requires.
    unsafe { LLVMInstallFatalErrorHandler(Some(on_fatal)) };
}

/// Installs the diagnostic handler of a context that is used on this thread.
pub(crate) fn watch(context: &Context) {
    // SAFETY: the handler uses nothing of the context, and its data is null.
    unsafe { LLVMContextSetDiagnosticHandler(context.raw(), Some(on_diagnostic), std::ptr::null_mut()) };
}

/// Fails if LLVM reported an error since the last call.
pub(crate) fn check() -> Result<(), Bug> {
    match ERRORS.take() {
        errors if errors.is_empty() => Ok(()),
        errors => Err(Bug { message: format!("LLVM: {}", errors.join("; ")) }),
    }
}

/// Runs `work`, which may call LLVM, on a guarded thread: this one if it is guarded, otherwise a new one.
///
/// # Errors
///
/// LLVM's fatal error, or that no thread could be created.
///
/// # Panics
///
/// If `work` does.
pub(crate) fn run<T: Send + 'static>(work: impl FnOnce() -> T + Send) -> Result<T, Stopped> {
    if ON_FATAL.with_borrow(Option::is_some) {
        return Ok(work());
    }
    let stack_bytes = stack_bytes()?;
    let (sender, receiver) = channel();
    let body = move || {
        STACK_BYTES.set(stack_bytes);
        let caller = sender.clone();
        ON_FATAL.set(Some(Box::new(move |bug| {
            let _ = caller.send(Err(bug));
        })));
        let value = work();
        ON_FATAL.take();
        // The receiver is only missing while the process ends.
        let _ = sender.send(Ok(value));
    };
    let builder = thread::Builder::new().name("weft".to_owned()).stack_size(stack_bytes);
    // SAFETY: the borrows of `work` outlive its use: the caller waits until the thread has sent its result,
    // has panicked, or has stopped permanently in `on_fatal`.
    let thread = unsafe { builder.spawn_unchecked(body) }.map_err(|_| no_stack(stack_bytes))?;
    match receiver.recv() {
        Ok(result) => result.map_err(Stopped::Bug),
        Err(_) => match thread.join() {
            Ok(()) => Err(Stopped::Bug(Bug::from("the thread ended without a result"))),
            Err(panic) => std::panic::resume_unwind(panic),
        },
    }
}

/// Runs `work` on this thread, which must have the stack of a guarded one: a fatal error of LLVM is passed to
/// `last_words`, which ends the process.
pub(crate) fn run_here<T>(
    last_words: impl FnOnce(Bug) -> Infallible + 'static,
    work: impl FnOnce() -> T,
) -> Result<T, NoStack> {
    let stack_bytes = stack_bytes()?;
    STACK_BYTES.set(stack_bytes);
    ON_FATAL.set(Some(Box::new(move |bug| match last_words(bug) {})));
    let value = stacker::grow(stack_bytes, work);
    ON_FATAL.take();
    Ok(value)
}

/// The nesting depth that this thread supports. LLVM needs at least as much of the stack as the frontend.
pub(crate) fn depth() -> Depth {
    Depth::for_stack(STACK_BYTES.get() / 2)
}

/// The stack size of a new guarded thread: the maximum, unless the address space is limited.
fn stack_bytes() -> Result<usize, NoStack> {
    let Some(limit) = getrlimit(Resource::As).current else { return Ok(MAX_STACK_BYTES) };
    // In pages; the first number is the total.
    let statm = fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let n_pages: u64 = statm.split(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0);
    let left = limit.saturating_sub(n_pages * rustix::param::page_size() as u64);
    let mut stack_bytes = MAX_STACK_BYTES;
    while stack_bytes as u64 > left / STACK_SHARE && stack_bytes > MIN_STACK_BYTES {
        stack_bytes /= 2;
    }
    // The allocator may have reserved what it needs already.
    if stack_bytes as u64 > left / 2 { Err(no_stack(MIN_STACK_BYTES)) } else { Ok(stack_bytes) }
}

/// The message if a stack cannot be allocated.
pub fn no_stack(n_bytes: usize) -> NoStack {
    let limit = getrlimit(Resource::As)
        .current
        .map(|limit| format!(", which is limited to {} MiB (`ulimit -v`)", limit >> 20));
    let message = format!("not enough address space for a stack of {} MiB", n_bytes >> 20);
    NoStack { message: message + &limit.unwrap_or_default() }
}

/// LLVM cannot continue, so this thread does not, either.
extern "C" fn on_fatal(reason: *const c_char) {
    // SAFETY: LLVM passes a zero-terminated string.
    let reason = unsafe { CStr::from_ptr(reason) }.to_string_lossy().into_owned();
    if let Some(tell) = ON_FATAL.take() {
        tell(Bug { message: format!("LLVM: {reason}") });
        loop {
            thread::park();
        }
    }
    // The thread belongs to another user of LLVM in this process: LLVM ends the process, as usual.
}

extern "C" fn on_diagnostic(info: LLVMDiagnosticInfoRef, _: *mut c_void) {
    // SAFETY: LLVM passes a diagnostic that lives until this returns, and we own the description.
    unsafe {
        let description = LLVMGetDiagInfoDescription(info);
        let text = CStr::from_ptr(description).to_string_lossy().into_owned();
        LLVMDisposeMessage(description);
        match LLVMGetDiagInfoSeverity(info) {
            LLVMDiagnosticSeverity::LLVMDSError => ERRORS.with_borrow_mut(|errors| errors.push(text)),
            // For example, remarks about missed optimizations.
            LLVMDiagnosticSeverity::LLVMDSWarning
            | LLVMDiagnosticSeverity::LLVMDSRemark
            | LLVMDiagnosticSeverity::LLVMDSNote => {}
        }
    }
}
