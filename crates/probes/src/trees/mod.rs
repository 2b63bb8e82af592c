//! Observing congestion trees: the fabric is sampled at regular times (`recorder/samples.rs`), and the trees in it are
//! found and followed.
//!
//! [`sample`] is the data of a sample, [`analyse`] finds the trees in it, and `history` follows them and makes the tables.

pub mod analyse;
mod history;
pub mod sample;
#[cfg(test)]
mod tests;

use congestree_units::Time;

use crate::built_in::{BuiltIn, NetworkSize, RecorderNeeds};
use crate::{MeasurementWindow, Names, Probe, Table};
use analyse::analyse;
use history::History;
use sample::{FabricSample, NextChannels};

/// Records the trees of every sample.
#[derive(Debug)]
pub(crate) struct Trees {
    history: History,
}

impl BuiltIn for Trees {
    const NEEDS: RecorderNeeds = RecorderNeeds { samples: true, ..RecorderNeeds::NONE };

    fn new(window: MeasurementWindow, size: NetworkSize) -> Self {
        Self { history: History::new(window.sampling_interval, size.lanes as u32) }
    }

    /// Trees are found in samples of the whole network.
    fn take_in(&mut self, _part: Self, _sends: &dyn Fn(u32) -> bool) {}
}

impl Probe for Trees {
    fn sampled(&mut self, sample: &FabricSample, routes: &dyn NextChannels) {
        self.history.add(sample.at, &analyse(sample, routes));
    }

    fn finish(&mut self, end: Time) {
        self.history.finish(end);
    }

    fn tables(&mut self, names: &Names) -> Vec<Table> {
        self.history.tables(names)
    }
}
