//! Traffic: who sends what to whom, resolved to sources and flows.

pub(in crate::resolve) mod finite;
pub(in crate::resolve) mod flows;
pub(in crate::resolve) mod incast;
pub(in crate::resolve) mod queue_pairs;

use std::collections::HashMap;
use std::sync::Arc;

use congestree_fabric::plan::{FlowPlan, JobPlan, SchemePlan};
use congestree_schemes::NotifyParams;
use congestree_traffic::{self as plan, Feeds, SourcePlan, TrafficProfile};
use congestree_units::{Bytes, Rate, Span, Time};
use congestree_wire::{FlowId, HostId, IndexVec};

use crate::complaint::name as name_of;
use crate::needs::memory;
use crate::resolve::Findings;
use crate::resolve::jobs;
use crate::resolve::limits::{LARGEST_MESSAGE, check_rate};
use crate::resolve::network::built::Network;
use crate::resolve::network::destination_lanes;
use crate::resolve::scheme::transport;
use crate::resolve::traffic::flows::{Book, Destinations, destinations};
use crate::types::{self, After, Arrivals, Queues, Scenario, Traffic};

/// Flows, sources, applications, and names of the classes.
pub(in crate::resolve) type TrafficPlan = (IndexVec<FlowId, FlowPlan>, Vec<SourcePlan>, Vec<Arc<JobPlan>>, Vec<String>);

/// Messages of one source that may be generated at once.
const MOST_AT_ONCE: u64 = 20_000_000;

pub(in crate::resolve) fn plan(
    scenario: &Scenario,
    network: &Network,
    scheme: &SchemePlan,
    findings: &mut Findings<'_>,
) -> Option<TrafficPlan> {
    let mut book = Book::default();
    let mut applications = Vec::new();
    for (position, entry) in scenario.traffic.iter().enumerate() {
        let path = format!("traffic.{position}");
        let entry = InPlace { scenario, network, scheme, position, entry, path: &path };
        if !entry.add(&mut book, &mut applications, findings) {
            return None;
        }
    }
    destination_lanes::apply(scenario, network, &mut book.flows, findings);
    let names = scenario.traffic.iter().enumerate().map(|(i, entry)| entry.class_name(i)).collect();
    findings.diagnostics.is_empty().then_some((book.flows, book.sources, applications, names))
}

/// An entry, with everything on which its meaning depends.
struct InPlace<'a> {
    scenario: &'a Scenario,
    network: &'a Network,
    scheme: &'a SchemePlan,
    position: usize,
    entry: &'a Traffic,
    path: &'a str,
}

impl InPlace<'_> {
    /// Adds its flows and sources, or its application. Returns false if there would be too many, so that everything
    /// ends here.
    fn add(&self, book: &mut Book, applications: &mut Vec<Arc<JobPlan>>, findings: &mut Findings<'_>) -> bool {
        let (&InPlace { scenario, network, scheme, entry, path, .. }, flow) = (self, self.flow());
        let transport = &self.scheme.transport;
        transport::check_entry(scenario, entry, scheme, flow.lane, path, findings);
        jobs::check(scenario, entry, (transport.repairs(), flow.lane), path, findings);
        finite::check_lane(scenario, entry, flow.lane, path, findings);
        check_own_rate(entry, self.scheme, path, findings);
        queue_pairs::check(entry, path, findings);
        if let Some(list) = &entry.list {
            finite::add_list(list, entry, flow, network, path, book, findings);
            return true;
        }
        let Some(from) = &entry.from else {
            let remedy = "name the sending hosts, such as from = \"all\", or give a list of messages";
            findings.complain(format!("{path}.from"), "it is not said who sends", remedy);
            return true;
        };
        let from = network.directory.several(from, &format!("{path}.from"), findings);
        if let Some(program) = &entry.program {
            if let Some(from) = from {
                let position = self.position;
                let application = jobs::Application { scenario, position, program, from: &from, network, scheme };
                applications.extend(jobs::plan(&application, flow, book, findings).map(Arc::new));
            }
            return true;
        }
        if let (Arrivals::Injected, Some(from)) = (&entry.arrivals, &from) {
            finite::add_injected(entry, from, flow, path, book, findings);
            return true;
        }
        let to = destinations(scenario.seed, self.position, entry, network, path, findings);
        let (Some(from), Some(to)) = (from, to) else { return true };
        if let Arrivals::Incast(incast) = &entry.arrivals {
            let to = if let Destinations::Fixed(host) = to { Some(host) } else { None };
            incast::add((scenario, entry, incast), &from, to, flow, network, path, book, findings);
            return true;
        }
        check_sources(entry, &from, &to, network, path, findings);
        self.add_sources(&from, &to, flow, book, findings)
    }

    /// A flow of it, without its ends.
    fn flow(&self) -> FlowPlan {
        let InPlace { scenario, scheme, entry, .. } = self;
        let window = entry.window.or(scenario.adapters.window);
        let needs = scheme.react.needs();
        FlowPlan {
            source: HostId(0),
            destination: None,
            class: u16::try_from(self.position).unwrap_or(u16::MAX),
            service: entry.service,
            lane: entry.lane.or(scenario.links.service_lanes.get(usize::from(entry.service)).copied()).unwrap_or(0),
            window,
            // A transport has ACKs of its own.
            acked: !scheme.transport.repairs()
                && (window.is_some() || (needs.marks && scheme.notify == NotifyParams::Ack) || needs.window),
            rate_limit: entry.rate,
        }
    }

    /// Whether a pair of hosts needs a flow of its own.
    fn is_paired(&self, flow: FlowPlan) -> bool {
        let InPlace { scenario, scheme, entry, .. } = self;
        let own_queues = matches!(scenario.switches.queues, Queues::Voqnet(_));
        let own_lanes = scenario.links.destination_lanes.is_some() && entry.lane.is_none();
        let told_apart = scheme.isolate.is_some() || scheme.flow_queues.is_some();
        let answered = flow.acked || scheme.react.needs().marks || scheme.transport.repairs();
        answered || told_apart || own_queues || own_lanes
    }

    /// Adds its sources, each with its flows. Returns false if there would be too many.
    fn add_sources(
        &self,
        from: &[u32],
        to: &Destinations,
        flow: FlowPlan,
        book: &mut Book,
        findings: &mut Findings<'_>,
    ) -> bool {
        let InPlace { scenario, network, entry, path, .. } = *self;
        let finite = entry.is_finite();
        let spread = flows::spread(to, self.is_paired(flow) && !finite);
        check_spread(entry, to, spread, path, findings);
        queue_pairs::check_destinations(entry, to, path, findings);
        let hosts = network.graph.hosts.len();
        let each = if spread { hosts } else { entry.queue_pairs.unwrap_or(1) as usize };
        if !book.has_room(from.len(), each) {
            findings.complain(path, format!("there would be more than {} flows", flows::MOST), flows::FEWER);
            return false;
        }
        let count = (book.flows.len() + from.len() * each) as u64;
        if !findings.fits(path, format_args!("{count} flows"), memory::FLOW * count) {
            return false;
        }
        let mut shared: Option<Arc<TrafficProfile>> = None;
        for (k, &host) in from.iter().enumerate() {
            let flow = FlowPlan { source: HostId(host), ..flow };
            let feeds = match entry.queue_pairs.filter(|&pairs| pairs > 1) {
                Some(pairs) => {
                    let flow = FlowPlan { destination: to.fixed(HostId(host)), ..flow };
                    queue_pairs::add(book, flow, pairs, &entry.arrivals)
                }
                None => match book.add(flow, to, spread, hosts as u32) {
                    Feeds::One(flow) if finite => vec![Feeds::Each(flow)],
                    feeds => vec![feeds],
                },
            };
            let profile = TrafficProfile {
                arrivals: arrivals(scenario, entry, network.host_rates[host as usize], path, findings),
                pattern: to.pattern(host),
                message: sizes(scenario, entry),
                stop: entry.stop.unwrap_or(Time::NEVER),
                jitter: entry.jitter,
                list: Vec::new(),
            };
            let profile = shared.take().filter(|other| **other == profile).unwrap_or_else(|| profile.into());
            shared = Some(profile.clone());
            let start = entry.start + Span(entry.stagger.0.saturating_mul(k as u64));
            book.sources.extend(feeds.into_iter().map(|feeds| SourcePlan {
                host,
                feeds,
                start,
                profile: profile.clone(),
            }));
        }
        true
    }
}

/// Whether a source can feed the flows that its pattern and the scheme make of it.
fn check_spread(entry: &Traffic, to: &Destinations, spread: bool, path: &str, findings: &mut Findings<'_>) {
    if spread && matches!(entry.arrivals, Arrivals::Greedy | Arrivals::OnOff(_)) {
        findings.complain(
            format!("{path}.arrivals"),
            "a greedy source cannot share itself among many flows (the pattern moves, there is a window, a reaction or \
             isolation, or destinations have queues or lanes of their own)",
            "take arrivals.poisson or arrivals.steady with a load, or a fixed destination",
        );
    } else if to.moves() && !matches!(entry.arrivals, Arrivals::Steady(_)) {
        let fact = "messages to a moving hot host are made when the host can send them";
        findings.complain(format!("{path}.arrivals"), fact, "take arrivals.steady with a load");
    } else if let Arrivals::Gaps(gaps) = &entry.arrivals
        && gaps.after == After::Done
        && (spread || entry.is_finite())
    {
        findings.complain(
            format!("{path}.arrivals.gaps.after"),
            "messages of a source go by several flows here, and gaps wait for none of them",
            "write after = \"made\", or give every source one destination",
        );
    }
}

/// Whether its flows can have a rate of their own.
fn check_own_rate(entry: &Traffic, scheme: &SchemePlan, path: &str, findings: &mut Findings<'_>) {
    if scheme.react.needs().shared && entry.rate.is_some() {
        let fact = "flows that share a throttle by service level cannot have rates of their own";
        findings.complain(format!("{path}.rate"), fact, "leave it out, or take scheme.react.cct.per = \"qp\"");
    }
}

/// Checks of the entries by themselves.
pub(in crate::resolve) fn check(scenario: &Scenario, findings: &mut Findings<'_>) {
    if scenario.traffic.len() > usize::from(u16::MAX) {
        findings.complain(
            "traffic",
            "there are more entries than there can be traffic classes (65535)",
            "join some of them",
        );
    }
    let mut classes: HashMap<String, usize> = HashMap::new();
    for (i, entry) in scenario.traffic.iter().enumerate() {
        let path = format!("traffic.{i}");
        if let Some(first) = classes.insert(entry.class_name(i), i) {
            let fact = format!("traffic.{first} has the name {} already", name_of(&entry.class_name(i)));
            findings.complain(format!("{path}.name"), fact, "give every entry a name of its own");
        }
        check_entry(scenario, entry, &path, findings);
    }
}

fn check_entry(scenario: &Scenario, entry: &Traffic, path: &str, findings: &mut Findings<'_>) {
    let at = |key: &str| format!("{path}.{key}");
    if let Some(lane) = entry.lane.filter(|&lane| lane >= scenario.links.lanes) {
        let lanes = scenario.links.lanes;
        let fact = format!("there is no lane {lane}: links have {lanes}, counted from 0");
        findings.complain(at("lane"), fact, format!("make links.lanes at least {}", lane + 1));
    }
    check_rate(entry.rate, &at("rate"), findings);
    check_sizes(entry, path, findings);
    finite::check_entry(entry, path, findings);
    check_arrivals(entry, path, findings);
    if let Some(stop) = entry.stop.filter(|&stop| stop <= entry.start) {
        let fact = format!("it stops at {stop}, before it has started at {}", entry.start);
        findings.complain(at("stop"), fact, "let it stop later, or start earlier");
    }
}

/// Checks when its messages are generated.
fn check_arrivals(entry: &Traffic, path: &str, findings: &mut Findings<'_>) {
    let at = |key: &str| format!("{path}.{key}");
    match &entry.arrivals {
        Arrivals::OnOff(periods) => {
            for (key, mean) in [("on", periods.on), ("off", periods.off)] {
                if mean == Span::ZERO {
                    let remedy = if key == "on" { "give a mean above zero" } else { "take arrivals = \"greedy\"" };
                    findings.complain(at(&format!("arrivals.on-off.{key}")), "the period has no length", remedy);
                }
            }
        }
        Arrivals::Messages(messages) => {
            let all = messages.every.is_none_or(|every| every == Span::ZERO);
            let (key, at_once) = if all { ("count", messages.count) } else { ("burst", messages.burst) };
            if at_once > MOST_AT_ONCE {
                let remedy = match key {
                    "count" => "give arrivals.messages.every, or take arrivals = \"greedy\"",
                    _ => "make it smaller",
                };
                let fact = format!("{at_once} messages would be made at once");
                findings.complain(at(&format!("arrivals.messages.{key}")), fact, remedy);
            }
        }
        Arrivals::Steady(steady) => match (steady.load, steady.rate) {
            (None, None) => {
                let remedy = "write arrivals.steady = { load = 0.5 } or { rate = \"13.5 Gbit/s\" }";
                findings.complain(at("arrivals.steady"), "it is not said how much is sent", remedy);
            }
            (Some(_), Some(_)) => {
                findings.complain(at("arrivals.steady.rate"), "there are both a load and a rate", "keep one of them");
            }
            (_, rate) => check_rate(rate, &at("arrivals.steady.rate"), findings),
        },
        Arrivals::Gaps(gaps) if gaps.mean == Span::ZERO => {
            findings.complain(at("arrivals.gaps.mean"), "the gaps have no length", "take arrivals = \"greedy\"");
        }
        Arrivals::Incast(incast) => incast::check_entry(entry, incast, path, findings),
        Arrivals::Greedy | Arrivals::Poisson(_) | Arrivals::Gaps(_) | Arrivals::Injected => {}
    }
}

/// Checks the sizes of messages: either fixed or drawn, and within limits.
fn check_sizes(entry: &Traffic, path: &str, findings: &mut Findings<'_>) {
    match entry.message {
        Some(Bytes(0)) => {
            findings.complain(format!("{path}.message"), "a message has no bytes", "give it at least 1 B");
        }
        Some(size) if size > LARGEST_MESSAGE => {
            let fact = format!("{size} is too large for a message");
            findings.complain(format!("{path}.message"), fact, "take arrivals = \"greedy\"");
        }
        _ => {}
    }
    let Some(sizes) = &entry.sizes else { return };
    if entry.message.is_some() {
        let fact = "there are both a fixed size and a distribution of sizes";
        findings.complain(format!("{path}.sizes"), fact, "keep either message or sizes");
    }
    if matches!(entry.arrivals, Arrivals::Steady(_)) {
        let fact = "a steady source makes messages that are all alike";
        findings.complain(format!("{path}.sizes"), fact, "give a fixed message, or arrivals.poisson with a load");
    }
    let pareto = match sizes {
        types::Sizes::Pareto(pareto) => pareto,
        types::Sizes::Cdf(table) => return finite::check_cdf(table, &format!("{path}.sizes.cdf"), findings),
    };
    let at = |key: &str| format!("{path}.sizes.pareto.{key}");
    if pareto.mean.0 == 0 {
        findings.complain(at("mean"), "messages have no bytes", "give a mean of at least 1 B");
    } else if pareto.mean > LARGEST_MESSAGE {
        findings.complain(at("mean"), format!("{} is too large for a message", pareto.mean), "make it smaller");
    }
    let smallest = Bytes((pareto.mean.0 as f64 * (pareto.shape - 1.0) / pareto.shape) as u64);
    if let Some(most) = pareto.most.filter(|&most| most <= smallest) {
        let fact = format!("all messages are larger than {most}: the smallest have {smallest}");
        findings.complain(at("most"), fact, "make it larger, or give a fixed message");
    }
}

/// Checks of an entry together with the hosts that it names.
fn check_sources(
    entry: &Traffic,
    from: &[u32],
    to: &Destinations,
    network: &Network,
    path: &str,
    findings: &mut Findings<'_>,
) {
    if let Some(&host) = from.iter().find(|&&host| to.fixed(HostId(host)) == Some(HostId(host))) {
        let name = name_of(&network.graph.hosts[host as usize]);
        let (key, remedy) = match entry.to {
            Some(_) => ("to", "leave it out of `from`, or send elsewhere"),
            None => ("pattern", "shift by another distance"),
        };
        findings.complain(format!("{path}.{key}"), format!("{name} would send to itself"), remedy);
    }
    let last = Span(entry.stagger.0.saturating_mul(from.len() as u64 - 1));
    if let Some(stop) = entry.stop.filter(|&stop| stop > entry.start && stop <= entry.start + last) {
        findings.complain(
            format!("{path}.stagger"),
            format!("the last source starts {last} after the first, when all have stopped at {stop}"),
            "make it smaller, or let the traffic stop later",
        );
    }
}

/// Payload of a message.
fn sizes(scenario: &Scenario, entry: &Traffic) -> plan::Sizes {
    match &entry.sizes {
        Some(types::Sizes::Pareto(pareto)) => {
            plan::Sizes::Pareto { shape: pareto.shape, mean: pareto.mean, most: pareto.most }
        }
        Some(types::Sizes::Cdf(table)) => plan::Sizes::Cdf(finite::cdf(table)),
        None => plan::Sizes::Fixed(entry.message.unwrap_or(scenario.adapters.mtu)),
    }
}

/// Bytes of a whole message on the wire, headers included.
fn wire_bytes(scenario: &Scenario, entry: &Traffic) -> u128 {
    let payload = sizes(scenario, entry).mean().0;
    let packets = payload.div_ceil(scenario.adapters.mtu.0.max(1));
    u128::from(payload) + u128::from(packets) * u128::from(scenario.adapters.header.0)
}

/// When a source generates messages, with a load converted to a mean gap.
fn arrivals(
    scenario: &Scenario,
    entry: &Traffic,
    rate: Rate,
    path: &str,
    findings: &mut Findings<'_>,
) -> plan::Arrivals {
    match &entry.arrivals {
        // Incasts are lists by now.
        Arrivals::Greedy | Arrivals::Incast(_) | Arrivals::Injected => plan::Arrivals::Greedy,
        Arrivals::OnOff(periods) => plan::Arrivals::OnOff { on: periods.on, off: periods.off },
        Arrivals::Gaps(gaps) => plan::Arrivals::Gaps {
            mean: gaps.mean,
            after: match gaps.after {
                After::Made => plan::After::Made,
                After::Done => plan::After::Done,
            },
        },
        Arrivals::Messages(messages) => {
            let every = messages.every.unwrap_or(Span::ZERO);
            plan::Arrivals::Messages { count: messages.count, every, burst: messages.burst.max(1) }
        }
        Arrivals::Steady(steady) => {
            let (payload, wire) = (u128::from(sizes(scenario, entry).mean().0), wire_bytes(scenario, entry));
            let of_link = |load: f64| Rate((rate.0 as f64 * load * payload as f64 / wire.max(1) as f64 + 0.5) as u64);
            let rate = steady.rate.or(steady.load.map(of_link)).unwrap_or(rate);
            plan::Arrivals::Steady { rate: Rate(rate.0.max(1)) }
        }
        Arrivals::Poisson(poisson) => {
            // Wire time of a whole message, headers included, in picoseconds.
            let bits = 8 * 1_000_000_000_000;
            let time = match sizes(scenario, entry) {
                plan::Sizes::Cdf(cdf) => {
                    let headers = cdf.mean_pieces(scenario.adapters.mtu.0) * scenario.adapters.header.0 as f64;
                    (cdf.mean() + headers) * bits as f64 / rate.0.max(1) as f64
                }
                _ => (wire_bytes(scenario, entry) * bits).div_ceil(u128::from(rate.0.max(1))) as f64,
            };
            let gap = (time / poisson.load + 0.5).floor();
            if gap >= Time::NEVER.0 as f64 / 4.0 {
                let fact = format!("at this load a message comes every {:.0} days", gap / 1e12 / 86_400.0);
                findings.complain(format!("{path}.arrivals.poisson.load"), fact, "make it larger");
            }
            plan::Arrivals::Poisson { mean_gap: Span((gap as u64).max(1)) }
        }
    }
}
