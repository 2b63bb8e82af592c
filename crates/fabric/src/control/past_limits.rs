//! What rate limits were a moment ago.
//!
//! Every mark is reported together with the rate limit of its flow, as it was before anything was sent in that instant,
//! because the order in which outputs and hosts decide within an instant is free. The source may be in another part of
//! the network, which hears of the mark only after it has advanced by some windows. So reaction points that may be
//! asked about are kept as they were before each change, until nobody can ask any more.

use congestree_schemes::AnyReaction;
use congestree_units::Time;
use congestree_wire::FlowId;

/// A reaction point as it was until a change.
#[derive(Debug)]
struct PastState {
    until: Time,
    /// The change was that a packet was sent, or was about to be; otherwise that something was heard.
    sent: bool,
    state: AnyReaction,
}

/// Where in an instant a packet is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MarkedWhen {
    /// When a tail comes in (its own or another packet's): sources hear of ACKs later in that instant.
    TailsComeIn,
    /// When outputs decide.
    OutputsDecide,
}

/// Earlier states of reaction points, by the flow that owns them.
#[derive(Debug, Default)]
pub(crate) struct PastLimits {
    states: Vec<Vec<PastState>>,
    /// Nobody asks about anything before this instant.
    known: Time,
}

impl PastLimits {
    /// The reaction point of a flow changes at `until`, because a packet is `sent` or something is heard: keeps its
    /// state up to then.
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

    /// The state at an instant, if it has changed since.
    pub(crate) fn at(&self, pacer: FlowId, at: Time, when: MarkedWhen) -> Option<&AnyReaction> {
        let later =
            |past: &&PastState| past.until > at || past.until == at && (past.sent || when == MarkedWhen::TailsComeIn);
        self.states.get(pacer.index())?.iter().find(later).map(|past| &past.state)
    }

    /// Nobody asks about anything before this instant any more.
    pub(crate) fn forget_before(&mut self, known: Time) {
        self.known = known;
    }
}
