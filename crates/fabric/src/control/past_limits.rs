//! What rate limits were a moment ago.
//!
//! With every mark the limit of its flow is told, as it is before anything is sent in that instant: in which order outputs and hosts
//! decide is free. The source may be in another part of the network, which hears of the mark when it has gone on for some windows.
//! So reaction points of which somebody may ask are kept as they were before each change, until nobody can ask any more.

use congestree_schemes::AnyReaction;
use congestree_units::Time;
use congestree_wire::FlowId;

/// A reaction point as it was up to a change.
#[derive(Debug)]
struct PastState {
    until: Time,
    /// A packet was sent, or about to be; otherwise something was heard.
    sent: bool,
    state: AnyReaction,
}

/// Where in an instant a packet is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MarkedWhen {
    /// When its tail, or that of another, is in: sources hear of ACKs later.
    TailsComeIn,
    /// When outputs decide.
    OutputsDecide,
}

/// Reaction points as they were, by the flow whose they are.
#[derive(Debug, Default)]
pub(crate) struct PastLimits {
    states: Vec<Vec<PastState>>,
    /// Nobody asks for anything before.
    known: Time,
}

impl PastLimits {
    /// The reaction point of a flow is as it is up to now, when a packet is `sent` or something is heard.
    pub(crate) fn note(&mut self, pacer: FlowId, until: Time, sent: bool, state: &AnyReaction) {
        if self.states.len() <= pacer.index() {
            self.states.resize_with(pacer.index() + 1, Vec::new);
        }
        let (states, known) = (&mut self.states[pacer.index()], self.known);
        if states.last().is_some_and(|last| (last.until, last.sent) == (until, sent)) {
            return;
        }
        states.retain(|past| past.until >= known);
        states.push(PastState { until, sent, state: state.clone() });
    }

    /// As it was at an instant, if it has changed since.
    pub(crate) fn at(&self, pacer: FlowId, at: Time, when: MarkedWhen) -> Option<&AnyReaction> {
        let later =
            |past: &&PastState| past.until > at || past.until == at && (past.sent || when == MarkedWhen::TailsComeIn);
        self.states.get(pacer.index())?.iter().find(later).map(|past| &past.state)
    }

    /// Nobody asks for anything before this instant any more.
    pub(crate) fn forget_before(&mut self, known: Time) {
        self.known = known;
    }
}
