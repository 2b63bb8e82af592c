//! What flow control allows outputs to send, at regular samples: the credit of every lane, which falls to zero where a
//! tree grows.

use congestree_units::Time;

use crate::built_in::{BuiltIn, NetworkSize, RecorderNeeds};
use crate::trees::sample::{FabricSample, NextChannels};
use crate::{Column, MeasurementWindow, Names, Probe, Table};

/// The credit of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Row {
    at: Time,
    channel: u32,
    bytes: u64,
}

/// What was seen so far.
#[derive(Debug)]
pub(crate) struct Credits {
    lanes: u32,
    rows: Vec<Row>,
}

impl BuiltIn for Credits {
    const NEEDS: RecorderNeeds = RecorderNeeds { samples: true, ..RecorderNeeds::NONE };

    fn new(_window: MeasurementWindow, size: NetworkSize) -> Self {
        Self { lanes: size.lanes as u32, rows: Vec::new() }
    }

    /// Samples are of the whole network.
    fn take_in(&mut self, _part: Self, _sends: &dyn Fn(u32) -> bool) {}
}

impl Probe for Credits {
    fn wants_credits(&self) -> bool {
        true
    }

    fn sampled(&mut self, sample: &FabricSample, _routes: &dyn NextChannels) {
        let rows =
            sample.credits.iter().enumerate().filter_map(|(channel, credit)| {
                credit.map(|bytes| Row { at: sample.at, channel: channel as u32, bytes })
            });
        self.rows.extend(rows);
    }

    fn tables(&mut self, _names: &Names) -> Vec<Table> {
        let (rows, lanes) = (&self.rows, self.lanes);
        let meaning = "bytes that flow control allows the port to send in that lane at that instant, to all destinations \
                       together if queues have room of their own";
        vec![Table {
            name: "credit_series",
            columns: vec![
                Column::each("time", "s", "time of the sample", rows, |row| row.at.as_secs()),
                Column::each("port", "", "port that sends", rows, |row| row.channel / lanes),
                Column::each("lane", "", "lane of the port", rows, |row| row.channel % lanes),
                Column::each("credit", "B", meaning, rows, |row| row.bytes),
            ],
        }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Values;
    use crate::built_in::shown;

    #[test]
    fn the_credit_of_every_lane_that_has_any_is_told() {
        let sample = FabricSample {
            at: Time(3_000_000),
            credits: vec![Some(64), None, Some(0), Some(2048)],
            ..FabricSample::default()
        };
        let [table] = &shown::<Credits>(2, &sample)[..] else { panic!("one table") };
        assert_eq!(table.columns[0].values, Values::F64(vec![3e-6; 3]));
        assert_eq!(table.columns[1].values, Values::U32(vec![0, 1, 1]));
        assert_eq!(table.columns[2].values, Values::U32(vec![0, 0, 1]));
        assert_eq!(table.columns[3].values, Values::U64(vec![64, 0, 2048]));
    }
}
