//! DCTCP against windows worked out by hand.

use super::*;

/// A source that always has a packet to send, and its packets in flight.
struct Pipe {
    source: Dctcp,
    outstanding: u32,
}

impl Pipe {
    fn new(params: DctcpParams) -> Self {
        let mut pipe = Pipe { source: Dctcp::new(&params), outstanding: 0 };
        pipe.fill();
        pipe
    }

    fn fill(&mut self) {
        self.outstanding = self.outstanding.max(self.source.window().unwrap_or(0));
    }

    /// One ACK acknowledges this many packets.
    fn ack(&mut self, packets: u32, marked: bool) {
        self.outstanding -= packets;
        let feedback = if marked { Feedback::Congested } else { Feedback::Clear };
        let ack = Acked { packets, outstanding: self.outstanding, ..Acked::one(feedback, Span::ZERO) };
        self.source.on_ack(Time::START, &ack);
        self.fill();
    }

    /// All packets in flight are acknowledged, the first `marked` of them with a mark.
    fn round(&mut self, marked: u32) {
        (0..self.outstanding).for_each(|i| self.ack(1, i < marked));
    }
}

fn steady() -> Pipe {
    Pipe::new(DctcpParams { initial_window: 100, slow_start: false, ..Default::default() })
}

#[test]
fn slow_start_doubles_the_window_every_round_until_a_mark() {
    let mut pipe = Pipe::new(DctcpParams::default());
    let sizes = [0, 0, 1].map(|marked| {
        pipe.round(marked);
        pipe.source.size()
    });
    assert_eq!(sizes[..2], [20.0, 40.0]);
    // Alpha is (15/16)^2 after two rounds without a mark; the last ACKs belong to the next round and add a little.
    let cut = 40.0 * (1.0 - (15.0 / 16.0) * (15.0 / 16.0) / 2.0);
    assert!(sizes[2] >= cut && sizes[2] < cut + 0.5, "{sizes:?}");
}

#[test]
fn alpha_becomes_the_share_that_is_marked() {
    let params = DctcpParams { initial_window: 100, least_window: 100, slow_start: false, ..Default::default() };
    let mut pipe = Pipe::new(params);
    (0..400).for_each(|_| pipe.round(25));
    assert!((pipe.source.alpha() - 0.25).abs() < 0.01, "{}", pipe.source.alpha());
}

#[test]
fn a_round_without_marks_adds_one_packet() {
    let mut pipe = steady();
    pipe.round(0);
    assert!((pipe.source.size() - 101.0).abs() < 0.01, "{}", pipe.source.size());
}

#[test]
fn one_ack_for_several_packets_counts_them_all() {
    let params = DctcpParams { initial_window: 100, least_window: 100, slow_start: false, ..Default::default() };
    let mut pipe = Pipe::new(params);
    // A round of 100 in 20 ACKs, 5 of them marked: a quarter of the packets.
    (0..400).for_each(|_| (0..20).for_each(|i| pipe.ack(5, i < 5)));
    assert!((pipe.source.alpha() - 0.25).abs() < 0.01, "{}", pipe.source.alpha());
    let mut slow = Pipe::new(DctcpParams::default());
    (0..2).for_each(|_| slow.ack(5, false));
    assert_eq!(slow.source.size(), 20.0);
}

#[test]
fn a_loss_halves_the_window_once_a_round_and_silence_begins_anew() {
    let mut pipe = steady();
    pipe.source.on_loss(Time::START, LossSignal::Told);
    pipe.source.on_loss(Time::START, LossSignal::Told);
    assert_eq!(pipe.source.size(), 50.0);
    // The packets in flight end the round, without growth; then 50 packets add one.
    pipe.round(0);
    assert_eq!(pipe.source.size(), 50.0);
    pipe.source.on_loss(Time::START, LossSignal::Timeout);
    assert_eq!(pipe.source.size(), 2.0);
}

/// The window after each round that follows this many timeouts in a row.
fn sizes_after_silence(timeouts: usize) -> Vec<f64> {
    let mut pipe = steady();
    pipe.outstanding = 0;
    for _ in 0..timeouts {
        pipe.source.on_loss(Time::START, LossSignal::Timeout);
    }
    pipe.fill();
    (0..6)
        .map(|_| {
            pipe.round(0);
            pipe.source.size().floor()
        })
        .collect()
}

#[test]
fn after_silence_slow_start_goes_up_to_half_of_what_the_window_was() {
    assert_eq!(sizes_after_silence(1), [4.0, 8.0, 16.0, 32.0, 50.0, 51.0]);
}

#[test]
fn slow_start_after_silence_does_not_wait_until_the_round_before_it_is_acknowledged() {
    let mut pipe = steady();
    pipe.ack(1, false);
    // The other 99 packets of the round are lost, and repeated.
    pipe.source.on_loss(Time::START, LossSignal::Timeout);
    pipe.outstanding = 2;
    let sizes = [0; 4].map(|_| {
        pipe.round(0);
        pipe.source.size()
    });
    assert_eq!(sizes, [4.0, 8.0, 16.0, 32.0]);
}

#[test]
fn a_second_silence_in_a_row_leaves_the_end_of_slow_start_where_it_was() {
    assert_eq!(sizes_after_silence(2), sizes_after_silence(1));
}

#[test]
fn only_the_first_mark_of_a_round_reduces_and_nothing_is_added_in_it() {
    let mut pipe = steady();
    pipe.round(60);
    assert_eq!(pipe.source.size(), 50.0);
}

#[test]
fn an_ack_for_nothing_ends_no_round() {
    let mut pipe = steady();
    pipe.round(50);
    let alpha = pipe.source.alpha();
    pipe.source.on_ack(Time::START, &Acked { packets: 0, outstanding: 0, ..Acked::one(Feedback::Clear, Span::ZERO) });
    assert_eq!(pipe.source.alpha(), alpha);
}
