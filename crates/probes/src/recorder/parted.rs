//! Recorders of the parts of a network as one: what belongs to a flow, a class or a port adds up, or was seen by one of them.

use std::any::Any;

use congestree_units::Time;

use super::Recorder;
use super::flows::transport;
use crate::Parted;

impl Parted for Recorder {
    fn give_look_away(&mut self) {
        if let Some(looks) = &mut self.looks {
            looks.give_away();
        }
    }

    /// Of recorders that add up (`ProbeSet::by_owner`); a run with another has no parts. What looks have shown this
    /// knows already.
    fn take_in(&mut self, part: Self, sends: &dyn Fn(u32) -> bool) {
        if let (Some(flows), Some(part)) = (&mut self.flows, &part.flows) {
            flows.take_in(part, sends);
        }
        if let (Some(completions), Some(part)) = (&mut self.facts.completions, part.facts.completions) {
            completions.take_in(part);
        }
        let known = (&mut self.facts.messages, &mut self.facts.message_places);
        take_in_rows(known, (part.facts.messages, part.facts.message_places), |row| row.at);
        let known = (&mut self.facts.deliveries, &mut self.facts.delivery_places);
        take_in_rows(known, (part.facts.deliveries, part.facts.delivery_places), |row| row.at);
        if let (Some(classes), Some(part)) = (&mut self.classes, &part.classes) {
            classes.take_in(part);
        }
        if let (Some(ports), Some(part)) = (&mut self.ports, &part.ports) {
            ports.take_in(part);
        }
        if let (Some(queues), Some(part)) = (&mut self.queues, &part.queues) {
            queues.take_in(part);
        }
        if let (Some(events), Some(part)) = (&mut self.events, part.events) {
            events.take_in(part);
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
        if let (Some(pauses), Some(part)) = (&mut self.pauses, part.pauses) {
            pauses.take_in(part);
        }
        if let (Some(transfers), Some(part)) = (&mut self.facts.transfers, part.facts.transfers) {
            transfers.take_in(part);
        }
        if let (Some(states), Some(part)) = (&mut self.transport, part.transport) {
            transport::take_in(states, part);
        }
        if let (Some(isolation), Some(part)) = (&mut self.isolation, part.isolation) {
            isolation.take_in(part);
        }
        if let (Some(regions), Some(part)) = (&mut self.regions, part.regions) {
            regions.take_in(part);
        }
        for (listed, part) in self.listed.iter_mut().zip(part.listed) {
            let part: Box<dyn Any> = part;
            listed.take_in_part(&*part);
        }
        if let (Some(rows), Some(part)) = (&mut self.facts.detections, part.facts.detections) {
            rows.extend(part);
        }
    }
}

/// Rows of a part among those known, by instant and by their places in its order. What is of one place comes from one part, in its
/// order.
fn take_in_rows<T>(
    (known, known_places): (&mut Option<Vec<T>>, &mut Vec<u32>),
    (rows, places): (Option<Vec<T>>, Vec<u32>),
    at: impl Fn(&T) -> Time,
) {
    let (Some(known), Some(rows)) = (known, rows) else { return };
    let all = std::mem::take(known).into_iter().zip(std::mem::take(known_places));
    let mut merged: Vec<(T, u32)> = all.chain(rows.into_iter().zip(places)).collect();
    merged.sort_by_key(|(row, place)| (at(row), *place));
    (*known, *known_places) = merged.into_iter().unzip();
}
