//! Networks listed by hand: what is built from them, and what is reported about mistakes.

use congestree_topology::graphs::{Custom, CustomLink, Topology};
use congestree_topology::routing::shortest_path;
use congestree_topology::{Node, Wire};
use congestree_units::{Rate, Span};

const WIRE: Wire = Wire { rate: Rate::from_gbps(8), delay: Span::from_ns(5) };

fn link(a: &str, b: &str) -> CustomLink {
    serde_json::from_value(serde_json::json!({"a": a, "b": b})).unwrap()
}

fn network(hosts: &[&str], switches: &[&str], links: &[(&str, &str)]) -> Custom {
    let names = |list: &[&str]| list.iter().map(|&name| name.to_owned()).collect();
    Custom {
        hosts: names(hosts),
        switches: names(switches),
        links: links.iter().map(|&(a, b)| link(a, b)).collect(),
        groups: Default::default(),
    }
}

fn diagnostics(network: &Custom) -> String {
    network.check().iter().map(|diagnostic| format!("{diagnostic}\n")).collect()
}

#[test]
fn a_link_may_differ_in_its_two_directions() {
    let mut custom = network(&["x", "y"], &["s"], &[("x", "s"), ("s", "y")]);
    custom.links[1].rate = Some(Rate::from_gbps(4));
    custom.links[1].delay_back = Some(Span::from_ns(7));
    let graph = custom.build(WIRE);
    assert_eq!(graph.links[0].ab, WIRE);
    assert_eq!(graph.links[1].ab, Wire { rate: Rate::from_gbps(4), delay: Span::from_ns(5) });
    assert_eq!(graph.links[1].ba, Wire { rate: Rate::from_gbps(4), delay: Span::from_ns(7) });
    assert_eq!(graph.links[1].a, Node::Switch(0));
}

#[test]
fn groups_become_host_ids() {
    let mut custom = network(&["x", "y"], &["s"], &[("x", "s"), ("s", "y")]);
    custom.groups.insert("victims".into(), vec!["y".into()]);
    assert_eq!(custom.build(WIRE).groups, [("victims".to_owned(), vec![1])]);
}

#[test]
fn every_mistake_is_named_at_its_place() {
    let mut custom = network(
        &["x", "y", "x", "lone", "z"],
        &["s", "y", "all"],
        &[("x", "s"), ("x", "s"), ("s", "s"), ("x", "nowhere"), ("y", "z")],
    );
    custom.groups.insert("s".into(), vec!["nobody".into(), "y".into(), "y".into()]);
    custom.links[0].rate = Some(Rate(0));
    let said = diagnostics(&custom);
    for line in [
        "hosts.2: `x` is already the name of hosts.0",
        "switches.1: `y` is already the name of hosts.1",
        "switches.2: `all` stands for all hosts",
        "links.0.rate: the link has no rate",
        "links.1: the host `x` has a link already (links.0)",
        "links.2: the link leads from `s` to itself",
        "links.3.b: there is no node `nowhere`",
        "links.4: the link joins the hosts `y` and `z`",
        "hosts.3: the host `lone` has no link",
        "groups.s: `s` is the name of something else already",
        "groups.s.0: there is no host `nobody`",
        "groups.s.2: `y` is in the group twice",
    ] {
        assert!(said.contains(line), "{line}\nis missing from\n{said}");
    }
    assert_eq!(custom.check().len(), 12, "{said}");
}

#[test]
fn hosts_out_of_reach_are_named() {
    let custom = network(&["a", "b", "c"], &["s", "t"], &[("a", "s"), ("b", "t"), ("c", "t")]);
    let error = shortest_path(&custom.build(WIRE)).unwrap_err();
    assert_eq!((error.from.as_str(), error.hosts), ("b", vec!["a".to_owned()]));
}

#[test]
fn files_with_unknown_keys_are_refused() {
    let text = r#"{"hosts": ["a", "b"], "switches": ["s"], "links": [{"a": "a", "b": "s", "speed": 3}]}"#;
    let error = serde_json::from_str::<Custom>(text).unwrap_err().to_string();
    assert!(error.contains("unknown field `speed`"), "{error}");
}

#[test]
fn files_say_rates_and_delays_with_units() {
    let text = r#"{"hosts": ["a", "b"], "switches": ["s"],
        "links": [{"a": "a", "b": "s", "rate": "20 Gbit/s", "delay_back": "5 ns"}, {"a": "b", "b": "s"}]}"#;
    let custom: Custom = serde_json::from_str(text).unwrap();
    assert_eq!(custom.links[0].rate, Some(Rate::from_gbps(20)));
    assert_eq!(custom.links[0].delay_back, Some(Span::from_ns(5)));
}

#[test]
fn ports_may_be_numbered_and_mistakes_are_named() {
    let mut custom = network(&["x", "y"], &["s"], &[("x", "s"), ("s", "y")]);
    custom.links[0].port_b = Some(19);
    custom.links[1].port_a = Some(4);
    let graph = custom.build(WIRE);
    assert_eq!(graph.numbers, [[1, 19], [4, 1]]);
    assert_eq!(graph.ports()[Node::Switch(0)].iter().map(|port| port.number).collect::<Vec<_>>(), [4, 19]);

    custom.links[1].port_a = Some(19);
    assert_eq!(
        diagnostics(&custom),
        "links.1.port_a: port 19 of `s` has a link already (links.0); plug every link into a port of its own\n"
    );
    custom.links[1].port_a = None;
    assert!(diagnostics(&custom).starts_with("links.1.port_a: only some of the ports of `s` have numbers"));
}
