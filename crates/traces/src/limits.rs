//! How long a node may be: a packed file of a few megabytes can hold what no memory does.

use std::cell::Cell;
use std::io::Read;

use crate::TraceError;

/// A longer node (B) is none: the contents of tensors are never in a trace. Small packed files can hold large ones.
pub(crate) const LONGEST_NODE: u64 = 16 << 20;
/// What stands beside the nodes of a JSON file is passed over, but not without end (B).
pub(crate) const LONGEST_REST: u64 = 256 << 20;

/// What is said of such a node.
pub(crate) fn too_long(place: impl Into<String>) -> TraceError {
    let fact = format!("a node would have more than {} MiB", LONGEST_NODE >> 20);
    TraceError::new(place, fact, "name an execution trace (.et, .et.gz or .json); nodes are short in them")
}

/// What may still be read of the node in hand, or of what stands beside nodes (B).
#[derive(Debug, Default)]
pub(crate) struct Allowance(Cell<u64>);

impl Allowance {
    /// From here on, so much.
    pub(crate) fn grant(&self, bytes: u64) {
        self.0.set(bytes);
    }

    /// It was not enough.
    pub(crate) fn is_used_up(&self) -> bool {
        self.0.get() == 0
    }
}

/// Counts what is read, and stops where the allowance ends.
pub(crate) struct CountedInput<'a, R> {
    input: R,
    /// So much so far (B).
    pub(crate) bytes: u64,
    allowance: &'a Allowance,
}

impl<'a, R> CountedInput<'a, R> {
    pub(crate) fn new(input: R, allowance: &'a Allowance) -> Self {
        Self { input, bytes: 0, allowance }
    }
}

impl<R: Read> Read for CountedInput<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.bytes += read as u64;
        let left = self.allowance.0.get().saturating_sub(read as u64);
        self.allowance.grant(left);
        match left {
            0 if read > 0 => Err(std::io::Error::other("too long")),
            _ => Ok(read),
        }
    }
}
