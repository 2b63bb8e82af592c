//! What an output has sent recently, counted continuously, so that windows (RCC) are known as soon as congestion is.

use std::collections::VecDeque;

use congestree_units::{Span, Time};

/// The packets of the counting period, the oldest first.
#[derive(Clone, Debug, Default)]
pub struct Running {
    packets: VecDeque<Sent>,
    /// Bytes of all of them.
    total: u64,
}

#[derive(Clone, Copy, Debug)]
struct Sent {
    at: Time,
    size: u32,
    /// Its flow; none for packets other than data.
    flow: Option<u32>,
}

/// What was sent in the time over which windows are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    /// Bytes of all flows (W).
    pub total: u64,
    /// Bytes of harmful flows among them (W_c).
    pub harmful: u64,
    /// The time that they took (T): since the first of them left. A silence before it is not a part of it.
    pub lasts: Span,
}

/// At how many instants packets must have left to tell a rate: what left at the last one counts in full though it has
/// only begun, so that W/T of n is too high by up to 1/(n - 1) of itself.
const ENOUGH: usize = 4;

impl Running {
    /// A packet leaves; what left before `over` is forgotten.
    pub fn on_sent(&mut self, now: Time, size: u32, flow: Option<u32>, over: Span) {
        self.packets.push_back(Sent { at: now, size, flow });
        self.total += u64::from(size);
        self.forget(now, over);
    }

    /// The count of the last `over`; none if no harmful flow sent in it, or too little was sent to tell a rate.
    pub fn counted(&mut self, now: Time, over: Span, harmful: impl Fn(u32) -> bool) -> Option<Counted> {
        self.forget(now, over);
        let lasts = now.since(self.packets.front()?.at);
        let later = self.packets.iter().zip(self.packets.iter().skip(1)).filter(|(one, next)| one.at < next.at);
        if later.take(ENOUGH - 1).count() + 1 < ENOUGH {
            return None;
        }
        let theirs = self.packets.iter().filter(|sent| sent.flow.is_some_and(&harmful));
        let bytes = theirs.map(|sent| u64::from(sent.size)).sum();
        (bytes > 0).then_some(Counted { total: self.total, harmful: bytes, lasts })
    }

    fn forget(&mut self, now: Time, over: Span) {
        while let Some(oldest) = self.packets.front().filter(|sent| now.since(sent.at) >= over) {
            self.total -= u64::from(oldest.size);
            self.packets.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_ten_microseconds_count() {
        let mut running = Running::default();
        let over = Span::from_us(10);
        for us in 1..=25u64 {
            running.on_sent(Time(us * 1_000_000), 1_000, [None, Some(7), Some(8)][us as usize % 3], over);
        }
        // 16 to 25 are left; of flow 7 those at 16, 19, 22, 25.
        let counted = running.counted(Time(25_000_000), over, |flow| flow == 7);
        assert_eq!(counted, Some(Counted { total: 10_000, harmful: 4_000, lasts: Span::from_us(9) }));
        assert_eq!(running.counted(Time(25_000_000), over, |flow| flow == 9), None);
        let later = running.counted(Time(31_000_000), over, |flow| flow == 7);
        assert_eq!(later, Some(Counted { total: 4_000, harmful: 2_000, lasts: Span::from_us(9) }));
        // Three are left, and then none.
        assert_eq!(running.counted(Time(32_000_000), over, |_| true), None);
        assert_eq!(running.counted(Time(35_000_000), over, |_| true), None);
    }

    #[test]
    fn a_silence_before_a_burst_does_not_count() {
        for over in [Span::from_us(10), Span::from_us(40)] {
            let mut running = Running::default();
            running.on_sent(Time(1_000_000), 1_000, Some(7), over);
            // A packet of 1,000 B each 80 ns: 100 Gbit/s.
            let leaves = |k: u64| Time(100_000_000 + k * 80_000);
            (0..3).for_each(|k| running.on_sent(leaves(k), 1_000, Some(7), over));
            assert_eq!(running.counted(leaves(3), over, |_| true), None, "too few");
            (3..20).for_each(|k| running.on_sent(leaves(k), 1_000, Some(7), over));
            let counted = running.counted(leaves(20), over, |_| true);
            assert_eq!(counted, Some(Counted { total: 20_000, harmful: 20_000, lasts: Span::from_ns(1_600) }));
        }
    }

    #[test]
    fn packets_that_leave_several_inputs_at_once_are_no_rate() {
        let (mut running, over) = (Running::default(), Span::from_us(10));
        (0..8).for_each(|input| running.on_sent(Time(1_000_000), 1_000, Some(input), over));
        assert_eq!(running.counted(Time(1_000_000), over, |_| true), None);
        assert_eq!(running.counted(Time(1_000_001), over, |_| true), None);
    }
}
