//! Samples of the whole network, put together from what each part sees of its own ports.
//!
//! A sample of an instant sees the state after everything in that instant has happened. A part has reached that state as
//! soon as its next event, or the end of its window, is later: by then it has received everything that other parts do
//! to it up to that instant. So no part need wait for a sample. A fast part may already have taken the next sample when a
//! slow part comes to this one; the last part to take a sample shows the whole to the probe. Samples are completed in
//! order, since every part takes them in order.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use congestree_kernel::Agenda;
use congestree_probes::Parted;
use congestree_probes::trees::sample::FabricSample;
use congestree_units::Time;

use crate::fabric::Fabric;
use crate::partition::barrier::lock;
use crate::partition::cut::Cut;
use crate::tune::variants::Variant;

/// The probe of the whole network, and the samples that some part has not yet taken.
pub(super) struct PartSamples<P> {
    seen: Mutex<Seen<P>>,
    of_port: Arc<[u16]>,
}

struct Seen<P> {
    probe: P,
    /// Oldest first: what each part sees, once it has come so far.
    open: VecDeque<Vec<Option<FabricSample>>>,
    /// Number of samples that are complete.
    shown: usize,
    /// By part: the number of samples that it has taken.
    by_part: Vec<usize>,
}

impl<P: Parted> PartSamples<P> {
    pub(super) fn new(probe: P, cut: &Cut) -> Self {
        let seen = Seen { probe, open: VecDeque::new(), shown: 0, by_part: vec![0; usize::from(cut.parts)] };
        Self { seen: Mutex::new(seen), of_port: cut.of_port.clone() }
    }

    /// The probe, which has been shown every sample that all parts have taken.
    pub(super) fn into_probe(self) -> P {
        self.seen.into_inner().unwrap_or_else(PoisonError::into_inner).probe
    }

    /// A part has taken its next sample.
    fn add<A: Agenda, S: Variant>(&self, part: usize, sample: FabricSample, fabric: &Fabric<A, P, S>) {
        let seen = &mut *lock(&self.seen);
        let place = seen.by_part[part] - seen.shown;
        seen.by_part[part] += 1;
        if place == seen.open.len() {
            seen.open.push_back(vec![None; seen.by_part.len()]);
        }
        seen.open[place][part] = Some(sample);
        if !seen.open[place].iter().all(Option::is_some) {
            return;
        }
        // All parts have taken the earlier samples.
        let Some(samples) = seen.open.pop_front() else { return };
        seen.shown += 1;
        let samples: Vec<FabricSample> = samples.into_iter().flatten().collect();
        fabric.show(FabricSample::join(&samples, |port| usize::from(self.of_port[port])), &mut seen.probe);
    }
}

impl<A: Agenda, P: Parted, S: Variant> Fabric<A, P, S> {
    /// Takes the samples that are due before an instant up to which everything has happened in this part.
    pub(super) fn take_part_samples(&mut self, part: usize, before: Time, samples: &PartSamples<P>) {
        while self.probe.sample_due() < before && self.probe.sample_due() <= self.rules.end {
            let sample = self.part_sample(self.probe.sample_due());
            self.probe.give_sample_away();
            samples.add(part, sample, self);
        }
    }
}
