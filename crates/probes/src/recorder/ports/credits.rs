//! What flow control allows outputs to send, at regular looks: the credit of every lane, which falls to zero where a
//! tree grows.

use congestree_units::Time;

use crate::trees::look::Look;
use crate::{Column, Table};

/// The credit of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Row {
    at: Time,
    channel: u32,
    bytes: u64,
}

/// What was seen so far.
#[derive(Debug)]
pub(in crate::recorder) struct Credits {
    lanes: u32,
    rows: Vec<Row>,
}

impl Credits {
    pub(in crate::recorder) fn new(lanes: usize) -> Self {
        Self { lanes: lanes as u32, rows: Vec::new() }
    }

    pub(in crate::recorder) fn seen(&mut self, look: &Look) {
        let rows =
            look.credits.iter().enumerate().filter_map(|(channel, credit)| {
                credit.map(|bytes| Row { at: look.at, channel: channel as u32, bytes })
            });
        self.rows.extend(rows);
    }

    pub(in crate::recorder) fn table(self) -> Table {
        let (rows, lanes) = (&self.rows, self.lanes);
        let meaning = "bytes that flow control allows the port to send in that lane at that instant";
        Table {
            name: "credit_series",
            columns: vec![
                Column::each("time", "s", "time of the sample", rows, |row| row.at.as_secs()),
                Column::each("port", "", "port that sends", rows, |row| row.channel / lanes),
                Column::each("lane", "", "lane of the port", rows, |row| row.channel % lanes),
                Column::each("credit", "B", meaning, rows, |row| row.bytes),
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Values;

    #[test]
    fn the_credit_of_every_lane_that_has_any_is_told() {
        let look = Look { at: Time(3_000_000), credits: vec![Some(64), None, Some(0), Some(2048)], ..Look::default() };
        let mut credits = Credits::new(2);
        credits.seen(&look);
        let table = credits.table();
        assert_eq!(table.columns[0].values, Values::F64(vec![3e-6; 3]));
        assert_eq!(table.columns[1].values, Values::U32(vec![0, 1, 1]));
        assert_eq!(table.columns[2].values, Values::U32(vec![0, 0, 1]));
        assert_eq!(table.columns[3].values, Values::U64(vec![64, 0, 2048]));
    }
}
