//! What the hosts of a network own: sources, flows, packets that hosts hold, and what has arrived.

use congestree_traffic::{Arrivals, FlowMapping, Sizes, Source, SourcePlan};
use congestree_units::Time;
use congestree_wire::{FlowId, HostId, IndexVec};

use crate::host::adapter::{Bus, Host, IN_A_ROW};
use crate::host::answers::Answers;
use crate::host::answers::headers::Headers;
use crate::host::connection::Connections;
use crate::host::flow::{Flow, FlowCold, FlowMeter, NONE, ReceivedTotals, Supply, WindowState};
use crate::host::flow_groups::FlowGroups;
use crate::host::messages::finite_flows::FiniteFlows;
use crate::host::messages::message::WaitingMessages;
use crate::host::messages::polled_sources::{Polled, polled};
use crate::host::messages::posting::Posting;
use crate::host::staging::injection_buffer::Injection;
use crate::plan::{FlowPlan, Plan};
use crate::switch::queues::list::List;

/// What decides which flow of a host sends next, beside the flow that sent last (see `Host`).
pub(crate) struct FlowTurns {
    /// One bit a flow, host by host: the flow may send now.
    pub ready: Vec<u64>,
    /// By host and lane: the flow that sent last in the lane, by its place among the flows of the host. Empty unless
    /// hosts serve one lane after another.
    pub by_lane: Vec<u32>,
    /// The flows that may send, group by group.
    pub groups: FlowGroups,
    /// No data packet has fewer bytes on the wire.
    pub least_packet: u32,
}

impl FlowTurns {
    /// No flow may send yet; every lane begins where its host begins.
    fn new(plan: &Plan, hosts: &IndexVec<HostId, Host>, words: usize) -> Self {
        let lanes = if plan.serves_lanes_in_order() { usize::from(plan.lanes) } else { 0 };
        let by_lane = hosts.iter().flat_map(|host| std::iter::repeat_n(host.turn, lanes)).collect();
        let groups = FlowGroups::new(plan, words);
        Self { ready: vec![0; words], by_lane, groups, least_packet: least_packet(plan) }
    }
}

/// Hosts and what they send and receive.
pub(crate) struct Ends {
    pub hosts: IndexVec<HostId, Host>,
    /// How fast adapters move bytes between link and memory.
    pub bus: Bus,
    /// The flows of the hosts, host by host, in order of id.
    pub host_flows: Vec<FlowId>,
    pub flows: IndexVec<FlowId, Flow>,
    pub cold: IndexVec<FlowId, FlowCold>,
    pub receipts: IndexVec<FlowId, ReceivedTotals>,
    pub turns: FlowTurns,
    pub sources: Vec<Source>,
    pub messages: WaitingMessages,
    /// Steady sources that are asked for messages, host by host.
    pub polled: Vec<Polled>,
    /// The two ends of flows with a transport.
    pub connections: Connections,
    /// Finite flows; in the tables of flows they come after those of the plan.
    pub finite: FiniteFlows,
    /// What packets carry for their transports.
    pub headers: Headers,
    /// What hosts hold between their flows and their links.
    pub injection: Injection,
    /// The cost of messages before they are sent.
    pub posting: Posting,
    /// Answers that wait for more packets, or for the turnaround of their host.
    pub answers: Answers,
    /// Whether the packets of all flows must arrive in order, or of none; absent if flows differ in that.
    pub all_ordered: Option<bool>,
    /// Flows may begin anew, so packets on their way may belong to an earlier life of the flow.
    pub renews: bool,
    /// Some flows have a fixed limit on their rate.
    pub limits_rates: bool,
    /// A flow's reaction point (rate limit) is kept when the flow begins anew.
    pub persistent: bool,
}

impl Ends {
    /// The counts of a flow.
    pub(crate) fn meter_of(&self, flow: FlowId) -> FlowMeter {
        let receipt = &self.receipts[flow];
        FlowMeter {
            sent: u64::from(self.flows[flow].sent),
            packets: u64::from(receipt.packets),
            bytes: receipt.bytes,
            marked: u64::from(receipt.marked),
        }
    }

    /// The hosts of a plan, at rest.
    pub(crate) fn new(plan: &Plan) -> Self {
        let needs = plan.scheme.react.needs();
        let mut flows: IndexVec<_, _> = plan.flows.iter().map(|flow| new_flow(flow, needs.every_packet)).collect();
        let mut cold = cold_halves(plan);
        let (polled, first_polled) = polled(plan);
        find_suppliers(plan, &polled, &mut flows);
        let (mut hosts, mut host_flows, mut words, stay) = (IndexVec::default(), Vec::new(), 0, !plan.comes_and_goes());
        for list in &flows_of_hosts(plan) {
            let in_a_row = stay && list.windows(2).all(|pair| pair[1].0 == pair[0].0 + 1);
            let first_flow = match list.first() {
                Some(first) if in_a_row => IN_A_ROW | first.0,
                _ => host_flows.len() as u32,
            };
            for (slot, &flow) in list.iter().enumerate() {
                flows[flow].slot = slot as u32;
                cold[flow].pacer = if needs.shared { first_of_service(plan, list, flow) } else { flow };
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
                first_polled: first_polled[hosts.len()],
                end_polled: first_polled[hosts.len() + 1],
                expected: 0,
                inject_at: Time::START,
                drained_at: Time::START,
                filled: 0,
            });
            words = end_word;
        }
        Self {
            turns: FlowTurns::new(plan, &hosts, words as usize),
            hosts,
            bus: Bus::new(&plan.adapter),
            host_flows,
            flows,
            cold,
            receipts: vec![ReceivedTotals::default(); plan.flows.len()].into(),
            sources: sources(plan),
            messages: WaitingMessages::default(),
            polled,
            connections: Connections::new(plan),
            finite: FiniteFlows::new(plan),
            headers: Headers::new(plan),
            injection: Injection::new(plan),
            posting: Posting::new(plan),
            answers: Answers::new(plan),
            all_ordered: all_ordered(plan),
            renews: plan.comes_and_goes() || plan.sources.iter().any(has_periods),
            limits_rates: plan.flows.iter().any(|flow| flow.rate_limit.is_some()),
            persistent: plan.scheme.persistent,
        }
    }
}

/// The first flow of a host with the service level of this one.
fn first_of_service(plan: &Plan, of_host: &[FlowId], flow: FlowId) -> FlowId {
    let service = plan.flows[flow].service;
    of_host.iter().copied().find(|&other| plan.flows[other].service == service).unwrap_or(flow)
}

/// The bytes on the wire of the smallest data packet, as far as they are known before the run.
fn least_packet(plan: &Plan) -> u32 {
    let mtu = plan.adapter.mtu.0;
    let smallest = |source: &SourcePlan| match (&source.profile.message, source.profile.arrivals) {
        (_, Arrivals::Listed) => 0,
        (Sizes::Fixed(bytes), _) if bytes.0 >= mtu && bytes.0.is_multiple_of(mtu) => mtu,
        (Sizes::Fixed(bytes), _) => bytes.0 % mtu,
        _ => 0,
    };
    // Sizes of a job's messages are not known, nor those of packets with which a transport asks for something.
    if !plan.jobs.is_empty() || plan.scheme.transport.repairs() {
        return 1;
    }
    let payload = plan.sources.iter().map(smallest).min().unwrap_or(0);
    ((payload + plan.adapter.header.0) as u32).max(1)
}

/// Sets who makes the messages of each flow: the flow itself, a source that it asks, or a source that pushes them.
fn find_suppliers(plan: &Plan, polled: &[Polled], flows: &mut IndexVec<FlowId, Flow>) {
    for (id, source) in plan.sources.iter().enumerate() {
        if let FlowMapping::One(flow) = source.mapping {
            let flow = FlowId(flow);
            flows[flow].supplier = id as u32;
            flows[flow].supply = match source.profile.arrivals {
                Arrivals::Greedy | Arrivals::OnOff { .. } => Supply::Greedy { on: false },
                Arrivals::Poisson { .. }
                | Arrivals::Listed
                | Arrivals::Gaps { .. }
                | Arrivals::Messages { .. }
                | Arrivals::Steady { .. } => Supply::Pulled,
            };
        }
    }
    for source in polled {
        if let FlowMapping::One(flow) = plan.sources[source.source as usize].mapping {
            let flow = FlowId(flow);
            (flows[flow].supply, flows[flow].supplier) = (Supply::Pushed, NONE);
        }
    }
}

/// The cold halves of all flows, with those flows noted that send the same message over and over.
fn cold_halves(plan: &Plan) -> IndexVec<FlowId, FlowCold> {
    let mut cold: IndexVec<_, _> = plan.flows.iter().map(|flow| cold_half(flow, ordered(plan, flow))).collect();
    for source in &plan.sources {
        if let (FlowMapping::One(flow), Arrivals::Greedy | Arrivals::OnOff { .. }) =
            (source.mapping, source.profile.arrivals)
        {
            let bytes = source.profile.same_always().map_or(0, |bytes| bytes.0);
            cold[FlowId(flow)].repeats = u32::try_from(bytes).unwrap_or(0);
        }
    }
    cold
}

/// The sources, with their random number streams.
fn sources(plan: &Plan) -> Vec<Source> {
    (plan.sources.iter().enumerate()).map(|(index, source)| Source::new(source, plan.seed, index as u64)).collect()
}

/// The flows of each host.
fn flows_of_hosts(plan: &Plan) -> Vec<Vec<FlowId>> {
    let mut of_host: Vec<Vec<FlowId>> = vec![Vec::new(); plan.graph.hosts.len()];
    for (id, flow) in plan.flows.with_ids() {
        of_host[flow.source.index()].push(id);
    }
    of_host
}

/// Whether each ON period of the source is a new flow.
fn has_periods(source: &SourcePlan) -> bool {
    matches!(source.profile.arrivals, Arrivals::OnOff { .. })
}

/// Whether the packets of a flow must arrive in order.
fn ordered(plan: &Plan, flow: &FlowPlan) -> bool {
    flow.destination.is_some() && !plan.reorders()
}

/// Whether the packets of all flows must arrive in order, or of none; `None` if flows differ in that.
fn all_ordered(plan: &Plan) -> Option<bool> {
    let first = ordered(plan, plan.flows.first()?);
    let uniform = plan.flows.iter().all(|flow| ordered(plan, flow) == first);
    (uniform && !plan.comes_and_goes()).then_some(first)
}

/// A flow that has sent nothing yet.
fn new_flow(flow: &FlowPlan, every_packet: bool) -> Flow {
    Flow {
        next_at: Time::START,
        last_start: Time::START,
        remaining: 0,
        created: Time::START,
        sent: 0,
        throttle: NONE,
        target: flow.destination.unwrap_or(HostId::NONE),
        host: flow.source,
        slot: 0,
        supplier: NONE,
        last_size: 0,
        lane: flow.lane,
        supply: Supply::Pushed,
        window: if flow.acked { WindowState::Open } else { WindowState::None },
        plain: flow.rate_limit.is_none() && !every_packet,
    }
}

/// The cold half of a flow.
fn cold_half(flow: &FlowPlan, ordered: bool) -> FlowCold {
    FlowCold {
        wake_at: Time::NEVER,
        rate_limit: flow.rate_limit,
        outstanding: 0,
        window: flow.window.unwrap_or(u32::MAX),
        repeats: 0,
        last_message: NONE,
        destination: flow.destination.unwrap_or(HostId::NONE),
        pacer: FlowId::NONE,
        epoch: 0,
        class: flow.class,
        ordered,
        missed: 0,
        service: flow.service,
    }
}
