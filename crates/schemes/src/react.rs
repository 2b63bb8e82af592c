//! How a source reacts to what it hears: the rate at which it may go on.

use congestree_units::{Span, Time};

/// What an ACK tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feedback {
    /// A packet was delivered that met no congestion.
    Clear,
    /// A packet was delivered that was marked.
    Congested,
}

/// The packet that a source has sent last.
#[derive(Clone, Copy, Debug)]
pub struct Sent {
    /// When it started.
    pub start: Time,
    /// Its time on the source's link.
    pub time: Span,
    /// The time of a full packet there.
    pub full: Span,
}

/// How fast a source may send.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pace {
    /// As fast as the link takes packets.
    LineRate,
    /// A packet may start this many packet times after the previous one started; at least one.
    Every(f64),
}

/// Decides the pace of one source.
pub trait ReactionPoint {
    /// An ACK has come in.
    fn on_feedback(&mut self, now: Time, feedback: Feedback);

    /// The earliest start of the packet after `last`, if nothing more is heard.
    fn next_start(&self, last: Sent) -> Time;

    /// The rate limit as R_max/r: 1 at line rate, 256 at a 256th of it; `full` is the time of a full packet. For probes.
    fn limit(&self, now: Time, full: Span) -> f64;
}

impl Pace {
    /// The earliest start of the packet after `last`.
    fn next_start(self, last: Sent) -> Time {
        match self {
            Pace::LineRate => last.start,
            Pace::Every(times) => last.start + last.time.scaled(times),
        }
    }
}

parts! {
    /// Any reaction point a scenario can name.
    AnyReaction / ReactParams: ReactionPoint {
        /// Takes no notice of marks.
        None = none::Unthrottled(NoParams),
        /// Linear inter-packet delay: one packet time more for each mark.
        Lipd = lipd::Lipd(LipdParams),
        /// Fast increase, multiplicative decrease.
        Fimd = fimd::Fimd(FimdParams),
        /// Additive increase, multiplicative decrease.
        Aimd = aimd::Aimd(AimdParams),
        /// InfiniBand's congestion control table: idle times by an index that notifications raise and a timer lowers.
        Cct = cct::Cct(CctParams),
    }
}

mod steps;

impl ReactionPoint for AnyReaction {
    fn on_feedback(&mut self, now: Time, feedback: Feedback) {
        each!(self, part => part.on_feedback(now, feedback));
    }

    fn next_start(&self, last: Sent) -> Time {
        each!(self, part => part.next_start(last))
    }

    fn limit(&self, now: Time, full: Span) -> f64 {
        each!(self, part => part.limit(now, full))
    }
}

impl ReactParams {
    /// Sources listen to marks, so somebody must bring them back.
    pub fn listens(&self) -> bool {
        !matches!(self, ReactParams::None(_))
    }

    /// The flows of a host and service level share one reaction point.
    pub fn shared(&self) -> bool {
        matches!(self, ReactParams::Cct(params) if params.per == cct::Per::Sl)
    }
}
