//! Traffic whose messages are flows of their own, sizes from a table, and messages from a list.

use std::collections::BTreeMap;
use std::sync::Arc;

use congestree_fabric::plan::FlowPlan;
use congestree_schemes::TransportParams;
use congestree_traffic::{self as plan, Cdf, FlowMapping, ListedMessage, Pattern, SourcePlan, TrafficProfile};
use congestree_units::{Bytes, Span, Time};
use congestree_wire::HostId;

use crate::diagnostic::name as name_of;
use crate::resolve::Collector;
use crate::resolve::limits::LARGEST_MESSAGE;
use crate::resolve::switches::pfc;
use crate::resolve::traffic::entry::InPlace;
use crate::resolve::traffic::flows::{self, TrafficTables};
use crate::types::{self, Arrivals, Flows, List, Probe, Scenario, Traffic};
use crate::workloads::published;

/// Checks an entry whose messages are flows of their own, or come from a list, by itself.
pub(in crate::resolve) fn check_entry(entry: &Traffic, path: &str, collector: &mut Collector<'_>) {
    let at = |key: &str| format!("{path}.{key}");
    if entry.list.is_some() {
        let said = [
            ("from", entry.from.is_some()),
            ("to", entry.to.is_some()),
            ("pattern", entry.pattern.is_some()),
            ("program", entry.program.is_some()),
            ("arrivals", entry.arrivals != Arrivals::default()),
            ("message", entry.message.is_some()),
            ("sizes", entry.sizes.is_some()),
            ("stagger", entry.stagger != Span::ZERO),
            ("jitter", entry.jitter != Span::ZERO),
        ];
        for (key, _) in said.into_iter().filter(|(_, said)| *said) {
            collector.report(at(key), "the list says who sends what, where and when", "leave it out");
        }
    } else if entry.flows == Flows::ByMessage && entry.program.is_some() {
        let fact = "the messages of an application go one after the other in the flow between two hosts";
        collector.report(at("flows"), fact, "leave it out, or take a pattern in place of the program");
    } else if entry.flows == Flows::ByMessage {
        let fact = match entry.arrivals {
            Arrivals::Greedy | Arrivals::OnOff(_) => "a greedy source sends one message without end",
            Arrivals::Steady(_) => "a steady source makes its messages when they can be sent, so they never compete",
            Arrivals::Poisson(_)
            | Arrivals::Gaps(_)
            | Arrivals::Messages(_)
            | Arrivals::Incast(_)
            | Arrivals::Injected => return,
        };
        let remedy = "take arrivals.poisson with a load, or arrivals.messages, or flows = \"by-pair\"";
        collector.report(at("arrivals"), fact, remedy);
    }
}

const NEVER_FINISHES: &str = "a flow that loses a packet would never finish";

/// The key that makes the flows of an entry finite.
fn key(entry: &Traffic) -> &'static str {
    match entry {
        entry if entry.list.is_some() => "list",
        entry if entry.flows == Flows::ByMessage => "flows",
        entry if entry.arrivals == Arrivals::Injected => "arrivals",
        _ => "arrivals.incast",
    }
}

/// The remedy if there is a transport: what to write in place of that key.
fn remedy(key: &str) -> &'static str {
    match key {
        "flows" => "take flows = \"by-pair\" with the probe transfers, or no transport",
        "list" => "write entries with from, to and arrivals.messages, and the probe transfers, or take no transport",
        "arrivals" => "take no transport",
        _ => {
            "write arrivals.messages, of which all hosts of `from` send one at a time, and the probe transfers, or take no transport"
        }
    }
}

/// Reports an entry with finite flows in a lossy lane, if other lanes are lossless. A transport, which could send lost
/// packets again, is refused by [`check`].
pub(in crate::resolve) fn check_lane(
    scenario: &Scenario,
    entry: &Traffic,
    lane: u8,
    path: &str,
    collector: &mut Collector<'_>,
) {
    if entry.is_finite() && !scenario.links.lose() && pfc::loses(scenario, lane) {
        collector.report(format!("{path}.{}", key(entry)), NEVER_FINISHES, "take a lane that is lossless");
    }
}

/// Checks that nothing else in the scenario excludes flows of one message.
pub(in crate::resolve) fn check(scenario: &Scenario, transport: &TransportParams, collector: &mut Collector<'_>) {
    let first = scenario.traffic.iter().position(Traffic::is_finite);
    if let Some(first) = first {
        let key = key(&scenario.traffic[first]);
        let path = format!("traffic.{first}.{key}");
        if transport.repairs() {
            let fact = "a transport has one connection between two hosts, with one message after the other";
            collector.report(path, fact, remedy(key));
        } else if let Some(cure) = scenario.links.cure_of_losses() {
            collector.report(path, NEVER_FINISHES, cure);
        }
    } else if scenario.measure.probes.contains(&Probe::Completions) {
        let fact = "no message is a flow of its own, so there would be nothing to record";
        let remedy = "write flows = \"by-message\" in an entry of traffic, or leave out the probe completions";
        collector.report("measure.probes", fact, remedy);
    }
}

/// A table of sizes as given in the scenario, or as published. One with a reported error has no rows.
pub(in crate::resolve) fn cdf(table: &types::Cdf) -> Arc<Cdf> {
    let rows = match table {
        types::Cdf::Rows(rows) if fault(rows).is_some() => Vec::new(),
        types::Cdf::Rows(rows) => rows.iter().map(|row| (row.size, row.share)).collect(),
        types::Cdf::Name(name) => {
            published(name).unwrap_or_default().into_iter().map(|(size, share)| (Bytes(size as u64), share)).collect()
        }
    };
    Arc::new(Cdf::new(rows))
}

/// Checks that rows are in order, up to one, with sizes that can be sent.
pub(in crate::resolve) fn check_cdf(table: &types::Cdf, path: &str, collector: &mut Collector<'_>) {
    if let types::Cdf::Rows(rows) = table
        && let Some((row, key, fact, remedy)) = fault(rows)
    {
        collector.report(format!("{path}.{row}.{key}"), fact, remedy);
    }
}

/// The error in the rows of a table: which row and key, fact and remedy.
fn fault(rows: &[types::CdfRow]) -> Option<(usize, &'static str, String, &'static str)> {
    for (i, two) in rows.windows(2).enumerate() {
        if two[1].size < two[0].size {
            let fact = format!("{} comes after {}", two[1].size, two[0].size);
            return Some((i + 1, "size", fact, "write the sizes in ascending order"));
        }
        if two[1].share < two[0].share {
            let fact = format!("the share falls from {} to {}", two[0].share, two[1].share);
            return Some((i + 1, "share", fact, "write for each size the share of messages that are no larger"));
        }
    }
    let last = rows.len() - 1;
    let row = &rows[last];
    if row.share != 1.0 {
        let fact = format!("the last share is {}, so nothing is said of the largest messages", row.share);
        return Some((last, "share", fact, "end with the largest size and the share 1"));
    }
    if row.size == Bytes(0) {
        return Some((last, "size", "messages have no bytes".into(), "give sizes above zero"));
    }
    let fact = || (last, "size", format!("{} is too large for a message", row.size), "make it smaller");
    (row.size > LARGEST_MESSAGE).then(fact)
}

/// The sources and flows of a list: one source for each host that sends, in order of hosts.
pub(in crate::resolve) fn add_list(
    place: &InPlace<'_>,
    list: &List,
    tables: &mut TrafficTables,
    collector: &mut Collector<'_>,
) {
    let &InPlace { network, path, .. } = place;
    let List::Rows(rows) = list else { return };
    let mut of_host: BTreeMap<u32, Vec<ListedMessage>> = BTreeMap::new();
    for (i, row) in rows.iter().enumerate() {
        let path = format!("{path}.list.{i}");
        let from = network.directory.one(&row.from, &format!("{path}.from"), collector);
        let to = network.directory.one(&row.to, &format!("{path}.to"), collector);
        let (Some(from), Some(to)) = (from, to) else { return };
        let wrong = if from == to {
            Some(("to", format!("{} would send to itself", name_of(&row.to)), "name another host"))
        } else if row.message == Bytes(0) {
            Some(("message", "a message has no bytes".to_owned(), "give it at least 1 B"))
        } else if row.message > LARGEST_MESSAGE {
            Some(("message", format!("{} is too large for a message", row.message), "make it smaller"))
        } else {
            None
        };
        if let Some((key, fact, remedy)) = wrong {
            return collector.report(format!("{path}.{key}"), fact, remedy);
        }
        of_host.entry(from).or_default().push(ListedMessage {
            after: row.at.since(Time::START),
            to,
            bytes: row.message,
        });
    }
    add_listed(place, of_host, tables, collector);
}

/// Adds a source at each of these hosts, for messages that the caller of the engine injects during the run.
pub(in crate::resolve) fn add_injected(
    place: &InPlace<'_>,
    from: &[u32],
    tables: &mut TrafficTables,
    collector: &mut Collector<'_>,
) {
    let &InPlace { entry, path, .. } = place;
    let said = [
        ("to", entry.to.is_some()),
        ("pattern", entry.pattern.is_some()),
        ("message", entry.message.is_some()),
        ("sizes", entry.sizes.is_some()),
        ("start", entry.start != Time::START),
        ("stop", entry.stop.is_some()),
        ("stagger", entry.stagger != Span::ZERO),
        ("jitter", entry.jitter != Span::ZERO),
    ];
    for (key, _) in said.into_iter().filter(|(_, said)| *said) {
        let fact = "for injected messages the caller sets size, destination and time";
        collector.report(format!("{path}.{key}"), fact, "leave it out");
    }
    if !tables.has_room(from.len(), 1) {
        return collector.report(path, format!("there would be more than {} flows", flows::MOST), flows::FEWER);
    }
    let profile = Arc::new(TrafficProfile {
        arrivals: plan::Arrivals::Listed,
        pattern: Pattern::Uniform,
        message: plan::Sizes::Listed,
        stop: Time::NEVER,
        jitter: Span::ZERO,
        list: Vec::new(),
    });
    let flow = place.flow();
    for &host in from {
        let mapping = FlowMapping::Each(tables.flows.push(FlowPlan { source: HostId(host), ..flow }).0);
        tables.sources.push(SourcePlan { host, mapping, start: Time::START, profile: profile.clone() });
    }
}

/// The sources and flows of these messages, which are given by host.
pub(in crate::resolve) fn add_listed(
    place: &InPlace<'_>,
    of_host: BTreeMap<u32, Vec<ListedMessage>>,
    tables: &mut TrafficTables,
    collector: &mut Collector<'_>,
) {
    let (&InPlace { entry, path, .. }, flow) = (place, place.flow());
    if !tables.has_room(of_host.len(), 1) {
        return collector.report(path, format!("there would be more than {} flows", flows::MOST), flows::FEWER);
    }
    for (host, mut messages) in of_host {
        messages.sort_by_key(|message| message.after);
        let account = tables.flows.push(FlowPlan { source: HostId(host), ..flow });
        tables.sources.push(SourcePlan {
            host,
            mapping: FlowMapping::Each(account.0),
            start: entry.start,
            profile: TrafficProfile {
                arrivals: plan::Arrivals::Listed,
                pattern: Pattern::Fixed(messages[0].to),
                message: plan::Sizes::Listed,
                stop: entry.stop.unwrap_or(Time::NEVER),
                jitter: Span::ZERO,
                list: messages,
            }
            .into(),
        });
    }
}
