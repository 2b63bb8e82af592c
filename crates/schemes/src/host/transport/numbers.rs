//! Which packets have been sent, which are acknowledged, and which comes next: common to all transports.
//!
//! ```text
//!   acknowledged │ sent, not acknowledged │ sent before, to be sent again │ not sent yet │ not there yet
//!              first                    next                             top            end
//! ```

use super::Next;

/// The numbers of the packets of one flow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Numbers {
    /// The first packet that is not acknowledged.
    pub first: u32,
    /// The packet that goes next in order.
    pub next: u32,
    /// One more than the highest ever sent.
    pub top: u32,
    /// One more than the highest packet of its work.
    pub end: u32,
    /// A packet to be sent again before `next`.
    again: Option<u32>,
    /// Packets sent again so far.
    pub resent: u64,
}

impl Numbers {
    /// There are packets up to `end` now.
    pub(crate) fn extend(&mut self, end: u32) {
        self.end = self.end.max(end);
    }

    /// No further packets are added. Returns one more than the last one sent.
    pub(crate) fn cut(&mut self) -> u32 {
        self.end = self.top;
        self.end
    }

    /// What would be sent next.
    pub(crate) fn due(&self) -> Option<u32> {
        self.again.or((self.next < self.end).then_some(self.next))
    }

    /// The packet that a window allows at once: a repetition always, another one if `open` returns true for the packets
    /// in flight.
    pub(crate) fn next(&self, open: impl FnOnce(u32) -> bool) -> Option<Next> {
        let sequence = self.due()?;
        let fills = self.again.is_some();
        (fills || open(self.flight())).then_some(Next::at_once(sequence, fills))
    }

    /// The next packet has been sent. Returns whether it was sent before.
    pub(crate) fn sent(&mut self) -> bool {
        if self.again.take().is_some() {
            self.resent += 1;
            return true;
        }
        let repeated = self.next < self.top;
        self.resent += u64::from(repeated);
        self.next += 1;
        self.top = self.top.max(self.next);
        repeated
    }

    /// All packets below `number` have arrived. Returns how many of them are new.
    pub(crate) fn acknowledge(&mut self, number: u32) -> u32 {
        if number <= self.first {
            return 0;
        }
        let news = number - self.first;
        self.first = number;
        self.next = self.next.max(number);
        self.again = self.again.filter(|&sequence| sequence >= number);
        news
    }

    /// Whether some packet that was sent is not acknowledged.
    pub(crate) fn outstanding(&self) -> bool {
        self.first < self.top
    }

    /// Packets in flight, as far as the sender knows.
    pub(crate) fn flight(&self) -> u32 {
        self.next - self.first
    }

    /// Everything from the first that is not acknowledged is sent again.
    pub(crate) fn go_back(&mut self) {
        self.next = self.first;
        self.again = None;
    }

    /// The first packet that is not acknowledged is sent again, and nothing else.
    pub(crate) fn repeat_first(&mut self) {
        self.again = (self.first < self.next).then_some(self.first);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(count: u32) -> Numbers {
        let mut numbers = Numbers { end: count, ..Default::default() };
        (0..count).for_each(|_| {
            numbers.sent();
        });
        numbers
    }

    #[test]
    fn going_back_sends_all_that_is_not_acknowledged_again() {
        let mut numbers = sent(10);
        assert_eq!(numbers.acknowledge(4), 4);
        numbers.go_back();
        let again: Vec<u32> = std::iter::from_fn(|| numbers.due().inspect(|_| assert!(numbers.sent()))).collect();
        assert_eq!(again, [4, 5, 6, 7, 8, 9]);
        assert_eq!(numbers.resent, 6);
    }

    #[test]
    fn an_ack_from_further_on_spares_what_has_arrived() {
        let mut numbers = sent(10);
        numbers.go_back();
        numbers.sent();
        assert_eq!(numbers.acknowledge(8), 8);
        assert_eq!(numbers.due(), Some(8));
        assert_eq!(numbers.acknowledge(8), 0);
    }

    #[test]
    fn a_single_packet_can_be_repeated_without_going_back() {
        let mut numbers = sent(10);
        numbers.extend(12);
        numbers.acknowledge(3);
        numbers.repeat_first();
        assert_eq!(numbers.due(), Some(3));
        assert!(numbers.sent());
        assert_eq!(numbers.due(), Some(10));
    }

    #[test]
    fn the_first_packet_is_not_repeated_where_it_is_the_next_one_anyway() {
        let mut numbers = sent(5);
        numbers.go_back();
        numbers.acknowledge(2);
        numbers.repeat_first();
        assert_eq!(numbers.due(), Some(2));
        assert!(numbers.sent() && numbers.sent());
        assert_eq!((numbers.next, numbers.resent), (4, 2));
    }
}
