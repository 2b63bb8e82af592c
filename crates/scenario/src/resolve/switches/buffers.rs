//! Flow control, packets, and the buffers that must hold them.

use congestree_fabric::plan::{AdapterPlan, CreditMessages, CreditUnit, FlowControl};
use congestree_schemes::acks::AckRule;
use congestree_units::{Bytes, Span};

use crate::resolve::Collector;
use crate::resolve::limits::{LARGEST_PACKET, check_rate};
use crate::resolve::switches::times;
use crate::types::{self, ControlRoom, Room, Scenario};

/// The flow control by which links promise room.
pub(in crate::resolve) fn flow_control(scenario: &Scenario, collector: &mut Collector<'_>) -> FlowControl {
    let (unit, credit_delay, control) = match &scenario.links.flow_control {
        types::FlowControl::PacketSlots(slots) => (CreditUnit::Slot, slots.credit_delay, slots.control),
        types::FlowControl::Pfc(_) => (CreditUnit::Pause, None, ControlRoom::Credited),
        types::FlowControl::None => (CreditUnit::None, None, ControlRoom::OwnRoom),
        types::FlowControl::ByteCredits(credits) => {
            if credits.block.0 == 0 {
                let path = "links.flow_control.byte-credits.block";
                collector.report(path, "a credit stands for no bytes at all", "give a block of at least 1 B");
            }
            check_messages(scenario, credits, collector);
            check_block(scenario, credits, collector);
            (CreditUnit::Block(credits.block.max(Bytes(1))), credits.credit_delay, credits.control)
        }
    };
    let (overhead, messages) = match &scenario.links.flow_control {
        types::FlowControl::ByteCredits(credits) => (credits.overhead.0.min(LARGEST_PACKET.0) as u32, credits.messages),
        _ => (0, None),
    };
    let messages = messages.map(|messages| CreditMessages {
        spacing: messages.spacing,
        repeat: messages.repeat,
        heal: messages.heal,
    });
    FlowControl { unit, credit_delay, control_uses_credits: control == ControlRoom::Credited, overhead, messages }
}

/// Checks that the credits of the largest packet can be counted.
fn check_block(scenario: &Scenario, credits: &types::ByteCredits, collector: &mut Collector<'_>) {
    let adapters = &scenario.adapters;
    let (what, key, size) = match credits.control {
        ControlRoom::Credited if adapters.ack > adapters.full_packet() => ("an ACK", "ack", adapters.ack),
        _ => ("a packet", "mtu", adapters.full_packet()),
    };
    let most = u64::from(FlowControl::MOST_UNITS);
    let bytes = size.0.saturating_add(credits.overhead.0);
    let taken = bytes.div_ceil(credits.block.0.max(1));
    // No bytes in a block, and packets that are too large, are reported as such.
    if taken > most && credits.block.0 > 0 && size <= LARGEST_PACKET {
        collector.report(
            "links.flow_control.byte-credits.block",
            format!("{what} of {} takes {taken} credits, and at most {most} can be counted", Bytes(bytes)),
            format!(
                "make the block larger, such as \"{} B\", or adapters.{key} smaller",
                bytes.div_ceil(most).next_power_of_two()
            ),
        );
    }
}

/// Longest interval between two messages with credits, in bytes of link time; with more they would come too late.
const WIDEST: Bytes = Bytes(16 << 20);

/// Credits that return in messages: whether they are possible, and fit the switches.
fn check_messages(scenario: &Scenario, credits: &types::ByteCredits, collector: &mut Collector<'_>) {
    const AT: &str = "links.flow_control.byte-credits";
    if credits.overhead > Bytes(127) {
        let fact = format!("{} on top of every packet are too many", credits.overhead);
        collector.report(format!("{AT}.overhead"), fact, "make it at most 127 B");
    }
    let Some(messages) = credits.messages else { return };
    if credits.credit_delay.is_some() {
        let fact = "credits in messages come back after the time on the link, and not after a fixed delay";
        collector.report(format!("{AT}.credit_delay"), fact, "leave it out, or messages");
    }
    for (key, bytes) in [("spacing", messages.spacing), ("repeat", messages.repeat)] {
        if bytes > WIDEST {
            let fact = format!("messages that are {bytes} apart come too late to be of use");
            collector.report(format!("{AT}.messages.{key}"), fact, "make it smaller, such as \"6400 B\"");
        }
    }
    if messages.repeat < CreditMessages::SIZE {
        let fact = format!("a message of {} would be repeated before it has left", CreditMessages::SIZE);
        collector.report(format!("{AT}.messages.repeat"), fact, "make it larger, such as \"262144 B\"");
    } else if messages.repeat < messages.spacing {
        let fact = format!("messages would be repeated before the spacing of {} has passed", messages.spacing);
        collector.report(format!("{AT}.messages.repeat"), fact, "make it larger, such as \"262144 B\"");
    }
    if messages.heal < Span::from_ns(100) {
        let fact = format!("a message of 64 B every {} would leave no time for packets", messages.heal);
        collector.report(format!("{AT}.messages.heal"), fact, "give a time such as \"256 us\"");
    }
    if !scenario.switches.have_room_by_lane() || scenario.switches.crossbar.is_some() {
        let fact = "credit messages count the room of a lane, and here room is counted by queue";
        let remedy = "leave it out, or take switches.memory = \"shared\" without a crossbar";
        collector.report(format!("{AT}.messages"), fact, remedy);
    }
}

/// The plan of the adapters by which hosts attach to the network.
pub(in crate::resolve) fn adapter(scenario: &Scenario, collector: &mut Collector<'_>) -> Option<AdapterPlan> {
    let adapters = &scenario.adapters;
    if adapters.mtu.0 == 0 {
        collector.report("adapters.mtu", "packets would carry no payload", "give an mtu of at least 1 B");
    }
    if adapters.ack.0 == 0 {
        collector.report("adapters.ack", "an ACK has no bytes", "give it a size of at least 1 B");
    }
    for (key, size) in [("mtu", adapters.mtu), ("header", adapters.header), ("ack", adapters.ack)] {
        if size > LARGEST_PACKET {
            let fact = format!("{size} is too large for a packet");
            collector.report(format!("adapters.{key}"), fact, format!("make it at most {LARGEST_PACKET}"));
        }
    }
    check_rate(adapters.injection_rate, "adapters.injection_rate", collector);
    check_rate(adapters.drain_rate, "adapters.drain_rate", collector);
    check_rate(adapters.node.as_ref().map(|node| node.rate), "adapters.node.rate", collector);
    check_receiver(scenario, collector);
    times::check(scenario, collector);
    let receive_units = match adapters.receive_buffer {
        Some(room) => Some(units(scenario, room, "adapters.receive_buffer", collector)?),
        None => None,
    };
    Some(AdapterPlan {
        mtu: adapters.mtu,
        header: adapters.header,
        ack: adapters.ack,
        injection_rate: adapters.injection_rate,
        drain_rate: adapters.drain_rate,
        receive_units,
        injection_buffer: adapters.injection_buffer,
        message_cost: adapters.message_cost.unwrap_or(Span::ZERO),
        queue_depth: adapters.queue_depth,
        acks: acks(scenario, collector),
        ack_turnaround: adapters.ack_turnaround.unwrap_or(Span::ZERO),
        ack_lane: ack_lane(scenario, collector),
    })
}

/// The lane of ACKs, if they have one of their own.
fn ack_lane(scenario: &Scenario, collector: &mut Collector<'_>) -> Option<u8> {
    let (lane, lanes) = (scenario.adapters.ack_lane?, scenario.links.lanes);
    if lane >= lanes {
        let fact = format!("there is no lane {lane}: links.lanes is {lanes}, and lanes count from 0");
        collector.report("adapters.ack_lane", fact, "take a lower lane, or raise links.lanes");
    }
    Some(lane)
}

/// Checks that a slow receiver can delay its senders: under flow control, and with a buffer that can be full.
fn check_receiver(scenario: &Scenario, collector: &mut Collector<'_>) {
    if scenario.adapters.drain_rate.is_none() {
        return;
    }
    if !scenario.links.have_flow_control() {
        collector.report(
            "adapters.drain_rate",
            "without flow control a slow receiver cannot hold back its senders",
            "leave it out; to drop or trim what a host has no time for, give the link from its switch to it that rate (topology.graph, rate_back)",
        );
    } else if scenario.adapters.receive_buffer.is_none() {
        collector.report(
            "adapters.drain_rate",
            "a slow receiver has no effect if its buffer is never full",
            "give adapters.receive_buffer too",
        );
    }
}

/// Which packets one ACK acknowledges, if several.
fn acks(scenario: &Scenario, collector: &mut Collector<'_>) -> Option<AckRule> {
    let acks = scenario.adapters.acks.as_ref()?;
    if acks.flush == Span::ZERO {
        let fact = "no packet would wait for its ACK";
        collector.report("adapters.acks.flush", fact, "give a time above zero, or leave adapters.acks out");
    }
    Some(AckRule { every: acks.every, flush: Some(acks.flush) })
}

/// Why a buffer of inputs is in vain beside shared memory.
pub(super) const ALL_SHARED: &str = "with switches.shared_memory an input has no buffer of its own";

/// The size of a buffer in credit units, if its unit fits the flow control and the largest packet fits into it.
///
/// With pauses it is in bytes.
pub(in crate::resolve) fn units(
    scenario: &Scenario,
    room: Room,
    path: &str,
    collector: &mut Collector<'_>,
) -> Option<u32> {
    let adapters = &scenario.adapters;
    let by_default = if collector.is_written(path) { "" } else { " by default" };
    let mut other = |but: &str, remedy: &str| {
        collector.report(path, format!("the buffer is {room}{by_default}, but {but}"), format!("give its {remedy}"));
        None
    };
    match (&scenario.links.flow_control, room) {
        (types::FlowControl::None, _) => {
            if room != types::Switches::default().buffer {
                collector.report(
                    path,
                    "with links.flow_control = \"none\" no credit or pause guards the room in a buffer",
                    "leave it out, and limit queues with switches.output_queue",
                );
            }
            Some(u32::MAX)
        }
        (types::FlowControl::Pfc(_), _) if path == "switches.buffer" && scenario.switches.shared_memory.is_some() => {
            if room != types::Switches::default().buffer {
                collector.report(path, ALL_SHARED, "leave it out");
            }
            Some(u32::MAX)
        }
        (types::FlowControl::Pfc(_), Room::Bytes(size)) => {
            let packet = adapters.largest_packet();
            if size < packet {
                let fact = format!("the buffer of {size} is smaller than a packet ({packet} with its header)");
                collector.report(path, fact, format!("make it at least {packet}, or adapters.mtu smaller"));
                return None;
            }
            counted(size, size.0, path, collector)
        }
        (types::FlowControl::PacketSlots(_), Room::Packets(0)) => {
            collector.report(path, "the buffer has no room for a packet", "make it at least \"1 packet\"");
            None
        }
        (types::FlowControl::PacketSlots(_), Room::Packets(count)) => Some(count),
        (types::FlowControl::Pfc(_), Room::Packets(_)) => {
            other("pauses are asked for by bytes", "size in bytes, such as \"64 KiB\", or take packet-slots")
        }
        (types::FlowControl::PacketSlots(_), Room::Bytes(_)) => {
            other("links.flow_control counts packets", "size in packets, such as \"4 packets\", or take byte-credits")
        }
        (types::FlowControl::ByteCredits(_), Room::Packets(_)) => {
            other("links.flow_control counts bytes", "size in bytes, such as \"64 KiB\", or take packet-slots")
        }
        (types::FlowControl::ByteCredits(credits), Room::Bytes(size)) => {
            blocks(adapters, credits, size, path, collector)
        }
    }
}

/// A buffer in blocks, if packets and ACKs that need credits fit into it.
fn blocks(
    adapters: &types::Adapters,
    credits: &types::ByteCredits,
    size: Bytes,
    path: &str,
    collector: &mut Collector<'_>,
) -> Option<u32> {
    let block = credits.block.0.max(1);
    let packet = adapters.full_packet();
    let needed = |packet: Bytes| (packet + credits.overhead).0.div_ceil(block).saturating_mul(block);
    let is_block = if block == 1 { String::new() } else { format!(" in blocks of {}", credits.block) };
    if size.0 / block * block < needed(packet) {
        collector.report(
            path,
            format!("the buffer of {size} is smaller than a packet ({packet} with its header{is_block})"),
            format!("make it at least {}, or adapters.mtu smaller", Bytes(needed(packet))),
        );
        return None;
    }
    if credits.control == ControlRoom::Credited && size.0 / block * block < needed(adapters.ack) {
        collector.report(
            path,
            format!("the buffer of {size} is smaller than an ACK ({}{is_block})", adapters.ack),
            "make it larger, or adapters.ack smaller",
        );
        return None;
    }
    counted(size, size.0 / block, path, collector)
}

/// A number of units that can be counted.
fn counted(size: Bytes, units: u64, path: &str, collector: &mut Collector<'_>) -> Option<u32> {
    let units = u32::try_from(units).ok();
    if units.is_none() {
        collector.report(
            path,
            format!("a buffer of {size} is too large: it has more units than can be counted"),
            "make it smaller",
        );
    }
    units
}
