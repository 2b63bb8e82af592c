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
use crate::{Column, Mark, MeasurementWindow, Names, Probe, Table, Trigger};

/// One trigger at one output.
#[derive(Debug)]
struct Event {
    trigger: Trigger,
    /// Number of the buffer-full instant it belongs to; triggers of one instant share it.
    full: Option<u32>,
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
const LIMIT: &str = "rate limit of the flow at that instant, before anything is sent in that instant, as R_max/r";
const CREDIT: &str = "bytes that flow control allowed the output to send in that lane at that instant, including the packet (NaN: no credits)";

/// A packet of a flow.
type FlowPacket = (u32, u32);

/// Events, marks, contents of full buffers, and congestion states.
#[derive(Debug, Default)]
pub(crate) struct EventLog {
    events: Vec<Event>,
    marks: Vec<Marked>,
    /// (full-buffer number, flow, packets)
    buffered: Vec<(u32, u32, u32)>,
    fulls: Vec<(Time, u32)>,
    turns: Vec<StateChange>,
    /// The last event at each output: marks are attributed to it.
    latest: HashMap<u32, u32>,
    /// When sources were told of which marked packets.
    echoes: Vec<(Time, FlowPacket)>,
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
        self.echoes.extend(part.echoes);
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

    fn full(&mut self, now: Time, input: u32, buffered: &mut dyn Iterator<Item = u32>) {
        let full = self.fulls.len() as u32;
        self.fulls.push((now, input));
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
        self.latest.insert(trigger.output, self.events.len() as u32);
        self.events.push(Event { trigger, full });
        self.event_places.extend(self.place);
    }

    fn marked(&mut self, mark: Mark) {
        let event = self.latest.get(&mark.output).copied().unwrap_or(NONE);
        self.marks.push(Marked { event, mark, echoed: None });
    }

    fn congestion(&mut self, at: Time, output: u32, lane: u8, entered: bool, credit: f64) {
        self.turns.push(StateChange { at, output, lane, entered, credit });
    }

    fn echoed(&mut self, now: Time, flow: u32, sequence: u32) {
        self.echoes.push((now, (flow, sequence)));
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
        let fulls = put_in_order(&mut self.fulls, &self.full_places, |x| x.0);
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
        self.put_down_echoes();
    }

    /// A source is told once about a packet: this belongs to the last mark of that packet before.
    fn put_down_echoes(&mut self) {
        let mut marks_of: HashMap<FlowPacket, Vec<usize>> = HashMap::new();
        for (place, Marked { mark, .. }) in self.marks.iter().enumerate() {
            marks_of.entry((mark.flow, mark.sequence)).or_default().push(place);
        }
        self.echoes.sort_by_key(|&(at, _)| at);
        for &(at, packet) in &self.echoes {
            let marks = marks_of.get(&packet).map_or(&[][..], Vec::as_slice);
            let before = marks.partition_point(|&mark| self.marks[mark].mark.at < at);
            if let Some(&mark) = marks[..before].last() {
                self.marks[mark].echoed.get_or_insert(at);
            }
        }
    }

    fn event_table(&self, names: &Names) -> Table {
        let e = &self.events;
        let port = |id: u32| names.ports[id as usize].clone();
        let kind = |x: &Event| if x.trigger.input.is_some() { "input" } else { "output" }.to_owned();
        Table {
            name: "events",
            columns: vec![
                Column::new("event", "", "number of the event", (0..e.len() as u32).collect::<Vec<u32>>()),
                Column::each("time", "s", "when it was triggered", e, |x| x.trigger.at.as_secs()),
                Column::each("switch", "", "switch of the output", e, |x| {
                    names.nodes[x.trigger.output as usize].clone()
                }),
                Column::each("trigger", "", "input: a buffer became full; output: a threshold was passed", e, kind),
                Column::each(
                    "full",
                    "",
                    "number of the full-buffer instant it belongs to (4294967295: none)",
                    e,
                    |x| x.full.unwrap_or(u32::MAX),
                ),
                Column::each("input", "", "link into the buffer that became full", e, |x| {
                    x.trigger.input.map(port).unwrap_or_default()
                }),
                Column::each("output", "", "outgoing link of the output concerned", e, |x| port(x.trigger.output)),
                Column::each("loaded", "packets", "departing packets to be marked from now on", e, |x| x.trigger.due),
                Column::each(
                    "before",
                    "packets",
                    "departing packets that were still to be marked before the event",
                    e,
                    |x| x.trigger.before,
                ),
                Column::each("packets", "packets", "data packets in the switch for the output", e, |x| {
                    x.trigger.present
                }),
                Column::each("input_port", "", "port that sends into that buffer (4294967295: none)", e, |x| {
                    x.trigger.input.unwrap_or(NONE)
                }),
                Column::each("output_port", "", "port id of the output", e, |x| x.trigger.output),
            ],
        }
    }

    fn mark_table(&self, names: &Names) -> Table {
        let m = &self.marks;
        let event = "event that the mark is attributed to (4294967295: none, the output was in the congestion state)";
        Table {
            name: "marks",
            columns: vec![
                Column::each("event", "", event, m, |x| x.event),
                Column::each("time", "s", "when the packet was marked", m, |x| x.mark.at.as_secs()),
                Column::each("flow", "", "flow of the packet", m, |x| x.mark.flow),
                Column::each("limit", "", LIMIT, m, |x| x.mark.limit),
                Column::each(
                    "echoed",
                    "s",
                    "when the source was notified of the mark (NaN: not before the end of the run)",
                    m,
                    |x| x.echoed.map_or(f64::NAN, Time::as_secs),
                ),
                Column::each("output", "", "outgoing link of the output that marked the packet", m, |x| {
                    names.ports[x.mark.output as usize].clone()
                }),
                Column::each("credit", "B", CREDIT, m, |x| x.mark.credit),
                Column::each("output_port", "", "port id of that output", m, |x| x.mark.output),
            ],
        }
    }

    fn full_table(&self, names: &Names) -> Table {
        let f = &self.fulls;
        Table {
            name: "fulls",
            columns: vec![
                Column::new("full", "", "number of the instant", (0..f.len() as u32).collect::<Vec<u32>>()),
                Column::each("time", "s", "when the buffer became full", f, |x| x.0.as_secs()),
                Column::each("input", "", "link into the buffer", f, |x| names.ports[x.1 as usize].clone()),
                Column::each("input_port", "", "port that sends on that link", f, |x| x.1),
            ],
        }
    }

    fn buffered_table(&self) -> Table {
        let b = &self.buffered;
        Table {
            name: "buffered",
            columns: vec![
                Column::each("full", "", "number of the full-buffer instant", b, |x| x.0),
                Column::each("flow", "", "a flow with packets waiting in the buffer", b, |x| x.1),
                Column::each("packets", "packets", "number of packets of the flow in the buffer", b, |x| x.2),
            ],
        }
    }

    fn congestion_table(&self, names: &Names) -> Table {
        let t = &self.turns;
        Table {
            name: "congestion",
            columns: vec![
                Column::each("time", "s", "when the state changed", t, |x| x.at.as_secs()),
                Column::each("output", "", "outgoing link of the output concerned", t, |x| {
                    names.ports[x.output as usize].clone()
                }),
                Column::each("lane", "", "lane of the output", t, |x| u32::from(x.lane)),
                Column::each(
                    "entered",
                    "",
                    "whether the output entered the congestion state (otherwise it left it)",
                    t,
                    |x| x.entered,
                ),
                Column::each("credit", "B", CREDIT, t, |x| x.credit),
                Column::each("output_port", "", "port id of that output", t, |x| x.output),
            ],
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
