//! Fabrics listed link by link: topology files, forwarding tables by port, levels, and the network as plain data.

use congestree_scenario::types::{Routing, Topology};
use congestree_scenario::{Format, expand, forwarding_tables, network, read};

/// As if it were in the folder of the malformed scenarios, whose topology files it uses.
const PLACE: &str = "tests/malformed/scenario.toml";

const REST: &str = "
[links]
rate = \"8 Gbit/s\"
[[traffic]]
from = \"a\"
to = \"b\"
[measure]
duration = \"1 ms\"
";

fn scenario(head: &str) -> String {
    format!("{head}\n{REST}")
}

#[test]
fn a_topology_file_stands_for_what_it_says() {
    let text = scenario("topology.file = \"fabrics/fine.toml\"");
    let checked = read(&text, Format::Toml, PLACE).unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
    assert!(matches!(checked.scenario.topology, Topology::Graph(_)), "the resolved scenario stands alone");
    assert!(matches!(checked.scenario.routing, Some(Routing::Ports(_))));
    let written = serde_json::to_string(&checked.scenario).unwrap();
    let again = read(&written, Format::Json, "").unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
    assert_eq!(format!("{:?}", again.plan), format!("{:?}", checked.plan));
}

#[test]
fn a_scenario_may_route_a_topology_file_in_its_own_way() {
    let text = scenario("routing = \"shortest-path\"\ntopology.file = \"fabrics/fine.toml\"");
    let checked = read(&text, Format::Toml, PLACE).unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
    assert_eq!(checked.scenario.routing, Some(Routing::ShortestPath));
}

#[test]
fn fabrics_can_be_swept_over() {
    let text = scenario(
        "topology.file = \"fabrics/fine.toml\"\nsweep.\"topology.file\" = [\"fabrics/fine.toml\", \"fabrics/slow.toml\"]",
    );
    let points = expand(&text, Format::Toml, PLACE).unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
    let rates = points.iter().map(|point| serde_json::to_value(&point.scenario).unwrap());
    let rates: Vec<_> =
        rates.map(|s| s["topology"]["graph"]["links"][0]["rate"].as_str().unwrap().to_owned()).collect();
    assert_eq!(rates, ["16 Gbit/s", "2 Gbit/s"]);
}

#[test]
fn the_network_of_a_scenario_says_ports_rates_and_routes() {
    let text = scenario("topology.file = \"fabrics/fine.toml\"");
    let checked = read(&text, Format::Toml, PLACE).unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
    let network = network(&checked);
    assert_eq!(network["hosts"], serde_json::json!(["a", "b"]));
    let entries = 2;
    let tables = |memory| forwarding_tables(&checked, memory);
    assert_eq!(tables(48 * entries).expect("they fit")["S"], serde_json::json!([3, 1]));
    let told = tables(48 * entries - 1).expect_err("they do not").to_string();
    assert!(told.contains("the forwarding tables of 1 switches for 2 hosts take about 96.0 B"), "{told}");
    assert_eq!(network["links"][0]["port_b"], 3);
    assert_eq!(network["links"][0]["rate"], 16_000_000_000u64);
    assert_eq!(network["links"][1]["port_a"], 1);
    assert_eq!(network["levels"], serde_json::json!([0]));
    assert!(network["credit_loop"].is_null());
}

#[test]
fn levels_may_be_routed_by_digits() {
    let text = scenario(
        "routing = \"d-mod-k\"
[topology.graph]
hosts = [\"a\", \"b\"]
switches = [\"S\", \"T\", \"U\"]
links = [{ a = \"a\", b = \"S\" }, { a = \"b\", b = \"T\" }, { a = \"U\", b = \"S\" }, { a = \"U\", b = \"T\" }]",
    );
    let checked = read(&text, Format::Toml, "").unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
    assert_eq!(network(&checked)["levels"], serde_json::json!([0, 0, 1]));
    assert_eq!(forwarding_tables(&checked, u64::MAX).expect("they fit")["S"], serde_json::json!([1, 2]));
}
