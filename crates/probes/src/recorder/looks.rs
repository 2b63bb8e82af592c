//! Regular looks at the fabric, and the recorders that use them: the analysis of congestion trees, the queues of
//! inputs, and the credits of outputs.

use congestree_units::{Span, Time};

use super::ports::credits::Credits;
use super::ports::input_queues::InputQueues;
use crate::trees::Trees;
use crate::trees::look::{Look, NextChannels};
use crate::{MeasurementWindow, Names, ProbeSet, Recording, Table};

/// When to look next, and for which recorders.
#[derive(Debug)]
pub(super) struct LookRecorder {
    /// When the next look is due.
    pub due: Time,
    every: Span,
    /// The memory of the previous look, to be used again.
    blank: Look,
    trees: Option<Trees>,
    queues: Option<InputQueues>,
    credits: Option<Credits>,
}

impl LookRecorder {
    /// `None` if no recorder needs looks.
    pub(super) fn new(set: ProbeSet, window: MeasurementWindow, lanes: usize) -> Option<Self> {
        let every = Span(window.sampling_interval.0.max(1));
        let trees = set.has(Recording::Trees).then(|| Trees::new(every, lanes));
        let queues = set.has(Recording::InputQueues).then(|| InputQueues::new(lanes));
        let credits = set.has(Recording::Credits).then(|| Credits::new(lanes));
        let blank = Look::default();
        set.samples().then(|| Self { due: Time::START + every, every, blank, trees, queues, credits })
    }

    /// An empty look to be filled in.
    pub(super) fn blank(&mut self) -> Look {
        Look { asks_credits: self.credits.is_some(), ..std::mem::take(&mut self.blank) }
    }

    /// The look that is due is handed over to be joined with those of other parts.
    pub(super) fn give_away(&mut self) {
        self.due += self.every;
    }

    pub(super) fn seen(&mut self, look: Look, ways: &dyn NextChannels) {
        if let Some(trees) = &mut self.trees {
            trees.seen(&look, ways);
        }
        if let Some(queues) = &mut self.queues {
            queues.seen(&look);
        }
        if let Some(credits) = &mut self.credits {
            credits.seen(&look);
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
        let (queues, credits) = (self.queues.map(InputQueues::table), self.credits.map(Credits::table));
        queues.into_iter().chain(credits).chain(self.trees.into_iter().flat_map(|trees| trees.tables(names))).collect()
    }
}
