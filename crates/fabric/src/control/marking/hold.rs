//! How flow control holds an output, for markers that distinguish a held output from a congested one.
//!
//! How much a buffer fills between letting its sender go and stopping it again follows from the thresholds of pauses;
//! where credits come back one by one it is the whole buffer. And it takes a round trip of the link until the sender
//! has heard of it and its last packet has arrived.

use congestree_schemes::mark::HoldView;
use congestree_units::{Bytes, Rate};
use congestree_wire::{IndexVec, PortId};

use crate::link::pfc::accounts::{Own, SharedMemory};
use crate::link::pfc::headroom::{Loop, loops};
use crate::link::port::{Far, Out};
use crate::plan::{CreditUnit, Plan};

/// How flow control can hold the outputs of a plan.
pub(crate) struct Holds<'a> {
    plan: &'a Plan,
    outs: &'a IndexVec<PortId, Out>,
    /// By port: the rate of its link without failures.
    rates: &'a IndexVec<PortId, Rate>,
    /// By port: the pause loop of what comes in there, if senders are paused.
    loops: IndexVec<PortId, Loop>,
}

impl<'a> Holds<'a> {
    pub(crate) fn new(plan: &'a Plan, outs: &'a IndexVec<PortId, Out>, rates: &'a IndexVec<PortId, Rate>) -> Self {
        Self { plan, outs, rates, loops: loops(plan).into() }
    }

    /// How the output is held in a lane.
    pub(crate) fn of(&self, port: PortId, lane: usize) -> HoldView {
        let (plan, out) = (self.plan, &self.outs[port]);
        let to_host = out.far == Far::Host;
        if let Some(around) = self.loops.get(out.peer) {
            return HoldView { swing: self.pause_swing(around, lane, to_host), feedback: around.window() };
        }
        let units = match to_host {
            true => plan.adapter.receive_units.unwrap_or(0),
            false => plan.switch.buffer_units[lane],
        };
        let unit = match plan.flow_control.unit {
            CreditUnit::Slot => plan.adapter.full(),
            unit => unit.bytes(),
        };
        let full = self.rates[port].time_for(plan.adapter.full());
        let way_back = &self.outs[out.peer];
        let link_alone = || way_back.propagation(plan.switch.forwarding_delay);
        let back = plan.flow_control.credit_delay.unwrap_or_else(link_alone);
        // A credit message may have to wait until the previous one is this many bytes ago.
        let spacing = plan.flow_control.messages.map_or(Bytes(0), |messages| messages.spacing);
        let told = self.rates[out.peer].time_for(spacing);
        HoldView { swing: Bytes(u64::from(units) * unit.0), feedback: out.head_delay + full + told + back }
    }

    /// XOFF - XON of the memory behind an output.
    fn pause_swing(&self, around: &Loop, lane: usize, to_host: bool) -> Bytes {
        let Some(pfc) = &self.plan.pfc else { return Bytes(0) };
        if let (Some(shared), false) = (&self.plan.switch.shared_memory, to_host) {
            return Bytes(SharedMemory::new(0, shared, pfc.threshold).offset());
        }
        // A host has thresholds even if its receive buffer does not fill: a storm pauses its switch.
        let room = match to_host {
            true => self.plan.adapter.receive_units.map_or(u64::MAX, u64::from),
            false => self.plan.switch.buffer_units[lane].into(),
        };
        let own = Own::of(self.plan, room, pfc.lossless[lane], around, to_host);
        own.map_or(Bytes(0), |own| Bytes(own.xoff - own.xon))
    }
}

#[cfg(test)]
mod tests {
    use congestree_kernel::HeapAgenda;
    use congestree_probes::Silent;
    use congestree_units::Span;

    use super::*;
    use crate::fabric::Fabric;
    use crate::plan::{CreditMessages, PfcPlan, Threshold};
    use crate::small::{small_pfc, star};
    use crate::tune::variants::Any;

    /// How the output towards the switch, of host 0, is held.
    fn held(plan: &Plan) -> HoldView {
        held_at(plan, PortId(0))
    }

    fn held_at(plan: &Plan, port: PortId) -> HoldView {
        let fabric = Fabric::<HeapAgenda, Silent, Any>::build(plan, Silent);
        Holds::new(plan, &fabric.links.outs, &plan.whole_rates()).of(port, 0)
    }

    #[test]
    fn with_credits_the_whole_buffer_fills_and_a_credit_goes_round_the_link() {
        // 110 ns to the switch, and a packet of a microsecond; 2^21 slots of 1,000 B, whose credits are back at once.
        let view = held(&star(3, &[(0, 2), (1, 2)]));
        assert_eq!(view, HoldView { swing: Bytes(1_000 << 21), feedback: Span::from_ns(1_110) });
    }

    #[test]
    fn a_credit_comes_back_in_the_time_of_the_link_alone() {
        let mut plan = star(3, &[(0, 2), (1, 2)]);
        plan.flow_control.credit_delay = None;
        // 10 ns to the host, a packet of a microsecond, and 10 ns back: no switch routes a credit.
        assert_eq!(held_at(&plan, PortId(3)).feedback, Span::from_ns(1_020));
    }

    #[test]
    fn a_credit_may_have_to_wait_for_its_message() {
        let mut plan = star(3, &[(0, 2), (1, 2)]);
        let (spacing, repeat, heal) = (Bytes(800), Bytes(8_000), Span::from_us(100));
        plan.flow_control.messages = Some(CreditMessages { spacing, repeat, heal });
        // As above, and 800 ns after the message before.
        assert_eq!(held(&plan).feedback, Span::from_ns(1_910));
    }

    #[test]
    fn with_pauses_it_is_the_distance_of_the_thresholds() {
        let mut plan = star(3, &[(0, 2), (1, 2)]);
        plan.flow_control.unit = CreditUnit::Pause;
        let threshold = Threshold::Static { xoff: Some(Bytes(9_000)), xon: Some(Bytes(4_000)) };
        plan.pfc = Some(PfcPlan { threshold, ..small_pfc() });
        // 110 ns to the switch; a packet that has just started and a frame of 64 ns go before; 10 ns back.
        assert_eq!(held(&plan), HoldView { swing: Bytes(5_000), feedback: Span(1_183_999) });
        // A host that takes all at once: two packets, as its account has it.
        assert_eq!(held_at(&plan, PortId(3)).swing, Bytes(2_000));
    }
}
