//! The messages of applications, in the order in which they were delivered.

use crate::{Column, MessageFact, Names, Table};

/// The table with one row for each message.
pub(in crate::recorder) fn message_table(messages: &[MessageFact], names: &Names) -> Table {
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
            Column::new("delivered", "s", "when its last byte arrived", column(m, |x| x.at.as_secs())),
        ],
    }
}
