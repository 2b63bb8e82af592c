//! Work that Ctrl-C ends at once, though it never asks for signals itself.

use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

/// How often signals are checked.
const CHECK_EVERY: Duration = Duration::from_millis(50);
/// Stack of the thread (B): as much as a main thread usually has, because texts may be deeply nested.
const STACK: usize = 8 << 20;

/// Works in another thread, while the interpreter is free for others. Ctrl-C is an exception at once; the work is then
/// left to itself, and its result is dropped when it is done.
pub(crate) fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (tell, mut hear) = sync_channel(1);
    let worker = thread::Builder::new().stack_size(STACK).spawn(move || {
        // Nobody listens any more after Ctrl-C.
        let _ = tell.send(work());
    })?;
    loop {
        let listening = &mut hear;
        match py.detach(move || listening.recv_timeout(CHECK_EVERY)) {
            Ok(done) => return Ok(done),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => match worker.join() {
                Err(panic) => std::panic::resume_unwind(panic),
                Ok(()) => unreachable!("a thread that has not panicked has sent its result"),
            },
        }
    }
}
