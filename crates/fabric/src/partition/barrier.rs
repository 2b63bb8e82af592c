//! The barrier at which the threads of a run in parts wait for each other.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::Duration;

/// Where threads wait for each other. They first spin for a moment, since windows are short; then they yield the core
/// to others, who may be those they wait for; then they sleep. Every thread counts its own steps, and waits until no
/// other thread is too many steps behind.
pub(super) struct Barrier {
    /// By thread.
    steps: Vec<Steps>,
    asleep: Mutex<()>,
    sleepers: AtomicUsize,
    bell: Condvar,
    /// Some thread will never come again, because of a fault.
    pub(super) gone: AtomicBool,
}

/// The number of steps that a thread has taken, in a cache line of its own: no other thread writes there.
#[derive(Default)]
#[repr(align(128))]
struct Steps(AtomicU64);

/// Releases the other threads if this one panics.
pub(super) struct LeaveOnPanic<'a>(pub(super) &'a Barrier);

impl Drop for LeaveOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.gone.store(true, Ordering::Release);
            self.0.bell.notify_all();
        }
    }
}

/// How often a thread looks at the steps of others before it yields its core: some ten microseconds.
const AWAKE: u32 = 1 << 9;

/// How often it yields its core before it goes to sleep: a millisecond if nobody else wants the core. If the scheduler
/// has put two threads of a run on one core, each continues as soon as the other waits; if they slept instead, and were
/// woken, they would stay on that core.
const YIELDS: u32 = 1 << 11;

/// How long a thread sleeps at most before it looks again: normally the thread that it waits for wakes it, unless that
/// thread has gone.
const PATIENCE: Duration = Duration::from_millis(100);

impl Barrier {
    pub(super) fn new(threads: usize) -> Self {
        Self {
            steps: (0..threads).map(|_| Steps::default()).collect(),
            asleep: Mutex::new(()),
            sleepers: AtomicUsize::new(0),
            bell: Condvar::new(),
            gone: AtomicBool::new(false),
        }
    }

    pub(super) fn threads(&self) -> usize {
        self.steps.len()
    }

    /// A thread has taken one more step.
    pub(super) fn step(&self, thread: usize) {
        // Either the sleeper sees the step or its thread sees the sleeper.
        self.steps[thread].0.fetch_add(1, Ordering::SeqCst);
        if self.sleepers.load(Ordering::SeqCst) > 0 {
            drop(lock(&self.asleep));
            self.bell.notify_all();
        }
    }

    /// Waits until nobody is more than `behind` steps behind a thread.
    pub(super) fn wait(&self, thread: usize, behind: u64) {
        let wanted = self.steps[thread].0.load(Ordering::Relaxed).saturating_sub(behind);
        let all_have_come = || self.steps.iter().all(|steps| steps.0.load(Ordering::SeqCst) >= wanted);
        for turn in 0..AWAKE + YIELDS {
            if all_have_come() {
                return;
            }
            if turn < AWAKE { std::hint::spin_loop() } else { std::thread::yield_now() }
        }
        let mut asleep = lock(&self.asleep);
        self.sleepers.fetch_add(1, Ordering::SeqCst);
        while !all_have_come() && !self.gone.load(Ordering::Acquire) {
            let waited = self.bell.wait_timeout(asleep, PATIENCE);
            asleep = waited.unwrap_or_else(std::sync::PoisonError::into_inner).0;
        }
        self.sleepers.fetch_sub(1, Ordering::SeqCst);
    }

    /// Waits until all threads have arrived here.
    pub(super) fn meet(&self, thread: usize) {
        self.step(thread);
        self.wait(thread, 0);
    }
}

/// A lock that is held for one window or one sample. If a thread panicked while holding it, the run has ended anyway.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
