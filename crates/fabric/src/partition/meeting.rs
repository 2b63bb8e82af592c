//! Where the threads of a run in parts meet between two windows.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::Duration;

/// Where threads wait for each other: for a moment awake, since windows are short, then asleep, since the cores may belong to
/// others.
pub(super) struct Meeting {
    pub(super) threads: usize,
    come: AtomicUsize,
    round: AtomicUsize,
    asleep: Mutex<()>,
    bell: Condvar,
    /// Somebody will not come any more, because of a fault.
    pub(super) gone: AtomicBool,
}

/// Whoever panics lets the others go.
pub(super) struct Attending<'a>(pub(super) &'a Meeting);

impl Drop for Attending<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.gone.store(true, Ordering::Release);
            self.0.bell.notify_all();
        }
    }
}

/// Looks at the round before a thread goes to sleep: some ten microseconds.
const AWAKE: u32 = 1 << 12;

/// How long a thread sleeps at a time: what it waits for rings the bell, unless it has gone.
const PATIENCE: Duration = Duration::from_millis(100);

impl Meeting {
    pub(super) fn new(threads: usize) -> Self {
        Self {
            threads,
            come: AtomicUsize::new(0),
            round: AtomicUsize::new(0),
            asleep: Mutex::new(()),
            bell: Condvar::new(),
            gone: AtomicBool::new(false),
        }
    }

    /// Waits until everybody is there.
    pub(super) fn wait(&self) {
        let round = self.round.load(Ordering::Acquire);
        if self.come.fetch_add(1, Ordering::AcqRel) + 1 == self.threads {
            self.come.store(0, Ordering::Relaxed);
            let asleep = lock(&self.asleep);
            self.round.store(round.wrapping_add(1), Ordering::Release);
            drop(asleep);
            self.bell.notify_all();
            return;
        }
        for _ in 0..AWAKE {
            if self.round.load(Ordering::Acquire) != round {
                return;
            }
            std::hint::spin_loop();
        }
        let mut asleep = lock(&self.asleep);
        while self.round.load(Ordering::Acquire) == round && !self.gone.load(Ordering::Acquire) {
            let waited = self.bell.wait_timeout(asleep, PATIENCE);
            asleep = waited.unwrap_or_else(std::sync::PoisonError::into_inner).0;
        }
    }
}

/// A lock that is held for a window or a look at a time; a thread that panicked has ended the run with it.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
