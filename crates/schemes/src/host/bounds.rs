//! What holds a flow back on the path that it has, whatever it hears: a reaction or a transport declares its largest
//! window and its timers here, and notes on a scenario compare them with paths.

mod followed;

use congestree_units::Span;

use super::link_view::LinkView;

/// The most that a flow may ever have unacknowledged, by a parameter that does not follow its path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MostWindow {
    /// Full packets. Below one, this part of a packet goes in each round trip.
    pub packets: f64,
    /// The parameter that sets it.
    pub key: &'static str,
    /// What this parameter counts.
    pub unit: WindowUnit,
    /// How several packets get one ACK. `None`: every packet has its own.
    pub per_ack: Option<SharedAck>,
}

/// What a parameter that sets a window counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WindowUnit {
    /// Full packets.
    Packets,
    /// A time, for which the window keeps the link of the host busy.
    RoundTrip,
    /// A time, of which only what is below the round trip of the path counts: so many times as long the window keeps the
    /// link of the host busy.
    ShorterTrip {
        /// How many times.
        products: f64,
        /// The parameter that sets this.
        key: &'static str,
    },
    /// Bandwidth-delay products of the path.
    Products,
}

/// How several packets get one ACK.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SharedAck {
    /// Full packets that one ACK answers in a long series.
    pub each: u32,
    /// The parameter that sets this.
    pub key: &'static str,
    /// This parameter counts bytes, and not packets.
    pub counts_bytes: bool,
    /// When fewer packets are answered.
    pub fewer: Fewer,
}

/// When an ACK answers fewer packets than it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fewer {
    /// When they are asked for: a sender asks that has filled its window, and the first packet is answered by itself.
    Asked,
    /// This time after the first of them has come in.
    After(Span),
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
    pub fn of(packets: f64, key: &'static str, unit: WindowUnit) -> Self {
        Self { packets, key, unit, per_ack: None }
    }

    /// Packets that keep the path busy: with these, the last one of a round trip may start before an ACK is missed.
    pub fn needed(&self, path: LinkView) -> u32 {
        path.packets_in_flight().saturating_add(self.each() - 1)
    }

    /// A window with which the flow gets this share: one that is just as large as the path, or else one found by halving.
    /// It is less than `needed` where senders ask for an ACK once it is full, as that answers fewer packets.
    pub fn enough(&self, path: LinkView, share: f64) -> u32 {
        let asks = self.per_ack.is_some_and(|together| together.fewer == Fewer::Asked);
        let fills = |packets: u32| Self { packets: packets.into(), ..*self }.share(path) >= share;
        let (mut less, mut enough) = (path.packets_in_flight(), self.needed(path));
        if !asks || fills(less) {
            return if asks { less } else { enough };
        }
        while enough - less > 1 {
            let between = less.midpoint(enough);
            if fills(between) { enough = between } else { less = between }
        }
        enough
    }

    /// The most packets that an ACK may answer for this window to keep the path busy, if any does.
    pub fn may_answer(&self, path: LinkView) -> Option<u32> {
        self.whole().saturating_add(1).checked_sub(path.packets_in_flight()).filter(|&each| each > 0)
    }

    /// The share of the rate of its link that a flow alone on an idle path gets, in full packets.
    pub fn share(&self, path: LinkView) -> f64 {
        let product = path.exact_packets_in_flight();
        // Below one packet, the next starts so many round trips later.
        let most = if self.packets < 1.0 { self.packets / product } else { 1.0 };
        if self.whole() >= self.needed(path) {
            return most.min(1.0);
        }
        // Packets that wait for their ACK are as good as packets less in the window: at most all but one of an ACK.
        let (window, waiting) = (f64::from(self.whole()), f64::from(self.each() - 1));
        let share = match self.per_ack {
            Some(together) if waiting > CLOSE * window => followed::share(self.whole(), together, path),
            _ => (window - waiting) / product,
        };
        most.min(share)
    }

    /// Whole packets that may be in flight; one always may.
    pub fn whole(&self) -> u32 {
        (self.packets as u32).max(1)
    }

    fn each(&self) -> u32 {
        self.per_ack.map_or(1, |together| together.each.max(1))
    }
}

/// A part of a window that makes no difference.
const CLOSE: f64 = 0.01;

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use congestree_units::{Bytes, Rate};

    /// Packets of 1 us on a path with this round trip.
    fn path(us: u64) -> LinkView {
        LinkView { line: Rate::from_gbps(8), packet: Bytes(1_000), round_trip: Span::from_us(us), hops: 1 }
    }

    fn asked(each: u32) -> SharedAck {
        SharedAck { each, key: "ack_after", counts_bytes: true, fewer: Fewer::Asked }
    }

    fn window(packets: u32, each: u32) -> MostWindow {
        MostWindow { per_ack: Some(asked(each)), ..MostWindow::of(packets.into(), "window", WindowUnit::Packets) }
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
            assert!(followed::share(packets, asked(each), path(7)) > 0.999);
            assert!(followed::share(packets, asked(8), path(7)) <= 1.0);
        }
    }

    #[test]
    fn who_asks_once_the_window_is_full_needs_less_than_a_window_and_an_ack() {
        // Two packets on a path of two: each closes the window, and has its own ACK.
        assert_eq!((window(1, 8).enough(path(2), 0.98), window(1, 8).needed(path(2))), (2, 9));
        for us in 1..20 {
            let narrow = window(1, 30);
            let enough = narrow.enough(path(us), 0.98);
            assert!(window(enough, 30).share(path(us)) >= 0.98 && enough <= narrow.needed(path(us)));
        }
        // Others wait for the time of the receiver.
        let flush = Some(SharedAck { fewer: Fewer::After(Span::from_us(50)), ..asked(8) });
        assert_eq!(MostWindow { per_ack: flush, ..window(1, 8) }.enough(path(2), 0.98), 9);
    }

    #[test]
    fn below_one_packet_a_part_of_it_goes_in_each_round_trip() {
        let share = |packets, us| MostWindow::of(packets, "max_window", WindowUnit::Packets).share(path(us));
        assert_eq!([share(0.5, 10), share(0.5, 1), share(1.5, 10)], [0.05, 0.5, 0.1]);
    }

    #[test]
    fn without_being_asked_receivers_answer_fewer_packets_after_a_time() {
        let flush = |packets: f64, us| {
            let per_ack = Some(SharedAck { fewer: Fewer::After(Span::from_us(us)), ..asked(8) });
            MostWindow { per_ack, ..MostWindow::of(packets, "max_window", WindowUnit::Packets) }.share(path(10))
        };
        // Four packets, the ACK of which leaves 40 us after the first came in.
        assert_eq!(flush(4.0, 40), 4.0 / 50.0);
        // Of twelve, eight are answered, and wait for a round trip; four more join the next four.
        assert!((0.6..0.8).contains(&flush(12.0, 40)) && flush(17.0, 40) == 1.0);
        // With a short time each has its own.
        assert_eq!(flush(4.0, 0), 0.4);
    }

    #[test]
    fn a_share_takes_no_longer_for_windows_of_many_packets() {
        let began = Instant::now();
        let shares = [8, 1_500_000, 50_000_000].map(|each| window(100_000_000, each).share(path(100_000_000)));
        // The window is as large as the product, and waits for the last packets of an ACK.
        assert!(
            shares[0] > 0.999 && (0.98..0.99).contains(&shares[1]) && (0.5..0.7).contains(&shares[2]),
            "{shares:?}"
        );
        // One by one, each would be followed for a minute.
        assert!(began.elapsed() < Duration::from_secs(5));
    }
}
