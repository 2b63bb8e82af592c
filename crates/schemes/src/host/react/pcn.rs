//! PCN, the rate control that belongs to NP-ECN: down to the rate at which packets arrive, and up again, slowly at
//! first.
//!
//! | here     | PCN, section 4                 | default |
//! |----------|--------------------------------|---------|
//! | `period` | T, of a report                 | 50 us   |
//! | `share`  | of marked packets, above which a flow is congested | 0.95 |
//! | `least_weight`, `most_weight` | w_min, w_max | 1/128, 1/2 |
//!
//! ```text
//! every T, of the packets in it:  r = bytes / T, marked for more than `share`?
//! congested:      R = min(R, r (1 - w_min)),  w = w_min
//! not congested:  R = R (1 - w) + C w,        w = w (1 - w) + w_max w
//! ```
//!
//! A period without packets changes nothing, nor does one with packets of an undetermined output (TCD).
//!
//! Reading: in the paper receivers measure and report once a period; here sources measure from their ACKs, which carry
//! the same marks and the same rate at the same time. Every packet counts as a full one, because ACKs do not contain
//! its size.
//!
//! Cheng et al.: Re-architecting Congestion Management in Lossless Ethernet (NSDI 2020), section 4.

use congestree_units::{Rate, Span, Time};
use serde::{Deserialize, Serialize};

use super::{Acked, Feedback, LinkView, Needs, ReactionPoint, Sent};
use crate::check::{Check, Diagnostics, Setting};

/// Parameters of PCN.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PcnParams {
    /// Time between two changes of the rate (T). Default 50 us.
    pub period: Span,
    /// A flow is congested if more than this share of its packets was marked in a period. Default 0.95.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub share: f64,
    /// Weight of the line rate in the first increase after a decrease, and the share by which a decrease goes below the
    /// arrival rate (w_min). Default 1/128.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub least_weight: f64,
    /// Weight of the line rate to which it grows with further increases (w_max). Default 0.5.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub most_weight: f64,
    /// The least rate. Default 10 Mbit/s.
    pub min_rate: Rate,
}

impl Default for PcnParams {
    fn default() -> Self {
        Self {
            period: Span::from_us(50),
            share: 0.95,
            least_weight: 1.0 / 128.0,
            most_weight: 0.5,
            min_rate: Rate(10_000_000),
        }
    }
}

impl Check for PcnParams {
    fn check(&self, setting: &Setting, found: &mut Diagnostics) {
        if self.period == Span::ZERO {
            found.report("period", "nothing arrives in no time", "give a period such as \"50 us\"");
        }
        found.check_least_rate("min_rate", self.min_rate, setting);
        if self.least_weight <= 0.0 {
            let fact = "a rate that has fallen would never rise again";
            found.report("least_weight", fact, "make it larger than 0, such as 0.0078125");
        } else if self.least_weight > self.most_weight {
            let fact = format!("the weight would begin at {} and grow to {}", self.least_weight, self.most_weight);
            found.report("least_weight", fact, "make it at most most_weight");
        }
    }
}

/// The rate of one source.
#[derive(Clone, Debug)]
pub struct Pcn {
    state: Box<State>,
}

#[derive(Clone, Debug)]
struct State {
    params: PcnParams,
    /// In bit/s.
    line: f64,
    /// Bits of a full packet.
    packet: f64,
    moving: Moving,
}

/// The state that changes at the end of a period: small, so that looking ahead is cheap.
#[derive(Clone, Copy, Debug)]
struct Moving {
    /// R, in bit/s.
    rate: f64,
    weight: f64,
    /// The end of the current period; never before the first ACK.
    ends: Time,
    /// Packets of it, and the marked ones among them.
    packets: u32,
    marked: u32,
    /// One of them was undetermined.
    held: bool,
    /// Round trip of its first packet.
    round_trip: Span,
}

impl State {
    /// What it is at an instant.
    fn at(&self, now: Time) -> Moving {
        let mut moving = self.moving;
        if moving.ends <= now {
            self.end_period(&mut moving);
            let period = self.params.period.0.max(1);
            moving.ends += Span((now.since(moving.ends).0 / period + 1) * period);
        }
        moving
    }

    /// The period is over: the rate changes, if any feedback arrived in it.
    fn end_period(&self, moving: &mut Moving) {
        let params = &self.params;
        if moving.packets > 0 && !moving.held {
            if f64::from(moving.marked) > params.share * f64::from(moving.packets) {
                let time = match moving.packets {
                    1 if moving.round_trip > Span::ZERO => moving.round_trip,
                    _ => params.period,
                };
                let arrives = f64::from(moving.packets) * self.packet / time.as_secs();
                moving.rate = moving.rate.min(arrives * (1.0 - params.least_weight));
                moving.weight = params.least_weight;
            } else {
                moving.rate = moving.rate * (1.0 - moving.weight) + self.line * moving.weight;
                moving.weight = moving.weight * (1.0 - moving.weight) + params.most_weight * moving.weight;
            }
        }
        moving.rate = moving.rate.max((params.min_rate.0 as f64).min(self.line));
        // Rates less than a bit a second apart are the same.
        if self.line - moving.rate < 1.0 {
            moving.rate = self.line;
        }
        (moving.packets, moving.marked, moving.held, moving.round_trip) = (0, 0, false, Span::ZERO);
    }
}

impl Pcn {
    /// A source at line rate that has received no feedback yet.
    pub fn new(params: &PcnParams) -> Self {
        let weight = params.least_weight;
        let moving =
            Moving { rate: 0.0, weight, ends: Time::NEVER, packets: 0, marked: 0, held: false, round_trip: Span::ZERO };
        let mut source = Self { state: Box::new(State { params: params.clone(), line: 0.0, packet: 0.0, moving }) };
        source.at_link(LinkView::default());
        source
    }

    /// The rate in bit/s.
    pub fn rate(&self, now: Time) -> f64 {
        self.state.at(now).rate
    }
}

impl ReactionPoint for Pcn {
    fn boxed(&self) -> usize {
        size_of::<State>()
    }

    fn needs(&self) -> Needs {
        Needs { placement: true, ..Needs::ACKS }
    }

    fn at_link(&mut self, link: LinkView) {
        let state = &mut *self.state;
        (state.line, state.packet) = (link.line.0 as f64, 8.0 * link.packet.0 as f64);
        state.moving.rate = state.line;
    }

    fn on_feedback(&mut self, now: Time, feedback: Feedback) {
        self.on_ack(now, &Acked::one(feedback, Span::ZERO));
    }

    /// Everything that has arrived counts, useful or not.
    fn on_ack(&mut self, now: Time, ack: &Acked<'_>) {
        let state = &mut *self.state;
        state.moving = match state.moving.ends {
            Time::NEVER => Moving { ends: now + state.params.period, ..state.moving },
            _ => state.at(now),
        };
        let moving = &mut state.moving;
        if moving.packets == 0 {
            moving.round_trip = ack.round_trip;
        }
        let packets = ack.packets.max(1);
        moving.packets += packets;
        moving.marked += if ack.feedback == Feedback::Congested { packets } else { 0 };
        moving.held |= ack.feedback == Feedback::Undetermined;
    }

    /// The earliest time since the last packet that the rate at that time allows.
    fn next_start(&self, last: Sent) -> Time {
        let state = &*self.state;
        let start = last.start + last.gap(state.moving.rate);
        if start < state.moving.ends {
            return start;
        }
        let after = state.at(state.moving.ends);
        state.moving.ends.max(last.start + last.gap(after.rate))
    }

    fn limit(&self, now: Time, _full: Span) -> f64 {
        (self.state.line / self.rate(now)).max(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use congestree_units::Bytes;

    /// 10 Gbit/s, packets of 1,250 B: one takes a microsecond.
    fn source() -> Pcn {
        let mut source = Pcn::new(&PcnParams::default());
        source.at_link(LinkView { line: Rate::from_gbps(10), packet: Bytes(1_250), ..LinkView::default() });
        source
    }

    fn at(us: u64) -> Time {
        Time(us * 1_000_000)
    }

    /// So many ACKs at an instant, the first `marked` of them with a mark.
    fn acks(source: &mut Pcn, us: u64, count: u32, marked: u32) {
        for i in 0..count {
            let feedback = if i < marked { Feedback::Congested } else { Feedback::Clear };
            source.on_ack(at(us), &Acked::one(feedback, Span::from_us(20)));
        }
    }

    /// Rates in Gbit/s.
    fn rates<const N: usize>(source: &Pcn, us: [u64; N]) -> [f64; N] {
        us.map(|us| source.rate(at(us)) / 1e9)
    }

    #[test]
    fn a_congested_period_brings_the_rate_down_to_that_of_arrival() {
        let mut source = source();
        // 16 packets of 10,000 bits in 50 us are 3.2 Gbit/s; less a 128th.
        acks(&mut source, 100, 16, 16);
        assert_eq!(rates(&source, [149, 150]), [10.0, 3.175]);
        // A higher rate of arrival raises nothing.
        acks(&mut source, 160, 40, 40);
        assert_eq!(rates(&source, [200]), [3.175]);
    }

    #[test]
    fn a_flow_is_congested_if_more_than_the_share_is_marked() {
        let mut source = source();
        acks(&mut source, 0, 20, 19);
        assert_eq!(rates(&source, [50]), [10.0]);
        acks(&mut source, 60, 21, 20);
        assert_eq!(rates(&source, [100]), [21.0 * 1e4 / 50e-6 / 1e9 * (127.0 / 128.0)]);
    }

    #[test]
    fn the_rate_comes_back_slowly_at_first() {
        let mut source = source();
        acks(&mut source, 0, 16, 16);
        acks(&mut source, 60, 5, 0);
        let (first, w) = (3.175 * 127.0 / 128.0 + 10.0 / 128.0, 1.0 / 128.0);
        assert!((source.rate(at(100)) / 1e9 - first).abs() < 1e-9);
        acks(&mut source, 110, 5, 0);
        let w = w * (1.0 - w) + 0.5 * w;
        assert!((source.rate(at(150)) / 1e9 - (first * (1.0 - w) + 10.0 * w)).abs() < 1e-9);
    }

    #[test]
    fn one_packet_in_a_period_is_measured_by_its_own_round_trip() {
        let mut source = source();
        // 10,000 bits in 20 us.
        acks(&mut source, 0, 1, 1);
        assert!((source.rate(at(50)) / 1e9 - 0.5 * 127.0 / 128.0).abs() < 1e-9);
    }

    #[test]
    fn an_ack_counts_for_every_packet_that_it_answers() {
        let mut source = source();
        source.on_ack(at(0), &Acked { packets: 16, ..Acked::one(Feedback::Congested, Span::from_us(20)) });
        assert_eq!(rates(&source, [50]), [3.175]);
        assert!((source.limit(at(50), Span::from_us(1)) - 10.0 / 3.175).abs() < 1e-12);
    }

    #[test]
    fn silence_and_doubt_change_nothing() {
        let mut source = source();
        acks(&mut source, 0, 16, 16);
        assert_eq!(rates(&source, [50, 1_000, 9_000]), [3.175; 3]);
        acks(&mut source, 9_010, 5, 0);
        source.on_ack(at(9_011), &Acked::one(Feedback::Undetermined, Span::from_us(20)));
        assert_eq!(rates(&source, [9_100]), [3.175]);
    }

    #[test]
    fn the_next_packet_starts_as_the_rate_of_that_instant_allows() {
        let mut source = source();
        acks(&mut source, 0, 16, 16);
        let line = Rate::from_gbps(10);
        let sent = |us| Sent { start: at(us), time: Span::from_us(1), full: Span::from_us(1), line };
        assert_eq!(source.next_start(sent(40)), at(40));
        // At 3.175 Gbit/s a packet of a microsecond takes 3.1496 us.
        assert_eq!(source.next_start(sent(50)), Time(53_149_606));
        // So it does amid a period.
        acks(&mut source, 60, 1, 0);
        assert_eq!(source.next_start(sent(62)), Time(65_149_606));
    }
}
