//! Joins the recorders of the parts of a network: what belongs to a flow, a class or a port adds up, or was seen by one
//! part only.

use std::any::Any;

use congestree_units::Time;

use super::flows::transport;
use super::{Facts, Recorder};
use crate::Parted;

impl Parted for Recorder {
    fn give_look_away(&mut self) {
        if let Some(looks) = &mut self.looks {
            looks.give_away();
        }
    }

    /// Only for recorders that add up (`ProbeSet::by_owner`); with any other recorder a run has no parts. What was
    /// shown in looks is already known to this recorder.
    fn take_in(&mut self, part: Self, sends: &dyn Fn(u32) -> bool) {
        with_both(&mut self.flows, part.flows, |flows, part| flows.take_in(&part, sends));
        with_both(&mut self.classes, part.classes, |classes, part| classes.take_in(&part));
        with_both(&mut self.ports, part.ports, |ports, part| ports.take_in(&part));
        with_both(&mut self.queues, part.queues, |queues, part| queues.take_in(&part));
        with_both(&mut self.events, part.events, |events, part| events.take_in(part));
        with_both(&mut self.latency, part.latency, |latency, part| {
            latency.iter_mut().zip(&part).for_each(|(all, part)| all.take_in(part));
        });
        with_both(&mut self.counters, part.counters, |counters, part| counters.take_in(&part));
        with_both(&mut self.output_queues, part.output_queues, |queues, part| queues.take_in(&part));
        with_both(&mut self.buffers, part.buffers, |buffers, part| buffers.take_in(&part));
        with_both(&mut self.pauses, part.pauses, |pauses, part| pauses.take_in(part));
        with_both(&mut self.transport, part.transport, transport::take_in);
        with_both(&mut self.isolation, part.isolation, |isolation, part| isolation.take_in(part));
        with_both(&mut self.regions, part.regions, |regions, part| regions.take_in(part));
        self.facts.take_in(part.facts);
        for (listed, part) in self.listed.iter_mut().zip(part.listed) {
            let part: Box<dyn Any> = part;
            listed.take_in_part(&*part);
        }
    }
}

impl Facts {
    fn take_in(&mut self, part: Self) {
        with_both(&mut self.completions, part.completions, |completions, part| completions.take_in(part));
        with_both(&mut self.transfers, part.transfers, |transfers, part| transfers.take_in(part));
        with_both(&mut self.detections, part.detections, |rows, part| rows.extend(part));
        let known = (&mut self.messages, &mut self.message_places);
        take_in_rows(known, (part.messages, part.message_places), |row| row.at);
        let known = (&mut self.deliveries, &mut self.delivery_places);
        take_in_rows(known, (part.deliveries, part.delivery_places), |row| row.at);
    }
}

/// Takes in what a part has recorded, if both record it.
fn with_both<T>(all: &mut Option<T>, part: Option<T>, take_in: impl FnOnce(&mut T, T)) {
    if let (Some(all), Some(part)) = (all, part) {
        take_in(all, part);
    }
}

/// Merges rows of a part with those known, by instant and by their places in its order. All rows with the same place
/// come from one part, in its order.
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
