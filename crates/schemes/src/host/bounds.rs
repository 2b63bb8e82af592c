//! What holds a flow back on the path that it has, whatever it hears: a reaction or a transport declares its largest
//! window and its timers here, and notes on a scenario compare them with paths.

use std::collections::VecDeque;

use congestree_units::Span;

use super::link_view::LinkView;

/// The most that a flow may ever have unacknowledged, by a parameter that does not follow its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MostWindow {
    /// Full packets; at least one.
    pub packets: u32,
    /// The parameter that sets it.
    pub key: &'static str,
    /// What this parameter counts.
    pub unit: WindowUnit,
    /// Full packets that one ACK answers in a long series, and the parameter that sets this. A sender that has filled its
    /// window asks for an ACK, and the first packet is answered by itself. `None`: every packet has its own ACK.
    pub per_ack: Option<(u32, &'static str)>,
}

/// What a parameter that sets a window counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WindowUnit {
    /// Full packets.
    Packets,
    /// A time, for which the window keeps the link of the host busy.
    RoundTrip,
    /// Bandwidth-delay products of the path.
    Products,
}

/// A time without an answer after which a transport takes packets for lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LossTimer {
    /// The parameter that sets it.
    pub key: &'static str,
    /// That time.
    pub span: Span,
    /// It runs only while fewer packets than this are in flight; `None`: always.
    pub fewer_than: Option<u32>,
}

impl MostWindow {
    /// A window of so many packets, each of which has its own ACK.
    pub fn of(packets: u32, key: &'static str, unit: WindowUnit) -> Self {
        Self { packets, key, unit, per_ack: None }
    }

    /// Packets that keep the path busy: with these, the last one of a round trip may start before an ACK is missed.
    pub fn needed(&self, path: LinkView) -> u32 {
        path.packets_in_flight().saturating_add(self.each() - 1)
    }

    /// The most packets that an ACK may answer for this window to keep the path busy, if any does.
    pub fn may_answer(&self, path: LinkView) -> Option<u32> {
        (self.packets + 1).checked_sub(path.packets_in_flight()).filter(|&each| each > 0)
    }

    /// The share of the rate of its link that a flow alone on an idle path gets, in full packets.
    pub fn share(&self, path: LinkView) -> f64 {
        match self.packets {
            packets if packets >= self.needed(path) => 1.0,
            packets if self.each() == 1 => f64::from(packets) / path.exact_packets_in_flight(),
            packets => answered_together(packets, self.each(), path),
        }
    }

    fn each(&self) -> u32 {
        self.per_ack.map_or(1, |(each, _)| each.max(1))
    }
}

/// The share of a flow whose ACKs answer up to `each` packets: which of them closes the window changes from window to
/// window, so that packets are followed one by one.
fn answered_together(window: u32, each: u32, path: LinkView) -> f64 {
    let (window, each) = (u64::from(window), u64::from(each));
    let (time, last) = (path.line.time_for(path.packet).0, WINDOWS * window);
    let mut acks: VecDeque<(u64, u64)> = VecDeque::new();
    let (mut now, mut acknowledged, mut unanswered, mut half) = (0, 0, 0, 0);
    for sent in 0..last {
        while acks.front().is_some_and(|&(at, _)| at <= now || sent - acknowledged >= window) {
            let Some((at, number)) = acks.pop_front() else { break };
            (now, acknowledged) = (now.max(at), number);
        }
        unanswered += 1;
        let closes = sent + 1 - acknowledged >= window;
        if closes || sent == 0 || unanswered >= each {
            acks.push_back((now + path.round_trip.0, sent + 1));
            unanswered = 0;
        }
        if sent == last / 2 {
            half = now;
        }
        now += time;
    }
    ((last - last / 2) * time) as f64 / (now - half).max(1) as f64
}

/// Windows that are followed, of which the second half counts.
const WINDOWS: u64 = 64;

#[cfg(test)]
mod tests {
    use super::*;
    use congestree_units::{Bytes, Rate};

    /// Packets of 1 us on a path with this round trip.
    fn path(us: u64) -> LinkView {
        LinkView { line: Rate::from_gbps(8), packet: Bytes(1_000), round_trip: Span::from_us(us), hops: 1 }
    }

    fn window(packets: u32, each: u32) -> MostWindow {
        MostWindow { per_ack: Some((each, "ack_after")), ..MostWindow::of(packets, "window", WindowUnit::Packets) }
    }

    #[test]
    fn a_window_below_the_product_is_sent_once_in_a_round_trip() {
        let shares = [5, 10, 11].map(|packets| window(packets, 1).share(path(10)));
        assert_eq!(shares, [0.5, 1.0, 1.0]);
        assert_eq!((window(5, 1).needed(path(10)), window(5, 1).may_answer(path(10))), (10, None));
    }

    #[test]
    fn packets_that_are_answered_together_need_a_larger_window() {
        // Seven are needed to fill the path, and seven more to wait for the ACK of eight.
        assert_eq!((window(14, 8).share(path(7)), window(14, 8).needed(path(7))), (1.0, 14));
        assert!(window(10, 8).share(path(7)) < 0.8);
        // What is said to be enough is.
        for packets in 7..14 {
            let each = window(packets, 8).may_answer(path(7)).unwrap();
            assert_eq!(window(packets, each).share(path(7)), 1.0);
            assert!(answered_together(packets, each, path(7)) > 0.999);
            assert!(answered_together(packets, 8, path(7)) <= 1.0);
        }
    }
}
