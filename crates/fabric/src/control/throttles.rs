//! Throttles at work: the reaction points of flows that have recently heard of congestion.
//!
//! With a flow for every pair of hosts, most flows have heard nothing, or nothing that still matters. These all share a
//! single reaction point. A flow that hears something gets a reaction point of its own, and gives it back when that is
//! in its initial state again. So memory and cache use grow with the number of flows that are slowed down at one time,
//! not with the number of pairs. Reaction points that differ by their place in the network exist from the start.

use congestree_schemes::notify::Pacer;
use congestree_schemes::react::Needs;
use congestree_schemes::{AnyReaction, ReactParams, ReactionPoint};
use congestree_units::{Span, Time};
use congestree_wire::{FlowId, IndexVec};

use crate::host::flow::NONE;
use crate::plan::Plan;

/// Notification pacers at the receiving ends of all flows, if notifications are paced.
pub(crate) fn notification_pacers(plan: &Plan) -> IndexVec<FlowId, Pacer> {
    match plan.scheme.notify.packet() {
        Some(cnp) if cnp.interval > Span::ZERO => vec![Pacer::default(); plan.flows.len()].into(),
        _ => IndexVec::default(),
    }
}

/// All reaction points.
#[derive(Debug)]
pub(crate) struct Throttles {
    /// The state of a reaction point that has heard nothing yet.
    initial: AnyReaction,
    /// What each reaction point depends on.
    needs: Needs,
    /// Those in use; flows know their places.
    at_work: Vec<AnyReaction>,
    /// Free places, which were given back.
    free: Vec<u32>,
}

impl Throttles {
    /// No reaction point is in use yet.
    pub(crate) fn new(initial: AnyReaction) -> Self {
        Self { needs: initial.needs(), initial, at_work: Vec::new(), free: Vec::new() }
    }

    /// Bytes of the reaction point of a flow, if each has one from the start.
    pub(crate) fn bytes_of_a_flow(react: &ReactParams) -> usize {
        let initial = react.build();
        let each = initial.needs().differs() && !initial.needs().shared;
        if each { size_of::<AnyReaction>() + initial.boxed() } else { 0 }
    }

    /// The scheme has no reaction points.
    pub(crate) fn inactive(&self) -> bool {
        !self.needs.marks
    }

    /// Reaction points that have heard nothing yet are all equal, wherever they are.
    pub(crate) fn uniform_start(&self) -> bool {
        !self.needs.differs()
    }

    /// The reaction point at a place, or the shared one.
    #[inline(always)]
    pub(crate) fn at(&self, place: u32) -> &AnyReaction {
        self.at_work.get(place as usize).unwrap_or(&self.initial)
    }

    /// The reaction point at a place, which is about to be told something; creates one if the flow has none.
    #[inline]
    pub(crate) fn at_mut(&mut self, place: &mut u32) -> &mut AnyReaction {
        if *place == NONE {
            *place = match self.free.pop() {
                Some(free) => {
                    self.at_work[free as usize] = self.initial.clone();
                    free
                }
                None => {
                    self.at_work.push(self.initial.clone());
                    self.at_work.len() as u32 - 1
                }
            };
        }
        &mut self.at_work[*place as usize]
    }

    /// The reaction point at a place is not needed any more.
    fn give_back(&mut self, place: &mut u32) {
        if *place != NONE {
            self.free.push(std::mem::replace(place, NONE));
        }
    }

    /// Resets the reaction point at a place: it has heard nothing yet.
    pub(crate) fn renew(&mut self, place: &mut u32) {
        if self.uniform_start() {
            self.give_back(place);
        } else {
            *self.at_mut(place) = self.initial.clone();
        }
    }

    /// Gives back the reaction point at a place if what it has heard no longer matters; returns whether it did.
    #[inline]
    pub(super) fn forgets(&mut self, place: &mut u32, now: Time) -> bool {
        let forgets = self.uniform_start() && *place != NONE && self.at_work[*place as usize].at_initial_state(now);
        if forgets {
            self.give_back(place);
        }
        forgets
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use congestree_schemes::react::{Feedback, ReactParams, cct::CctParams};
    use congestree_units::Span;

    fn throttles() -> Throttles {
        let params = CctParams { timer: Span::from_us(10), ..Default::default() };
        Throttles::new(ReactParams::Cct(params).build())
    }

    #[test]
    fn whoever_hears_has_one_of_its_own_until_the_timer_has_run_out() {
        let mut throttles = throttles();
        let mut place = NONE;
        assert!(!throttles.forgets(&mut place, Time(0)));
        throttles.at_mut(&mut place).on_feedback(Time(0), Feedback::Congested);
        assert_eq!(place, 0);
        assert!(!throttles.forgets(&mut place, Time(9_999_999)));
        assert!(throttles.forgets(&mut place, Time(10_000_000)));
        assert_eq!((place, throttles.free.len()), (NONE, 1));
    }

    #[test]
    fn a_place_given_back_is_as_good_as_new() {
        let mut throttles = throttles();
        let (mut one, mut other) = (NONE, NONE);
        throttles.at_mut(&mut one).on_feedback(Time(0), Feedback::Congested);
        throttles.renew(&mut one);
        assert!(throttles.at_mut(&mut other).at_initial_state(Time(0)));
        assert_eq!((one, other, throttles.at_work.len()), (NONE, 0, 1));
    }
}
