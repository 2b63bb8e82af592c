//! Trimming step by step: which packets lose their payload, and when a header finds no room.
//!
//! Hosts send to the last host over a switch: 1 ns a byte, 10 ns of cable, 100 ns of forwarding, cut-through; packets
//! of 1,000 bytes. All start at 0, so the heads of the first packets reach the output at 110 ns and those of the next
//! at 1,110 ns, in the order of the hosts. A packet waits until it starts, so at 110 ns all arrivals wait at first;
//! then one starts. Headers have 64 bytes and use lane 1, which goes first.

use super::*;
use crate::plan::{ArbiterPlan, CreditUnit, LaneSchedule, Plan};
use crate::small::{Stepped, star, started, until};
use congestree_kernel::Rng;
use congestree_schemes::TransportParams;
use congestree_schemes::transport::uet::UetParams;
use congestree_units::{Bytes, Span};
use congestree_wire::PortId;

/// A plan with this many senders, a limit for data (bytes) and one for headers.
fn bed(senders: u32, limit: u64, headers: u64) -> Plan {
    let pairs: Vec<(u32, u32)> = (0..senders).map(|host| (host, senders)).collect();
    let mut plan = star(senders + 1, &pairs);
    plan.flow_control.unit = CreditUnit::None;
    plan.lanes = 2;
    plan.lane_schedule = Some(LaneSchedule { strict: vec![1, 0], shares: Vec::new() });
    plan.switch.buffer_units = vec![1 << 21; 2];
    plan.switch.arbiter = ArbiterPlan::Fifo { bypass_limit: None };
    plan.switch.output_queue = Some(Bytes(limit));
    // Windows of 15 packets, so no sender waits for an ACK.
    let round_trip = Some(Span::from_us(10));
    plan.scheme.transport =
        TransportParams::Uet(UetParams { control_lane: Some(1), round_trip, ..UetParams::default() });
    plan.switch.trim = Some(TrimPlan { size: Bytes(64), lane: 1, queue: Bytes(headers), either: false });
    plan
}

/// The flows of the packets that wait in a lane, oldest first.
fn waiting(fabric: &Stepped, output: PortId, lane: u8) -> Vec<u32> {
    let mut flows = Vec::new();
    let mut next = fabric.switches.queues.head(fabric.queue_at_output(output, lane));
    while next != PacketId::NONE {
        flows.push(fabric.packets[next].flow.0);
        next = fabric.packets[next].next;
    }
    flows
}

/// Packets that the output has lost, trimmed or not, and those of each flow.
fn lost(fabric: &Stepped, output: PortId) -> (u64, &[u64]) {
    let queues = &fabric.switches.output_queues;
    (queues.by_port[output], &queues.by_flow)
}

/// Four senders; two packets of data may wait, and two headers.
///
/// ```text
///    110  A0 waits (1,000), B0 (2,000); C0 would be 3,000 and loses its payload (64), D0 too (128)
///    110  the header of C0 goes; 174 that of D0; 238 A0, until 1,238
///  1,110  A1 waits behind B0 (2,000); B1 loses its payload (64), C1 too (128); the header of D1 would be 192: it is gone
///  1,238  the header of B1 goes; 1,302 that of C1; 1,366 B0
/// ```
#[test]
fn who_comes_too_late_loses_its_payload_and_a_header_without_room_is_gone() {
    let mut fabric = started(&bed(4, 2_000, 128));
    let output = fabric.links.outs[PortId(4)].peer;
    until(&mut fabric, 110_000);
    assert_eq!([0, 1].map(|lane| waiting(&fabric, output, lane)), [vec![0, 1], vec![3]]);
    assert_eq!(lost(&fabric, output), (2, &[0, 0, 1, 1][..]));
    until(&mut fabric, 1_110_000);
    assert_eq!([0, 1].map(|lane| waiting(&fabric, output, lane)), [vec![1, 0], vec![1, 2]]);
    // Two more payloads, and a whole packet.
    assert_eq!(lost(&fabric, output), (2 + 3, &[0, 1, 2, 2][..]));
    for (ns, lane, left) in
        [(1_237, 1, vec![1, 2]), (1_238, 1, vec![2]), (1_302, 1, vec![]), (1_365, 0, vec![1, 0]), (1_366, 0, vec![0])]
    {
        until(&mut fabric, 1_000 * ns);
        assert_eq!(waiting(&fabric, output, lane), left, "at {ns} ns");
    }
}

/// Room for a header comes back when the header starts: at 110 ns one starts and one waits, so of the three that
/// arrive at 1,110 ns one finds room. (One packet fills the queue of data, and one header that of headers.)
#[test]
fn a_header_that_starts_makes_room_for_another() {
    let mut fabric = started(&bed(3, 1_000, 64));
    let output = fabric.links.outs[PortId(3)].peer;
    // A0 waits; B0 is trimmed and waits; C0 is trimmed and finds 128 > 64. B0's header goes at once.
    until(&mut fabric, 110_000);
    assert_eq!([0, 1].map(|lane| waiting(&fabric, output, lane)), [vec![0], vec![]]);
    assert_eq!(lost(&fabric, output), (2, &[0, 1, 1][..]));
    // At 174 A0 goes. A1 waits alone; B1 is trimmed and waits; C1 finds no room.
    until(&mut fabric, 1_110_000);
    assert_eq!([0, 1].map(|lane| waiting(&fabric, output, lane)), [vec![0], vec![1]]);
    assert_eq!(lost(&fabric, output), (4, &[0, 2, 2][..]));
}

/// With a coin: below one half the newest waiting packet is trimmed, and the arriving packet takes its place in the
/// queue. A0 and B0 wait when C0 arrives.
#[test]
fn a_coin_says_whether_it_is_the_newest_that_waits() {
    for (fall, queue, trimmed) in [(true, [0, 2], 1), (false, [0, 1], 2)] {
        let mut plan = bed(3, 2_000, 128);
        let output = started(&plan).links.outs[PortId(3)].peer;
        plan.switch.trim.as_mut().expect("it trims").either = true;
        let falls = |seed: &u64| (Rng::stream(*seed, "loss", u64::from(output.0)).unit() < 0.5) == fall;
        plan.seed = (1..).find(falls).expect("a coin has two sides");
        let mut fabric = started(&plan);
        // The trimmed packet's header goes at once, so only the flows' loss counts show which packet it was.
        until(&mut fabric, 110_000);
        assert_eq!(waiting(&fabric, output, 0), queue);
        let mut losses = [0; 3];
        losses[trimmed] = 1;
        assert_eq!(lost(&fabric, output), (1, &losses[..]));
        // A0 starts at 174 and the second packet at 1,174: each keeps its own length.
        until(&mut fabric, 1_110_000);
        assert_eq!(fabric.links.outs[output].bytes, 64 + 1_000);
    }
}

/// A loss at random takes the whole packet.
#[test]
fn what_is_lost_at_random_leaves_no_header() {
    let mut plan = bed(3, 1_000, 64);
    plan.switch.random_loss = 1.0;
    let mut fabric = started(&plan);
    let output = fabric.links.outs[PortId(3)].peer;
    until(&mut fabric, 110_000);
    assert_eq!([0, 1].map(|lane| waiting(&fabric, output, lane).len()), [0, 0]);
    assert_eq!((lost(&fabric, output), fabric.links.outs[output].packets), ((3, &[1, 1, 1][..]), 0));
}
