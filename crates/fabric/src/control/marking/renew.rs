//! New parameters for markers while a simulation is open: new markers learn what is in the queues at that moment.

use congestree_kernel::Agenda;
use congestree_probes::Probe;
use congestree_schemes::Marker;
use congestree_schemes::mark::{FillView, StateChange};
use congestree_units::Time;
use congestree_wire::PortId;

use crate::control::marking::filter::MarkingFilter;
use crate::control::marking::markers::Marking;
use crate::fabric::Fabric;
use crate::plan::Plan;
use crate::tune::variants::Variant;

impl<A: Agenda, P: Probe, S: Variant> Fabric<A, P, S> {
    /// Replaces all markers by new ones with the present parameters of the plan. They know what waits now, and nothing
    /// of what was before: every output begins outside the congestion state, and enters it at once if it is to.
    pub(crate) fn renew_markers(&mut self, plan: &Plan) {
        let renewed = Marking::new(plan, &self.links.outs, self.control.marking.full_units);
        self.control.marking.full_at = renewed.full_at;
        self.control.marking.markers = renewed.markers;
        self.control.marking.asks_from = renewed.asks_from;
        self.control.marking.follow_all = renewed.follow_all;
        let filters: Vec<MarkingFilter> = self.control.marking.filters().take(self.links.out_lanes.len()).collect();
        self.links.out_lanes.iter_mut().zip(filters).for_each(|(lane, filter)| lane.filter = filter);
        self.leave_congestion_states();
        if self.marks_by_fill() {
            let lanes = self.lanes() as u8;
            let outputs = self.links.outs.ids().filter(|&port| !self.rules.is_host(port)).collect::<Vec<_>>();
            outputs.into_iter().for_each(|output| (0..lanes).for_each(|lane| self.tell_present_fills(output, lane)));
        }
        if self.marks_by_root() {
            self.tell_present_roots();
        }
    }

    fn leave_congestion_states(&mut self) {
        let lanes = self.lanes();
        for place in 0..self.control.marking.states.len() {
            if self.control.marking.states[place].since != Time::NEVER {
                let output = PortId::from_index(place / lanes);
                self.shifted(output, (place % lanes) as u8, StateChange::Left);
            }
        }
    }

    /// The marker of an output hears of the queues for it as if they had filled one after the other.
    fn tell_present_fills(&mut self, output: PortId, lane: u8) {
        let (o, out) = (self.at(output, lane), &self.links.outs[output]);
        let local = (output - out.base) as u16;
        let inputs = &self.links.ins[out.base..out.base + u32::from(out.radix)];
        let fills: Vec<u32> = inputs.iter().map(|input| self.fill_of(input, lane, local)).filter(|&f| f > 0).collect();
        let has_credit = self.could_fit(output, lane, self.control.marking.full_units);
        for (place, &after) in fills.iter().enumerate() {
            let told = &fills[..=place];
            let shift = self.control.marking.markers[o].on_fill(
                FillView { before: 0, after },
                || has_credit,
                |bytes| told.iter().filter(|&&fill| fill > bytes).count() as u16,
            );
            self.shifted(output, lane, shift);
        }
        self.links.out_lanes[o].filter = MarkingFilter::of(&self.control.marking.markers[o]);
    }

    /// Markers hear of the lines whose queues are congested now.
    fn tell_present_roots(&mut self) {
        for input in self.links.ins.ids().filter(|&port| !self.rules.is_host(port)).collect::<Vec<_>>() {
            let base = self.links.ins[input].base;
            let congested: Vec<u16> = self.control.isolation.cams[input].congested_outputs().collect();
            congested.into_iter().for_each(|output| self.root_counts(base + u32::from(output), true));
        }
    }
}

#[cfg(test)]
mod tests {
    use congestree_schemes::MarkParams;
    use congestree_schemes::mark::red::RedParams;
    use congestree_schemes::mark::tcd::TcdParams;
    use congestree_units::Rate;

    use super::*;
    use crate::plan::FailurePlan;
    use crate::small::{star, started, until};

    #[test]
    fn markers_that_are_renewed_while_a_link_is_slow_are_those_of_the_whole_link() {
        let rate = Some(Rate::from_gbps(8));
        for mark in [
            MarkParams::Red(RedParams { for_rate: rate, ..RedParams::default() }),
            MarkParams::Tcd(TcdParams { for_rate: rate, ..TcdParams::default() }),
        ] {
            let mut plan = star(3, &[(0, 2), (1, 2)]);
            let slow = Rate(800_000_000);
            let (at, rates, cut_off) = (Time(1_000_000), Some((slow, slow)), Vec::new());
            plan.faults.failures = vec![FailurePlan { link: 2, at, until: None, rates, cut_off }];
            plan.scheme.mark = mark;
            let mut fabric = started(&plan);
            let markers = format!("{:?}", fabric.control.marking.markers);
            until(&mut fabric, 2_000_000);
            let present = fabric.links.outs[PortId(5)].rate;
            assert_eq!(fabric.links.rates[usize::from(present)].rate(), slow);
            fabric.renew_markers(&plan);
            assert_eq!(format!("{:?}", fabric.control.marking.markers), markers);
        }
    }
}
