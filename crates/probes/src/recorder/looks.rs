//! Regular looks at the fabric, and who takes down what is seen: the analyser of congestion trees, and the queues of inputs.

use congestree_units::{Span, Time};

use super::ports::input_queues::InputQueues;
use crate::trees::Trees;
use crate::trees::look::{Look, Ways};
use crate::{Names, ProbeSet, Recording, Table, Window};

/// When to look next, and for whom.
#[derive(Debug)]
pub(super) struct Looks {
    /// The next look.
    pub due: Time,
    every: Span,
    /// A look to be filled in again.
    pub blank: Look,
    trees: Option<Trees>,
    queues: Option<InputQueues>,
}

impl Looks {
    /// Nothing if nobody wants to look.
    pub(super) fn new(set: ProbeSet, window: Window, lanes: usize) -> Option<Self> {
        let every = Span(window.look_every.0.max(1));
        let trees = set.has(Recording::Trees).then(|| Trees::new(every, lanes));
        let queues = set.has(Recording::InputQueues).then(|| InputQueues::new(lanes));
        let wanted = trees.is_some() || queues.is_some();
        wanted.then(|| Self { due: Time::START + every, every, blank: Look::default(), trees, queues })
    }

    pub(super) fn seen(&mut self, look: Look, ways: &dyn Ways) {
        if let Some(trees) = &mut self.trees {
            trees.seen(&look, ways);
        }
        if let Some(queues) = &mut self.queues {
            queues.seen(&look);
        }
        self.blank = look;
        self.due += self.every;
    }

    pub(super) fn finish(&mut self, end: Time) {
        if let Some(trees) = &mut self.trees {
            trees.finish(end);
        }
    }

    pub(super) fn tables(self, names: &Names) -> Vec<Table> {
        let queues = self.queues.map(InputQueues::table);
        queues.into_iter().chain(self.trees.into_iter().flat_map(|trees| trees.tables(names))).collect()
    }
}
