//! A flow alone on an idle path whose ACKs answer several packets: which of them closes the window changes from window
//! to window, so that the flow is followed from one ACK to the next.

use std::collections::VecDeque;

use super::{Fewer, SharedAck};
use crate::host::link_view::LinkView;

/// Windows that are followed, of which the second half counts.
const WINDOWS: u64 = 64;

/// The share of its link that a flow gets with a window of so many packets, of which several get one ACK.
pub(super) fn share(window: u32, together: SharedAck, path: LinkView) -> f64 {
    let last = WINDOWS * u64::from(window);
    let (asks, flush) = match together.fewer {
        Fewer::Asked => (true, u64::MAX),
        Fewer::After(flush) => (false, flush.0),
    };
    let mut flow = Followed {
        window: u64::from(window),
        each: u64::from(together.each.max(1)),
        asks,
        flush,
        time: path.line.time_for(path.packet).0.max(1),
        trip: path.round_trip.0,
        ..Followed::default()
    };
    let half = flow.start_of(last / 2);
    let end = flow.start_of(last);
    ((last - last / 2) * flow.time) as f64 / (end - half).max(1) as f64
}

/// The flow, at the start of its next packet.
#[derive(Default)]
struct Followed {
    /// Packets of a window, and those that an ACK answers.
    window: u64,
    each: u64,
    /// It asks for an ACK of its first packet, and of all that are in flight if its window is full.
    asks: bool,
    /// The longest that a packet waits for its ACK.
    flush: u64,
    /// The time of a packet, and from the start of one until its ACK is in.
    time: u64,
    trip: u64,
    now: u64,
    sent: u64,
    acknowledged: u64,
    /// Packets that were sent after the last one that an ACK answers.
    unanswered: u64,
    /// When they are answered at the latest: the start of a packet that would come in then.
    flush_at: u64,
    /// When ACKs are in, and the number of packets that they acknowledge.
    acks: VecDeque<(u64, u64)>,
}

impl Followed {
    /// When the packet with this number may start.
    fn start_of(&mut self, number: u64) -> u64 {
        while self.sent < number {
            self.go_on(number);
        }
        self.hear();
        self.now
    }

    /// Packets that may be sent before the next ACK.
    fn room(&self) -> u64 {
        self.window - (self.sent - self.acknowledged)
    }

    /// Takes in the ACKs that are back and, while the window is closed, the next one.
    fn hear(&mut self) {
        loop {
            let closed = self.room() == 0;
            if self.unanswered > 0 && (self.flush_at < self.now || closed && self.acks.is_empty()) {
                self.answer(self.flush_at);
            }
            match self.acks.front() {
                Some(&(at, number)) if at <= self.now || closed => {
                    self.acks.pop_front();
                    (self.now, self.acknowledged) = (self.now.max(at), number);
                }
                _ => return,
            }
        }
    }

    /// All packets until now are answered when one that starts at this time comes in.
    fn answer(&mut self, start: u64) {
        self.acks.push_back((start.saturating_add(self.trip), self.sent));
        self.unanswered = 0;
    }

    /// Sends the packets that go one after the other until an ACK comes or is due, of a series that ends with `last`.
    fn go_on(&mut self, last: u64) {
        self.hear();
        if self.unanswered == 0 {
            self.flush_at = self.now.saturating_add(self.flush);
        }
        let due = match self.each - self.unanswered {
            _ if self.asks && self.sent == 0 => 1,
            due if self.asks => due.min(self.room()),
            due => due,
        };
        let comes = self.acks.front().map_or(u64::MAX, |&(at, _)| (at - self.now).div_ceil(self.time));
        let waits = (self.flush_at - self.now) / self.time + 1;
        let count = due.min(self.room()).min(comes).min(waits).min(last - self.sent);
        self.now += count * self.time;
        self.sent += count;
        self.unanswered += count;
        if count == due {
            self.answer(self.now - self.time);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use congestree_units::{Bytes, Rate, Span};

    /// The same for a sender that asks, packet by packet.
    fn one_by_one(window: u64, each: u64, time: u64, trip: u64) -> f64 {
        let mut acks: VecDeque<(u64, u64)> = VecDeque::new();
        let (mut now, mut acknowledged, mut unanswered, mut half) = (0, 0, 0, 0);
        let last = WINDOWS * window;
        for sent in 0..=last {
            while acks.front().is_some_and(|&(at, _)| at <= now || sent - acknowledged >= window) {
                let (at, number) = acks.pop_front().unwrap();
                (now, acknowledged) = (now.max(at), number);
            }
            if sent == last {
                break;
            }
            if sent == last / 2 {
                half = now;
            }
            unanswered += 1;
            if sent == 0 || unanswered >= each || sent + 1 - acknowledged >= window {
                acks.push_back((now + trip, sent + 1));
                unanswered = 0;
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
                let together = SharedAck { each, key: "ack_after", counts_bytes: true, fewer: Fewer::Asked };
                assert_eq!(share(window, together, path), one_by_one(window.into(), each.into(), 1_000, trip));
            }
        }
    }
}
