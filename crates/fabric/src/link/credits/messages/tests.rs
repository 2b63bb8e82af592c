//! Credit messages step by step: when a sender may continue, worked out by hand.
//!
//! One host sends to another over a switch: 1 ns a byte, 10 ns of cable, 100 ns of forwarding, store-and-forward;
//! packets of 1,000 bytes are ten cells of 100. A packet that starts at time t arrives 1,010 ns later, is forwarded
//! at t + 1,110 if the output is idle, and has left the buffer at t + 2,110. A CF_Update of 8 bytes sent ("told") at
//! u arrives ("is heard") at u + 8 + 10. So the loop of a packet whose cells are told at once takes 2,128 ns. Any
//! other time below is due to waiting.

use super::*;
use crate::link::checked::errors::Lost;
use crate::plan::{self, CreditUnit, ErrorPlan, ErrorRate, Plan, Switching};
use crate::small::{Stepped, star, started, starts_at, until};
use congestree_units::{Bytes, Span};
use congestree_wire::PortId;

/// A plan with room for `cells` cells at the switch; messages at least `spacing` bytes apart, repeated after `repeat`
/// bytes.
fn bed(cells: u32, spacing: u64, repeat: u64) -> Plan {
    let mut plan = star(2, &[(0, 1)]);
    plan.flow_control.unit = CreditUnit::Block(Bytes(100));
    plan.flow_control.messages =
        Some(plan::CreditMessages { spacing: Bytes(spacing), repeat: Bytes(repeat), heal: Span::from_us(20) });
    plan.switch.buffer_units = vec![cells];
    plan.switch.switching = Switching::StoreForward;
    plan
}

/// The same plan, over links on which packets and words can be lost.
fn losing(cells: u32, spacing: u64, repeat: u64) -> Stepped {
    let mut plan = bed(cells, spacing, repeat);
    plan.checks.errors = Some(ErrorPlan { rate: ErrorRate::Packets(1.0), unseen: 0.0, words: 1.0 });
    started(&plan)
}

/// The switch's counts for the sender's link: cells that have left, cells as last told, cells that the sender has
/// heard of.
fn counts(fabric: &Stepped) -> [Cyclic; 3] {
    let (place, sender) = (fabric.at(fabric.links.outs[PortId(0)].peer, 0), fabric.at(PortId(0), 0));
    let CellCounts { freed, told, .. } = fabric.links.messages.lanes[place];
    [freed, told, fabric.links.messages.heard[sender]]
}

/// With room for 25 cells, two packets go and 5 cells are left. Messages are 3,000 ns apart.
///
/// ```text
///   1 starts     0, has left  2,110: told  2,110 (10), heard  2,128: 5 + 10 = 15 cells
///   2 starts 1,000, has left  3,110: next message 2,110 + 3,000 = 5,110
///   3 starts 2,128, has left  4,238: told  5,110 (30), heard  5,128: 5 + 20 = 25 cells
///   4 starts 5,128, has left  7,238: told  8,110 (40), heard  8,128: 5 + 10 = 15 cells
///   5 starts 6,128, has left  8,238: next message 8,110 + 3,000 = 11,110
///   6 starts 8,128, has left 10,238: told 11,110 (60), heard 11,128: 25 cells, for 7 at 11,128 and 8 at 12,128
/// ```
const SPACED: [u64; 8] = [0, 1_000, 2_128, 5_128, 6_128, 8_128, 11_128, 12_128];

#[test]
fn a_message_tells_all_that_has_left_and_the_next_keeps_its_distance() {
    let mut fabric = started(&bed(25, 3_000, 1 << 20));
    starts_at(&mut fabric, PortId(0), &SPACED);
    assert_eq!(counts(&fabric), [60, 60, 60].map(Cyclic::of));
    // Four messages of 8 bytes.
    assert_eq!(fabric.links.neighbours.sent[fabric.links.outs[PortId(0)].peer], (4, 32));
}

#[test]
fn counts_that_begin_anew_change_nothing() {
    let mut fabric = started(&bed(25, 3_000, 1 << 20));
    let place = fabric.at(fabric.links.outs[PortId(0)].peer, 0);
    let lane = &mut fabric.links.messages.lanes[place];
    let last = Cyclic::of(Cyclic::ALL - 15);
    (lane.freed, lane.told, lane.heard) = (last, last, last);
    let sender = fabric.at(PortId(0), 0);
    fabric.links.messages.heard[sender] = last;
    // The count wraps around: 2^20 - 15 + 10 = 2^20 - 5 with the first message; 20 more are 15 with the second.
    starts_at(&mut fabric, PortId(0), &SPACED[..3]);
    assert_eq!(counts(&fabric), [Cyclic::of(Cyclic::ALL - 5); 3]);
    starts_at(&mut fabric, PortId(0), &[]);
    until(&mut fabric, 5_128_000);
    assert_eq!((counts(&fabric), fabric.links.outs[PortId(0)].packets), ([Cyclic::of(15); 3], 4));
    until(&mut fabric, 12_128_000);
    assert_eq!((counts(&fabric), fabric.links.outs[PortId(0)].packets), ([Cyclic::of(45); 3], 8));
}

#[test]
fn lanes_with_news_are_told_in_turn() {
    let mut plan = bed(100, 1_000, 1 << 20);
    plan.lanes = 3;
    plan.switch.buffer_units = vec![100; 3];
    let mut fabric = Stepped::build(&plan, congestree_probes::Silent);
    let port = fabric.links.outs[PortId(0)].peer;
    // Cells that leave (ns, lane, cells). Lane 0 counts as the last one told, so lane 1 comes before it at the start.
    for (at, lane, cells) in [(0, 0, 4), (0, 1, 2), (500, 2, 1), (500, 1, 3), (1_500, 0, 6)] {
        fabric.free_cells(port, lane, cells, Time(1_000 * at));
    }
    let mut heard = |ns: u64| {
        until(&mut fabric, 1_000 * ns);
        [0, 1, 2].map(|lane| fabric.links.messages.heard[fabric.at(PortId(0), lane)])
    };
    // Messages at 0, 1,000, 2,000 and 3,000, each heard 18 ns later. After lane 1 comes lane 2, although lane 1 has
    // news again; then lane 0 with all cells that have left by then, and lane 1.
    assert_eq!(heard(17), [0, 0, 0].map(Cyclic::of));
    assert_eq!(heard(18), [0, 2, 0].map(Cyclic::of));
    assert_eq!(heard(1_017), [0, 2, 0].map(Cyclic::of));
    assert_eq!(heard(1_018), [0, 2, 1].map(Cyclic::of));
    assert_eq!(heard(2_017), [0, 2, 1].map(Cyclic::of));
    assert_eq!(heard(2_018), [10, 2, 1].map(Cyclic::of));
    assert_eq!(heard(3_017), [10, 2, 1].map(Cyclic::of));
    assert_eq!(heard(3_018), [10, 5, 1].map(Cyclic::of));
    assert_eq!(heard(9_000), [10, 5, 1].map(Cyclic::of));
    assert_eq!(fabric.links.neighbours.sent[port], (4, 32));
}

/// As in [`SPACED`], but the message sent at 2,110 is lost. The next one, at 5,110, covers the same cells and those
/// that have left since: 20 cells at 5,128, for packets 3 and 4. Packet 3 has left at 7,238 and is told at 8,110;
/// packet 4 has left at 8,238 and is told at 11,110, together with packet 5, which starts at 8,128.
#[test]
fn a_lost_message_costs_time_alone() {
    let mut fabric = losing(25, 3_000, 1 << 19);
    fabric.links.checked.lose_from_now(Lost::Words);
    starts_at(&mut fabric, PortId(0), &[0, 1_000]);
    until(&mut fabric, 2_200_000);
    assert_eq!(counts(&fabric), [10, 10, 0].map(Cyclic::of));
    fabric.links.checked.lose_from_now(Lost::Nothing);
    until(&mut fabric, 5_127_999);
    assert_eq!(fabric.links.outs[PortId(0)].packets, 2);
    for (ns, packets) in [(5_128, 3), (6_128, 4), (8_127, 4), (8_128, 5), (11_127, 5), (11_128, 6), (12_128, 7)] {
        until(&mut fabric, 1_000 * ns);
        assert_eq!(fabric.links.outs[PortId(0)].packets, packets, "at {ns} ns");
    }
}

/// Room for one packet. It has left at 2,110, and its message is lost; without news the count is told again 6,000 ns
/// later and heard at 8,128.
#[test]
fn what_may_not_have_been_heard_is_told_again() {
    let mut fabric = losing(10, 0, 6_000);
    fabric.links.checked.lose_from_now(Lost::Words);
    until(&mut fabric, 2_200_000);
    assert_eq!((counts(&fabric), fabric.links.outs[PortId(0)].packets), ([10, 10, 0].map(Cyclic::of), 1));
    fabric.links.checked.lose_from_now(Lost::Nothing);
    until(&mut fabric, 8_127_999);
    assert_eq!(fabric.links.outs[PortId(0)].packets, 1);
    until(&mut fabric, 8_128_000);
    assert_eq!((counts(&fabric), fabric.links.outs[PortId(0)].packets), ([10; 3].map(Cyclic::of), 2));
}

/// The switch sends its messages on a link that carries packets, too, which take 1,000 ns each. One that was lost is
/// told again every 16 ns, but never while the last one waits for the end of a packet.
#[test]
fn what_still_waits_for_the_link_is_not_told_again() {
    let mut plan = bed(25, 0, 16);
    let both_ways = star(2, &[(0, 1), (1, 0)]);
    (plan.flows, plan.sources) = (both_ways.flows, both_ways.sources);
    plan.checks.errors = Some(ErrorPlan { rate: ErrorRate::Packets(1.0), unseen: 0.0, words: 1.0 });
    let mut fabric = started(&plan);
    fabric.links.checked.lose_from_now(Lost::Words);
    let (port, mut most) = (fabric.links.outs[PortId(0)].peer, 0);
    for ns in (2_000..6_000).step_by(4) {
        until(&mut fabric, 1_000 * ns);
        most = most.max(fabric.links.neighbours.unsent(port).filter(|notice| notice.frees(0)).count());
    }
    assert_eq!(most, 1);
}

/// Room for two packets and five cells. The first packet is lost on the link, and its ten cells with it, so only one
/// packet is on its way at a time: those that are not lost, counted from 1, start at 1,000 + 2,128 k. At 20,000 the
/// sender says what it has consumed, in 64 bytes. The switch hears this at 20,074 and answers at once, which is heard
/// at 20,092: from then on two packets are on the way.
///
/// ```text
///   9 starts 18,024, has left 20,134, heard 20,152: 5 + 10 = 15 cells, when 10 is on the link until 21,092
///  10 starts 20,092, has left 22,202, heard 22,220: 12 starts
///  11 starts 21,092, has left 23,202, heard 23,220: 13 starts
/// ```
#[test]
fn cells_of_a_lost_packet_are_away_until_the_sender_tells_what_it_has_consumed() {
    let mut fabric = losing(25, 0, 1 << 19);
    fabric.links.checked.lose_from_now(Lost::Frames);
    until(&mut fabric, 0);
    fabric.links.checked.lose_from_now(Lost::Nothing);
    let alone = (0..=8).map(|k| 1_000 + 2_128 * k);
    let starts: Vec<u64> = [0].into_iter().chain(alone).chain([20_092, 21_092, 22_220, 23_220]).collect();
    starts_at(&mut fabric, PortId(0), &starts);
}
