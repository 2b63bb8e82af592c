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
    /// The time that they took (T).
    pub lasts: Span,
}

impl Running {
    /// A packet leaves; what left before `over` is forgotten.
    pub fn on_sent(&mut self, now: Time, size: u32, flow: Option<u32>, over: Span) {
        self.packets.push_back(Sent { at: now, size, flow });
        self.total += u64::from(size);
        self.forget(now, over);
    }

    /// The count of the last `over`; none if no harmful flow sent in it.
    pub fn counted(&mut self, now: Time, over: Span, harmful: impl Fn(u32) -> bool) -> Option<Counted> {
        self.forget(now, over);
        let theirs = self.packets.iter().filter(|sent| sent.flow.is_some_and(&harmful));
        let bytes = theirs.map(|sent| u64::from(sent.size)).sum();
        (bytes > 0).then_some(Counted { total: self.total, harmful: bytes, lasts: over })
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
        assert_eq!(counted, Some(Counted { total: 10_000, harmful: 4_000, lasts: over }));
        assert_eq!(running.counted(Time(25_000_000), over, |flow| flow == 9), None);
        let later = running.counted(Time(34_000_000), over, |flow| flow == 7);
        assert_eq!(later, Some(Counted { total: 1_000, harmful: 1_000, lasts: over }));
        assert_eq!(running.counted(Time(35_000_000), over, |_| true), None);
    }
}
