//! Joins the recorders of the parts of a network: what belongs to a flow, a class or a port adds up, or was seen by one
//! part only.

use super::Recorder;
use crate::Parted;

impl Parted for Recorder {
    fn give_sample_away(&mut self) {
        if let Some(sampler) = &mut self.sampler {
            sampler.given_away();
        }
    }

    /// Only for recorders that add up (`ProbeSet::by_owner`); with any other recorder a run has no parts. What is in
    /// samples is already known to this recorder.
    fn take_in(&mut self, part: Self, sends: &dyn Fn(u32) -> bool) {
        self.all.take_in(part.all, sends);
    }
}
