//! Compiled variants: the engine with the answers to most questions filled in.
//!
//! Most networks are alike in what the inner loop asks all the time: virtual output queues that can all be read at
//! once, round robin, at most 64 ports, no losses, nobody who counts packets in buffers. For those the engine is compiled
//! once more without the rest: as [`Usual`] with credits, as [`Ethernet`] with pauses, and as [`Isolating`] if congested
//! flows are set aside; as [`Plain`] with hosts of more kinds, and links that lose; as [`Trimming`] with links that hold nobody under a transport with headers; for a few dozen links also as [`Small`]. Each is compiled twice: with nothing that is recorded, and as
//! [`Recorded`]. All do the same. What there is to leave out is listed in `tune/features.rs`.

use std::marker::PhantomData;

use crate::plan::Plan;
use crate::tune::features::{Feature, Features};

/// What was known of a network when the engine was compiled.
pub(crate) trait Variant {
    /// Features that its networks may have; the others were left out.
    const MAY: Features;
    /// Features that all of its networks have.
    const ALWAYS: Features;

    /// The plan is of such a network.
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

/// The networks of another variant, with recorders: some want to know what buffers hold.
pub(crate) struct Recorded<S>(PhantomData<S>);

impl<S: Variant> Variant for Recorded<S> {
    const MAY: Features = S::MAY.and(Features::list(&[Feature::CountsPackets, Feature::CountsWaiting]));
    const ALWAYS: Features = S::ALWAYS;
}

/// What costs next to nothing to ask for, in all of the others.
const CHEAP: Features = Features::list(&[Feature::MixedRates, Feature::MarksByFill, Feature::MarksByWaiting]);

/// Senders wait until there is room.
const HELD: Features = Features::list(&[Feature::HoldsSenders]);

/// A network like most: one lane, credits and fixed routes.
pub(crate) struct Usual;

impl Variant for Usual {
    const MAY: Features = CHEAP.and(Self::ALWAYS);
    const ALWAYS: Features = HELD;
}

/// A small network as older papers have it: one lane, credits and fixed routes, but queues, arbiters and read ports of any
/// kind, and markers that count packets.
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

/// Plain switches with one lane, between hosts of most kinds: their adapters hold packets, their transports repair losses,
/// their flows come and go, applications are at work. Credits or drops, round robin or the oldest first.
pub(crate) struct Plain;

impl Variant for Plain {
    const MAY: Features = CHEAP.and(Features::list(&[
        Feature::LargeSwitches,
        Feature::OtherArbiter,
        Feature::CountsWaiting,
        Feature::Stages,
        Feature::Coalesces,
        Feature::ChoosesWays,
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

/// Links that drop or trim what finds no room and hold nobody, with lanes that go strictly before others, under a transport with
/// headers: Ultra Ethernet.
pub(crate) struct Trimming;

impl Variant for Trimming {
    const MAY: Features = CHEAP.and(Self::ALWAYS).and(Features::list(&[
        Feature::SeveralLanes,
        Feature::LargeSwitches,
        Feature::OtherArbiter,
        Feature::LaneSchedule,
        Feature::ChoosesWays,
        Feature::FiniteFlows,
        Feature::Programs,
    ]));
    const ALWAYS: Features =
        Features::list(&[Feature::Loses, Feature::CountsWaiting, Feature::Transports, Feature::Headers]);
}

/// Lossless Ethernet: one lane, pauses, routes that are fixed or chosen, flows that stay or come and go.
pub(crate) struct Ethernet;

impl Variant for Ethernet {
    const MAY: Features = CHEAP.and(Self::ALWAYS).and(Features::list(&[
        Feature::ChoosesWays,
        Feature::FiniteFlows,
        Feature::Coalesces,
        Feature::CountsWaiting,
        Feature::Telemeters,
    ]));
    const ALWAYS: Features = HELD.and(Features::list(&[Feature::Pauses, Feature::TalksLate, Feature::NeighboursTalk]));
}

/// Credits, with a queue for each output, from which congested flows are set aside.
pub(crate) struct Isolating;

impl Variant for Isolating {
    const MAY: Features = CHEAP.and(Self::ALWAYS).and(Features::list(&[
        Feature::SeveralLanes,
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
