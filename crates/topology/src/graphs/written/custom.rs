//! A network listed link by link.
//!
//! Ids follow the order of the lists. The ports of a node are in the order of `links`, or in the order of the numbers
//! printed on them, if these are given. A host has exactly one link, which leads to a switch; two switches may have
//! several links between them.

use crate::graphs::limits;
use crate::graphs::topology::{Size, Topology};
use crate::{Diagnostic, Graph, Link, Node, Wire};
use congestree_units::{Rate, Span};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap, HashSet};

/// A network given in full: hosts, switches, and every link.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Custom {
    /// Names of the hosts. Each has exactly one link.
    pub hosts: Vec<String>,
    /// Names of the switches.
    pub switches: Vec<String>,
    /// The links. Their order numbers the ports of every node, from 1, unless `port_a` and `port_b` do.
    pub links: Vec<CustomLink>,
    /// Named sets of hosts, for traffic to refer to. Default: none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub groups: BTreeMap<String, Vec<String>>,
}

/// A two-way link between two named nodes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CustomLink {
    /// Name of the node at one end.
    pub a: String,
    /// Name of the node at the other end.
    pub b: String,
    /// Rate from a to b. Default: the rate of all links.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<Rate>,
    /// Propagation delay from a to b. Default: the delay of all links.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay: Option<Span>,
    /// Rate from b to a. Default: the same as from a to b.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate_back: Option<Rate>,
    /// Propagation delay from b to a. Default: the same as from a to b.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay_back: Option<Span>,
    /// Number of the port at a; the ports of a node are then in the order of their numbers. Default: counted from 1 in
    /// the order of links.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub port_a: Option<u16>,
    /// Number of the port at b, likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub port_b: Option<u16>,
}

impl Topology for Custom {
    fn check(&self) -> Vec<Diagnostic> {
        let mut diagnostics = self.check_names();
        diagnostics.extend(self.check_links());
        diagnostics.extend(self.check_ports());
        diagnostics.extend(self.check_groups());
        diagnostics.extend(limits::size("hosts", Some(self.hosts.len() as u64), Some(self.switches.len() as u64)));
        diagnostics
    }

    fn size(&self) -> Size {
        let [hosts, switches, links] =
            [self.hosts.len(), self.switches.len(), self.links.len()].map(|count| count as u64);
        Size { hosts, switches, links }
    }

    fn build(&self, wire: Wire) -> Graph {
        let nodes = self.nodes();
        let link = |link: &CustomLink| {
            let ab = Wire { rate: link.rate.unwrap_or(wire.rate), delay: link.delay.unwrap_or(wire.delay) };
            let ba = Wire { rate: link.rate_back.unwrap_or(ab.rate), delay: link.delay_back.unwrap_or(ab.delay) };
            Link { a: nodes[link.a.as_str()], b: nodes[link.b.as_str()], ab, ba }
        };
        let members = |names: &Vec<String>| {
            let ids = names.iter().map(|name| match nodes[name.as_str()] {
                Node::Host(host) | Node::Switch(host) => host,
            });
            ids.collect()
        };
        Graph {
            hosts: self.hosts.clone(),
            switches: self.switches.clone(),
            links: self.links.iter().map(link).collect(),
            numbers: self.numbers(&nodes),
            groups: self.groups.iter().map(|(name, hosts)| (name.clone(), members(hosts))).collect(),
        }
    }

    fn rates(&self) -> Vec<(String, Rate)> {
        let of = |(place, link): (usize, &CustomLink)| {
            let given = [("rate", link.rate), ("rate_back", link.rate_back)];
            given.map(|(key, rate)| rate.map(|rate| (format!("links.{place}.{key}"), rate)))
        };
        self.links.iter().enumerate().flat_map(of).flatten().collect()
    }

    fn has_host_rates(&self) -> bool {
        self.links.iter().any(|link| link.rate.is_some() || link.rate_back.is_some())
    }
}

impl Custom {
    /// The port numbers at both ends of every link; empty if none is given.
    fn numbers(&self, nodes: &HashMap<&str, Node>) -> Vec<[u16; 2]> {
        if self.links.iter().all(|link| link.port_a.is_none() && link.port_b.is_none()) {
            return Vec::new();
        }
        let mut count: HashMap<Node, u16> = HashMap::new();
        let mut number = |name: &String, given: Option<u16>| {
            let count = count.entry(nodes[name.as_str()]).or_default();
            *count += 1;
            given.unwrap_or(*count)
        };
        self.links.iter().map(|link| [number(&link.a, link.port_a), number(&link.b, link.port_b)]).collect()
    }

    /// Every node by its name; the first of that name if there are several.
    fn nodes(&self) -> HashMap<&str, Node> {
        let mut nodes = HashMap::new();
        for (name, node) in self.named() {
            nodes.entry(name).or_insert(node);
        }
        nodes
    }

    fn named(&self) -> impl Iterator<Item = (&str, Node)> {
        let hosts = self.hosts.iter().enumerate().map(|(id, name)| (name.as_str(), Node::Host(id as u32)));
        let switches = self.switches.iter().enumerate().map(|(id, name)| (name.as_str(), Node::Switch(id as u32)));
        hosts.chain(switches)
    }

    fn check_names(&self) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::new();
        if self.hosts.len() < 2 {
            diagnostics.push(Diagnostic::new("hosts", "there are fewer than two hosts", "name at least two"));
        }
        let mut places: HashMap<&str, String> = HashMap::new();
        for (name, node) in self.named() {
            let place = match node {
                Node::Host(id) => format!("hosts.{id}"),
                Node::Switch(id) => format!("switches.{id}"),
            };
            if name.is_empty() {
                diagnostics.push(Diagnostic::new(&place, "the name is empty", "give the node a name"));
            } else if name == ALL {
                let fact = format!("`{ALL}` stands for all hosts");
                diagnostics.push(Diagnostic::new(&place, fact, "take another name"));
            } else if let Some(first) = places.get(name) {
                let fact = format!("`{name}` is already the name of {first}");
                diagnostics.push(Diagnostic::new(&place, fact, "give every host and switch a name of its own"));
            } else {
                places.insert(name, place);
            }
        }
        diagnostics
    }

    fn check_links(&self) -> Vec<Diagnostic> {
        let nodes = self.nodes();
        let mut diagnostics = Vec::new();
        let mut first_link: HashMap<Node, usize> = HashMap::new();
        let mut ports: HashMap<Node, u64> = HashMap::new();
        for (id, link) in self.links.iter().enumerate() {
            let ends = [("a", &link.a), ("b", &link.b)].map(|(end, name)| {
                let node = nodes.get(name.as_str()).copied();
                if node.is_none() {
                    diagnostics.push(Diagnostic::new(
                        format!("links.{id}.{end}"),
                        format!("there is no node `{name}`"),
                        "add it to `hosts` or `switches`, or correct the name",
                    ));
                }
                node
            });
            let [Some(a), Some(b)] = ends else { continue };
            if a == b {
                let fact = format!("the link leads from `{}` to itself", link.a);
                diagnostics.push(Diagnostic::new(format!("links.{id}"), fact, "link two different nodes"));
                continue;
            }
            if matches!((a, b), (Node::Host(_), Node::Host(_))) {
                let fact = format!("the link joins the hosts `{}` and `{}`", link.a, link.b);
                diagnostics.push(Diagnostic::new(format!("links.{id}"), fact, "put a switch between them"));
            }
            for (node, name) in [(a, &link.a), (b, &link.b)] {
                *ports.entry(node).or_default() += 1;
                let first = *first_link.entry(node).or_insert(id);
                if matches!(node, Node::Host(_)) && first != id {
                    let fact = format!("the host `{name}` has a link already (links.{first})");
                    diagnostics.push(Diagnostic::new(format!("links.{id}"), fact, "attach a host by one link only"));
                }
            }
            for (field, rate) in [("rate", link.rate), ("rate_back", link.rate_back)] {
                if rate == Some(Rate(0)) {
                    let place = format!("links.{id}.{field}");
                    diagnostics.push(Diagnostic::new(place, "the link has no rate", "give a rate above zero"));
                }
            }
        }
        for (id, name) in self.hosts.iter().enumerate() {
            if !first_link.contains_key(&Node::Host(id as u32)) && nodes[name.as_str()] == Node::Host(id as u32) {
                let fact = format!("the host `{name}` has no link");
                diagnostics.push(Diagnostic::new(format!("hosts.{id}"), fact, "link it to a switch, or leave it out"));
            }
        }
        let most = ports.values().copied().max().unwrap_or(0);
        diagnostics.extend(limits::switch_ports("links", most));
        diagnostics
    }

    /// A node must number all of its ports or none, each with a different number.
    fn check_ports(&self) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::new();
        // By node: for each of its links the position and number of the port.
        let mut ends: HashMap<&str, Vec<_>> = HashMap::new();
        for (id, link) in self.links.iter().enumerate() {
            ends.entry(&link.a).or_default().push((id, "port_a", link.port_a));
            ends.entry(&link.b).or_default().push((id, "port_b", link.port_b));
        }
        for (name, _) in self.named() {
            let Some(own) = ends.remove(name) else { continue };
            let given = own.iter().filter(|(_, _, number)| number.is_some()).count();
            let mut taken: HashMap<u16, usize> = HashMap::new();
            for (id, key, number) in own {
                let place = format!("links.{id}.{key}");
                match number {
                    None if given > 0 => {
                        let fact = format!("only some of the ports of `{name}` have numbers");
                        diagnostics.push(Diagnostic::new(place, fact, "number all ports of a node, or none of them"));
                    }
                    Some(0) => {
                        let remedy = "number the ports of links from 1; port 0 is the switch itself";
                        diagnostics.push(Diagnostic::new(place, "a port has the number 0", remedy));
                    }
                    Some(number) => {
                        if let Some(first) = taken.insert(number, id) {
                            let fact = format!("port {number} of `{name}` has a link already (links.{first})");
                            diagnostics.push(Diagnostic::new(place, fact, "plug every link into a port of its own"));
                        }
                    }
                    None => {}
                }
            }
        }
        diagnostics
    }

    fn check_groups(&self) -> Vec<Diagnostic> {
        let nodes = self.nodes();
        let mut diagnostics = Vec::new();
        for (group, members) in &self.groups {
            if group == ALL || nodes.contains_key(group.as_str()) {
                let fact = format!("`{group}` is the name of something else already");
                diagnostics.push(Diagnostic::new(format!("groups.{group}"), fact, "give the group another name"));
            }
            let mut seen = HashSet::new();
            for (position, name) in members.iter().enumerate() {
                let is_new = seen.insert(name);
                let place = format!("groups.{group}.{position}");
                if !matches!(nodes.get(name.as_str()), Some(Node::Host(_))) {
                    diagnostics.push(Diagnostic::new(
                        place,
                        format!("there is no host `{name}`"),
                        "name one of `hosts`",
                    ));
                } else if !is_new {
                    diagnostics.push(Diagnostic::new(place, format!("`{name}` is in the group twice"), "name it once"));
                }
            }
        }
        diagnostics
    }
}

/// The name that traffic uses for the set of all hosts.
const ALL: &str = "all";
