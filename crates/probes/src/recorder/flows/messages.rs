//! The messages of applications, in the order in which they were delivered.

use crate::built_in::{BuiltIn, NetworkSize};
use crate::recorder::long::{OrderedRows, full};
use crate::{Column, MeasurementWindow, MessageFact, Names, Probe, Table};

/// Every delivered message.
#[derive(Debug)]
pub(crate) struct Messages(OrderedRows<MessageFact>);

impl BuiltIn for Messages {
    fn new(_window: MeasurementWindow, _size: NetworkSize) -> Self {
        Self(OrderedRows::default())
    }

    fn take_in(&mut self, part: Self, _sends: &dyn Fn(u32) -> bool) {
        self.0.take_in(part.0, |message| message.at);
    }
}

impl Probe for Messages {
    fn happens(&mut self, place: u32) {
        self.0.happens(place);
    }

    fn message(&mut self, message: MessageFact) {
        self.0.push(message);
    }

    fn batch(&mut self, names: &Names) -> Option<Table> {
        full(&mut self.0.rows).map(|rows| message_table(&rows, names))
    }

    fn tables(&mut self, names: &Names) -> Vec<Table> {
        vec![message_table(&self.0.rows, names)]
    }
}

/// The table with one row for each message.
fn message_table(messages: &[MessageFact], names: &Names) -> Table {
    fn column<T>(messages: &[MessageFact], pick: impl Fn(&MessageFact) -> T) -> Vec<T> {
        messages.iter().map(pick).collect()
    }
    let m = messages;
    Table {
        name: "messages",
        columns: vec![
            Column::new("job", "", "traffic entry", column(m, |x| names.classes[usize::from(x.class)].clone())),
            Column::new("from", "", "sending rank", column(m, |x| x.from)),
            Column::new("to", "", "receiving rank", column(m, |x| x.to)),
            Column::new("tag", "", "tag of the message", column(m, |x| x.tag)),
            Column::new("bytes", "B", "payload", column(m, |x| x.bytes)),
            Column::new("sent", "s", "when it was handed to the adapter", column(m, |x| x.made.as_secs())),
            Column::new(
                "delivered",
                "s",
                "when all of it had arrived, and of the messages that it may not overtake",
                column(m, |x| x.at.as_secs()),
            ),
        ],
    }
}
