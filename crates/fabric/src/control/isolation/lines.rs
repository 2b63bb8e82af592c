//! Lines (entries) for congested flows: the CAMs that inputs, outputs and hosts have for them, and counters.

use std::sync::Arc;

use congestree_schemes::isolate::cam::Cam;
use congestree_schemes::isolate::mirror::Mirror;
use congestree_schemes::isolate::{self, Effect, IsolationRules};
use congestree_wire::{IndexVec, PortId};

use crate::observe::outcome::SummaryRow;
use crate::plan::Plan;

/// The lane that notices are about.
pub(crate) const LANE: u8 = 0;

/// What has been done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct IsolationCounts {
    /// Notices sent: allocate, stop, go, release.
    pub notices: [u64; 4],
    /// Notices heard.
    pub heard: u64,
    /// Packets moved to a set-aside queue.
    pub isolated: u64,
    /// How often the head of a queue belonged to a tree for which there was no set-aside queue.
    pub queues_exhausted: u64,
}

impl TreeIsolation {
    /// Rows of the summary, for this number of hosts.
    pub(crate) fn rows(&self, hosts: u64) -> Vec<SummaryRow> {
        let [allocate, stop, go, release] = self.counts.notices.map(|count| count as f64);
        let cells = self.rules.as_ref().map(|rules| rules.cells(hosts)).unwrap_or_default();
        vec![
            (
                "set_aside",
                self.counts.isolated as f64,
                "",
                "packets moved to a set-aside queue, hosts included, whole run",
            ),
            (
                "queues_exhausted",
                self.counts.queues_exhausted as f64,
                "",
                "times that a packet should have been set aside and no queue was left, whole run",
            ),
            (
                "notices_allocate",
                allocate,
                "",
                "notices that a line is in use or lists further destinations, whole run",
            ),
            ("notices_stop", stop, "", "notices to stop a queue, whole run"),
            ("notices_go", go, "", "notices that a stopped queue may send again, whole run"),
            ("notices_release", release, "", "notices that a line is free, whole run"),
            ("notices_heard", self.counts.heard as f64, "", "notices of any kind received by the neighbour, whole run"),
            ("cam_cells", cells.cam as f64, "", "cells of content-addressable memory (CAM) for the lines of one input"),
            ("sram_cells", cells.sram as f64, "", "cells of ordinary memory (SRAM) for these lines"),
        ]
    }
}

/// All CAMs. Empty if nothing is ever isolated.
#[derive(Debug, Default)]
pub(crate) struct TreeIsolation {
    /// The rules that switches follow; shared, so that who follows them can change the state beside them.
    pub rules: Option<Arc<IsolationRules>>,
    /// The rules that hosts follow.
    pub host_rules: Option<Box<IsolationRules>>,
    /// By port: the lines of that input, or of that host.
    pub cams: IndexVec<PortId, Cam>,
    /// By port: what is known of the lines at the far end of its link.
    pub mirrors: IndexVec<PortId, Mirror>,
    /// There is no queue at all to isolate anything in: every port counts as a port without a free queue from its
    /// first packet on.
    pub(super) queueless: bool,
    /// A normal queue with more packets than this may be the root of a tree.
    pub(super) detect: u32,
    /// The contents of notices in flight.
    pub(super) said: Vec<isolate::Notice>,
    pub(super) free: Vec<u32>,
    /// Actions that a CAM has asked for.
    pub(super) effects: Vec<Effect>,
    /// Credit units of a full packet.
    pub(super) full_units: u16,
    pub counts: IsolationCounts,
}

impl TreeIsolation {
    pub(crate) fn new(plan: &Plan, ports: usize) -> Self {
        let Some(rules) = plan.scheme.isolate.clone() else { return Self::default() };
        let hosts = plan.graph.hosts.len();
        let host_rules = rules.at_host();
        Self {
            cams: (0..ports).map(|port| Cam::new(if port < hosts { &host_rules } else { &rules })).collect(),
            mirrors: vec![Mirror::default(); ports].into(),
            queueless: rules.queues == 0,
            detect: rules.detect,
            full_units: plan.flow_control.units(plan.adapter.full().0 as u32),
            rules: Some(Arc::new(rules)),
            host_rules: Some(Box::new(host_rules)),
            ..Self::default()
        }
    }

    /// Stores the content of a notice until it is heard.
    pub(crate) fn say(&mut self, notice: isolate::Notice) -> u32 {
        match self.free.pop() {
            Some(place) => {
                self.said[place as usize] = notice;
                place
            }
            None => {
                self.said.push(notice);
                self.said.len() as u32 - 1
            }
        }
    }

    /// Takes out the content of a notice, which need not be stored any longer.
    pub(crate) fn take_out(&mut self, place: u32) -> isolate::Notice {
        self.free.push(place);
        self.said[place as usize].clone()
    }

    /// Takes over what a part of the network knows at its ports, its counts, and its notices in flight.
    pub(crate) fn take_from(&mut self, part: &Self, owns: impl Fn(PortId) -> bool) {
        for port in part.cams.ids().filter(|&port| owns(port)) {
            self.cams[port] = part.cams[port].clone();
            self.mirrors[port] = part.mirrors[port].clone();
        }
        let first = self.said.len() as u32;
        self.said.extend_from_slice(&part.said);
        self.free.extend(part.free.iter().map(|place| first + place));
        let (sum, more) = (&mut self.counts, &part.counts);
        sum.notices.iter_mut().zip(more.notices).for_each(|(sum, more)| *sum += more);
        sum.heard += more.heard;
        sum.isolated += more.isolated;
        sum.queues_exhausted += more.queues_exhausted;
    }

    /// Everything is in the state that it had before any congestion.
    pub(super) fn at_rest(&self) -> bool {
        self.cams.iter().all(Cam::is_empty) && self.mirrors.iter().all(Mirror::is_empty)
    }
}
