//! Recorders of the parts of a network as one: what belongs to a flow, a class or a port adds up, or was seen by one of them.

use super::Recorder;
use crate::Parted;

impl Parted for Recorder {
    /// Of recorders whose set is `by_owner`; the others see a network in one order and have no parts.
    fn take_in(&mut self, part: Self, sends: &dyn Fn(u32) -> bool) {
        if let (Some(flows), Some(part)) = (&mut self.flows, &part.flows) {
            flows.take_in(part, sends);
        }
        if let (Some(completions), Some(part)) = (&mut self.facts.completions, part.facts.completions) {
            // A host has one link: no two flows finish there in the same instant.
            completions.extend(part);
            completions.sort_by_key(|flow| (flow.finished, flow.destination));
        }
        if let (Some(classes), Some(part)) = (&mut self.classes, &part.classes) {
            classes.take_in(part);
        }
        if let (Some(ports), Some(part)) = (&mut self.ports, &part.ports) {
            ports.take_in(part);
        }
        if let (Some(queues), Some(part)) = (&mut self.queues, &part.queues) {
            queues.take_in(part);
        }
        if let (Some(latency), Some(part)) = (&mut self.latency, &part.latency) {
            latency.iter_mut().zip(part).for_each(|(all, part)| all.take_in(part));
        }
        if let (Some(counters), Some(part)) = (&mut self.counters, &part.counters) {
            counters.take_in(part);
        }
        if let (Some(queues), Some(part)) = (&mut self.output_queues, &part.output_queues) {
            queues.take_in(part);
        }
        if let (Some(buffers), Some(part)) = (&mut self.buffers, &part.buffers) {
            buffers.take_in(part);
        }
    }
}
