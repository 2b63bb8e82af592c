//! In which lane packets leave a switch (`links.hop_lanes`): from its description to a map of every hop through every
//! switch.

use congestree_topology::routing::Hop;
use congestree_topology::{Graph, LaneMap, Node, Ports, Routes, Through};

use crate::resolve::network::service_lanes;
use crate::resolve::{Collector, scheme_parts};
use crate::types::{FlowControl, HopLane, HopLanes, PauseCounts, Probe, Scenario};

/// The description, and its path.
fn written(hop_lanes: &HopLanes) -> (&'static str, &[HopLane]) {
    match hop_lanes {
        HopLanes::ByRoute | HopLanes::ByHop => ("links.hop_lanes", &[]),
        HopLanes::ByLane(list) => ("links.hop_lanes.by-lane.hops", &list.hops),
        HopLanes::ByService(list) => ("links.hop_lanes.by-service.hops", &list.hops),
    }
}

/// Lanes in which packets may leave some switch.
pub(in crate::resolve) fn used(scenario: &Scenario) -> Vec<u8> {
    let hop_lanes = scenario.links.hop_lanes.as_ref();
    if matches!(hop_lanes, Some(HopLanes::ByRoute | HopLanes::ByHop)) {
        return (0..scenario.links.lanes).collect();
    }
    let hops = hop_lanes.map_or(&[][..], |hop_lanes| written(hop_lanes).1);
    hops.iter().flat_map(|hop| hop.lanes.iter().copied()).collect()
}

/// The map, if packets change lanes.
pub(in crate::resolve) fn plan(
    scenario: &Scenario,
    graph: &Graph,
    routes: &Routes,
    collector: &mut Collector<'_>,
) -> Option<LaneMap> {
    let hop_lanes = scenario.links.hop_lanes.as_ref()?;
    let before = collector.diagnostics.len();
    let (path, hops) = written(hop_lanes);
    check_lanes(scenario, path, hops, collector);
    check_company(scenario, hop_lanes, collector);
    let ports = graph.ports();
    let keys = match hop_lanes {
        HopLanes::ByService(_) => LaneMap::SERVICES,
        _ => scenario.links.lanes.into(),
    };
    if !collector.fits("links.hop_lanes", "the lanes of all hops through switches", LaneMap::least(&ports, keys)) {
        return None;
    }
    let rules: Vec<Rule> = hops
        .iter()
        .enumerate()
        .filter_map(|(i, hop)| Rule::of(hop, graph, &ports, &format!("{path}.{i}"), collector))
        .collect();
    if collector.diagnostics.len() > before {
        return None;
    }
    let last = |through: Through, key: u8| {
        let matching = rules.iter().rev().filter(|rule| rule.matches(through));
        matching.filter_map(|rule| rule.lanes.get(usize::from(key)).copied()).next()
    };
    let last_lane = scenario.links.lanes - 1;
    let between_switches = |through: Through| {
        let own = &ports.switches[through.switch as usize];
        [through.from, through.to].iter().all(|&port| matches!(own[usize::from(port)].peer, Node::Switch(_)))
    };
    Some(match hop_lanes {
        HopLanes::ByRoute => by_route(scenario, &ports, routes, collector)?,
        HopLanes::ByHop => LaneMap::by_lane(&ports, scenario.links.lanes, |through, lane| {
            (lane + u8::from(between_switches(through))).min(last_lane)
        }),
        HopLanes::ByLane(_) => {
            LaneMap::by_lane(&ports, scenario.links.lanes, |through, lane| last(through, lane).unwrap_or(lane))
        }
        HopLanes::ByService(_) => LaneMap::by_service(&ports, |through, service| {
            last(through, service).unwrap_or_else(|| service_lanes::of_service(scenario, service))
        }),
    })
}

/// The lanes of the topology's own routes.
fn by_route(scenario: &Scenario, ports: &Ports, routes: &Routes, collector: &mut Collector<'_>) -> Option<LaneMap> {
    let path = "links.hop_lanes";
    let Some(formula) = routes.formula() else {
        let fact = "which lanes routes need is known only for the topology's own routes, and these are others";
        collector.report(path, fact, "leave out routing, or write the lanes by-hop or by-lane");
        return None;
    };
    let turns = scenario.scheme.route.as_ref().map_or(0, |route| route.turns());
    let (phase, given) = (formula.lanes(), scenario.links.lanes);
    let needed = (turns + 1) * phase;
    if given < needed {
        let what = if turns > 0 { "these routes and detours" } else { "these routes" };
        let fact = format!("{what} need {needed} lanes, and links.lanes is {given}");
        collector.report("links.lanes", fact, format!("write links.lanes = {needed}"));
        return None;
    }
    if service_lanes::starts(scenario).iter().any(|&(lane, _)| lane != 0) {
        let fact = "packets of some traffic begin in another lane than 0, and lanes above are those of later hops";
        collector.report(path, fact, "leave out the lanes of traffic, or write the lanes by-lane");
        return None;
    }
    let next = |through, lane: u8| (lane / phase * phase + formula.lane(through, lane % phase)).min(given - 1);
    Some(LaneMap::by_lane(ports, given, next).in_phases(phase))
}

/// An entry with its names resolved.
struct Rule<'a> {
    switch: Option<u32>,
    /// By switch: the ports that it names.
    from: Option<Vec<Vec<u16>>>,
    to: Option<Vec<Vec<u16>>>,
    lanes: &'a [u8],
}

impl<'a> Rule<'a> {
    fn of(hop: &'a HopLane, graph: &Graph, ports: &Ports, path: &str, collector: &mut Collector<'_>) -> Option<Self> {
        let switch = match &hop.switch {
            None => None,
            Some(name) => match graph.switches.iter().position(|known| known == name) {
                Some(switch) => Some(switch as u32),
                None => {
                    let fact = format!("there is no switch `{name}`");
                    collector.report(format!("{path}.switch"), fact, "name a switch of the topology");
                    return None;
                }
            },
        };
        let mut end = |key: &str, end: &Option<Hop>| -> Option<Option<Vec<Vec<u16>>>> {
            let Some(end) = end else { return Some(None) };
            let named: Vec<Vec<u16>> =
                (0..graph.switches.len() as u32)
                    .map(|own| {
                        if switch.is_none_or(|switch| switch == own) { leading(graph, ports, own, end) } else { vec![] }
                    })
                    .collect();
            if named.iter().all(Vec::is_empty) {
                let of = hop.switch.as_deref().map_or("any switch".to_owned(), |name| format!("`{name}`"));
                let fact = match end {
                    Hop::Node(node) => format!("`{node}` is not next to {of}"),
                    Hop::Port(number) => format!("there is no port {number} of {of}"),
                };
                collector.report(format!("{path}.{key}"), fact, "name a neighbour, or the number of a port");
                return None;
            }
            Some(Some(named))
        };
        let (from, to) = (end("from", &hop.from), end("to", &hop.to));
        Some(Self { switch, from: from?, to: to?, lanes: &hop.lanes })
    }

    fn matches(&self, through: Through) -> bool {
        let named = |ports: &Option<Vec<Vec<u16>>>, port: u16| {
            ports.as_ref().is_none_or(|ports| ports[through.switch as usize].contains(&port))
        };
        self.switch.is_none_or(|switch| switch == through.switch)
            && named(&self.from, through.from)
            && named(&self.to, through.to)
    }
}

/// The ports of a switch that lead to a neighbour, or that have a number.
fn leading(graph: &Graph, ports: &Ports, switch: u32, end: &Hop) -> Vec<u16> {
    let own = &ports.switches[switch as usize];
    match end {
        Hop::Node(node) => {
            (0..own.len() as u16).filter(|&port| graph.name(own[usize::from(port)].peer) == node).collect()
        }
        Hop::Port(number) => ports.numbered(switch, *number).into_iter().collect(),
    }
}

fn check_lanes(scenario: &Scenario, path: &str, hops: &[HopLane], collector: &mut Collector<'_>) {
    let lanes = scenario.links.lanes;
    for (i, hop) in hops.iter().enumerate() {
        for (k, &lane) in hop.lanes.iter().enumerate().filter(|&(_, &lane)| lane >= lanes) {
            let fact = format!("there is no lane {lane}: links.lanes is {lanes}, and lanes count from 0");
            collector.report(format!("{path}.{i}.lanes.{k}"), fact, "take a lower lane, or raise links.lanes");
        }
    }
}

/// Checks what cannot be combined with packets that change lanes.
fn check_company(scenario: &Scenario, hop_lanes: &HopLanes, collector: &mut Collector<'_>) {
    let path = "links.hop_lanes";
    if !scenario.switches.are_plain() {
        let fact = "queues with room of their own, crossbars and matchings go by the lane in which packets came in";
        let remedy = "leave it out, or take switches.queues = \"voq\" or \"single\" over shared memory, without crossbar and islip";
        collector.report(path, fact, remedy);
    }
    if scheme_parts(&scenario.scheme).isolate.isolates() || scenario.scheme.schedule().regions().is_some() {
        let fact = "flows are set aside, or paced, in the lane in which they came in";
        collector.report(path, fact, "leave it out, or leave out scheme.isolate and scheme.schedule");
    }
    if let FlowControl::Pfc(pfc) = &scenario.links.flow_control
        && pfc.counts == PauseCounts::Queue
    {
        let fact = "a queue over its threshold pauses the lane in which its packets came in, and here they come in by several lanes";
        collector.report(path, fact, "leave it out, or let pauses go by inputs");
    }
    if matches!(hop_lanes, HopLanes::ByService(_)) && scenario.measure.probes.contains(&Probe::Trees) {
        let fact = "congestion trees are followed from lane to lane, and here lanes follow from service levels";
        collector.report("measure.probes", fact, "leave out the probe trees, or write the lanes by-lane");
    }
}
