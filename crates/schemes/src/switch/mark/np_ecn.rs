//! NP-ECN, the marker of PCN: packets that a pause has held are no sign of congestion, however many they are.
//!
//! When flow control releases an output, the packets that wait for it are counted (PN), and this many leave unmarked.
//! After them a packet is marked if another waits behind it: then the output receives more than its link carries, which
//! is the only explanation of the queue. There is no threshold.
//!
//! ```text
//!   resumes            PN = packets that wait
//!   a packet leaves    PN > 0: PN -= 1, no mark
//!                      PN = 0: marked if and only if it carries data and more packets wait
//! ```
//!
//! Packets of all kinds wait and leave, ACKs and notifications as well as data; only data is marked.
//!
//! Readings: PN is taken when the output resumes, as in the paper (others take it when the pause begins); flow control
//! is considered by port, whatever the lane; with credits an output resumes when it has credit again.
//!
//! Cheng et al.: Re-architecting Congestion Management in Lossless Ethernet (NSDI 2020), section 4.

use congestree_units::Time;
use serde::{Deserialize, Serialize};

use super::{Departing, FillView, Marker, OutputView, StateChange, check_holds};
use crate::check::{Check, Diagnostics, Setting};

/// It has no parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NpEcnParams {}

impl Check for NpEcnParams {
    fn check(&self, setting: &Setting, found: &mut Diagnostics) {
        check_holds(setting, found);
    }
}

/// The marker of one output and lane.
#[derive(Clone, Debug)]
pub struct NpEcn {
    /// Packets that wait for the output.
    packets: u32,
    /// Of those, packets that flow control has held (PN).
    held: u32,
    /// When the output was last blocked, as far as it has been taken into account.
    known: Option<Time>,
}

impl NpEcn {
    /// An output that was never held.
    pub fn new(_params: &NpEcnParams) -> Self {
        Self { packets: 0, held: 0, known: None }
    }

    /// A packet of any kind leaves, and is out of its queue. Returns whether flow control has held it.
    #[inline]
    fn counts_out(&mut self, output: OutputView) -> bool {
        if output.last_blocked != self.known {
            self.known = output.last_blocked;
            // The one that leaves is out of its queue.
            self.held = self.packets + 1;
        }
        let held = self.held > 0;
        self.held -= u32::from(held);
        held
    }
}

impl Marker for NpEcn {
    fn full_at(&self, _capacity: u32) -> Option<u32> {
        None
    }

    fn watches_fill(&self) -> bool {
        true
    }

    /// Every change is by one packet.
    #[inline]
    fn on_fill(&mut self, fill: FillView, _: impl FnOnce() -> bool, _: impl FnOnce(u32) -> u16) -> StateChange {
        if fill.after > fill.before {
            self.packets += 1;
        } else {
            self.packets -= 1;
        }
        StateChange::None
    }

    #[inline]
    fn on_departure(&mut self, output: OutputView, _packet: Departing, _die: impl FnOnce() -> f64) -> bool {
        !self.counts_out(output) && self.packets > 0
    }

    fn follows_all(&self) -> bool {
        true
    }

    #[inline]
    fn on_other_departure(&mut self, output: OutputView) {
        self.counts_out(output);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Output {
        marker: NpEcn,
        resumed: Option<Time>,
    }

    impl Output {
        fn new() -> Self {
            Self { marker: NpEcn::new(&NpEcnParams::default()), resumed: None }
        }

        fn come(&mut self, packets: u32) {
            for _ in 0..packets {
                self.marker.on_fill(FillView { before: 0, after: 1_000 }, || true, |_| 0);
            }
        }

        /// A packet is out of its queue: what the marker may know.
        fn out(&mut self) -> OutputView {
            self.marker.on_fill(FillView { before: 1_000, after: 0 }, || true, |_| 0);
            OutputView { now: Time(9), present: 0, waiting: 0, last_blocked: self.resumed }
        }

        /// So many with data leave: which are marked?
        fn leave(&mut self, packets: u32) -> Vec<bool> {
            let leaves = |_| {
                let view = self.out();
                self.marker.on_departure(view, Departing { size: 1_000, isolated: false }, || 0.0)
            };
            (0..packets).map(leaves).collect()
        }

        fn acks_leave(&mut self, acks: u32) {
            for _ in 0..acks {
                let view = self.out();
                self.marker.on_other_departure(view);
            }
        }
    }

    #[test]
    fn an_output_that_is_never_held_marks_all_that_has_another_behind_it() {
        let mut output = Output::new();
        output.come(3);
        assert_eq!(output.leave(3), [true, true, false]);
    }

    #[test]
    fn what_waits_when_a_pause_ends_leaves_unmarked_and_what_came_after_does_not() {
        let mut output = Output::new();
        output.come(3);
        output.resumed = Some(Time(5));
        let mut marks = output.leave(1);
        output.come(3);
        marks.extend(output.leave(5));
        assert_eq!(marks, [false, false, false, true, true, false]);
    }

    /// Two senders, one output: in every slot two packets come, and one leaves if the output is not held. It is held in slots
    /// 2 to 4 and again in slot 8; with slot 11 senders cease.
    ///
    /// ```text
    ///   slot  come  wait  PN              leaves, behind it   marked
    ///   0     2     2     0               1 of 2, 1 waits     yes: PN is 0 and one waits
    ///   1     2     3     0               1 of 3, 2 wait      yes
    ///   2-4   6     8     held            -
    ///   5     2     10    10, at resume   1 of 10, 9 wait     no, PN 9
    ///   6     2     11    9               10 wait             no, PN 8
    ///   7     2     12    8               11 wait             no, PN 7
    ///   8     2     13    held            -
    ///   9     2     15    15, anew        14 wait             no, PN 14
    ///   10    2     16    14              15 wait             no, PN 13
    ///   11-23 0     15    13 ... 1        14 ... 2 wait       no, PN 12 ... 0
    ///   24    0     2     0               1 of 2, 1 waits     yes: what came after the pause
    ///   25    0     1     0               0 wait              no: nothing is behind it
    /// ```
    #[test]
    fn marks_of_a_queue_that_two_pauses_hold_are_those_worked_out_by_hand() {
        let mut output = Output::new();
        let mut marks = Vec::new();
        for slot in 0..=25 {
            output.come(if slot < 11 { 2 } else { 0 });
            match slot {
                2..=4 | 8 => continue,
                5 | 9 => output.resumed = Some(Time(slot)),
                _ => {}
            }
            marks.extend(output.leave(1));
        }
        let held = [false; 3 + 2 + 13];
        assert_eq!(marks, [&[true, true][..], &held, &[true, false]].concat());
    }

    /// A data packet and three ACKs wait when the output resumes, and three data packets come once they have gone.
    #[test]
    fn acks_that_a_pause_has_held_are_counted_out_as_data_is() {
        let mut output = Output::new();
        output.come(4);
        output.resumed = Some(Time(5));
        let mut marks = output.leave(1);
        output.acks_leave(3);
        output.come(3);
        marks.extend(output.leave(3));
        assert_eq!(marks, [false, true, true, false]);
    }

    /// An ACK and a data packet wait, and two data packets come when the ACK has gone.
    #[test]
    fn held_packets_are_counted_when_the_first_leaves_whatever_its_kind() {
        let mut output = Output::new();
        output.come(2);
        output.resumed = Some(Time(5));
        output.acks_leave(1);
        output.come(2);
        assert_eq!(output.leave(3), [false, true, false]);
    }

    #[test]
    fn a_second_pause_counts_anew() {
        let mut output = Output::new();
        output.come(4);
        output.resumed = Some(Time(5));
        assert_eq!(output.leave(1), [false]);
        output.resumed = Some(Time(7));
        output.come(1);
        assert_eq!(output.leave(4), [false; 4]);
        output.come(2);
        assert_eq!(output.leave(2), [true, false]);
    }
}
