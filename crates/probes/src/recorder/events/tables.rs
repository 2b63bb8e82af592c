//! The tables of the log of congestion events.

use congestree_units::Time;

use super::{Event, EventLog, NONE};
use crate::{Column, Names, Table};

const LIMIT: &str = "rate limit of the flow at that instant, before anything is sent in that instant, as R_max/r";
const CREDIT: &str = "bytes that flow control allowed the output to send in that lane at that instant, including the packet (NaN: no credits)";

impl EventLog {
    pub(super) fn event_table(&self, names: &Names) -> Table {
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
                Column::each(
                    "input",
                    "",
                    "link into the buffer that became full; parallel links share it: input_port tells them apart",
                    e,
                    |x| x.trigger.input.map(port).unwrap_or_default(),
                ),
                Column::each(
                    "output",
                    "",
                    "outgoing link of the output concerned; parallel links share it: output_port tells them apart",
                    e,
                    |x| port(x.trigger.output),
                ),
                Column::each("lane", "", "lane of that output", e, |x| u32::from(x.trigger.lane)),
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

    pub(super) fn mark_table(&self, names: &Names) -> Table {
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
                Column::each(
                    "output",
                    "",
                    "outgoing link of the output that marked the packet; parallel links share it: output_port tells them apart",
                    m,
                    |x| names.ports[x.mark.output as usize].clone(),
                ),
                Column::each("lane", "", "lane in which the packet leaves", m, |x| u32::from(x.mark.lane)),
                Column::each("credit", "B", CREDIT, m, |x| x.mark.credit),
                Column::each("output_port", "", "port id of that output", m, |x| x.mark.output),
            ],
        }
    }

    pub(super) fn full_table(&self, names: &Names) -> Table {
        let f = &self.fulls;
        Table {
            name: "fulls",
            columns: vec![
                Column::new("full", "", "number of the instant", (0..f.len() as u32).collect::<Vec<u32>>()),
                Column::each("time", "s", "when the buffer became full", f, |x| x.at.as_secs()),
                Column::each(
                    "input",
                    "",
                    "link into the buffer; parallel links share it: input_port tells them apart",
                    f,
                    |x| names.ports[x.input as usize].clone(),
                ),
                Column::each("lane", "", "lane of the buffer", f, |x| u32::from(x.lane)),
                Column::each("input_port", "", "port that sends on that link", f, |x| x.input),
            ],
        }
    }

    pub(super) fn buffered_table(&self) -> Table {
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

    pub(super) fn congestion_table(&self, names: &Names) -> Table {
        let t = &self.turns;
        Table {
            name: "congestion",
            columns: vec![
                Column::each("time", "s", "when the state changed", t, |x| x.at.as_secs()),
                Column::each(
                    "output",
                    "",
                    "outgoing link of the output concerned; parallel links share it: output_port tells them apart",
                    t,
                    |x| names.ports[x.output as usize].clone(),
                ),
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
