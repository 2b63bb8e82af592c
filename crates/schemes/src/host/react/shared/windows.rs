//! Common parts of reactions that count round trips, or whose window follows their rate.

use congestree_units::{Span, Time};
use serde::{Deserialize, Serialize};

use crate::check::Diagnostics;
use crate::host::bounds::{MostWindow, WindowUnit};
use crate::host::react::{Acked, LinkView, Sent};

/// Whether a window limits the unacknowledged data, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WindowBound {
    /// No window: the rate alone limits a source.
    None,
    /// The bandwidth-delay product: what the link carries in a round trip through the idle network.
    Bdp,
    /// What the current rate carries in such a round trip (HPCC's VAR_WIN).
    BdpAtRate,
}

impl WindowBound {
    /// The allowed number of unacknowledged packets at a share of the link's rate, if there is a limit.
    pub(in crate::host::react) fn packets(self, link: LinkView, share: f64) -> Option<u32> {
        match self {
            WindowBound::None => None,
            WindowBound::Bdp => Some(link.packets_in_flight()),
            WindowBound::BdpAtRate => Some(packets(link.exact_packets_in_flight() * share)),
        }
    }

    /// The largest of these numbers, if it follows a round trip that was given and not that of the path.
    pub(in crate::host::react) fn most(self, link: LinkView, round_trip: Option<Span>) -> Option<MostWindow> {
        let packets = self.packets(link, 1.0).filter(|_| round_trip.is_some())?;
        Some(MostWindow::of(packets.into(), "round_trip", WindowUnit::RoundTrip))
    }

    /// A round trip for the limit requires a limit.
    pub(in crate::host::react) fn check_round_trip(self, round_trip: Option<Span>, found: &mut Diagnostics) {
        found.check_round_trip("round_trip", round_trip);
        if self == WindowBound::None && round_trip.is_some() {
            let fact = "only a window depends on it, and there is no window";
            found.report("round_trip", fact, "leave it out, or write window = \"bdp\"");
        }
    }
}

/// A packet may start while less than this is in flight: the window is exceeded by a part of a packet, as in HPCC's
/// model.
fn packets(window: f64) -> u32 {
    // A difference by rounding alone adds no packet.
    (window - 1e-6).ceil().max(1.0) as u32
}

/// The position of an ACK in the round trips of its flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::host::react) enum Round {
    /// It is the first of all.
    First,
    /// Its packet was sent before the round began.
    Within,
    /// Its packet was sent in this round, which is therefore over.
    Over,
}

/// Round trips, counted in packets: a round is over with the first ACK of a packet that was sent after it began.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::host::react) struct Rounds {
    /// Packets that were in flight when the round began and have not arrived since; `None` before the first ACK.
    left: Option<u32>,
}

impl Rounds {
    /// An ACK arrives; if the round is over, the next begins.
    pub(in crate::host::react) fn on_ack(&mut self, ack: &Acked<'_>) -> Round {
        let turn = match &mut self.left {
            None => Round::First,
            Some(left) if ack.packets > *left => Round::Over,
            Some(left) => {
                *left -= ack.packets;
                return Round::Within;
            }
        };
        self.left = Some(ack.outstanding);
        turn
    }
}

/// A rate between a lowest one and that of the link, with the window that belongs to it.
#[derive(Clone, Debug)]
pub(in crate::host::react) struct Rated {
    /// Of the link, the least, and now; bit/s.
    pub line: f64,
    pub least: f64,
    pub rate: f64,
    /// T, in seconds.
    pub round_trip: f64,
    /// A full packet, in bits.
    packet: f64,
    /// The window follows the rate.
    pub follows: bool,
    /// Packets are paced.
    pub paced: bool,
}

impl Rated {
    /// At line rate, with an unknown position.
    pub(in crate::host::react) fn new(least: f64) -> Self {
        let mut rated = Self { line: 0.0, least, rate: 0.0, round_trip: 0.0, packet: 0.0, follows: true, paced: true };
        rated.place(LinkView::default(), None);
        rated
    }

    /// Sets its position; `round_trip` is T if it differs from that of its own path.
    pub(in crate::host::react) fn place(&mut self, link: LinkView, round_trip: Option<Span>) {
        (self.line, self.rate) = (link.line.0 as f64, link.line.0 as f64);
        self.round_trip = round_trip.unwrap_or(link.round_trip).as_secs();
        self.packet = link.packet.0 as f64 * 8.0;
    }

    /// A rate brought within the bounds.
    pub(in crate::host::react) fn bounded(&self, rate: f64) -> f64 {
        rate.max(self.least).min(self.line)
    }

    /// Packets that may be unacknowledged.
    pub(in crate::host::react) fn window(&self) -> u32 {
        self.packets(if self.follows { self.rate } else { self.line })
    }

    /// The most of them, if T was given and is not that of the path.
    pub(in crate::host::react) fn most_window(&self, round_trip: Option<Span>) -> Option<MostWindow> {
        round_trip.map(|_| MostWindow::of(self.packets(self.line).into(), "round_trip", WindowUnit::RoundTrip))
    }

    fn packets(&self, rate: f64) -> u32 {
        packets(rate * self.round_trip / self.packet)
    }

    /// The earliest start of the packet after `last`.
    pub(in crate::host::react) fn next_start(&self, last: Sent) -> Time {
        if self.paced { last.start + last.gap(self.rate) } else { last.start }
    }

    /// The rate limit as R_max/r.
    pub(in crate::host::react) fn limit(&self) -> f64 {
        if self.paced { self.line / self.rate } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::react::Feedback;
    use congestree_units::{Bytes, Rate};

    #[test]
    fn a_round_is_over_with_the_ack_of_the_first_packet_sent_in_it() {
        // Four are on their way when the first ACK comes; each ACK lets one more go.
        let ack = Acked { outstanding: 3, ..Acked::one(Feedback::Clear, Span::ZERO) };
        let mut rounds = Rounds::default();
        let turns: Vec<Round> = (0..9).map(|_| rounds.on_ack(&ack)).collect();
        use Round::{First, Over, Within};
        assert_eq!(turns, [First, Within, Within, Within, Over, Within, Within, Within, Over]);
    }

    #[test]
    fn an_ack_of_several_packets_counts_them_all_and_one_of_none_does_not() {
        let ack = |packets, outstanding| Acked { packets, outstanding, ..Acked::one(Feedback::Clear, Span::ZERO) };
        let mut rounds = Rounds::default();
        let turns = [(1, 8), (0, 8), (4, 8), (4, 8), (0, 8), (1, 20), (20, 0), (1, 0)];
        let turns: Vec<Round> = turns.iter().map(|&(packets, left)| rounds.on_ack(&ack(packets, left))).collect();
        use Round::{First, Over, Within};
        assert_eq!(turns, [First, Within, Within, Within, Within, Over, Within, Over]);
    }

    #[test]
    fn a_window_is_passed_by_a_part_of_a_packet_and_never_less_than_one() {
        // 8 Gbit/s and packets of 1,000 B: one a microsecond.
        let link = LinkView {
            line: Rate::from_gbps(8),
            packet: Bytes(1_000),
            round_trip: Span::from_us(20),
            ..LinkView::default()
        };
        let windows = [1.0, 0.5, 0.51, 0.001].map(|share| WindowBound::BdpAtRate.packets(link, share));
        assert_eq!(windows, [Some(20), Some(10), Some(11), Some(1)]);
        assert_eq!((WindowBound::Bdp.packets(link, 0.1), WindowBound::None.packets(link, 0.1)), (Some(20), None));
    }
}
