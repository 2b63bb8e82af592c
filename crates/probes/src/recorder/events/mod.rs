//! The log of congestion events: what triggered marking, which packets were marked because of it, and when their
//! sources heard of it.
//!
//! In a network in parts each part has seen what happened at its own ports and hosts; the rows are put in order
//! afterwards. Events and full buffers have the place in their instant of whatever caused them. Marks and states arise
//! while outputs decide, in an order that is free: those of an instant are listed in the order of outputs, also in a
//! run in one part.

use std::collections::HashMap;

use congestree_units::Time;

use crate::built_in::{BuiltIn, NetworkSize};
use crate::{Mark, MeasurementWindow, Names, Probe, SentPacket, Table, Trigger};

use echoes::Echoes;

mod echoes;
mod tables;

/// One trigger at one output.
#[derive(Debug)]
struct Event {
    trigger: Trigger,
    /// Number of the buffer-full instant it belongs to; triggers of one instant share it.
    full: Option<u32>,
}

/// An input and lane whose buffer is full.
#[derive(Debug)]
struct FullBuffer {
    at: Time,
    input: u32,
    lane: u8,
}

/// One marked packet.
#[derive(Debug)]
struct Marked {
    /// The event that it is attributed to, or `NONE`: markers that use the fill of queues have states, not events.
    event: u32,
    mark: Mark,
    echoed: Option<Time>,
}

/// An output and lane enters the congestion state, or leaves it.
#[derive(Debug)]
struct StateChange {
    at: Time,
    output: u32,
    lane: u8,
    entered: bool,
    credit: f64,
}

/// No event, or no port.
const NONE: u32 = u32::MAX;
/// Events, marks, contents of full buffers, and congestion states.
#[derive(Debug, Default)]
pub(crate) struct EventLog {
    events: Vec<Event>,
    marks: Vec<Marked>,
    /// (full-buffer number, flow, packets)
    buffered: Vec<(u32, u32, u32)>,
    fulls: Vec<FullBuffer>,
    turns: Vec<StateChange>,
    /// The last event at each output and lane: marks are attributed to it.
    latest: HashMap<(u32, u8), u32>,
    echoes: Echoes,
    /// In a part of a network: the places of events and of full buffers in the order of their instants.
    event_places: Vec<u32>,
    full_places: Vec<u32>,
    /// Also there: the place of what is being reported.
    place: Option<u32>,
    /// Also there: rate limits that only the source's part knows, by output and number of the mark.
    limits: HashMap<(u32, u64), f64>,
}

impl BuiltIn for EventLog {
    fn new(_window: MeasurementWindow, _size: NetworkSize) -> Self {
        Self::default()
    }

    /// The numbers of events and full buffers continue those known so far.
    fn take_in(&mut self, part: Self, _sends: &dyn Fn(u32) -> bool) {
        let (events, fulls) = (self.events.len() as u32, self.fulls.len() as u32);
        self.events.extend(part.events.into_iter().map(|x| Event { full: x.full.map(|full| full + fulls), ..x }));
        let counted = |event| if event == NONE { NONE } else { event + events };
        self.marks.extend(part.marks.into_iter().map(|x| Marked { event: counted(x.event), ..x }));
        self.buffered.extend(part.buffered.into_iter().map(|(full, flow, packets)| (full + fulls, flow, packets)));
        self.fulls.extend(part.fulls);
        self.turns.extend(part.turns);
        self.echoes.take_in(part.echoes);
        self.event_places.extend(part.event_places);
        self.full_places.extend(part.full_places);
        self.limits.extend(part.limits);
    }
}

impl Probe for EventLog {
    fn wants_events(&self) -> bool {
        true
    }

    fn happens(&mut self, place: u32) {
        self.place = Some(place);
    }

    fn full(&mut self, at: Time, input: u32, lane: u8, buffered: &mut dyn Iterator<Item = u32>) {
        let full = self.fulls.len() as u32;
        self.fulls.push(FullBuffer { at, input, lane });
        self.full_places.extend(self.place);
        let mut flows: Vec<(u32, u32)> = Vec::new();
        for flow in buffered {
            match flows.iter_mut().find(|(known, _)| *known == flow) {
                Some((_, packets)) => *packets += 1,
                None => flows.push((flow, 1)),
            }
        }
        self.buffered.extend(flows.into_iter().map(|(flow, packets)| (full, flow, packets)));
    }

    fn triggered(&mut self, trigger: Trigger) {
        let full = trigger.input.and_then(|_| self.fulls.len().checked_sub(1)).map(|last| last as u32);
        self.latest.insert((trigger.output, trigger.lane), self.events.len() as u32);
        self.events.push(Event { trigger, full });
        self.event_places.extend(self.place);
    }

    fn marked(&mut self, mark: Mark) {
        let event = self.latest.get(&(mark.output, mark.lane)).copied().unwrap_or(NONE);
        self.marks.push(Marked { event, mark, echoed: None });
    }

    fn congestion(&mut self, at: Time, output: u32, lane: u8, entered: bool, credit: f64) {
        self.turns.push(StateChange { at, output, lane, entered, credit });
    }

    fn echoed(&mut self, now: Time, packet: SentPacket) {
        self.echoes.told(now, packet);
    }

    fn answered_together(&mut self, packet: SentPacket, marked: bool, later: Time) {
        self.echoes.answered_together(packet, marked, later);
    }

    /// The source's part reports what the limit was when an output marked a packet.
    fn limit_when_marked(&mut self, output: u32, number: u64, limit: f64) {
        self.limits.insert((output, number), limit);
    }

    fn tables(&mut self, names: &Names) -> Vec<Table> {
        self.settle();
        vec![
            self.event_table(names),
            self.mark_table(names),
            self.full_table(names),
            self.buffered_table(),
            self.congestion_table(names),
        ]
    }
}

impl EventLog {
    /// Puts rows in order, numbers those that have a number by their order, and adds to marks when their sources were
    /// told.
    fn settle(&mut self) {
        let fulls = put_in_order(&mut self.fulls, &self.full_places, |x| x.at);
        self.events.iter_mut().filter_map(|x| x.full.as_mut()).for_each(|full| *full = fulls[*full as usize]);
        self.buffered.iter_mut().for_each(|x| x.0 = fulls[x.0 as usize]);
        self.buffered.sort_by_key(|x| x.0);
        let events = put_in_order(&mut self.events, &self.event_places, |x| x.trigger.at);
        self.marks.iter_mut().filter(|x| x.event != NONE).for_each(|x| x.event = events[x.event as usize]);
        self.marks.sort_by_key(|x| (x.mark.at, x.mark.output));
        self.turns.sort_by_key(|x| (x.at, x.output));
        for Marked { mark, .. } in &mut self.marks {
            mark.limit = self.limits.get(&(mark.output, mark.number)).copied().unwrap_or(mark.limit);
        }
        for Marked { mark, echoed, .. } in &mut self.marks {
            *echoed = self.echoes.of(mark.packet);
        }
    }
}

/// Sorts rows of parts by instant and by their places in it; returns the new position of each. In a run in one part
/// rows have no places, and are in order already.
fn put_in_order<T>(rows: &mut Vec<T>, places: &[u32], at: impl Fn(&T) -> Time) -> Vec<u32> {
    let mut keyed: Vec<((Time, Option<u32>), usize, T)> = std::mem::take(rows)
        .into_iter()
        .enumerate()
        .map(|(number, row)| ((at(&row), places.get(number).copied()), number, row))
        .collect();
    keyed.sort_by_key(|&(key, ..)| key);
    let mut now_at = vec![0; keyed.len()];
    keyed.iter().zip(0..).for_each(|(&(_, number, _), place)| now_at[number] = place);
    rows.extend(keyed.into_iter().map(|(.., row)| row));
    now_at
}

#[cfg(test)]
mod tests;
