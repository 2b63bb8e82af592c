//! Looks (snapshots) of the whole network, put together from what each part sees of its own ports.
//!
//! A look at an instant sees the state after everything in that instant has happened. A part has reached that state as
//! soon as its next event, or the end of its window, is later: by then it has received everything that other parts do
//! to it up to that instant. So no part need wait for a look. A fast part may already have taken the next look when a
//! slow part comes to this one; the last part to take a look shows the whole to the probe. Looks are completed in
//! order, since every part takes them in order.

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

/// The probe of the whole network, and the looks that some part has not yet taken.
pub(super) struct PartLooks<P> {
    seen: Mutex<Seen<P>>,
    of_port: Arc<[u16]>,
}

struct Seen<P> {
    probe: P,
    /// Oldest first: what each part sees, once it has come so far.
    open: VecDeque<Vec<Option<Look>>>,
    /// Number of looks that are complete.
    shown: usize,
    /// By part: the number of looks that it has taken.
    by_part: Vec<usize>,
}

impl<P: Parted> PartLooks<P> {
    pub(super) fn new(probe: P, cut: &Cut) -> Self {
        let seen = Seen { probe, open: VecDeque::new(), shown: 0, by_part: vec![0; usize::from(cut.parts)] };
        Self { seen: Mutex::new(seen), of_port: cut.of_port.clone() }
    }

    /// The probe, which has been shown every look that all parts have taken.
    pub(super) fn into_probe(self) -> P {
        self.seen.into_inner().unwrap_or_else(PoisonError::into_inner).probe
    }

    /// A part has taken its next look.
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
        // All parts have taken the earlier looks.
        let Some(glimpses) = seen.open.pop_front() else { return };
        seen.shown += 1;
        let glimpses: Vec<Look> = glimpses.into_iter().flatten().collect();
        fabric.show(Look::join(&glimpses, |port| usize::from(self.of_port[port])), &mut seen.probe);
    }
}

impl<A: Agenda, P: Parted, S: Variant> Fabric<A, P, S> {
    /// Takes the looks that are due before an instant up to which everything has happened in this part.
    pub(super) fn take_glimpses(&mut self, part: usize, before: Time, looks: &PartLooks<P>) {
        while self.probe.look_due() < before && self.probe.look_due() <= self.rules.end {
            let glimpse = self.glimpse(self.probe.look_due());
            self.probe.give_look_away();
            looks.add(part, glimpse, self);
        }
    }
}
