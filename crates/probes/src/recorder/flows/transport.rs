//! The state of the senders of transports, ACK by ACK.

use crate::built_in::{BuiltIn, NetworkSize, RecorderNeeds};
use crate::recorder::long::BATCH;
use crate::{Column, MeasurementWindow, Named, Names, Probe, Table, TransportState};

/// The states of all senders.
#[derive(Debug)]
pub(crate) struct TransportStates(Vec<TransportState>);

impl BuiltIn for TransportStates {
    const NEEDS: RecorderNeeds = RecorderNeeds { many_rows: true, ..RecorderNeeds::NONE };

    fn new(_window: MeasurementWindow, _size: NetworkSize) -> Self {
        Self(Vec::new())
    }

    fn take_in(&mut self, part: Self, _sends: &dyn Fn(u32) -> bool) {
        self.0.extend(part.0);
        self.0.sort_by_key(|state| (state.at, state.flow));
    }
}

impl Probe for TransportStates {
    fn wants_transport(&self) -> bool {
        true
    }

    /// Rows of an instant are in the order of flows, because the order in which hosts decide within an instant is
    /// free.
    fn transport(&mut self, state: TransportState) {
        let before = |known: &&TransportState| known.at == state.at && known.flow > state.flow;
        let later = self.0.iter().rev().take_while(before).count();
        self.0.insert(self.0.len() - later, state);
    }

    fn batch(&mut self, _names: &Names) -> Option<Table> {
        older(&mut self.0, BATCH).map(|rows| state_table(&rows))
    }

    fn tables(&mut self, _names: &Names) -> Vec<Table> {
        vec![state_table(&self.0)]
    }
}

/// If there are at least `least` rows, returns those of all instants but the last, to which further rows may come.
fn older(states: &mut Vec<TransportState>, least: usize) -> Option<Vec<TransportState>> {
    let last = states.last().filter(|_| states.len() >= least)?.at;
    let newer = states.split_off(states.partition_point(|state| state.at < last));
    Some(std::mem::replace(states, newer)).filter(|older| !older.is_empty())
}

/// The table with one row for each ACK, timeout, or new phase.
fn state_table(states: &[TransportState]) -> Table {
    fn column<T>(states: &[TransportState], pick: impl Fn(&TransportState) -> T) -> Vec<T> {
        states.iter().map(pick).collect()
    }
    let s = states;
    Table {
        name: "transport",
        columns: vec![
            Column::new("time", "s", "when it happened", column(s, |x| x.at.as_secs())),
            Column::new("flow", "", "flow id", column(s, |x| x.flow)),
            Column::new(
                "event",
                "",
                "what happened: ack; timer; or a new phase, when a group began (group), a packet was sent (sent) or the source ended (end)",
                words(s, |x| x.event),
            ),
            Column::new("phase", "", "phase of the transport now", words(s, |x| x.phase)),
            Column::new(
                "rate",
                "bit/s",
                "rate of the transport now (TCP: window divided by round-trip time); 0 if it has none of its own",
                column(s, |x| x.rate * 8.0),
            ),
            Column::new("window", "packets", "window of the transport now; 0 if it has none", column(s, |x| x.window)),
            Column::new(
                "round_trip",
                "s",
                "round-trip time of the last ACK that acknowledged anything new (uet: and that shows which transmission it is for)",
                column(s, |x| x.measured.as_secs()),
            ),
            Column::new(
                "predicted_round_trip",
                "s",
                "round-trip time that the transport expects now",
                column(s, |x| x.predicted.as_secs()),
            ),
        ],
    }
}

/// A column of words: there are few words and many rows.
fn words(states: &[TransportState], word: impl Fn(&TransportState) -> &'static str) -> Named {
    let mut list: Vec<&str> = Vec::new();
    let places = states.iter().map(|state| {
        let known = list.iter().position(|&name| name == word(state));
        known.unwrap_or_else(|| {
            list.push(word(state));
            list.len() - 1
        }) as u32
    });
    let parts = vec![places.collect()];
    Named { list: list.iter().map(|&name| name.to_owned()).collect(), parts }
}
