//! Compiled variants: the engine with most questions about the network answered at compile time.
//!
//! Most networks give the same answers to what the inner loop asks all the time: virtual output queues that can all be
//! read at once, round robin, at most 64 ports, no losses, nothing that counts packets in buffers. For those the engine
//! is compiled once more without the rest: as [`Usual`] with credits, as [`Ethernet`] with pauses, and as [`Isolating`]
//! if congested flows are isolated. There are also [`Plain`] for more kinds of hosts and for lossy links, [`Trimming`]
//! for links without flow control under a transport with headers, and [`Small`] for networks with a few dozen links.
//! Each is also compiled with recorders, as [`Recorded`]. All variants give the same results. `tune/features.rs` lists
//! the features that can be left out.

use std::marker::PhantomData;

use crate::plan::Plan;
use crate::tune::features::{Feature, Features};

/// What is fixed about a network when the engine is compiled.
pub(crate) trait Variant {
    /// Features that its networks may have; all others are left out.
    const MAY: Features;
    /// Features that all of its networks have.
    const ALWAYS: Features;

    /// The plan describes such a network.
    fn fits(plan: &Plan) -> bool {
        let used = Features::of(plan);
        Self::ALWAYS.within(used) && used.within(Self::MAY)
    }
}

/// Any network.
pub(crate) struct Any;

impl Variant for Any {
    const MAY: Features = Features::ALL;
    const ALWAYS: Features = Features::NONE;
}

/// The networks of another variant, with recorders: some of these need to know what buffers hold.
pub(crate) struct Recorded<S>(PhantomData<S>);

impl<S: Variant> Variant for Recorded<S> {
    const MAY: Features = S::MAY.and(Features::list(&[Feature::CountsPackets, Feature::CountsWaiting]));
    const ALWAYS: Features = S::ALWAYS;
}

/// Features that cost next to nothing to test for; all other variants have them.
const CHEAP: Features = Features::list(&[Feature::MixedRates, Feature::MarksByFill, Feature::MarksByWaiting]);

/// Senders wait until there is room downstream.
const HELD: Features = Features::list(&[Feature::HoldsSenders]);

/// The most common network: one lane, credits and fixed routes.
pub(crate) struct Usual;

impl Variant for Usual {
    const MAY: Features = CHEAP.and(Self::ALWAYS);
    const ALWAYS: Features = HELD;
}

/// A small network as in older papers: one lane, credits and fixed routes, but any kind of queues, arbiters and read
/// ports, and markers that count packets.
pub(crate) struct Small;

impl Variant for Small {
    const MAY: Features = CHEAP.and(Self::ALWAYS).and(Features::list(&[
        Feature::OtherQueues,
        Feature::OtherArbiter,
        Feature::LimitedReads,
        Feature::CountsPackets,
        Feature::MarksByPackets,
    ]));
    const ALWAYS: Features = HELD;
}

/// Plain switches with one lane, between hosts of most kinds: injection buffers, transports that repair losses, flows
/// that come and go, applications. Credits or drops, round robin or oldest first.
pub(crate) struct Plain;

impl Variant for Plain {
    const MAY: Features = CHEAP.and(Features::list(&[
        Feature::LargeSwitches,
        Feature::OtherArbiter,
        Feature::CountsWaiting,
        Feature::Stages,
        Feature::Coalesces,
        Feature::ChoosesPaths,
        Feature::HoldsSenders,
        Feature::Loses,
        Feature::Transports,
        Feature::Headers,
        Feature::Telemeters,
        Feature::FiniteFlows,
        Feature::Programs,
    ]));
    const ALWAYS: Features = Features::NONE;
}

/// Links without flow control, which drop or trim what finds no room, with strict priorities among lanes, under a
/// transport with headers: Ultra Ethernet.
pub(crate) struct Trimming;

impl Variant for Trimming {
    const MAY: Features = CHEAP.and(Self::ALWAYS).and(Features::list(&[
        Feature::SeveralLanes,
        Feature::GroupsFlows,
        Feature::LargeSwitches,
        Feature::OtherArbiter,
        Feature::LaneSchedule,
        Feature::ChoosesPaths,
        Feature::FiniteFlows,
        Feature::Programs,
    ]));
    const ALWAYS: Features =
        Features::list(&[Feature::Loses, Feature::CountsWaiting, Feature::Transports, Feature::Headers]);
}

/// Lossless Ethernet: one lane, pauses, routes that are fixed or chosen, flows that are permanent or come and go.
pub(crate) struct Ethernet;

impl Variant for Ethernet {
    const MAY: Features = CHEAP.and(Self::ALWAYS).and(Features::list(&[
        Feature::ChoosesPaths,
        Feature::FiniteFlows,
        Feature::Coalesces,
        Feature::CountsWaiting,
        Feature::Telemeters,
    ]));
    const ALWAYS: Features = HELD.and(Features::list(&[Feature::Pauses, Feature::TalksLate, Feature::NeighboursTalk]));
}

/// Credits, and one queue for each output; congested flows are isolated from these queues.
pub(crate) struct Isolating;

impl Variant for Isolating {
    const MAY: Features = CHEAP.and(Self::ALWAYS).and(Features::list(&[
        Feature::SeveralLanes,
        Feature::GroupsFlows,
        Feature::CountsPackets,
        Feature::Stages,
        Feature::MarksByRoot,
    ]));
    const ALWAYS: Features =
        HELD.and(Features::list(&[Feature::Isolates, Feature::InputQueues, Feature::NeighboursTalk]));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::ArbiterPlan;
    use crate::plan::CreditUnit;
    use crate::small::{small_pfc, star};

    #[test]
    fn a_plain_network_is_usual_and_one_with_pauses_is_ethernet() {
        let mut plan = star(3, &[(0, 2), (1, 2)]);
        plan.switch.arbiter = ArbiterPlan::RoundRobin;
        assert!(Usual::fits(&plan) && !Ethernet::fits(&plan) && !Isolating::fits(&plan) && Any::fits(&plan));
        plan.flow_control.unit = CreditUnit::Pause;
        plan.pfc = Some(small_pfc());
        assert!(!Usual::fits(&plan) && !Plain::fits(&plan) && Ethernet::fits(&plan) && Any::fits(&plan));
        plan.lanes = 2;
        assert!(!Ethernet::fits(&plan) && Any::fits(&plan));
    }

    #[test]
    fn drops_and_the_oldest_first_are_plain_but_not_usual() {
        let mut plan = star(3, &[(0, 2), (1, 2)]);
        plan.switch.arbiter = ArbiterPlan::Fifo { bypass_limit: None };
        assert!(!Usual::fits(&plan) && Plain::fits(&plan));
        plan.lanes = 2;
        assert!(!Plain::fits(&plan));
    }
}
