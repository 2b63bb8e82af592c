//! Looks at the whole network, put together from what each part sees of its own ports.
//!
//! A look at an instant sees what is left of all that happened in it. A part has done all of that when its next event is later,
//! or its window ends later: whatever others do to it up to there it has heard before. So nobody need wait for a look. A fast
//! part may have seen the next already when a slow one comes to this; whoever is the last to see a look shows the whole to the
//! probe. Looks come about in their order, since every part sees them in their order.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use congestree_kernel::Agenda;
use congestree_probes::Parted;
use congestree_probes::trees::look::Look;
use congestree_units::Time;

use crate::fabric::Fabric;
use crate::partition::barrier::lock;
use crate::partition::cut::Cut;
use crate::tune::variants::Variant;

/// The probe of the whole network, and the looks that not all parts have seen.
pub(super) struct PartLooks<P> {
    seen: Mutex<Seen<P>>,
    of_port: Arc<[u16]>,
}

struct Seen<P> {
    probe: P,
    /// Oldest first: what each part sees, if it has come so far.
    open: VecDeque<Vec<Option<Look>>>,
    /// Looks that are no longer open.
    shown: usize,
    /// By part: the looks that it has seen.
    by_part: Vec<usize>,
}

impl<P: Parted> PartLooks<P> {
    pub(super) fn new(probe: P, cut: &Cut) -> Self {
        let seen = Seen { probe, open: VecDeque::new(), shown: 0, by_part: vec![0; usize::from(cut.parts)] };
        Self { seen: Mutex::new(seen), of_port: cut.of_port.clone() }
    }

    /// The probe, which has seen all looks that all parts have.
    pub(super) fn into_probe(self) -> P {
        self.seen.into_inner().unwrap_or_else(PoisonError::into_inner).probe
    }

    /// A part has come to its next look.
    fn add<A: Agenda, S: Variant>(&self, part: usize, glimpse: Look, fabric: &Fabric<A, P, S>) {
        let seen = &mut *lock(&self.seen);
        let place = seen.by_part[part] - seen.shown;
        seen.by_part[part] += 1;
        if place == seen.open.len() {
            seen.open.push_back(vec![None; seen.by_part.len()]);
        }
        seen.open[place][part] = Some(glimpse);
        if !seen.open[place].iter().all(Option::is_some) {
            return;
        }
        // All parts have seen the looks before.
        let Some(glimpses) = seen.open.pop_front() else { return };
        seen.shown += 1;
        let glimpses: Vec<Look> = glimpses.into_iter().flatten().collect();
        fabric.show(Look::join(&glimpses, |port| usize::from(self.of_port[port])), &mut seen.probe);
    }
}

impl<A: Agenda, P: Parted, S: Variant> Fabric<A, P, S> {
    /// Sees what is due before an instant up to which everything has happened here.
    pub(super) fn take_glimpses(&mut self, part: usize, before: Time, looks: &PartLooks<P>) {
        while self.probe.look_due() < before && self.probe.look_due() <= self.rules.end {
            let glimpse = self.glimpse(self.probe.look_due());
            self.probe.give_look_away();
            looks.add(part, glimpse, self);
        }
    }
}
