//! The textbook agenda: a binary heap, kept as the baseline for measuring the wheel.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use congestree_units::{Span, Time};

use super::{Agenda, Entry};

/// A binary heap of entries.
#[derive(Debug, Default)]
pub struct HeapAgenda {
    heap: BinaryHeap<Reverse<Entry>>,
}

impl Agenda for HeapAgenda {
    fn new(_typical: Span, _pending: usize) -> Self {
        Self::default()
    }

    fn schedule(&mut self, entry: Entry) {
        self.heap.push(Reverse(entry));
    }

    fn more_at(&self, now: Time) -> bool {
        self.heap.peek().is_some_and(|Reverse(entry)| entry.at == now)
    }

    fn take(&mut self) -> Option<Entry> {
        self.heap.pop().map(|Reverse(entry)| entry)
    }

    fn take_before(&mut self, limit: Time) -> Option<Entry> {
        match self.heap.peek() {
            Some(Reverse(entry)) if entry.at < limit => self.take(),
            _ => None,
        }
    }

    fn next_at(&self) -> Option<Time> {
        self.heap.peek().map(|Reverse(entry)| entry.at)
    }

    fn len(&self) -> usize {
        self.heap.len()
    }
}
