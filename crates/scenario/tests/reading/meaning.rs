//! Scenarios that can be read, and their resolved values.

use congestree_fabric::plan::{CreditUnit, QueueMap};
use congestree_scenario::{Format, expand, read};
use congestree_traffic::{Arrivals, FlowMapping, Pattern};
use congestree_units::{Span, Time};
use congestree_wire::{FlowId, HostId};

const HOT_SPOT: &str = r#"
name = "hot spot"

[topology.two-switch]
local = 10
remote = 10

[links]
rate = "8 Gbit/s"
[links.flow_control.packet-slots]

[switches]
buffer = "4 packets"
queues = "single"
read_ports = "one"
arbiter.fifo = { bypass_limit = 4 }
forwarding_delay = "40 ns"

[adapters]
window = 1

[scheme]
preset = "input-triggered"

[[traffic]]
name = "local"
from = "local"
to = "B_C"
stagger = "100 us"

[[traffic]]
name = "remote"
from = ["remote"]
to = "B_C"

[[traffic]]
name = "victim"
from = "A_V"
to = "B_V"
stop = "60 ms"

[measure]
duration = "100 ms"
probes = ["flows", "events"]
"#;

fn printed(text: &str) -> String {
    match read(text, Format::Toml, "test.toml") {
        Ok(_) => "fine".into(),
        Err(diagnostics) => diagnostics.to_string(),
    }
}

#[test]
fn the_hot_spot_of_the_papers_becomes_a_plan() {
    let checked = read(HOT_SPOT, Format::Toml, "hot-spot.toml").unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
    let plan = checked.plan;
    assert_eq!(plan.graph.hosts.len(), 23);
    assert_eq!(plan.flow_control.unit, CreditUnit::Slot);
    assert!(!plan.flow_control.control_uses_credits);
    assert_eq!((plan.switch.buffer_units, plan.switch.queues), (vec![4], QueueMap::Single));
    assert_eq!((plan.flows.len(), plan.sources.len()), (21, 21));
    assert_eq!(plan.sources[3].start, Time(300_000_000));
    assert_eq!(plan.sources[20].profile.pattern, Pattern::Fixed(22));
    assert_eq!(plan.sources[20].profile.stop, Time(60_000_000_000));
    assert!(plan.flows.iter().all(|flow| flow.window == Some(1)));
    assert_eq!(plan.measure.bin, Span::from_ms(1));
    assert_eq!(plan.classes, ["local", "remote", "victim"]);
    assert!(plan.scheme.mark.marks() && plan.scheme.react.needs().marks);
}

#[test]
fn a_load_becomes_a_mean_gap() {
    let text = r#"
        topology = { fat-tree = { radix = 4 } }
        links.rate = "1 GB/s"
        adapters = { header = "48 B", mtu = "2000 B" }
        traffic = [{ from = "all", pattern = "uniform", arrivals.poisson.load = 0.5, message = "4000 B" }]
        measure.duration = "1 ms"
    "#;
    let plan = read(text, Format::Toml, "").unwrap_or_else(|diagnostics| panic!("{diagnostics}")).plan;
    // Two packets of 2048 B at 1 ns a byte, half of the time.
    assert_eq!(plan.sources[7].profile.arrivals, Arrivals::Poisson { mean_gap: Span(8_192_000) });
    assert_eq!(plan.sources[7].mapping, FlowMapping::One(7));
    assert_eq!((plan.flows.len(), plan.flows[FlowId(7)].destination, plan.flows[FlowId(7)].window), (8, None, None));
}

#[test]
fn a_pattern_with_a_window_has_a_flow_for_each_pair() {
    let text = r#"{"topology": {"single-switch": {"hosts": 4}}, "links": {"rate": "8 Gbit/s"},
        "adapters": {"window": 2}, "measure": {"duration": "1 ms"},
        "traffic": [{"from": "all", "pattern": "uniform", "arrivals": {"poisson": {"load": 1}}}]}"#;
    let checked = read(text, Format::Json, "").unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
    assert_eq!(checked.facts.flows, 12);
    assert_eq!(checked.plan.flows.len(), 16);
    assert_eq!(checked.plan.sources[2].mapping, FlowMapping::PerDestination { base: 8 });
    assert_eq!(checked.plan.flows[FlowId(9)].destination, Some(HostId(1)));
}

#[test]
fn a_diagnostic_names_the_place_the_fact_and_the_remedy() {
    let text = HOT_SPOT.replace("preset = \"input-triggered\"", "react.lipd.floor = \"150 parsecs\"");
    let place = "test.toml:23:20  scheme.react.lipd.floor\n  expected a number, found \"150 parsecs\"\n";
    let text = printed(&text);
    assert!(text.starts_with(place), "{text}");
}

#[test]
fn only_a_sum_of_queues_can_be_above_a_whole_buffer() {
    let marked = |fill: &str| {
        let text = format!(
            r#"{{
                "topology": {{"single-switch": {{"hosts": 3}}}},
                "links": {{"rate": "16 Gbit/s"}},
                "switches": {{"buffer": "32 KiB"}},
                "scheme": {{"preset": "ib-cc", "mark": {{"fecn": {{"enter": "40 KiB", "fill": "{fill}"}}}}}},
                "traffic": [{{"from": ["H1", "H2"], "to": "H3"}}],
                "measure": {{"duration": "1 ms"}}
            }}"#
        );
        read(&text, Format::Json, "").map_err(|diagnostics| diagnostics.to_string())
    };
    assert!(marked("sum").is_ok() && marked("sum-per-input").is_ok());
    let text = marked("voq").expect_err("one queue is never above its buffer");
    assert!(text.contains("a queue is never above 40 KiB when the buffer of its input holds 32 KiB"), "{text}");
}

#[test]
fn a_sweep_is_the_product_of_its_lists() {
    let text = HOT_SPOT.to_owned()
        + "[sweep]\nseed = [1, 2]\n\"scheme.react.lipd.floor\" = [64.0, 256.0, 512.0]\nscheme.preset = [\"none\"]";
    let points = expand(&text, Format::Toml, "").unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
    assert_eq!(points.len(), 6);
    assert_eq!((points[0].scenario.seed, points[5].scenario.seed), (1, 2));
    let values = serde_json::to_string(&points[1]).unwrap();
    assert!(
        values.starts_with(r#"{"values":{"seed":1,"scheme.react.lipd.floor":256.0,"scheme.preset":"none"}"#),
        "{values}"
    );
    assert_eq!(read(&text, Format::Toml, "").unwrap_or_else(|diagnostics| panic!("{diagnostics}")).facts.runs, 6);
}
