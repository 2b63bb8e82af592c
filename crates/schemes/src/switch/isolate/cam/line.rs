//! A line: what it represents, what belongs to it, and when it stops the queue upstream.

use super::super::{Effect, IsolationRules, Notice, StopAt};

/// What a line represents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// The normal queue for its output: a root that needs no separate queue.
    Normal,
    /// A set-aside queue.
    Isolated(u8),
}

/// A line of the memory of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The output (local port number) that is, or leads to, the root.
    pub output: u16,
    /// Switches to the root, including this one; 1 at the root.
    pub hops: u8,
    /// The queue whose fill level it uses.
    pub holder: Holder,
    /// The line downstream that it feeds; none at the root, or if that line is gone.
    pub next: Option<u8>,
    /// The destinations whose packets belong to it.
    pub destinations: Vec<u32>,
    /// Whether the switch upstream knows it.
    pub propagated: bool,
    /// Whether the queue upstream has been stopped.
    pub sent_stop: bool,
    /// Whether it counts in the congestion state of its output.
    pub congested: bool,
    /// Its queue has been at the lower threshold since it was allocated upstream.
    pub(super) rearmed: bool,
}

impl Line {
    /// A line that nobody else knows yet, and to which no destination belongs.
    pub(super) fn new(output: u16, hops: u8, holder: Holder, next: Option<u8>) -> Self {
        Self {
            output,
            hops,
            holder,
            next,
            destinations: Vec::new(),
            propagated: false,
            sent_stop: false,
            congested: false,
            rearmed: false,
        }
    }

    /// From now on it counts in the congestion state of its output, if its queue holds more than the upper threshold.
    pub(super) fn count_above(&mut self, rules: &IsolationRules, held: u32, effects: &mut Vec<Effect>) {
        if !self.congested && held > rules.high {
            self.congested = true;
            effects.push(Effect::Congested(self.output));
        }
    }

    /// It no longer counts in the congestion state of its output.
    pub(super) fn calm(&mut self, effects: &mut Vec<Effect>) {
        if std::mem::take(&mut self.congested) {
            effects.push(Effect::Calm(self.output));
        }
    }

    /// Whether it, known upstream, stops the queue there now that its own holds this many packets.
    pub(super) fn may_stop(&self, rules: &IsolationRules, held: u32) -> bool {
        self.propagated
            && !self.sent_stop
            && held > rules.stop
            && (rules.stop_at != StopAt::NextCrossing || self.rearmed)
    }

    /// Stops the queue upstream, which knows it by this number.
    pub(super) fn stop(&mut self, number: u8, effects: &mut Vec<Effect>) {
        self.sent_stop = true;
        effects.push(Effect::Upstream(Notice::Stop { line: number }));
    }

    /// Its queue is at the lower threshold: one upstream that was stopped may go on.
    pub(super) fn rearm(&mut self, number: u8, effects: &mut Vec<Effect>) {
        self.rearmed = true;
        if std::mem::take(&mut self.sent_stop) {
            effects.push(Effect::Upstream(Notice::Go { line: number }));
        }
    }
}
