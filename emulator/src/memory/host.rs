//! The host's memory: how much of it a run of kernels may take.
//!
//! A host promises more memory than it has, and kills the process that uses it. So memory that grows with the
//! size of buffers, or with what kernels do, is reserved before it is allocated, against what the host could
//! give when the run began. Memory that grows slowly is not: while kernels run, the host is asked now and
//! then whether it still has enough.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use rustix::process::{Resource, getrlimit};
use sysinfo::{MemoryRefreshKind, ProcessRefreshKind, ProcessesToUpdate, System, get_current_pid};

/// How often the host is asked.
const INTERVAL: Duration = Duration::from_millis(50);

/// The host memory that runs of kernels may take.
pub struct HostMemory {
    /// The number of bytes that can still be reserved.
    left: AtomicU64,
    /// The system, which is asked while kernels run; `None` if it does not report its memory.
    watch: Option<Mutex<Watch>>,
}

/// The system, and when it was last asked.
struct Watch {
    system: System,
    asked: Instant,
    /// The number of bytes that it must have left.
    floor: u64,
}

/// The host has too little memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostOutOfMemory {
    /// The missing amount, in bytes.
    pub wanted: u64,
    /// What is left, in bytes.
    pub left: u64,
}

/// A reservation of host memory, until it is dropped.
#[derive(Debug)]
pub struct Reserved {
    host: Arc<HostMemory>,
    n_bytes: u64,
}

impl HostMemory {
    /// Most of what the host can give this process now without taking it from others: limited by its own
    /// memory, by the process's control group, and by its address space limit.
    pub fn available() -> Self {
        let system = System::new().ok().map(|mut system| (available(&mut system), system));
        let Some((Some(available), system)) = system else { return HostMemory::limited(u64::MAX) };
        let watch = Watch { system, asked: Instant::now(), floor: available / 16 };
        HostMemory { left: AtomicU64::new(available - available / 8), watch: Some(Mutex::new(watch)) }
    }

    /// A fixed amount, whatever the host reports.
    pub fn limited(n_bytes: u64) -> Self {
        HostMemory { left: AtomicU64::new(n_bytes), watch: None }
    }

    /// A host that has plenty at first, and soon too little.
    #[cfg(test)]
    pub(crate) fn waning() -> Self {
        let mut host = HostMemory::available();
        let watch = host.watch.as_mut().expect("the host can tell");
        watch.get_mut().expect("no one else has it").floor = u64::MAX;
        host
    }

    /// The number of bytes left.
    pub fn left(&self) -> u64 {
        self.left.load(Ordering::Relaxed)
    }

    /// Takes memory permanently.
    ///
    /// # Errors
    ///
    /// If too little is left.
    pub fn take(&self, n_bytes: u64) -> Result<(), HostOutOfMemory> {
        let less = |left: u64| left.checked_sub(n_bytes);
        let taken = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        taken.map(|_| ()).map_err(|left| HostOutOfMemory { wanted: n_bytes, left })
    }

    /// Checks that the host still has memory, asking it again if the last time was a while ago.
    ///
    /// # Errors
    ///
    /// If it has hardly any.
    pub(crate) fn check(&self) -> Result<(), HostOutOfMemory> {
        let Some(watch) = &self.watch else { return Ok(()) };
        // If another thread is asking at this moment, that is enough.
        let mut watch = match watch.try_lock() {
            Ok(watch) => watch,
            Err(TryLockError::Poisoned(poisoned)) => PoisonError::into_inner(poisoned),
            Err(TryLockError::WouldBlock) => return Ok(()),
        };
        let Watch { system, asked, floor } = &mut *watch;
        if asked.elapsed() < INTERVAL {
            return Ok(());
        }
        let left = available(system).unwrap_or(u64::MAX);
        *asked = Instant::now();
        if left < *floor { Err(HostOutOfMemory { wanted: *floor, left }) } else { Ok(()) }
    }
}

impl Reserved {
    /// An empty reservation.
    pub fn none(host: &Arc<HostMemory>) -> Self {
        Reserved { host: Arc::clone(host), n_bytes: 0 }
    }

    /// Reserves `n_bytes`.
    ///
    /// # Errors
    ///
    /// If too little is left.
    pub fn new(host: &Arc<HostMemory>, n_bytes: u64) -> Result<Self, HostOutOfMemory> {
        let mut reserved = Reserved::none(host);
        reserved.grow(n_bytes)?;
        Ok(reserved)
    }

    /// Reserves `n_bytes` more.
    ///
    /// # Errors
    ///
    /// If too little is left.
    pub fn grow(&mut self, n_bytes: u64) -> Result<(), HostOutOfMemory> {
        self.host.take(n_bytes)?;
        self.n_bytes += n_bytes;
        Ok(())
    }

    /// The error for an allocation that the host refused although it seemed to have the memory.
    pub(crate) fn refused(&self, n_bytes: u64) -> HostOutOfMemory {
        HostOutOfMemory { wanted: n_bytes, left: self.host.left() }
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        self.host.left.fetch_add(self.n_bytes, Ordering::Relaxed);
    }
}

impl fmt::Debug for HostMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HostMemory").field("left", &self.left()).finish_non_exhaustive()
    }
}

impl fmt::Display for HostOutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let HostOutOfMemory { wanted, left } = self;
        write!(f, "not enough host memory: {wanted} bytes needed, {left} available")
    }
}

/// The number of bytes that the host can give this process; `None` if it does not report that.
fn available(system: &mut System) -> Option<u64> {
    system.refresh_memory_specifics(MemoryRefreshKind::nothing().with_ram());
    let own = Some(system.available_memory()).filter(|&n_bytes| n_bytes > 0);
    let process = get_current_pid().ok().and_then(|pid| {
        let kind = ProcessRefreshKind::nothing().with_memory().without_tasks();
        system.refresh_processes_specifics(ProcessesToUpdate::Some(&[pid]), false, kind);
        system.process(pid)
    });
    // The group's file caches can be reclaimed.
    let group = process.and_then(|process| process.cgroup_limits());
    let group = group.map(|limits| limits.total_memory.saturating_sub(limits.rss));
    let addresses = getrlimit(Resource::As)
        .current
        .zip(process)
        .map(|(limit, process)| limit.saturating_sub(process.virtual_memory()));
    [own, group, addresses].into_iter().flatten().min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn returns_reserved_memory() {
        let host = Arc::new(HostMemory::limited(100));
        let mut first = Reserved::new(&host, 60).expect("there is as much");
        assert_eq!(Reserved::new(&host, 50).err(), Some(HostOutOfMemory { wanted: 50, left: 40 }));
        first.grow(40).expect("there is as much");
        assert_eq!((first.grow(1).is_err(), host.left()), (true, 0));
        drop(first);
        assert_eq!(host.left(), 100);
    }

    #[test]
    fn hosts_have_memory() {
        let host = HostMemory::available();
        assert!((1 << 20..1 << 48).contains(&host.left()), "{host:?}");
        assert_eq!(host.check(), Ok(()));
    }

    #[test]
    fn hosts_are_asked_now_and_then() {
        let host = HostMemory::waning();
        assert_eq!(host.check(), Ok(()));
        std::thread::sleep(INTERVAL);
        assert!(host.check().is_err_and(|error| error.left > 0));
    }
}
