//! From a plan to tables.

use std::marker::PhantomData;

use congestree_kernel::{Agenda, agenda::STEPS};
use congestree_probes::Probe;
use congestree_schemes::react::Sent;
use congestree_schemes::{NotifyParams, ReactionPoint};
use congestree_topology::Node;
use congestree_traffic::{Arrivals, Feeds, Source, SourcePlan};
use congestree_units::{Bytes, Rate, Span, Time};
use congestree_wire::Pool;

use crate::control::isolate::Isolation;
use crate::control::mark::Marking;
use crate::control::rcm::Regional;
use crate::control::react::notification_pacers;
use crate::control::reaction_point::Throttles;
use crate::event::{Event, Turn};
use crate::fabric::Fabric;
use crate::host::connection::connections;
use crate::host::control_packets::Headers;
use crate::host::dynamic_flows::FiniteFlows;
use crate::host::flow::{Flow, FlowRest, NONE, Receipt, Supply, Window};
use crate::host::inject::{Cnp, Host, IN_A_ROW};
use crate::host::injection_buffer::Injection;
use crate::jobs::Ranks;
use crate::link::credits::{Lane, Notes, UNLIMITED};
use crate::link::frames::Neighbours;
use crate::link::lane_arbiter::LaneTurn;
use crate::link::lane_schedule::Deficits;
use crate::link::pfc::pause::Pauses;
use crate::link::port::{Far, In, Meter, Out, Serialiser};
use crate::link::queue_credits::Rooms;
use crate::observe::audit::Audit;
use crate::observe::isolation_probe::Watch;
use crate::observe::outcome::Baseline;
use crate::partition::border::Border;
use crate::plan::{ArbiterPlan, CreditUnit, FlowPlan, Plan, QueueMap, Switching};
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
use crate::tune::variants::Variant;

/// How long before it an event is known, at most as a rule: a packet's time on its link, the delay of the link and that of
/// the switch behind it; and how many packets that is on a link that never rests.
fn leads(ports: &Ports, full: Bytes) -> (Span, usize) {
    let time = |out: &Out| ports.rates[usize::from(out.rate)].time_for(full);
    let lead = ports.outs.iter().map(|out| time(out) + out.head_delay).max().unwrap_or(Span::from_us(1));
    let fastest = ports.outs.iter().map(time).min().unwrap_or(lead);
    (lead, (lead.0 / fastest.0.max(1)).clamp(1, 64) as usize)
}

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// The fabric of a plan, at rest.
    pub(crate) fn build(plan: &Plan, probe: P) -> Self {
        let lanes = usize::from(plan.lanes);
        let ports = Ports::of(plan);
        let count = ports.outs.len();
        let words = ports.outs.iter().map(|out| usize::from(out.radix)).max().unwrap_or(1).div_ceil(64);
        let hosts_len = plan.graph.hosts.len() as u32;
        let out_lanes = ports
            .outs
            .iter()
            .flat_map(|out| (0..plan.lanes).map(|lane| Lane::new(room_at(plan, out.far, lane), out.radix - 1)));
        let fifo = matches!(plan.switch.arbiter, ArbiterPlan::Fifo { .. });
        let in_lines = fifo && plan.switch.plain_queues() == QueueMap::Voq || plan.switch.output_buffer.is_some();
        let reads = plan.switch.read_ports.map_or(0, |reads| (count - hosts_len as usize) * usize::from(reads));
        let fresh = plan.scheme.react.build();
        let needs = fresh.needs();
        let Ends { hosts, host_flows, flows, rests, ready } = Ends::of(plan);
        let full = plan.adapter.full();
        let slowest = ports.rates.iter().map(|rate| rate.time_for(full)).max().unwrap_or(Span::from_us(1));
        let first = Sent { start: Time::START, time: slowest, full: slowest };
        let with_link = !needs.differs() && plan.adapter.injection_buffer.is_none() && !plan.scheme.transport.repairs();
        let (lead, on_a_link) = leads(&ports, full);
        let full_units = plan.flow_control.units(full.0 as u32);
        let marking = Marking::new(plan, &ports.outs, &ports.rates, full_units);
        let features = Features::of(plan);
        let seed = plan.seed;
        let inputs = Inputs::new(plan, &ports.outs, &ports.ins);
        let rooms = Rooms::new(plan, &ports.outs, &ports.ins, inputs.queues.len());
        let matches = matches!(plan.switch.arbiter, ArbiterPlan::Islip { .. });
        let mut fabric = Fabric {
            variant: PhantomData,
            features,
            now: Time::START,
            agenda: A::new(lead, count * on_a_link, if plan.switch.elaborate() { STEPS } else { 1 }),
            probe,
            packets: Pool::default(),
            hosts_len,
            lanes,
            end: plan.measure.duration,
            warm_up: plan.measure.warm_up,
            watchdog: plan.measure.watchdog,
            queue_map: plan.switch.plain_queues(),
            arbiter: plan.switch.arbiter,
            switching: plan.switch.switching,
            forwarding_delay: plan.switch.forwarding_delay,
            read_ports: plan.switch.read_ports,
            lane_turns: vec![LaneTurn::default(); if plan.lane_weights.is_some() { count } else { 0 }],
            deficits: plan.lane_schedule.iter().flat_map(|schedule| vec![Deficits::new(schedule); count]).collect(),
            lane_schedule: plan.lane_schedule.clone().map(Box::new),
            lane_weights: plan.lane_weights.clone().map(Box::new),
            adapter: plan.adapter,
            flow_control: plan.flow_control,
            ways: Ways::new(plan),
            lane_map: plan.lane_map.clone().map(Box::new),
            regional: Regional::new(plan, count, ports.queues),
            routes: Forwarding::new(&plan.routes, plan.graph.switches.len() as u32, hosts_len),
            persistent: plan.scheme.persistent,
            words,
            meters: vec![Meter::default(); count],
            rates: ports.rates.iter().map(|&rate| Serialiser::new(rate, full)).collect(),
            out_lanes: out_lanes.zip(marking.gates()).map(|(lane, gate)| lane.behind(gate)).collect(),
            lines: vec![List::EMPTY; if in_lines { count * usize::from(plan.lanes) } else { 0 }],
            request_sets: vec![0; if words > 1 { count * lanes * words } else { 0 }],
            waiting_lanes: vec![0; if lanes > 1 { count } else { 0 }],
            queues: vec![List::EMPTY; ports.queues],
            reads: vec![Time::START; reads],
            notes: Notes::default(),
            turns: vec![0; plan.graph.switches.len()],
            occupancy: Occupancy::new(features, count * lanes, ports.queues),
            marking,
            cnp: match &plan.scheme.notify {
                NotifyParams::Cnp(cnp) if needs.marks => {
                    Some(Cnp { size: cnp.size.0 as u32, lane: cnp.lane, interval: cnp.interval })
                }
                _ => None,
            },
            pacers: notification_pacers(plan),
            shared_throttles: needs.shared,
            windowed: needs.window,
            attentive: needs.every_packet,
            generators: generators(plan).0,
            output_queues: OutputQueues::new(plan, &ports.outs, &ports.rates),
            pauses: Pauses::new(plan, &ports.ins, ports.queues),
            output_buffers: OutputBuffers::new(plan, count),
            neighbours: Neighbours::new(plan.neighbours_talk(), count),
            isolation: Isolation::new(plan, count),
            watch: Watch::default(),
            injection: Injection::new(plan),
            inputs,
            rooms,
            islip: Islip::new(matches, count, plan.graph.switches.len(), words),
            crossbar: Crossbar::new(plan, count),
            outs: ports.outs,
            ins: ports.ins,
            hosts,
            flows,
            rests,
            receipts: vec![Receipt::default(); plan.flows.len()],
            all_ordered: all_ordered(plan),
            renews: plan.comes_and_goes() || plan.sources.iter().any(has_periods),
            limits_rates: plan.flows.iter().any(|flow| flow.rate_limit.is_some()),
            headers: Headers::new(plan),
            connections: connections(plan),
            finite: FiniteFlows::new(plan),
            free_at_first: fresh.next_start(first) <= if with_link { first.start + first.time } else { first.start },
            throttles: Throttles::new(fresh),
            host_flows,
            ready,
            sources: plan
                .sources
                .iter()
                .enumerate()
                .map(|(index, source)| Source::new(source, seed, index as u64))
                .collect(),
            messages: Vec::new(),
            free_messages: Vec::new(),
            border: Border::default(),
            ranks: Ranks::new(plan),
            blocked: vec![0; count.div_ceil(64)],
            deciding: Vec::new(),
            upcoming: Vec::new(),
            events: 0,
            packet_hops: 0,
            trajectory: 0,
            results: 0,
            audit: plan.measure.audit.then(|| Audit::new(plan)),
            stop: None,
            deadlock: Vec::new(),
            before: Baseline::default(),
        };
        fabric.place_connections(seed);
        fabric.place_grants(plan);
        fabric
    }

    /// Puts the first events on the agenda.
    pub(crate) fn start(&mut self) {
        self.place_reactions();
        for id in 0..self.sources.len() as u32 {
            let source = &self.sources[id as usize];
            if self.border.is_away(source.host()) {
                continue;
            }
            let (begin, stop) = (source.begin(), source.habit().stop);
            self.schedule(begin, Event::Source { source: id, turn: Turn::Start });
            if stop != Time::NEVER {
                self.schedule(stop, Event::Source { source: id, turn: Turn::Stop });
            }
        }
        self.start_jobs();
        for flow in 0..self.flows.len() as u32 {
            let limit = self.limit_of(flow);
            if limit != 1.0 {
                self.probe.limit(Time::START, flow, limit);
            }
        }
        if self.warm_up > Time::START {
            self.schedule(self.warm_up, Event::WarmUp);
        }
        if self.watchdog > Span::ZERO {
            self.schedule(Time::START + self.watchdog, Event::Watch);
        }
    }
}

/// Ports in the making.
struct Ports {
    outs: Vec<Out>,
    ins: Vec<In>,
    rates: Vec<Rate>,
    queues: usize,
}

impl Ports {
    fn of(plan: &Plan) -> Self {
        let graph = &plan.graph;
        let wired = graph.ports();
        let hosts = graph.hosts.len() as u32;
        let mut base = Vec::with_capacity(graph.switches.len());
        let mut next = hosts;
        for switch in &wired.switches {
            base.push(next);
            next += switch.len() as u32;
        }
        let global = |node: Node, local: u16| match node {
            Node::Host(host) => host,
            Node::Switch(switch) => base[switch as usize] + u32::from(local),
        };
        let mut rates: Vec<Rate> = Vec::new();
        let mut rate_index = |rate: Rate| match rates.iter().position(|known| *known == rate) {
            Some(index) => index as u16,
            None => {
                rates.push(rate);
                rates.len() as u16 - 1
            }
        };
        let mut outs = Vec::with_capacity(next as usize);
        let mut ins = Vec::with_capacity(next as usize);
        let mut queues = 0;
        let nodes = wired
            .hosts
            .iter()
            .enumerate()
            .map(|(host, ports)| (host as u32, ports, None))
            .chain(wired.switches.iter().enumerate().map(|(s, ports)| (base[s], ports, Some(s as u32))));
        for (base, ports, switch) in nodes {
            for port in ports {
                let (far, extra) = match (port.peer, plan.switch.switching) {
                    (Node::Host(_), _) => (Far::Host, Span::ZERO),
                    (_, Switching::CutThrough) => (Far::CutThrough, plan.switch.forwarding_delay),
                    (_, Switching::StoreForward) => (Far::StoreForward, plan.switch.forwarding_delay),
                };
                let peer = global(port.peer, port.peer_port);
                let back = match (port.at_a, &graph.links[port.link as usize]) {
                    (true, link) => link.ba,
                    (false, link) => link.ab,
                };
                let radix = ports.len() as u16;
                outs.push(Out {
                    busy_until: Time::START,
                    wake_at: Time::NEVER,
                    blocked_since: Time::NEVER,
                    head_delay: port.out.delay + extra,
                    peer,
                    base,
                    packets: 0,
                    bytes: 0,
                    rate: rate_index(port.out.rate),
                    radix,
                    lane_turn: plan.lanes - 1,
                    deciding: false,
                    far,
                    knows_lines: false,
                });
                ins.push(In {
                    queues,
                    base,
                    switch: switch.unwrap_or(NONE),
                    sender: peer,
                    radix,
                    rate: rate_index(back.rate),
                    has_lines: plan.scheme.isolate.as_ref().is_some_and(|rules| rules.queues == 0),
                    away: false,
                });
                if switch.is_some() {
                    queues += match plan.switch.plain_queues() {
                        QueueMap::Voq => u32::from(plan.lanes) * u32::from(radix),
                        _ => u32::from(plan.lanes),
                    };
                }
            }
        }
        Ports { outs, ins, rates, queues: queues as usize }
    }
}

/// Credit units that a sender starts with in a lane; those that are booked by queue are in `rooms`.
pub(crate) fn room_at(plan: &Plan, far: Far, lane: u8) -> u32 {
    match far {
        _ if plan.flow_control.unit == CreditUnit::Pause => UNLIMITED,
        _ if plan.switch.books_rooms() => UNLIMITED,
        Far::Host => plan.adapter.receive_units.unwrap_or(UNLIMITED),
        _ => plan.switch.buffer_units[usize::from(lane)],
    }
}

/// The hosts and what they send.
struct Ends {
    hosts: Vec<Host>,
    /// The hosts' lists of flows, in order of id.
    host_flows: Vec<u32>,
    flows: Vec<Flow>,
    rests: Vec<FlowRest>,
    ready: Vec<u64>,
}

impl Ends {
    /// Those of a plan, at rest.
    fn of(plan: &Plan) -> Ends {
        let count = plan.graph.hosts.len();
        let needs = plan.scheme.react.needs();
        let mut of_host: Vec<Vec<u32>> = vec![Vec::new(); count];
        for (id, flow) in plan.flows.iter().enumerate() {
            of_host[flow.source as usize].push(id as u32);
        }
        let mut flows: Vec<Flow> = plan.flows.iter().map(|flow| new_flow(flow, needs.every_packet)).collect();
        let mut rests: Vec<FlowRest> = plan.flows.iter().map(|flow| rest_of(flow, ordered(plan, flow))).collect();
        for (id, source) in plan.sources.iter().enumerate() {
            if let Feeds::One(flow) = source.feeds {
                flows[flow as usize].supplier = id as u32;
                flows[flow as usize].supply = match source.habit.arrivals {
                    Arrivals::Greedy | Arrivals::OnOff { .. } => Supply::Greedy { on: false },
                    Arrivals::Poisson { .. }
                    | Arrivals::Listed
                    | Arrivals::Gaps { .. }
                    | Arrivals::Messages { .. }
                    | Arrivals::Steady { .. } => Supply::Pulled,
                };
            }
        }
        let (generators, first_generator) = generators(plan);
        for id in generators {
            if let Feeds::One(flow) = plan.sources[id as usize].feeds {
                (flows[flow as usize].supply, flows[flow as usize].supplier) = (Supply::Pushed, NONE);
            }
        }
        let (mut hosts, mut host_flows, mut words) = (Vec::with_capacity(count), Vec::new(), 0);
        for list in &of_host {
            let in_a_row = !plan.comes_and_goes() && list.windows(2).all(|pair| pair[1] == pair[0] + 1);
            let first_flow = match list.first() {
                Some(first) if in_a_row => IN_A_ROW | first,
                _ => host_flows.len() as u32,
            };
            for (slot, &flow) in list.iter().enumerate() {
                flows[flow as usize].slot = slot as u32;
                rests[flow as usize].pacer = match needs.shared {
                    true => first_of_service(plan, list, flow),
                    false => flow,
                };
            }
            if !in_a_row {
                host_flows.extend_from_slice(list);
            }
            let end_word = words + list.len().div_ceil(64).max(1) as u32;
            hosts.push(Host {
                control: List::EMPTY,
                first_flow,
                first_word: words,
                end_word,
                ready: 0,
                turn: (list.len() as u32).max(1) - 1,
                first_generator: first_generator[hosts.len()],
                end_generator: first_generator[hosts.len() + 1],
                inject_at: Time::START,
                drained_at: Time::START,
                filled: 0,
            });
            words = end_word;
        }
        Ends { hosts, host_flows, flows, rests, ready: vec![0; words as usize] }
    }
}

/// The first flow of a host that has the service level of this one.
fn first_of_service(plan: &Plan, of_host: &[u32], flow: u32) -> u32 {
    let service = plan.flows[flow as usize].service;
    of_host.iter().copied().find(|&other| plan.flows[other as usize].service == service).unwrap_or(flow)
}

/// The steady sources of every host that are asked for messages, host by host, and where each host's begin: those that
/// feed a flow for each destination, and all of a host that has several.
fn generators(plan: &Plan) -> (Vec<u32>, Vec<u32>) {
    let mut of_host: Vec<Vec<u32>> = vec![Vec::new(); plan.graph.hosts.len()];
    for (id, source) in plan.sources.iter().enumerate() {
        if matches!(source.habit.arrivals, Arrivals::Steady { .. }) {
            of_host[source.host as usize].push(id as u32);
        }
    }
    for list in &mut of_host {
        if let [id] = list[..]
            && matches!(plan.sources[id as usize].feeds, Feeds::One(_))
        {
            list.clear();
        }
    }
    let mut first = vec![0];
    first.extend(of_host.iter().scan(0, |total, list| {
        *total += list.len() as u32;
        Some(*total)
    }));
    (of_host.concat(), first)
}

/// The source makes each of its ON periods a new flow.
fn has_periods(source: &SourcePlan) -> bool {
    matches!(source.habit.arrivals, Arrivals::OnOff { .. })
}

/// The packets of a flow must come in as they were sent.
fn ordered(plan: &Plan, flow: &FlowPlan) -> bool {
    flow.destination.is_some() && !plan.scheme.reorders()
}

/// The same, of all flows or of none; absent if some differ from others.
fn all_ordered(plan: &Plan) -> Option<bool> {
    let first = ordered(plan, plan.flows.first()?);
    let alike = plan.flows.iter().all(|flow| ordered(plan, flow) == first);
    (alike && !plan.comes_and_goes()).then_some(first)
}

/// A flow that has sent nothing yet.
fn new_flow(flow: &FlowPlan, attentive: bool) -> Flow {
    Flow {
        next_at: Time::START,
        last_start: Time::START,
        remaining: 0,
        created: Time::START,
        sent: 0,
        throttle: NONE,
        target: flow.destination.unwrap_or(NONE),
        host: flow.source,
        slot: 0,
        supplier: NONE,
        last_size: 0,
        lane: flow.lane,
        supply: Supply::Pushed,
        window: if flow.acked { Window::Open } else { Window::None },
        plain: flow.rate_limit.is_none() && !attentive,
    }
}

/// The rest of it.
fn rest_of(flow: &FlowPlan, ordered: bool) -> FlowRest {
    FlowRest {
        wake_at: Time::NEVER,
        rate_limit: flow.rate_limit,
        outstanding: 0,
        window: flow.window.unwrap_or(u32::MAX),
        last_message: NONE,
        destination: flow.destination.unwrap_or(NONE),
        pacer: NONE,
        epoch: 0,
        class: flow.class,
        ordered,
        missed: 0,
        service: flow.service,
    }
}
