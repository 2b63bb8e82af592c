//! A flow alone on an idle path whose ACKs answer several packets: which of them closes the window changes from window
//! to window, so that the flow is followed from one ACK to the next.

use std::collections::VecDeque;

use crate::host::link_view::LinkView;

/// Windows that are followed, of which the second half counts.
const WINDOWS: u64 = 64;

/// The share of its link that a flow gets with a window of so many packets, of which an ACK answers up to `each`.
pub(super) fn share(window: u32, each: u32, path: LinkView) -> f64 {
    let last = WINDOWS * u64::from(window);
    let mut flow = Followed {
        window: u64::from(window),
        each: u64::from(each.min(window)),
        time: path.line.time_for(path.packet).0.max(1),
        trip: path.round_trip.0,
        ..Followed::default()
    };
    while flow.sent < last / 2 {
        flow.go_on(last / 2);
    }
    flow.hear();
    let half = flow.now;
    while flow.sent < last {
        flow.go_on(last);
    }
    ((last - last / 2) * flow.time) as f64 / (flow.now - half).max(1) as f64
}

/// The flow, at the start of its next packet.
#[derive(Default)]
struct Followed {
    /// Packets of a window, and those that an ACK answers.
    window: u64,
    each: u64,
    /// The time of a packet, and from the start of one until its ACK is in.
    time: u64,
    trip: u64,
    now: u64,
    sent: u64,
    acknowledged: u64,
    /// Packets that were sent after the last one that an ACK answers.
    unanswered: u64,
    /// When ACKs are in, and the number of packets that they acknowledge.
    acks: VecDeque<(u64, u64)>,
}

impl Followed {
    /// Packets that may be sent before the next ACK.
    fn room(&self) -> u64 {
        self.window - (self.sent - self.acknowledged)
    }

    /// Takes in the ACKs that are back and, while the window is closed, the next one.
    fn hear(&mut self) {
        while self.acks.front().is_some_and(|&(at, _)| at <= self.now || self.room() == 0) {
            let Some((at, number)) = self.acks.pop_front() else { break };
            (self.now, self.acknowledged) = (self.now.max(at), number);
        }
    }

    /// Sends the packets that go one after the other until an ACK comes or is due, of a series that ends with `last`.
    fn go_on(&mut self, last: u64) {
        self.hear();
        // The first packet is answered by itself.
        let due = if self.sent == 0 { 1 } else { (self.each - self.unanswered).min(self.room()) };
        let comes = self.acks.front().map_or(u64::MAX, |&(at, _)| (at - self.now).div_ceil(self.time));
        let count = due.min(comes).min(last - self.sent);
        self.now += count * self.time;
        self.sent += count;
        self.unanswered += count;
        if count == due {
            self.acks.push_back((self.now - self.time + self.trip, self.sent));
            self.unanswered = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use congestree_units::{Bytes, Rate, Span};

    /// The same, packet by packet.
    fn one_by_one(window: u64, each: u64, time: u64, trip: u64) -> f64 {
        let mut acks: VecDeque<(u64, u64)> = VecDeque::new();
        let (mut now, mut acknowledged, mut unanswered, mut half) = (0, 0, 0, 0);
        let last = WINDOWS * window;
        for sent in 0..last {
            while acks.front().is_some_and(|&(at, _)| at <= now || sent - acknowledged >= window) {
                let (at, number) = acks.pop_front().unwrap();
                (now, acknowledged) = (now.max(at), number);
            }
            unanswered += 1;
            if sent == 0 || unanswered >= each || sent + 1 - acknowledged >= window {
                acks.push_back((now + trip, sent + 1));
                unanswered = 0;
            }
            if sent == last / 2 {
                half = now;
            }
            now += time;
        }
        ((last - last / 2) * time) as f64 / (now - half).max(1) as f64
    }

    #[test]
    fn from_ack_to_ack_is_as_packet_by_packet() {
        for (window, each) in [(1, 1), (1, 9), (7, 3), (13, 8), (40, 8), (41, 40), (100, 7), (150, 60)] {
            for trip in [0, 1, 900, 6_000, 6_001, 13_500, 40_000, 155_250] {
                let path = LinkView {
                    line: Rate::from_gbps(8),
                    packet: Bytes(1),
                    round_trip: Span(trip),
                    ..LinkView::default()
                };
                assert_eq!(share(window, each, path), one_by_one(window.into(), each.into(), 1_000, trip));
            }
        }
    }
}
