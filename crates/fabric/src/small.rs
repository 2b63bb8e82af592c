//! A small network for the tests of this crate: hosts on one switch, all of which send as much as they can.

use congestree_kernel::{Agenda, HeapAgenda};
use congestree_probes::Silent;
use congestree_schemes::{MarkParams, NotifyParams, ReactParams, RouteParams, TransportParams};
use congestree_topology::Wire;
use congestree_topology::graphs::{SingleSwitch, Topology};
use congestree_topology::routing::shortest_path;
use congestree_traffic::{Arrivals, FlowMapping, Pattern, Sizes, SourcePlan, TrafficProfile};
use congestree_units::{Bytes, Rate, Span, Time};
use congestree_wire::{HostId, PortId};

use crate::event::Event;
use crate::fabric::Fabric;
use crate::link::frames::{ControlFrame, Frame};
use crate::plan::*;
use crate::tune::variants::Any;

/// What tests run, a step at a time.
pub(crate) type Stepped = Fabric<HeapAgenda, Silent, Any>;

/// A fabric just before its first event.
pub(crate) fn started(plan: &Plan) -> Stepped {
    let mut fabric = Stepped::build(plan, Silent);
    fabric.start(plan);
    fabric
}

/// Runs everything up to and including an instant (ps).
pub(crate) fn until(fabric: &mut Stepped, at: u64) {
    fabric.rules.end = Time(at);
    loop {
        if !fabric.deciding.is_empty() && !fabric.agenda.more_at(fabric.now) {
            fabric.decide_all();
        }
        let Some(entry) = fabric.agenda.take() else { break };
        if entry.at.0 > at {
            fabric.agenda.schedule(entry);
            break;
        }
        fabric.now = entry.at;
        fabric.handle(Event::from_rank(entry.rank));
    }
    fabric.now = Time(at);
}

/// A port starts its packets at exactly these instants (ns), and no others up to the last of them.
pub(crate) fn starts_at(fabric: &mut Stepped, port: PortId, instants: &[u64]) {
    for (before, &ns) in instants.iter().enumerate() {
        if ns > 0 {
            until(fabric, 1_000 * ns - 1);
            assert_eq!(fabric.links.outs[port].packets, before as u64, "packets before {ns} ns");
        }
        until(fabric, 1_000 * ns);
        assert_eq!(fabric.links.outs[port].packets, before as u64 + 1, "packets at {ns} ns");
    }
}

/// A pause that lasts until its end is signalled.
pub(crate) const STOP: Frame =
    Frame { bytes: 64, after: Span(0), notice: ControlFrame::Pause { lane: 0, quanta: u32::MAX } };
pub(crate) const GO: Frame = Frame { bytes: 64, after: Span(0), notice: ControlFrame::Pause { lane: 0, quanta: 0 } };

/// Pauses in the only lane, with thresholds that are never reached.
pub(crate) fn small_pfc() -> PfcPlan {
    PfcPlan {
        lossless: vec![true],
        threshold: Threshold::Static { xoff: Some(Bytes(1 << 20)), xon: None },
        per_queue: false,
        frame: Bytes(64),
        response: Span::ZERO,
        quanta: None,
        stop_at_loss: true,
        watchdog: None,
        storms: Vec::new(),
    }
}

/// The given number of hosts on one switch, with links of 8 Gbit/s (1 ns a byte) and 10 ns delay; packets of 1,000
/// bytes take 1 us. The pairs (sender, receiver) send without end.
pub(crate) fn star(hosts: u32, pairs: &[(u32, u32)]) -> Plan {
    let graph = SingleSwitch { hosts }.build(Wire { rate: Rate::from_gbps(8), delay: Span::from_ns(10) });
    let routes = shortest_path(&graph).expect("one switch connects all");
    Plan {
        seed: 1,
        graph,
        routes,
        equal_cost: None,
        lane_map: None,
        lanes: 1,
        lane_weights: None,
        lane_schedule: None,
        flow_control: FlowControl {
            unit: CreditUnit::Slot,
            credit_delay: Some(Span::ZERO),
            control_uses_credits: false,
            overhead: 0,
            messages: None,
        },
        pfc: None,
        checks: ChecksPlan::default(),
        faults: FaultsPlan::default(),
        switch: SwitchPlan {
            buffer_units: vec![1 << 21],
            output_queue: None,
            output_queue_rate: None,
            trim: None,
            shared_memory: None,
            output_buffer: None,
            random_loss: 0.0,
            queues: QueueMap::Voq,
            memory: Memory::Shared,
            read_ports: None,
            crossbar: None,
            arbiter: ArbiterPlan::RoundRobin,
            switching: Switching::CutThrough,
            forwarding_delay: Span::from_ns(100),
        },
        adapter: AdapterPlan {
            mtu: Bytes(1000),
            header: Bytes(0),
            ack: Bytes(20),
            injection_rate: None,
            drain_rate: None,
            receive_units: None,
            injection_buffer: None,
            message_cost: Span::ZERO,
            queue_depth: None,
            acks: None,
            ack_turnaround: Span::ZERO,
            ack_lane: None,
        },
        scheme: SchemePlan {
            isolate: None,
            flow_queues: None,
            mark: MarkParams::None(Default::default()),
            notify: NotifyParams::Ack,
            react: ReactParams::None(Default::default()),
            regional: None,
            route: RouteParams::None(Default::default()),
            transport: TransportParams::None(Default::default()),
            persistent: false,
        },
        flows: pairs
            .iter()
            .map(|&(source, destination)| FlowPlan {
                source: HostId(source),
                destination: Some(HostId(destination)),
                class: 0,
                service: 0,
                lane: 0,
                window: None,
                acked: false,
                rate_limit: None,
            })
            .collect(),
        sources: pairs
            .iter()
            .enumerate()
            .map(|(flow, &(source, destination))| SourcePlan {
                host: source,
                mapping: FlowMapping::One(flow as u32),
                start: Time::START,
                profile: TrafficProfile {
                    arrivals: Arrivals::Greedy,
                    pattern: Pattern::Fixed(destination),
                    message: Sizes::Fixed(Bytes(1000)),
                    stop: Time::NEVER,
                    jitter: Span::ZERO,
                    list: Vec::new(),
                }
                .into(),
            })
            .collect(),
        jobs: Vec::new(),
        classes: vec!["all".into()],
        measure: MeasurePlan {
            duration: Time(20_000_000),
            warm_up: Time::START,
            sampling_interval: Span::from_us(10),
            bin: Span::from_us(1),
            probes: Default::default(),
            deadlock_timeout: Span::from_ms(1),
            audit: true,
            until_jobs_end: false,
        },
    }
}
