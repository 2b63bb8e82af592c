//! How a source reacts to what it hears: the rate at which it may go on.

use congestree_units::Time;

/// What an ACK tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feedback {
    /// A packet was delivered that met no congestion.
    Clear,
    /// A packet was delivered that was marked.
    Congested,
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

    /// The pace to keep from now on.
    fn pace(&self) -> Pace;

    /// The rate limit as R_max/r: 1 at line rate, 256 at a 256th of it. For probes.
    fn limit(&self) -> f64 {
        match self.pace() {
            Pace::LineRate => 1.0,
            Pace::Every(times) => times,
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
    }
}

mod steps;

impl ReactionPoint for AnyReaction {
    fn on_feedback(&mut self, now: Time, feedback: Feedback) {
        each!(self, part => part.on_feedback(now, feedback));
    }

    fn pace(&self) -> Pace {
        each!(self, part => part.pace())
    }

    fn limit(&self) -> f64 {
        each!(self, part => part.limit())
    }
}

impl ReactParams {
    /// Sources listen to marks, so data packets must be acknowledged.
    pub fn listens(&self) -> bool {
        !matches!(self, ReactParams::None(_))
    }
}
