//! Marking by the fill of queues, as InfiniBand switches do.

use std::fmt::Write;

use congestree_schemes::Marker;
use congestree_schemes::mark::fecn::{Fecn, FecnParams, Fill, Sampling, VictimMask};
use congestree_schemes::mark::{Departing, FillView, HoldView, OutputView, PortView, StateChange};
use congestree_units::{Bytes, Rate, Time};

use crate::check;

pub(crate) const ALL: &[&str] = &[
    "fecn-every-third",
    "fecn-one-queue",
    "fecn-one-threshold",
    "fecn-small-packets",
    "fecn-sum",
    "fecn-sum-per-input",
    "fecn-victim",
    "fecn-victim-towards-a-host",
    "fecn-weight-zero",
];

/// What happens to an output.
#[derive(Clone, Copy)]
enum Step {
    /// The queue of an input changes to this many bytes, while a full packet has credit.
    Fill(usize, u32),
    /// The queue of an input changes to this many bytes, without credit.
    Starved(usize, u32),
    /// A data packet of this many bytes leaves.
    Leaves(u32),
}
use Step::{Fill as Goes, Leaves, Starved};

/// Thresholds 4000 B and 1500 B; every packet of the state marked.
fn plain() -> FecnParams {
    FecnParams { enter: Some(Bytes(4_000)), gap: Bytes(2_500), marking_rate: 0, ..Default::default() }
}

/// An output with queues at three inputs: every step, the fills after it, and what it did.
fn states(title: &str, params: FecnParams, to_host: bool, steps: &[Step]) -> String {
    let mut told = format!("{title}\n");
    let mut marker = Fecn::new(&params);
    marker.at_port(PortView {
        number: 7,
        to_host,
        buffer: Bytes(65_536),
        lane: 0,
        rate: Rate::from_gbps(20),
        hold: HoldView::NONE,
    });
    let mut queues = [0; 3];
    let (mut congested, view) = (false, OutputView { now: Time::START, present: 1, waiting: 0, last_blocked: None });
    for &step in steps {
        let did = match step {
            Goes(input, after) | Starved(input, after) => {
                let before = std::mem::replace(&mut queues[input], after);
                let shift = marker.on_fill(
                    FillView { before, after },
                    || matches!(step, Goes(..)),
                    |bytes| queues.iter().filter(|&&held| held > bytes).count() as u16,
                );
                congested = shift == StateChange::Entered || (congested && shift != StateChange::Left);
                let credit = if matches!(step, Goes(..)) { "" } else { ", no credit" };
                format!("queue {input}: {before} -> {after} B{credit}")
            }
            Leaves(size) => {
                let marked = marker.on_departure(view, Departing { size, isolated: false }, || 0.5);
                format!("{size} B leave{}", if marked { ", marked" } else { "" })
            }
        };
        let state = if congested { "congested" } else { "calm" };
        let _ = writeln!(told, "  {did:<36} {:<20} {state}", format!("{queues:?}"));
    }
    told
}

#[test]
fn one_queue() {
    let title = "Entered above 4000 B in any one queue, left when all are at 1500 B or below.";
    let steps = [
        Goes(0, 2_000),
        Goes(1, 4_000),
        Leaves(2_000),
        Goes(0, 4_001),
        Leaves(2_000),
        Goes(0, 1_500),
        Leaves(2_000),
        Goes(1, 1_501),
        Goes(1, 1_500),
        Leaves(2_000),
    ];
    check("fecn-one-queue", &states(title, plain(), false, &steps));
}

#[test]
fn one_threshold() {
    let title = "Gap 0: left at the fill at which it was not yet entered.";
    let steps = [Goes(0, 4_000), Goes(0, 4_001), Goes(0, 4_000), Goes(0, 6_000), Goes(0, 3_000)];
    check("fecn-one-threshold", &states(title, FecnParams { gap: Bytes(0), ..plain() }, false, &steps));
}

#[test]
fn a_victim_of_what_is_downstream() {
    let title = "Towards a switch, without credit: not entered until the next change finds credit.";
    let steps = [Starved(0, 8_000), Leaves(2_000), Starved(0, 9_000), Goes(0, 5_000), Leaves(2_000), Starved(0, 2_000)];
    check("fecn-victim", &states(title, plain(), false, &steps));
}

#[test]
fn a_victim_of_a_slow_host() {
    let title = "Towards a host, without credit: the Victim_Mask has hosts, so it is entered.";
    let mut told = states(title, plain(), true, &[Starved(0, 8_000), Leaves(2_000)]);
    told += "\n";
    let none = FecnParams { victim_mask: VictimMask::None, ..plain() };
    told += &states("The same with an empty mask.", none, true, &[Starved(0, 8_000), Leaves(2_000)]);
    check("fecn-victim-towards-a-host", &told);
}

#[test]
fn a_sum() {
    let title = "The sum of all queues: three times 1400 B are above 4000 B.";
    let steps = [Goes(0, 1_400), Goes(1, 1_400), Goes(2, 1_400), Goes(0, 0), Goes(1, 101), Goes(1, 100)];
    check("fecn-sum", &states(title, FecnParams { fill: Fill::Sum, ..plain() }, false, &steps));
}

#[test]
fn a_sum_per_input() {
    let title = "The sum times the inputs that contribute: entered at 2 x 2100 B, left at 1 x 1500 B.";
    let steps = [
        Goes(0, 1_400),
        Goes(1, 600),
        Goes(1, 700),
        Goes(2, 1),
        Goes(0, 1_501),
        Goes(2, 0),
        Goes(1, 0),
        Goes(0, 1_500),
    ];
    check("fecn-sum-per-input", &states(title, FecnParams { fill: Fill::SumPerInput, ..plain() }, false, &steps));
}

#[test]
fn weight_zero() {
    let title = "Threshold weight 0: never.";
    let params = FecnParams { threshold: 0, enter: None, ..plain() };
    check("fecn-weight-zero", &states(title, params, true, &[Goes(0, 65_536), Leaves(2_000)]));
}

#[test]
fn small_packets() {
    let title = "Packet_Size 512 B: smaller packets are spared.";
    let steps = [Goes(0, 8_000), Leaves(511), Leaves(512), Leaves(64), Leaves(2_000)];
    check("fecn-small-packets", &states(title, plain(), false, &steps));
}

#[test]
fn every_third() {
    let title = "Marking_Rate 2, every third: small packets and calm times are not counted.";
    let params = FecnParams { marking_rate: 2, choice: Sampling::EveryNth, ..plain() };
    let steps = [
        Goes(0, 8_000),
        Leaves(2_000),
        Leaves(64),
        Leaves(2_000),
        Goes(0, 0),
        Leaves(2_000),
        Goes(0, 8_000),
        Leaves(2_000),
        Leaves(2_000),
        Leaves(2_000),
        Leaves(2_000),
    ];
    check("fecn-every-third", &states(title, params, false, &steps));
}
