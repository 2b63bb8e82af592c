//! Markers and their filters, by output and lane.

use congestree_kernel::Rng;
use congestree_schemes::mark::PortView;
use congestree_schemes::{AnyMarker, Marker};
use congestree_units::{Bytes, Span, Time};
use congestree_wire::{IndexVec, PacketId, PortId};

use crate::control::marking::filter::MarkingFilter;
use crate::control::marking::hold::Holds;
use crate::link::pfc::accounts::Own;
use crate::link::pfc::headroom::loops;
use crate::link::port::{Far, Out};
use crate::plan::Plan;

/// All markers. All tables are by port and lane.
#[derive(Debug, Default)]
pub(crate) struct Marking {
    /// Credit units of a full packet.
    pub(super) full_units: u16,
    /// Number of data packets at which the buffer of an input and lane counts as full; empty if no marker needs that.
    pub(super) full_at: Vec<u32>,
    /// One marker for each output.
    pub markers: Vec<AnyMarker>,
    /// Number of bytes waiting for an output from which on its marker is asked about departures, if it uses them.
    pub(super) asks_from: Vec<u32>,
    /// Markers hear of packets without data, too.
    pub follow_all: bool,
    /// Random numbers, for each output.
    pub(super) rng: Vec<Rng>,
    /// Time in the congestion state, for each output.
    pub states: Vec<CongestionState>,
}

/// How long an output has been in the congestion state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CongestionState {
    /// When the state was entered; never if the output is not in it.
    pub since: Time,
    /// Total time of earlier stays in the state.
    pub total: Span,
}

impl CongestionState {
    const CALM: CongestionState = CongestionState { since: Time::NEVER, total: Span::ZERO };

    /// Total time in the state until `now`.
    pub(crate) fn until(&self, now: Time) -> Span {
        if self.since == Time::NEVER { self.total } else { self.total + now.since(self.since) }
    }
}

impl Marking {
    /// Markers at all outputs. Their thresholds are those of the links without failures, however slow these are now.
    pub(crate) fn new(plan: &Plan, outs: &IndexVec<PortId, Out>, full_units: u16) -> Self {
        let params = &plan.scheme.mark;
        let lanes = usize::from(plan.lanes);
        let count = outs.len() * lanes;
        let by_fill = params.watches_fill() || params.watches_waiting();
        let by_root = params.follows_roots();
        let each = |on: bool| if on { count } else { 0 };
        let rates = plan.whole_rates();
        let holds = Holds::new(plan, outs, &rates);
        let wired = plan.graph.ports();
        let printed: Vec<u16> = wired.hosts.iter().chain(&wired.switches).flatten().map(|port| port.number).collect();
        let mut markers = vec![params.build(); each(params.marks())];
        for (place, marker) in markers.iter_mut().enumerate() {
            let port = PortId::from_index(place / lanes);
            let out = &outs[port];
            let room = plan.switch.buffer_units[place % lanes];
            marker.at_port(PortView {
                number: printed[port.index()],
                to_host: out.far == Far::Host,
                buffer: Bytes(u64::from(room) * plan.flow_control.unit.bytes().0),
                lane: (place % lanes) as u8,
                rate: rates[port],
                hold: holds.of(port, place % lanes),
            });
        }
        let from = |marker: &AnyMarker| u32::try_from(marker.asks_from()).unwrap_or(u32::MAX);
        let follow_all = markers.iter().any(Marker::follows_all);
        let watching = if params.watches_waiting() { markers.as_slice() } else { &[] };
        Self {
            full_units,
            asks_from: watching.iter().map(from).collect(),
            full_at: full_buffers(plan, count),
            follow_all,
            markers,
            rng: (0..each(by_fill || by_root)).map(|place| Rng::stream(plan.seed, "marking", place as u64)).collect(),
            states: vec![CongestionState::CALM; each(by_fill || by_root)],
        }
    }

    /// The initial filter of each output.
    pub(crate) fn filters(&self) -> impl Iterator<Item = MarkingFilter> {
        let filters: Vec<MarkingFilter> = self.markers.iter().map(MarkingFilter::of).collect();
        filters.into_iter().chain(std::iter::repeat(MarkingFilter::SHUT))
    }

    /// The arrival of tails must be checked.
    #[inline]
    pub(crate) fn wants_full(&self) -> bool {
        !self.full_at.is_empty()
    }
}

/// By input and lane: the packets at which its buffer counts as full; empty if the marker ignores full buffers.
fn full_buffers(plan: &Plan, count: usize) -> Vec<u32> {
    let marker = plan.scheme.mark.build();
    if marker.full_at(1).is_none() {
        return Vec::new();
    }
    let (lanes, loops) = (usize::from(plan.lanes), loops(plan));
    let capacity = |place: usize| {
        let (port, lane) = (place / lanes, place % lanes);
        let units = plan.switch.buffer_units[lane];
        let Some(pfc) = plan.pfc.as_ref().filter(|_| plan.switch.shared_memory.is_none()) else {
            return plan.flow_control.packets_in(units, plan.adapter.full());
        };
        // A paused sender seldom fills the headroom, too: what counts is the room below XOFF.
        let own = Own::of(plan, units.into(), pfc.lossless[lane], &loops[port], false);
        let below = own.map_or(0, |own| own.xoff.min(own.room));
        plan.flow_control.packets_in(below as u32, plan.adapter.full()).max(1)
    };
    (0..count).filter_map(|place| marker.full_at(capacity(place))).collect()
}

/// A packet that waits in a switch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WaitingPacket {
    /// The packet.
    pub id: PacketId,
    /// The input whose buffer it is in.
    pub input: PortId,
    /// The output it waits for.
    pub output: PortId,
    /// The lane in which it will leave.
    pub lane: u8,
    /// The lane in which it came in.
    pub buffer_lane: u8,
}

#[cfg(test)]
mod tests {
    use congestree_schemes::MarkParams;
    use congestree_schemes::mark::naive::NaiveParams;

    use super::*;
    use crate::plan::{CreditUnit, PfcPlan, Threshold};
    use crate::small::{small_pfc, star};

    #[test]
    fn a_buffer_is_full_by_the_room_of_its_own_lane() {
        let mut plan = star(3, &[(0, 2), (1, 2)]);
        (plan.lanes, plan.switch.buffer_units) = (2, vec![16, 2]);
        assert!(full_buffers(&plan, 12).is_empty());
        plan.scheme.mark = MarkParams::Naive(NaiveParams::default());
        assert_eq!(full_buffers(&plan, 12), [16, 2].repeat(6));
        plan.scheme.mark = MarkParams::Naive(NaiveParams { trigger: Some(3) });
        assert_eq!(full_buffers(&plan, 12), [3; 12]);
    }

    #[test]
    fn where_senders_are_paused_a_buffer_is_full_at_xoff() {
        let mut plan = star(3, &[(0, 2), (1, 2)]);
        plan.scheme.mark = MarkParams::Naive(NaiveParams::default());
        plan.flow_control.unit = CreditUnit::Pause;
        plan.switch.buffer_units = vec![16_000];
        let full = |plan: &Plan, xoff: Option<u64>, lossless: bool| {
            let threshold = Threshold::Static { xoff: xoff.map(Bytes), xon: None };
            let pfc = PfcPlan { threshold, lossless: vec![lossless], ..small_pfc() };
            full_buffers(&Plan { pfc: Some(pfc), ..plan.clone() }, 6)[3]
        };
        // Packets of 1,000 B; the headroom of these links takes a little more than two of them.
        assert_eq!([Some(9_999), Some(999), None].map(|xoff| full(&plan, xoff, true)), [9, 1, 13]);
        // What is never paused may fill all of it.
        assert_eq!(full(&plan, Some(9_999), false), 16);
    }
}
