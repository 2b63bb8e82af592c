//! Messages of transports that have been delivered completely.
//!
//! A row combines what both ends know: when a message was complete, and how often its sender had repeated itself until
//! then. In a network in parts the two ends may be in different parts. There the receiver's part records that a message
//! was complete, and the sender's part records what the sender knows about the message each time that this changes. At
//! the end of the run every row gets what the sender knew when the message was complete.

use std::collections::HashMap;

use congestree_units::Time;

use crate::built_in::{BuiltIn, NetworkSize};
use crate::recorder::long::full;
use crate::{Column, MeasurementWindow, Named, Names, Probe, Table, Transfer};

/// A place in the order of a run: an instant, and the event in it.
type RunPosition = (Time, u32);

/// What was reported about messages.
#[derive(Clone, Debug, Default)]
pub(crate) struct Transfers {
    /// Messages that are complete.
    rows: Vec<Transfer>,
    /// In a part of a network: the place of each row in the order of its instant.
    places: Vec<u32>,
    /// Also there: the place of what is being reported.
    place: Option<u32>,
    /// Also there: by flow and number, what the sender of a message knew, each with the place from which on this held;
    /// its instant is `finished`.
    known: HashMap<(u32, u32), Vec<(u32, Transfer)>>,
}

impl Probe for Transfers {
    fn wants_transfers(&self) -> bool {
        true
    }

    fn happens(&mut self, place: u32) {
        self.place = Some(place);
    }

    fn transferred(&mut self, transfer: Transfer) {
        self.rows.push(transfer);
        self.places.extend(self.place);
    }

    /// The sender of a message knows this about it from `finished` on.
    fn transferring(&mut self, transfer: Transfer) {
        let Some(place) = self.place else { return };
        let known = self.known.entry((transfer.flow, transfer.number)).or_default();
        let of = |t: &Transfer| (t.started, t.resent, t.timeouts);
        if known.last().is_none_or(|(_, last)| of(last) != of(&transfer)) {
            known.push((place, transfer));
        }
    }

    fn batch(&mut self, names: &Names) -> Option<Table> {
        full(&mut self.rows).map(|rows| table(&rows, names))
    }

    /// Puts the rows of parts in order, and adds what their senders knew.
    fn finish(&mut self, _end: Time) {
        if self.places.is_empty() {
            return;
        }
        let rows = std::mem::take(&mut self.rows).into_iter().zip(std::mem::take(&mut self.places));
        let mut rows: Vec<(RunPosition, Transfer)> = rows.map(|(row, place)| ((row.finished, place), row)).collect();
        rows.sort_by_key(|&(place, _)| place);
        self.rows = rows.into_iter().map(|(place, row)| self.as_its_sender_knew(place, row)).collect();
    }

    fn tables(&mut self, names: &Names) -> Vec<Table> {
        vec![table(&self.rows, names)]
    }
}

impl BuiltIn for Transfers {
    fn new(_window: MeasurementWindow, _size: NetworkSize) -> Self {
        Self::default()
    }

    /// Each message is received in one part, and has its sender in one.
    fn take_in(&mut self, part: Self, _sends: &dyn Fn(u32) -> bool) {
        self.rows.extend(part.rows);
        self.places.extend(part.places);
        self.known.extend(part.known);
    }
}

impl Transfers {
    /// A row with what its sender knew just before the message was complete.
    fn as_its_sender_knew(&self, at: RunPosition, row: Transfer) -> Transfer {
        let known = self.known.get(&(row.flow, row.number)).map_or(&[][..], Vec::as_slice);
        let before = known.partition_point(|&(place, known)| (known.finished, place) < at);
        known[..before].last().map_or(row, |&(_, known)| Transfer { finished: row.finished, ..known })
    }
}

/// The table with one row for each message.
fn table(transfers: &[Transfer], names: &Names) -> Table {
    fn column<T>(transfers: &[Transfer], pick: impl Fn(&Transfer) -> T) -> Vec<T> {
        transfers.iter().map(pick).collect()
    }
    let t = transfers;
    let classes = Named { list: names.classes.as_slice().into(), parts: vec![column(t, |x| u32::from(x.class))] };
    Table {
        name: "transfers",
        columns: vec![
            Column::new("flow", "", "flow id", column(t, |x| x.flow)),
            Column::new("class", "", "traffic entry", classes),
            Column::new("number", "", "number of the message in its flow, from 1", column(t, |x| x.number)),
            Column::new("bytes", "B", "payload", column(t, |x| x.bytes)),
            Column::new("created", "s", "when the message was created", column(t, |x| x.created.as_secs())),
            Column::new("started", "s", "when its first bit left the source", column(t, |x| x.started.as_secs())),
            Column::new("finished", "s", FINISHED, column(t, |x| x.finished.as_secs())),
            Column::new("resent", "", "packets of the message that were retransmitted", column(t, |x| x.resent)),
            Column::new(
                "timeouts",
                "",
                "timeouts of the flow while this was its oldest message",
                column(t, |x| x.timeouts),
            ),
        ],
    }
}

const FINISHED: &str =
    "when all of it had arrived, and of the earlier messages of its flow unless `uet` delivers them unordered";

#[cfg(test)]
mod tests {
    use super::*;

    fn transfer(finished: u64, number: u32, resent: u64) -> Transfer {
        Transfer {
            flow: 7,
            class: 0,
            number,
            bytes: 3_000,
            created: Time(1),
            started: Time(2),
            finished: Time(finished),
            resent,
            timeouts: 0,
        }
    }

    #[test]
    fn a_message_has_what_its_sender_knew_when_it_was_in_and_not_what_it_learnt_in_the_same_instant() {
        let (mut sender, mut receiver, mut whole) = <(Transfers, Transfers, Transfers)>::default();
        for (place, known) in [(9, transfer(10, 1, 0)), (9, transfer(30, 1, 2)), (u32::MAX, transfer(50, 1, 3))] {
            sender.happens(place);
            sender.transferring(known);
        }
        sender.happens(9);
        sender.transferring(transfer(80, 2, 0));
        receiver.happens(12);
        receiver.transferred(transfer(50, 1, 0));
        receiver.transferred(transfer(90, 2, 0));
        whole.take_in(sender, &|_| true);
        whole.take_in(receiver, &|_| true);
        whole.finish(Time(100));
        let seen: Vec<_> = whole.rows.iter().map(|row| (row.finished.0, row.number, row.resent)).collect();
        assert_eq!(seen, [(50, 1, 2), (90, 2, 0)]);
    }
}
