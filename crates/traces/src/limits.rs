//! How long a node may be: a packed file of a few megabytes can contain more than any memory holds.

use std::cell::Cell;
use std::io::Read;

use crate::TraceError;

/// A longer node (B) is not accepted: tensors themselves are never in a trace. Small packed files can contain large
/// nodes.
pub(crate) const LONGEST_NODE: u64 = 16 << 20;
/// Limit (B) of what a JSON file has besides the nodes, which is skipped.
pub(crate) const LONGEST_REST: u64 = 256 << 20;

/// The message about such a node.
pub(crate) fn too_long(place: impl Into<String>) -> TraceError {
    let fact = format!("a node would have more than {} MiB", LONGEST_NODE >> 20);
    TraceError::new(place, fact, "name an execution trace (.et, .et.gz or .json); nodes are short in them")
}

/// How much may still be read of the current node, or of what the file has besides nodes (B).
#[derive(Debug, Default)]
pub(crate) struct Allowance(Cell<u64>);

impl Allowance {
    /// Sets the amount that may be read from now on.
    pub(crate) fn grant(&self, bytes: u64) {
        self.0.set(bytes);
    }

    /// Whether it was not enough.
    pub(crate) fn is_used_up(&self) -> bool {
        self.0.get() == 0
    }
}

/// Counts what is read, and stops where the limit is reached.
pub(crate) struct CountedInput<'a, R> {
    input: R,
    /// Bytes so far (B).
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
