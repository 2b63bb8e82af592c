//! Sizes beyond which a topology is certainly a typing error.

use crate::Diagnostic;

/// Most hosts of a topology.
pub const MAX_HOSTS: u64 = 1_000_000;
/// Most ports of a switch in a regular topology.
pub const MAX_RADIX: u32 = 256;
/// Most ports of any switch: local port numbers have 16 bits and the last number means "no route".
pub const MAX_PORTS: u64 = 65_535;
/// Most entries of all forwarding tables together (switches × hosts, two bytes each).
pub const MAX_ROUTES: u64 = 500_000_000;

/// Most such entries if the routes are given by a formula; the fabric stores these in pages of 64 hosts, and equal
/// pages once.
pub const MAX_REGULAR_ROUTES: u64 = 4_000_000_000;

/// Reports a network that is too large to be intended; `None` means a count beyond 64 bits.
pub(super) fn size(field: &str, hosts: Option<u64>, switches: Option<u64>) -> Vec<Diagnostic> {
    size_within(field, hosts, switches, MAX_ROUTES)
}

/// Does the same for a topology with a [formula](crate::routing::Formula).
pub(super) fn regular_size(field: &str, hosts: Option<u64>, switches: Option<u64>) -> Vec<Diagnostic> {
    size_within(field, hosts, switches, MAX_REGULAR_ROUTES)
}

fn size_within(field: &str, hosts: Option<u64>, switches: Option<u64>, most: u64) -> Vec<Diagnostic> {
    let remedy = format!("make `{field}` smaller");
    let Some(hosts) = hosts.filter(|&hosts| hosts <= MAX_HOSTS) else {
        let count = hosts.map_or("more than 2^64".to_owned(), |hosts| hosts.to_string());
        return vec![Diagnostic::new(field, format!("{count} hosts are more than the limit of {MAX_HOSTS}"), remedy)];
    };
    match switches.and_then(|switches| switches.checked_mul(hosts)) {
        Some(entries) if entries <= most => Vec::new(),
        _ => vec![Diagnostic::new(
            field,
            format!("the forwarding tables (switches × hosts) would have more than {most} entries"),
            remedy,
        )],
    }
}

/// Reports a switch that would have more ports than can be numbered.
pub(super) fn switch_ports(field: &str, ports: u64) -> Vec<Diagnostic> {
    if ports <= MAX_PORTS {
        return Vec::new();
    }
    vec![Diagnostic::new(
        field,
        format!("a switch would have {ports} ports, more than the limit of {MAX_PORTS}"),
        format!("make `{field}` smaller, or use several switches"),
    )]
}

/// Reports a `value` below `least`.
pub(super) fn at_least(field: &str, value: u32, least: u32) -> Vec<Diagnostic> {
    if value >= least {
        return Vec::new();
    }
    vec![Diagnostic::new(field, format!("`{field}` is {value}"), format!("make it at least {least}"))]
}
