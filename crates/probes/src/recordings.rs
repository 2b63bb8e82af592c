//! What can be recorded: the one list of names, and sets of them.
//!
//! A line may name a file beside the list that has the recorder. Such a recorder is told all facts like any other
//! [`Probe`], and asked for its tables when the run is over; nothing else need know of it.

use std::any::Any;
use std::fmt::Debug;

use congestree_units::{Span, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{MeasurementWindow, Probe};

/// A recorder with a file of its own.
pub(crate) trait ListedRecorder: Probe + Debug + Send + Any {}

impl<R: Probe + Debug + Send + Any> ListedRecorder for R {}

/// Makes from the list: the enum by which a scenario names what it wants recorded, how many names there are, the `mod` lines
/// of recorders with files of their own, and those of a set.
///
/// A line reads `Name,`, or `Name = file::Type,` with the file in the folder `recordings`.
macro_rules! recordings {
    ( $( $(#[$doc:meta])* $name:ident $( = $file:ident :: $recorder:ident )?, )+ ) => {
        $( $( mod $file; )? )+

        /// Something to record.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "kebab-case")]
        #[schemars(rename = "Probe")]
        pub enum Recording {
            $( $(#[$doc])* $name, )+
        }

        const COUNT: u32 = [$( Recording::$name ),+].len() as u32;

        /// The recorders of a set that have files of their own.
        pub(crate) fn listed(set: ProbeSet, window: MeasurementWindow) -> Vec<Box<dyn ListedRecorder>> {
            let mut listed: Vec<Box<dyn ListedRecorder>> = Vec::new();
            $( $( if set.has(Recording::$name) {
                listed.push(Box::new($file::$recorder::new(window)));
            } )? )+
            listed
        }
    };
}

recordings! {
    /// Throughput, marks and rate limit of every flow over time.
    Flows,
    /// Throughput and marks of every traffic entry over time: small, however many flows there are.
    Classes,
    /// Throughput, blocked time and buffer fill of every port over time.
    Ports,
    /// How long each buffer held how many packets.
    Queues,
    /// Every marking event: what triggered it, which packets, when the sources heard of it.
    Events,
    /// Distributions of latency by class.
    Latency,
    /// Every delivered data packet, one by one.
    Deliveries,
    /// Totals by port and lane under the names that operators know: PortXmitWait, PortRcvFECN, PortXmitTimeCong, ...
    Counters,
    /// What waits and what is dropped at every output over time. With credits only what is dropped, where links fail or
    /// damage packets.
    OutputQueues,
    /// Every pause frame that was acted on, and totals by port and lane. Only with pfc.
    Pauses,
    /// What the buffers hold over time, by port and lane. Only with pfc.
    Buffers,
    /// Every message that has arrived whole: when it was made, started and finished. Needs a transport.
    Transfers,
    /// Lines and set-aside queues in use over time, and inputs that have none left. Needs a scheme that isolates.
    Isolation,
    /// Every flow that has finished, where messages are flows of their own: size, start, finish, time on the idle fabric.
    Completions,
    /// Rate, phase and round-trip times of every transport, ACK by ACK, and when its phase changes.
    Transport,
    /// Every message of an application: from rank to rank, when it was sent and delivered.
    Messages,
    /// Congestion trees: roots, branches, contributors and victims in every sample, and the time that flows lose to them.
    Trees,
    /// Regions of congestion: degrees and windows of outputs, and which flows are sampled, paced and rerouted. Needs
    /// `scheme.schedule = "rcm"`.
    Regions,
    /// What waits at every input for every output, sampled (`sampling_interval`): who hogs a memory that queues share.
    InputQueues,
    /// Every root that a scheme declares, beside what the output declared was offered. Needs a scheme that isolates.
    Detections,
    /// Head-of-line blocking inside switches: packets that stand in a queue behind packets for other outputs, by class. Needs a
    /// scheme that isolates, or `switches.arbiter = "islip"`.
    HolBlocking = hol_blocking::HolBlocking,
    /// What flow control lets every output send in every lane, sampled (`sampling_interval`). Only with credits.
    Credits,
    /// Packets that hosts sent against a stop, or sooner than their rate limit allows.
    InjectionAudit = injection_audit::InjectionAudit,
}

// A set is a word of bits.
const _: () = assert!(COUNT <= u32::BITS);

/// Which recorders are on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProbeSet(u32);

impl ProbeSet {
    /// The recorder of this is on.
    pub fn has(self, recording: Recording) -> bool {
        self.0 & 1 << recording as u32 != 0
    }

    /// Some recorder is on.
    pub fn any(self) -> bool {
        self != Self::default()
    }

    /// Some recorder samples the fabric from time to time.
    pub fn samples(self) -> bool {
        [Recording::Trees, Recording::InputQueues, Recording::Credits].into_iter().any(|looking| self.has(looking))
    }

    /// Parts of a network can record it by themselves. What has no file of its own belongs to a flow, a class or a port each, or is a
    /// row of one of them, or it is made of looks, of which each part sees its own ports; the other recorders say so.
    pub fn by_owner(self) -> bool {
        let (start, picosecond) = (Time::START, Span(1));
        let window = MeasurementWindow { warm_up: start, end: start, bin: picosecond, sampling_interval: picosecond };
        listed(self, window).iter().all(|recorder| recorder.adds_up())
    }

    /// Some recorder has a row for every packet, or as many. A run in one part hands them over while it goes on; one in several
    /// keeps them to the end.
    pub fn has_many_rows(self) -> bool {
        [Recording::Deliveries, Recording::Transport, Recording::Pauses].into_iter().any(|rows| self.has(rows))
    }

    /// Some recorder wants to know what input buffers hold, packet by packet.
    pub fn counts_buffers(self) -> bool {
        self.has(Recording::Ports) || self.has(Recording::Queues)
    }
}

impl FromIterator<Recording> for ProbeSet {
    fn from_iter<I: IntoIterator<Item = Recording>>(recordings: I) -> Self {
        Self(recordings.into_iter().fold(0, |set, recording| set | 1 << recording as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_what_it_was_made_of_and_nothing_else() {
        let set = ProbeSet::from_iter([Recording::Flows, Recording::InjectionAudit, Recording::Flows]);
        assert!(set.has(Recording::Flows) && set.has(Recording::InjectionAudit) && !set.has(Recording::Ports));
        assert!(set.any() && !set.counts_buffers() && !ProbeSet::default().any());
        assert!(ProbeSet::from_iter([Recording::Queues]).counts_buffers());
    }

    #[test]
    fn parts_of_a_network_can_record_all_that_there_is() {
        assert!(ProbeSet((1 << COUNT) - 1).by_owner());
    }
}
