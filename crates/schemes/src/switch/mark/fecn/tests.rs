//! FECN marking: thresholds, Victim_Mask, fills and the choice of packets.

use super::super::HoldView;
use super::*;
use congestree_units::{Rate, Time};

const HOST: PortView = PortView {
    number: 1,
    to_host: true,
    buffer: Bytes(65_536),
    lane: 0,
    rate: Rate::from_gbps(20),
    hold: HoldView::NONE,
};
const TRUNK: PortView = PortView { number: 19, to_host: false, ..HOST };

fn marker(params: FecnParams, port: PortView) -> Fecn {
    let mut marker = Fecn::new(&params);
    marker.at_port(port);
    marker
}

/// One queue goes from one fill to another, with credits or without.
fn fill(marker: &mut Fecn, before: u32, after: u32, credit: bool) -> StateChange {
    marker.on_fill(FillView { before, after }, || credit, |bytes| u16::from(after > bytes))
}

fn sends(marker: &mut Fecn, size: u32, draw: f64) -> bool {
    let view = OutputView { now: Time::START, present: 1, waiting: 0, last_blocked: None };
    marker.on_departure(view, Departing { size, isolated: false }, || draw)
}

#[test]
fn weights_go_down_from_late_to_early_in_sixteenths() {
    let at = |weight| threshold_of(weight, Bytes(65_536)).map(|bytes| bytes.0);
    assert_eq!([at(0), at(1), at(8), at(15)], [None, Some(61_440), Some(32_768), Some(4_096)]);
}

#[test]
fn the_state_is_entered_above_one_threshold_and_left_at_the_other() {
    let mut marker = marker(FecnParams::default(), TRUNK);
    assert_eq!(fill(&mut marker, 0, 4_096, true), StateChange::None);
    assert_eq!(fill(&mut marker, 4_096, 4_097, true), StateChange::Entered);
    assert_eq!(fill(&mut marker, 4_097, 1_537, true), StateChange::None);
    assert_eq!(fill(&mut marker, 1_537, 1_536, true), StateChange::Left);
}

#[test]
fn without_credits_only_masked_ports_enter() {
    for (mask, port, enters) in [
        (VictimMask::None, HOST, false),
        (VictimMask::Hosts, HOST, true),
        (VictimMask::Hosts, TRUNK, false),
        (VictimMask::All, TRUNK, true),
        (VictimMask::Ports(vec![2, 19]), TRUNK, true),
        (VictimMask::Ports(vec![2, 19]), HOST, false),
    ] {
        let mut marker = marker(FecnParams { victim_mask: mask.clone(), ..Default::default() }, port);
        let shift = fill(&mut marker, 0, 10_000, false);
        assert_eq!(shift == StateChange::Entered, enters, "{mask:?}");
    }
}

#[test]
fn a_victim_enters_as_soon_as_a_change_finds_credits() {
    let mut marker = marker(FecnParams::default(), TRUNK);
    assert_eq!(fill(&mut marker, 0, 10_000, false), StateChange::None);
    assert_eq!(fill(&mut marker, 10_000, 8_000, true), StateChange::Entered);
}

#[test]
fn three_queues_of_2000_bytes_are_over_a_threshold_of_4096_in_sum_only() {
    let shift = |fill_mode| {
        let mut marker = marker(FecnParams { fill: fill_mode, ..Default::default() }, TRUNK);
        let mut last = StateChange::None;
        for _ in 0..3 {
            last = fill(&mut marker, 0, 2_000, true);
        }
        last
    };
    assert_eq!(shift(Fill::Voq), StateChange::None);
    assert_eq!(shift(Fill::Sum), StateChange::Entered);
}

#[test]
fn a_sum_per_input_divides_the_threshold_by_the_inputs() {
    let mut marker = marker(FecnParams { fill: Fill::SumPerInput, ..Default::default() }, TRUNK);
    // 2,000 B from one input; 3,000 B from two stand for 6,000 B.
    assert_eq!(fill(&mut marker, 0, 2_000, true), StateChange::None);
    assert_eq!(fill(&mut marker, 0, 1_000, true), StateChange::Entered);
}

#[test]
fn weight_zero_never_marks() {
    let mut marker = marker(FecnParams { threshold: 0, ..Default::default() }, HOST);
    assert_eq!(fill(&mut marker, 0, 60_000, true), StateChange::None);
    assert!(!sends(&mut marker, 2074, 0.0));
}

#[test]
fn small_packets_are_spared_and_the_rest_marked_by_rate() {
    let mut random = marker(FecnParams { marking_rate: 3, ..Default::default() }, TRUNK);
    fill(&mut random, 0, 10_000, true);
    assert!(!sends(&mut random, 511, 0.0));
    assert!(sends(&mut random, 512, 0.249));
    assert!(!sends(&mut random, 512, 0.25));
    let mut nth = marker(FecnParams { marking_rate: 2, choice: Sampling::EveryNth, ..Default::default() }, TRUNK);
    fill(&mut nth, 0, 10_000, true);
    let marks: Vec<bool> = (0..6).map(|_| sends(&mut nth, 2074, 0.0)).collect();
    assert_eq!(marks, [false, false, true, false, false, true]);
}
