//! The state of congestion control: the parts of the scheme, as the fabric holds them.

use congestree_schemes::ReactionPoint;
use congestree_schemes::notify::Pacer;
use congestree_schemes::react::{LinkView, Sent};
use congestree_units::{Span, Time};
use congestree_wire::{FlowId, IndexVec};

use crate::control::isolation::flows::FlowIsolation;
use crate::control::isolation::lines::TreeIsolation;
use crate::control::marking::markers::Marking;
use crate::control::past_limits::PastLimits;
use crate::control::region::regions::Regional;
use crate::control::telemetry::Inband;
use crate::control::throttles::Throttles;
use crate::control::throttles::notification_pacers;
use crate::link::wiring::Wiring;
use crate::plan::Plan;

/// Marking, notification, reaction, isolation and regional control.
pub(crate) struct Control {
    pub marking: Marking,
    /// What is sent back for a marked packet, besides or instead of ACKs.
    pub cnp: Option<Cnp>,
    /// By flow, if receivers limit how many of these they send.
    pub pacers: IndexVec<FlowId, Pacer>,
    /// The telemetry that switches write into packets for reaction points.
    pub inband: Inband,
    /// Reaction points.
    pub throttles: Throttles,
    /// Earlier states of those reaction points that probes may ask about.
    pub past_limits: PastLimits,
    /// Reaction points limit the unacknowledged bytes.
    pub windowed: bool,
    /// Reaction points must be told of every packet, from the first on.
    pub every_packet: bool,
    /// The flows of a host and service level share one throttle.
    pub shared_throttles: bool,
    /// A reaction point that has heard nothing lets the next packet start at link rate, or as soon as the link is free.
    pub free_at_first: bool,
    /// What is isolated, and which neighbours have been told.
    pub isolation: TreeIsolation,
    /// Which queues are stopped, where flows have queues of their own.
    pub flow_isolation: FlowIsolation,
    pub regional: Regional,
}

impl Control {
    /// The scheme of a plan before anything has happened.
    pub(crate) fn new(plan: &Plan, wiring: &Wiring) -> Self {
        let count = wiring.outs.len();
        let full = plan.adapter.full();
        let initial = plan.scheme.react.build();
        let needs = initial.needs();
        let slowest = wiring.rates.iter().map(|rate| rate.time_for(full)).max().unwrap_or(Span::from_us(1));
        // A reaction point that has not been told its place assumes this link.
        let line = LinkView::default().line;
        let first = Sent { start: Time::START, time: slowest, full: slowest, line };
        let with_link = !needs.differs() && plan.adapter.injection_buffer.is_none() && !plan.scheme.transport.repairs();
        Self {
            marking: Marking::new(plan, &wiring.outs, plan.flow_control.units(full.0 as u32)),
            cnp: plan.scheme.notify.packet().filter(|_| needs.marks).map(|cnp| {
                let (size, lane) = (cnp.size.0 as u32, cnp.lane);
                Cnp { size, lane, interval: cnp.interval, delay: cnp.delay }
            }),
            pacers: notification_pacers(plan),
            windowed: needs.window,
            every_packet: needs.every_packet,
            shared_throttles: needs.shared,
            free_at_first: initial.next_start(first) <= if with_link { first.start + first.time } else { first.start },
            inband: Inband::new(plan, count),
            throttles: Throttles::new(initial),
            past_limits: PastLimits::default(),
            isolation: TreeIsolation::new(plan, count),
            flow_isolation: FlowIsolation::new(plan, wiring),
            regional: Regional::new(plan, count, wiring.queues),
        }
    }

    /// How long a source takes to act on a notification that has come in.
    #[inline]
    pub(crate) fn cnp_delay(&self) -> Span {
        self.cnp.map_or(Span::ZERO, |cnp| cnp.delay)
    }
}

/// Parameters of congestion notification packets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cnp {
    /// Bytes on the wire.
    pub size: u32,
    /// Its lane; absent if it uses that of the data.
    pub lane: Option<u8>,
    /// At most one is sent for each flow in this time.
    pub interval: Span,
    /// The source acts on it this long after its arrival.
    pub delay: Span,
}
