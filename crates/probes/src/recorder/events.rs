//! The log of congestion events: what triggered marking, which packets were marked for it, and when their sources
//! heard of it.

use std::collections::HashMap;

use congestree_units::Time;

use crate::{Column, Mark, Names, Table, Trigger};

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
    /// The event it is put down to, or `NONE`: markers that go by the fill of queues have states, not events.
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
const CREDIT: &str =
    "what flow control let the output send in that lane at that instant, the packet itself counted (NaN: no credits)";

/// Events, marks, contents of full buffers, and congestion states.
#[derive(Debug, Default)]
pub(super) struct EventLog {
    events: Vec<Event>,
    marks: Vec<Marked>,
    /// (full-buffer number, input port, time, flow, packets)
    buffered: Vec<(u32, u32, u32)>,
    fulls: Vec<(Time, u32)>,
    turns: Vec<StateChange>,
    /// The last event at each output: marks are put down to it.
    latest: HashMap<u32, u32>,
    /// Marks whose ACK is still on its way.
    open: HashMap<(u32, u32), usize>,
}

impl EventLog {
    pub(super) fn full(&mut self, now: Time, input: u32, buffered: &mut dyn Iterator<Item = u32>) {
        let full = self.fulls.len() as u32;
        self.fulls.push((now, input));
        let mut flows: Vec<(u32, u32)> = Vec::new();
        for flow in buffered {
            match flows.iter_mut().find(|(known, _)| *known == flow) {
                Some((_, packets)) => *packets += 1,
                None => flows.push((flow, 1)),
            }
        }
        self.buffered.extend(flows.into_iter().map(|(flow, packets)| (full, flow, packets)));
    }

    pub(super) fn triggered(&mut self, trigger: Trigger) {
        let full = trigger.input.and_then(|_| self.fulls.len().checked_sub(1)).map(|last| last as u32);
        self.latest.insert(trigger.output, self.events.len() as u32);
        self.events.push(Event { trigger, full });
    }

    pub(super) fn marked(&mut self, mark: Mark) {
        let event = self.latest.get(&mark.output).copied().unwrap_or(NONE);
        self.open.insert((mark.flow, mark.sequence), self.marks.len());
        self.marks.push(Marked { event, mark, echoed: None });
    }

    pub(super) fn congestion(&mut self, at: Time, output: u32, lane: u8, entered: bool, credit: f64) {
        self.turns.push(StateChange { at, output, lane, entered, credit });
    }

    pub(super) fn echoed(&mut self, now: Time, flow: u32, sequence: u32) {
        if let Some(mark) = self.open.remove(&(flow, sequence)) {
            self.marks[mark].echoed = Some(now);
        }
    }

    pub(super) fn tables(self, names: &Names) -> Vec<Table> {
        vec![
            self.event_table(names),
            self.mark_table(names),
            self.full_table(names),
            self.buffered_table(),
            self.congestion_table(names),
        ]
    }

    fn event_table(&self, names: &Names) -> Table {
        let e = &self.events;
        let port = |id: u32| names.ports[id as usize].clone();
        let kind = |x: &Event| if x.trigger.input.is_some() { "input" } else { "output" }.to_owned();
        Table {
            name: "events",
            columns: vec![
                Column::new("event", "", "number of the event", (0..e.len() as u32).collect::<Vec<u32>>()),
                Column::each("time", "s", "when", e, |x| x.trigger.at.as_secs()),
                Column::each("switch", "", "where", e, |x| names.nodes[x.trigger.output as usize].clone()),
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
                Column::each("output", "", "link out of the output concerned", e, |x| port(x.trigger.output)),
                Column::each("loaded", "packets", "departures to be marked from now on", e, |x| x.trigger.due),
                Column::each("before", "packets", "departures that were still to be marked", e, |x| x.trigger.before),
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
        let event = "the event it is put down to (4294967295: none, the output was in the congestion state)";
        Table {
            name: "marks",
            columns: vec![
                Column::each("event", "", event, m, |x| x.event),
                Column::each("time", "s", "when the packet was marked", m, |x| x.mark.at.as_secs()),
                Column::each("flow", "", "flow of the packet", m, |x| x.mark.flow),
                Column::each("limit", "", "rate limit of the flow at that instant, as R_max/r", m, |x| x.mark.limit),
                Column::each("echoed", "s", "when the source heard of it (NaN: not before the end)", m, |x| {
                    x.echoed.map_or(f64::NAN, Time::as_secs)
                }),
                Column::each("output", "", "link out of the output that marked it", m, |x| {
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
                Column::each("packets", "packets", "how many", b, |x| x.2),
            ],
        }
    }

    fn congestion_table(&self, names: &Names) -> Table {
        let t = &self.turns;
        Table {
            name: "congestion",
            columns: vec![
                Column::each("time", "s", "when", t, |x| x.at.as_secs()),
                Column::each("output", "", "link out of the output concerned", t, |x| {
                    names.ports[x.output as usize].clone()
                }),
                Column::each("lane", "", "its lane", t, |x| u32::from(x.lane)),
                Column::each("entered", "", "it entered the congestion state (otherwise: it left)", t, |x| x.entered),
                Column::each("credit", "B", CREDIT, t, |x| x.credit),
                Column::each("output_port", "", "port id of that output", t, |x| x.output),
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Values;

    fn names() -> Names {
        Names { ports: vec!["a->S".into(), "S->b".into()], nodes: vec!["a".into(), "S".into()], ..Names::default() }
    }

    fn column<'a>(tables: &'a [Table], table: &str, column: &str) -> &'a Values {
        let found = tables.iter().find(|t| t.name == table).expect("the table is there");
        &found.columns.iter().find(|c| c.name == column).expect("the column is there").values
    }

    #[test]
    fn marks_of_a_state_need_no_event() {
        let mut log = EventLog::default();
        log.congestion(Time(1_000), 1, 0, true, 4096.0);
        log.marked(Mark { at: Time(2_000), output: 1, flow: 7, sequence: 3, limit: 1.0, credit: 2048.0 });
        log.echoed(Time(5_000), 7, 3);
        log.congestion(Time(6_000), 1, 0, false, 0.0);
        let tables = log.tables(&names());
        assert_eq!(column(&tables, "marks", "event"), &Values::U32(vec![NONE]));
        assert_eq!(column(&tables, "marks", "output"), &Values::Text(vec!["S->b".into()]));
        assert_eq!(column(&tables, "marks", "output_port"), &Values::U32(vec![1]));
        assert_eq!(column(&tables, "congestion", "output_port"), &Values::U32(vec![1, 1]));
        assert_eq!(column(&tables, "marks", "echoed"), &Values::F64(vec![Time(5_000).as_secs()]));
        assert_eq!(column(&tables, "marks", "credit"), &Values::F64(vec![2048.0]));
        assert_eq!(column(&tables, "congestion", "entered"), &Values::Bool(vec![true, false]));
        assert_eq!(column(&tables, "congestion", "time"), &Values::F64(vec![1e-9, 6e-9]));
    }
}
