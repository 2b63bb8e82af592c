//! When the next sample of the fabric is due, and the memory for it.

use congestree_units::{Span, Time};

use crate::trees::sample::FabricSample;
use crate::{MeasurementWindow, ProbeSet};

/// Takes a sample at regular times.
#[derive(Debug)]
pub(super) struct Sampler {
    /// When the next sample is due.
    pub due: Time,
    every: Span,
    /// The memory of the previous sample, to be used again.
    blank: FabricSample,
}

impl Sampler {
    /// `None` if no recorder needs samples.
    pub(super) fn new(set: ProbeSet, window: MeasurementWindow) -> Option<Self> {
        let every = Span(window.sampling_interval.0.max(1));
        set.samples().then(|| Self { due: Time::START + every, every, blank: FabricSample::default() })
    }

    /// An empty sample to be filled in.
    pub(super) fn blank(&mut self) -> FabricSample {
        std::mem::take(&mut self.blank)
    }

    /// The sample that was due has been taken.
    pub(super) fn taken(&mut self, sample: FabricSample) {
        self.blank = sample;
        self.due += self.every;
    }

    /// The sample that is due is handed over to be joined with those of other parts.
    pub(super) fn given_away(&mut self) {
        self.due += self.every;
    }
}
