//! An audit of injection: packets that hosts took from their flows although a stop or a rate limit forbade it.
//!
//! The instant of the previous packet is recorded here, independently of the engine: a packet is *early* if it was
//! taken sooner after the previous one than the rate limit at that instant allows. So the table checks the engine and
//! does not just repeat what it says.

use std::any::Any;
use std::collections::BTreeMap;

use congestree_units::Span;

use crate::{Column, Injected, MeasurementWindow, Names, Probe, Table};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    packets: u64,
    listed: u64,
    stopped: u64,
    throttled: u64,
    early: u64,
}

/// Records by host; and by rate limit, the previous packet.
#[derive(Debug, Default)]
pub(super) struct InjectionAudit {
    hosts: BTreeMap<u32, Counts>,
    before: BTreeMap<u32, Injected>,
}

/// How much rounding may shorten the time between two packets (ps).
const ROUNDING: Span = Span(2);

impl InjectionAudit {
    pub(super) fn new(_window: MeasurementWindow) -> Self {
        Self::default()
    }
}

impl Probe for InjectionAudit {
    fn wants_injection_audit(&self) -> bool {
        true
    }

    fn injected(&mut self, packet: Injected, gap: &dyn Fn(Span) -> Span) {
        let counts = self.hosts.entry(packet.host).or_default();
        counts.packets += 1;
        counts.listed += u64::from(packet.listed);
        counts.stopped += u64::from(packet.stopped);
        counts.throttled += u64::from(packet.limit > 1.0);
        if let Some(before) = self.before.insert(packet.pacer, packet)
            && packet.limit > 1.0
            && packet.life == before.life
        {
            counts.early += u64::from(packet.at.since(before.at) + ROUNDING < gap(before.time));
        }
    }

    fn adds_up(&self) -> bool {
        true
    }

    /// Takes over the records of a part: every host is in one part only.
    fn take_in_part(&mut self, part: &dyn Any) {
        let Some(part) = part.downcast_ref::<Self>() else { return };
        self.hosts.extend(&part.hosts);
    }

    fn tables(&mut self, names: &Names) -> Vec<Table> {
        let rows: Vec<(u32, Counts)> = std::mem::take(&mut self.hosts).into_iter().collect();
        let rows = &rows[..];
        vec![Table {
            name: "injection_audit",
            columns: vec![
                Column::each("host", "", "name of the host", rows, |row| names.nodes[row.0 as usize].clone()),
                Column::each(
                    "packets",
                    "packets",
                    "packets that the host took from its flows, whole run",
                    rows,
                    |row| row.1.packets,
                ),
                Column::each(
                    "listed",
                    "packets",
                    "of these, packets for destinations of a line that the host knew of",
                    rows,
                    |row| row.1.listed,
                ),
                Column::each(
                    "stopped",
                    "packets",
                    "of these, packets for destinations of a stopped line",
                    rows,
                    |row| row.1.stopped,
                ),
                Column::each("throttled", "packets", "of all packets, those under a rate limit", rows, |row| {
                    row.1.throttled
                }),
                Column::each(
                    "early",
                    "packets",
                    "of these, packets taken sooner after the previous packet than the limit allows (a flow with dcqcn or pcn that may send already may still do so when its limit falls)",
                    rows,
                    |row| row.1.early,
                ),
            ],
        }]
    }
}

#[cfg(test)]
mod tests {
    use congestree_units::Time;

    use super::*;

    fn past(at: u64, limit: f64) -> Injected {
        Injected {
            at: Time(at),
            host: 0,
            pacer: 3,
            life: 0,
            time: Span(100),
            limit,
            listed: true,
            stopped: limit > 2.0,
        }
    }

    #[test]
    fn a_packet_is_early_if_the_one_before_started_too_short_a_time_ago() {
        let mut audit = InjectionAudit::default();
        for (at, limit) in [(0, 4.0), (400, 4.0), (700, 4.0), (810, 1.0), (960, 1.5)] {
            audit.injected(past(at, limit), &|time| time.scaled(limit));
        }
        audit.injected(Injected { life: 1, ..past(970, 9.0) }, &|time| time.scaled(9.0));
        let found = audit.hosts[&0];
        assert_eq!(found, Counts { packets: 6, listed: 6, stopped: 4, throttled: 5, early: 1 });
    }
}
