//! Tables of everything, and what happens when its time has come.

use std::marker::PhantomData;

use congestree_kernel::{Agenda, Entry};
use congestree_probes::{Probe, Sending};
use congestree_schemes::notify::Pacer;
use congestree_topology::LaneMap;
use congestree_traffic::Source;
use congestree_units::{Span, Time};
use congestree_wire::{Kind, Packet, PacketId, Pool};

use crate::control::isolate::Isolation;
use crate::control::mark::Marking;
use crate::control::rcm::Regional;
use crate::control::reaction_point::Throttles;
use crate::event::Event;
use crate::host::connection::Connection;
use crate::host::control_packets::Headers;
use crate::host::dynamic_flows::FiniteFlows;
use crate::host::flow::{Flow, FlowRest, NONE, Receipt};
use crate::host::inject::{Cnp, Host};
use crate::host::injection_buffer::Injection;
use crate::host::sources::Message;
use crate::jobs::Ranks;
use crate::link::credits::{Lane, Notes};
use crate::link::frames::Neighbours;
use crate::link::lane_arbiter::LaneTurn;
use crate::link::lane_schedule::Deficits;
use crate::link::pfc::pause::Pauses;
use crate::link::port::{Far, In, Meter, Out, Serialiser};
use crate::link::queue_credits::Rooms;
use crate::observe::audit::Audit;
use crate::observe::isolation_probe::Watch;
use crate::observe::outcome::{Baseline, Stop};
use crate::partition::border::{Border, Letter};
use crate::plan::{AdapterPlan, ArbiterPlan, FlowControl, LaneSchedule, LaneWeights, QueueMap, Switching};
use crate::switch::crossbar::Crossbar;
use crate::switch::forwarding::Forwarding;
use crate::switch::islip::Islip;
use crate::switch::next_hop::Ways;
use crate::switch::occupancy::Occupancy;
use crate::switch::queues::inputs::Inputs;
use crate::switch::queues::list::List;
use crate::switch::queues::output::OutputQueues;
use crate::switch::queues::output_buffer::OutputBuffers;
use crate::tune::features::Features;
use crate::tune::prefetch_queues::Upcoming;
use crate::tune::variants::Variant;

/// A network in operation. Everything is in tables indexed by ids: port `p` is host `p`'s if `p` is less than the
/// number of hosts; the ports of a switch follow each other in the order of its links.
pub(crate) struct Fabric<A, P, S> {
    /// What was known of the network when the engine was compiled, and what is known now.
    pub variant: PhantomData<S>,
    pub features: Features,
    pub now: Time,
    pub agenda: A,
    pub probe: P,
    pub packets: Pool,

    // Fixed.
    pub hosts_len: u32,
    pub lanes: usize,
    pub end: Time,
    pub warm_up: Time,
    pub watchdog: Span,
    pub queue_map: QueueMap,
    pub arbiter: ArbiterPlan,
    pub switching: Switching,
    pub forwarding_delay: Span,
    /// Packets that may be read from one input at a time; all if absent.
    pub read_ports: Option<u8>,
    pub adapter: AdapterPlan,
    pub flow_control: FlowControl,
    pub routes: Forwarding,
    /// In which lane packets leave a switch, if not always in the one in which they came in.
    pub lane_map: Option<Box<LaneMap>>,
    pub ways: Ways,
    pub regional: Regional,
    pub persistent: bool,
    /// Weights by which lanes share a link, if they do not just take turns.
    pub lane_weights: Option<Box<LaneWeights>>,
    /// By port, if there are weights.
    pub lane_turns: Vec<LaneTurn>,
    /// Strict lanes, and quanta of the others.
    pub lane_schedule: Option<Box<LaneSchedule>>,
    /// By port, if there are any.
    pub deficits: Vec<Deficits>,
    /// Words of a set of the inputs of one switch.
    pub words: usize,

    // Ports.
    pub outs: Vec<Out>,
    pub ins: Vec<In>,
    pub meters: Vec<Meter>,
    pub rates: Vec<Serialiser>,
    /// By port and lane.
    pub out_lanes: Vec<Lane>,
    /// By port and lane: packets that wait for this output, oldest first; with first-in first-out arbiters over virtual output
    /// queues, or if outputs have buffers.
    pub lines: Vec<List>,
    /// By port, lane and word, if there is more than a word: the inputs with a packet for this output.
    pub request_sets: Vec<u64>,
    /// By port, if there are several lanes: those in which any input has a packet for this output, a bit each.
    pub waiting_lanes: Vec<u16>,
    /// By input, lane and (with virtual output queues) output.
    pub queues: Vec<List>,
    /// By input and read port: busy until. Empty if every output can read every input.
    pub reads: Vec<Time>,
    pub notes: Notes,
    /// By switch: the local output that decides first (limited read ports only).
    pub turns: Vec<u16>,
    pub occupancy: Occupancy,
    pub marking: Marking,
    pub output_queues: OutputQueues,
    pub neighbours: Neighbours,
    /// What is set aside, and who has been told.
    pub isolation: Isolation,
    /// What hosts hold between their flows and their links.
    pub injection: Injection,
    /// What elaborate switches have beyond the plain ones.
    pub inputs: Inputs,
    pub rooms: Rooms,
    pub islip: Islip,
    pub pauses: Pauses,
    pub crossbar: Crossbar,
    pub output_buffers: OutputBuffers,
    /// What probes of isolation want to know.
    pub watch: Watch,

    // Hosts.
    pub hosts: Vec<Host>,
    /// What is sent back for a marked packet, besides or instead of ACKs.
    pub cnp: Option<Cnp>,
    /// By flow, if receivers send only so many of them.
    pub pacers: Vec<Pacer>,
    /// Reaction points bound what is unacknowledged.
    pub windowed: bool,
    /// Reaction points must hear of every packet, from the first on.
    pub attentive: bool,
    /// Flows of a host and service level go by one throttle.
    pub shared_throttles: bool,
    /// Steady sources that are asked for messages, host by host.
    pub generators: Vec<u32>,
    pub flows: Vec<Flow>,
    /// By flow.
    pub rests: Vec<FlowRest>,
    /// By flow.
    pub receipts: Vec<Receipt>,
    /// Packets of a flow must come in as they were sent: of all flows, or of none. Absent: each knows.
    pub all_ordered: Option<bool>,
    /// Flows begin anew, so that what is on its way may be of an earlier one.
    pub renews: bool,
    /// Some flows have a fixed limit on their rate.
    pub limits_rates: bool,
    /// What packets carry for their transports.
    pub headers: Headers,
    /// By flow, if losses are repaired.
    pub connections: Vec<Connection>,
    /// Flows that come and go, behind those of the plan in the tables of flows.
    pub finite: FiniteFlows,
    /// Reaction points.
    pub throttles: Throttles,
    /// One that has heard nothing lets the next packet start with the link, or as soon as the link is free.
    pub free_at_first: bool,
    /// The flows of the hosts, host by host.
    pub host_flows: Vec<u32>,
    /// One bit a flow, host by host: it may send now.
    pub ready: Vec<u64>,
    pub sources: Vec<Source>,
    pub messages: Vec<Message>,
    pub free_messages: Vec<u32>,

    /// What it tells other parts, if the network is cut.
    pub border: Border,

    /// Applications with a program, if there are any.
    pub ranks: Option<Box<Ranks>>,

    /// One bit a port: flow control holds it (`Out::blocked_since`).
    pub blocked: Vec<u64>,
    /// Ports that decide in this instant.
    pub deciding: Vec<u32>,
    /// What was seen of events that have come near, see `tune/prefetch.rs`.
    pub upcoming: Vec<Upcoming>,
    pub events: u64,
    pub packet_hops: u64,
    pub trajectory: u64,
    pub results: u64,
    pub audit: Option<Audit>,
    pub stop: Option<Stop>,
    /// The circle of waits that ended the run.
    pub deadlock: Vec<(u32, u8)>,
    /// Counts at the end of the warm-up, by port and by flow.
    pub before: Baseline,
}

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// What happens when its time has come: reading this is reading the life of a packet.
    #[inline(always)]
    pub(crate) fn handle(&mut self, event: Event) {
        match event {
            Event::Arrive { input, packet } => self.arrive(input, packet),
            Event::Decide { port } => self.wake(port),
            Event::Deliver { host, packet } => self.deliver(host, packet),
            Event::Notice { port, place } if self.neighbours_talk() => self.hear(port, place),
            Event::Notice { .. } => {}
            Event::Pause { port, lane, due } if self.pauses() => self.pause_due(port, lane, due),
            Event::Pause { .. } => {}
            Event::Left { output, input, lane, buffer_lane } => self.left(output, input, lane, buffer_lane),
            Event::Tail { input, lane } => self.tail(input, lane),
            Event::Timer { flow, end } if self.transports() => self.timer(flow, end),
            Event::Timer { .. } => {}
            Event::Source { source, turn } => self.source_turn(source, turn),
            Event::Rank { rank, about } if self.runs_programs() => self.rank_turn(rank, about),
            Event::Rank { .. } => {}
            Event::Pace { flow } => self.pace_allows(flow),
            Event::Depart { output, packet } if self.elaborate() => self.depart(output, packet),
            Event::Depart { .. } => {}
            Event::WarmUp => self.warmed_up(),
            Event::Watch => self.watch(),
        }
    }

    /// Puts an event on the agenda.
    #[inline(always)]
    pub(crate) fn schedule(&mut self, at: Time, event: Event) {
        self.agenda.schedule(Entry { at, rank: event.rank() });
    }

    /// Makes sure that a port decides at `at` or before.
    #[inline(always)]
    pub(crate) fn wake_by(&mut self, port: u32, at: Time) {
        let out = &mut self.outs[port as usize];
        if at < out.wake_at {
            out.wake_at = at;
            self.schedule(at, Event::Decide { port });
        }
    }

    /// A scheduled decision is due, unless an earlier one has taken its place.
    #[inline]
    fn wake(&mut self, port: u32) {
        let out = &mut self.outs[port as usize];
        if out.wake_at == self.now {
            out.wake_at = Time::NEVER;
            self.decide(port);
        }
    }

    /// The port decides in this instant: at once if nothing else is to come in it, which is what usually happens.
    #[inline]
    fn decide(&mut self, port: u32) {
        if port < self.hosts_len || !self.deciding.is_empty() || self.elaborate() || self.agenda.more_at(self.now) {
            self.consider(port);
        } else {
            self.forward(port);
        }
    }

    /// The port decides in this instant, once everything has arrived.
    #[inline]
    pub(crate) fn consider(&mut self, port: u32) {
        let out = &mut self.outs[port as usize];
        if !out.deciding {
            out.deciding = true;
            self.deciding.push(port);
        }
    }

    /// Something for this output has turned up: it decides now if it is idle, otherwise when it has sent.
    #[inline]
    pub(crate) fn ask(&mut self, port: u32) {
        let busy_until = if self.elaborate() { self.open_at(port) } else { self.outs[port as usize].busy_until };
        if busy_until <= self.now {
            self.decide(port);
        } else {
            self.wake_by(port, busy_until);
        }
    }

    /// Everybody who can send in this instant does. Switches and hosts are independent of each other; inside a
    /// switch whose inputs can be read only so often at a time, outputs take turns to be first.
    pub(crate) fn decide_all(&mut self) {
        if self.pauses() {
            self.send_frames();
            self.drop_ignored();
        }
        if self.deciding.len() > 1 && self.limited_reads() {
            let (outs, ins, turns, hosts) = (&self.outs, &self.ins, &self.turns, self.hosts_len);
            self.deciding.sort_unstable_by_key(|&port| {
                let out = &outs[port as usize];
                let turn = if port < hosts { 0 } else { turns[ins[port as usize].switch as usize] };
                let local = (port - out.base) as u16;
                (out.base, (local + out.radix - turn) % out.radix)
            });
        }
        let mut place = 0;
        while place < self.deciding.len() {
            let port = self.deciding[place];
            place += 1;
            self.outs[port as usize].deciding = false;
            if port < self.hosts_len {
                self.inject(port);
            } else {
                self.forward(port);
            }
        }
        self.deciding.clear();
        if self.pauses() {
            self.send_late();
        }
    }

    /// Starts a packet on the link out of `port`: time, credit and counters of the sending side, and the arrival at
    /// the far end. Returns when the tail will have left.
    #[inline(always)]
    pub(crate) fn transmit(&mut self, port: u32, id: PacketId) -> Time {
        let now = self.now;
        self.note_unblocked(port);
        let out = &mut self.outs[port as usize];
        let packet = &mut self.packets[id];
        let time = self.rates[usize::from(out.rate)].time(packet.size);
        let until = now + time;
        out.busy_until = until;
        out.packets += 1;
        out.bytes += u64::from(packet.size);
        out.lane_turn = packet.lane;
        let peer = out.peer;
        packet.input = peer;
        packet.port = Packet::UNROUTED;
        self.trajectory = self.trajectory.wrapping_add(scramble(
            now.0,
            u64::from(port) << 32 | u64::from(packet.sequence),
            u64::from(packet.flow) << 1 | u64::from(packet.marked),
        ));
        let head = now + out.head_delay;
        let far = out.far;
        let (lane, is_data) = (packet.lane, packet.kind == Kind::Data);
        self.packet_hops += u64::from(is_data);
        let (size, units, kind, marked) = (packet.size, packet.units, packet.kind, packet.marked);
        let place = self.at(port, lane);
        if self.has_several_lanes() {
            self.packets[id].buffer_lane = lane;
        }
        self.out_lanes[place].take(units);
        if self.books_rooms() && port < self.hosts_len {
            self.take_room(port, id);
        }
        self.probe.sent(Sending {
            at: now,
            until,
            port,
            peer,
            lane,
            size,
            fecn: is_data && marked,
            becn: kind == Kind::Cnp || (kind == Kind::Ack && marked),
        });
        match far {
            _ if self.border.is_away(peer) => {
                self.border.packet(if far == Far::CutThrough { head } else { head + time }, peer, id)
            }
            Far::CutThrough => self.schedule(head, Event::Arrive { input: peer, packet: id }),
            Far::StoreForward => self.schedule(head + time, Event::Arrive { input: peer, packet: id }),
            Far::Host => self.schedule(head + time, Event::Deliver { host: peer, packet: id }),
        }
        until
    }

    /// Room in the buffer behind `input` comes back to its sender at `at`.
    #[inline(always)]
    pub(crate) fn give_back(&mut self, input: u32, lane: u8, units: u16, at: Time) {
        if self.pauses() {
            return;
        }
        let (sender, away) = (self.ins[input as usize].sender, self.ins[input as usize].away);
        if self.books_rooms() {
            return self.room_back(sender, lane, NONE, units, at);
        }
        if away {
            return self.border.write(Letter::Credit { at, output: sender, lane, units });
        }
        self.credit(sender, lane, units, at);
    }

    /// An output may use so much more room from `at` on.
    #[inline(always)]
    pub(crate) fn credit(&mut self, sender: u32, lane: u8, units: u16, at: Time) {
        let place = self.at(sender, lane);
        let lane = &mut self.out_lanes[place];
        self.notes.add(lane, at, u32::from(units));
        if lane.starved > 0
            && let Some(enough) = self.notes.when(lane, lane.starved)
        {
            let enough = enough.max(self.now);
            self.wake_by(sender, enough);
        }
    }

    /// The port has a packet, and flow control holds it from now on.
    #[inline]
    pub(crate) fn note_blocked(&mut self, port: u32) {
        let out = &mut self.outs[port as usize];
        if out.blocked_since == Time::NEVER {
            out.blocked_since = self.now;
            self.blocked[port as usize / 64] |= 1 << (port % 64);
        }
    }

    /// The port is idle, and not because of flow control.
    #[inline]
    pub(crate) fn note_unblocked(&mut self, port: u32) {
        let out = &mut self.outs[port as usize];
        if out.blocked_since != Time::NEVER {
            let since = std::mem::replace(&mut out.blocked_since, Time::NEVER);
            self.blocked[port as usize / 64] &= !(1 << (port % 64));
            let meter = &mut self.meters[port as usize];
            meter.blocked = meter.blocked + self.now.since(since);
            meter.last_blocked = Some(self.now);
            self.probe.blocked(port, since, self.now);
        }
    }

    /// An input of the switch was read: its outputs that flow control held may not be held by that alone any more.
    pub(crate) fn reconsider_blocked(&mut self, base: u32, radix: u16) {
        let end = base + u32::from(radix);
        for word in base / 64..=(end - 1) / 64 {
            let mut bits = self.blocked[word as usize];
            while bits != 0 {
                let port = word * 64 + bits.trailing_zeros();
                bits &= bits - 1;
                if (base..end).contains(&port) {
                    self.consider(port);
                }
            }
        }
    }
}

/// Spreads what happened over 64 bits. Sums of these do not depend on the order within an instant.
#[inline]
pub(crate) fn scramble(a: u64, b: u64, c: u64) -> u64 {
    let x = (a ^ c.rotate_left(40)).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ b.wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (x ^ (x >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}
