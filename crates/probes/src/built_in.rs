//! What recorders of facts about every packet are made from, and how those of parts are joined.

use crate::{MeasurementWindow, Probe};

/// How much there is in a network to keep records of.
#[derive(Clone, Copy, Debug)]
pub struct NetworkSize {
    /// Flows, which the tables of flows have a row for.
    pub flows: usize,
    /// Ports that send.
    pub ports: usize,
    /// Lanes of every port.
    pub lanes: usize,
    /// Traffic classes.
    pub classes: usize,
}

/// A few of everything.
#[cfg(test)]
pub(crate) const FEW: NetworkSize = NetworkSize { flows: 2, ports: 3, lanes: 1, classes: 2 };

/// What a recorder needs of the run that it records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RecorderNeeds {
    /// Samples of the fabric at intervals.
    pub samples: bool,
    /// What input buffers hold, packet by packet.
    pub buffers: bool,
    /// The bytes that wait for outputs.
    pub waiting: bool,
    /// It has a row for every packet, or as many rows.
    pub many_rows: bool,
}

impl RecorderNeeds {
    /// The facts that it is told of, and no more.
    pub(crate) const NONE: Self = Self { samples: false, buffers: false, waiting: false, many_rows: false };
}

/// A recorder that is told of many facts. It is a [`Probe`]: the facts that it records are the methods that it has.
pub(crate) trait BuiltIn: Probe {
    const NEEDS: RecorderNeeds = RecorderNeeds::NONE;

    fn new(window: MeasurementWindow, size: NetworkSize) -> Self;

    /// Adds what the same recorder of a part of the network has recorded. `sends` says of a flow whether its source is
    /// in that part.
    fn take_in(&mut self, part: Self, sends: &dyn Fn(u32) -> bool);
}

/// The tables of a recorder that was shown one sample of a network without routes.
#[cfg(test)]
pub(crate) fn shown<R: BuiltIn>(lanes: usize, sample: &crate::trees::sample::FabricSample) -> Vec<crate::Table> {
    struct NoRoutes;
    impl crate::trees::sample::NextChannels for NoRoutes {
        fn next(&self, _channel: u32, _destination: u32, _label: u64) -> Option<u32> {
            None
        }
    }
    let mut recorder = R::new(crate::recordings::NO_WINDOW, NetworkSize { lanes, ..FEW });
    recorder.sampled(sample, &NoRoutes);
    recorder.tables(&crate::Names::default())
}
