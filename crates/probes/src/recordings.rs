//! What can be recorded: the only list of names, and sets of them.
//!
//! A line may name a file beside the list, which holds the recorder. Such a recorder gets all facts, like any other
//! [`Probe`], and is asked for its tables when the run is over; no other code need know of it.

use std::any::Any;
use std::fmt::Debug;

use congestree_units::{Span, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{MeasurementWindow, Probe};

/// A recorder with a file of its own.
pub(crate) trait ListedRecorder: Probe + Debug + Send + Any {}

impl<R: Probe + Debug + Send + Any> ListedRecorder for R {}

/// Makes these from the list: the enum by which a scenario names what it wants recorded, the tables of each, the `mod`
/// lines of recorders with files of their own, and the recorders of a set that have files of their own.
///
/// A line reads `Name { table: "What a row is." },`, with as many tables as the recorder makes; or
/// `Name = file::Type { ... },` with the file in the folder `recordings`.
macro_rules! recordings {
    (
        $(
            $(#[$doc:meta])*
            $name:ident $( = $file:ident :: $recorder:ident )? { $( $table:ident: $row:literal ),+ $(,)? },
        )+
    ) => {
        $( $( mod $file; )? )+

        /// Something to record.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "kebab-case")]
        #[schemars(rename = "Probe")]
        pub enum Recording {
            $( $(#[$doc])* $name, )+
        }

        impl Recording {
            /// All that there is.
            pub const ALL: &[Self] = &[$( Self::$name ),+];

            /// The tables that its recorder makes, each with what a row of it is.
            pub fn tables(self) -> &'static [(&'static str, &'static str)] {
                match self {
                    $( Self::$name => &[$( (stringify!($table), $row) ),+], )+
                }
            }
        }

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
    Flows { flow_series: "A row for each flow and bin." },
    /// Throughput and marks of every traffic entry over time: small, however many flows there are.
    Classes { class_series: "A row for each traffic entry and bin." },
    /// Throughput, blocked time and buffer fill of every port over time.
    Ports { port_series: "A row for each direction of a link and bin." },
    /// How long each buffer held how many packets.
    Queues { queues: "How long each input buffer held how many packets." },
    /// Every marking event: its trigger, the packets, and when sources were notified.
    Events {
        events: "A row for each trigger of a marking policy.",
        fulls: "A row for each instant at which a buffer became full.",
        buffered: "A row for each flow with packets waiting in a buffer that became full.",
        marks: "A row for each marked packet.",
        congestion: "A row for each time that an output enters or leaves the congestion state.",
    },
    /// Distributions of latency by class.
    Latency { latency: "A row for each traffic class and kind of latency: its distribution." },
    /// Every delivered data packet, one by one.
    Deliveries { deliveries: "A row for each delivered data packet." },
    /// Totals by port and lane under the names that operators know: PortXmitWait, PortRcvFECN, PortXmitTimeCong, ...
    Counters { counters: "A row for each direction of a link and lane: totals after the warm-up." },
    /// Queue length and drops of every output over time. With credits only the drops, if links fail or damage packets.
    OutputQueues { output_queue_series: "A row for each bin and each output at which a packet ever waited." },
    /// Every pause frame that was acted on, and totals by port and lane. Only with pfc.
    Pauses {
        pauses: "A row for each pause frame that was obeyed, each pause that expired, and each action of the watchdog.",
        pause_counters: "A row for each direction of a link and lane: totals after the warm-up.",
    },
    /// Buffer fill over time, by port and lane. Only with pfc.
    Buffers { buffer_series: "A row for each bin and each input and lane that ever held anything." },
    /// Every complete message: when it was generated, started and finished. Needs a transport.
    Transfers { transfers: "A row for each message that has arrived completely." },
    /// CAM lines and set-aside queues in use over time, and inputs that have none left. Needs a scheme that isolates.
    Isolation { isolation_series: "For each bin, a row for all switches and a row for all hosts." },
    /// Every flow that has finished, where messages are flows of their own: size, start, finish, time on the idle fabric.
    Completions { completions: "A row for each finished flow, where each message is a flow of its own; written during the run." },
    /// Rate, phase and round-trip times of every transport, ACK by ACK, and when its phase changes.
    Transport { transport: "A row for each ACK, timeout and new phase of a transport." },
    /// Every message of an application: from rank to rank, when it was sent and delivered.
    Messages { messages: "A row for each delivered message of an application." },
    /// Congestion trees: roots, branches, contributors and victims in every sample, and the time that flows lose to them.
    Trees {
        trees: "A row for each congestion tree in each sample.",
        tree_links: "A row for each period in which a link belonged to a tree with the same values of depth and carries.",
        tree_flows: "A row for each tree, flow and role of the flow in that tree; whole run.",
        tree_losses: "A row for each flow that lost time to head-of-line blocking; whole run.",
    },
    /// RCM's congested regions: degrees and windows of outputs, and which flows are sampled, paced and rerouted. Needs
    /// `scheme.schedule = "rcm"`.
    Regions {
        regions: "A row for each change in what an output knows about its region of congestion.",
        region_windows: "A row for each window in which an output paces harmful flows.",
        region_flows: "A row for each bin, output and flow sampled, paced or rerouted there.",
    },
    /// Queue lengths at every input for every output, sampled (`sampling_interval`): they show which queue fills a
    /// shared memory.
    InputQueues { input_queue_series: "A row for each sample and each input and output between which packets wait." },
    /// Every root that a scheme declares, together with the load that was offered to that output. Needs a scheme that
    /// isolates.
    Detections { detections: "A row for each time that an input declares an output the root of a tree." },
    /// Head-of-line blocking inside switches, by class: packets that wait in a queue behind packets for other outputs.
    /// Needs a scheme that isolates, or `switches.arbiter = "islip"`.
    HolBlocking = hol_blocking::HolBlocking {
        hol_blocking: "A row for each bin, class of waiting packets and class of the packets in front of them.",
    },
    /// Credits of every output in every lane, sampled (`sampling_interval`). Only with credits.
    Credits { credit_series: "A row for each sample, direction of a link and lane that has credits." },
    /// Checks of injection: packets that hosts sent in spite of a stop, or sooner than their rate limit allows.
    InjectionAudit = injection_audit::InjectionAudit { injection_audit: "A row for each host that sent anything." },
}

// A set is a word of bits.
const _: () = assert!(Recording::ALL.len() <= u32::BITS as usize);

/// A window for asking recorders about themselves before anything is measured.
const NO_WINDOW: MeasurementWindow =
    MeasurementWindow { warm_up: Time::START, end: Time::START, bin: Span(1), sampling_interval: Span(1) };

/// Which recorders are on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProbeSet(u32);

impl ProbeSet {
    /// The recorder for this is on.
    pub fn has(self, recording: Recording) -> bool {
        self.0 & 1 << recording as u32 != 0
    }

    /// Some recorder is on.
    pub fn any(self) -> bool {
        self != Self::default()
    }

    /// Some recorder samples the fabric at intervals.
    pub fn samples(self) -> bool {
        [Recording::Trees, Recording::InputQueues, Recording::Credits].into_iter().any(|looking| self.has(looking))
    }

    /// Parts of a network can record all of it independently. What is recorded without a file of its own belongs to a
    /// single flow, class or port, or is a row of one of them, or is made of looks, in which each part sees its own
    /// ports. The recorders with files of their own say for themselves.
    pub fn by_owner(self) -> bool {
        listed(self, NO_WINDOW).iter().all(|recorder| recorder.adds_up())
    }

    /// Some recorder needs the bytes that wait for outputs.
    pub fn counts_waiting(self) -> bool {
        self.has(Recording::OutputQueues) || listed(self, NO_WINDOW).iter().any(|recorder| recorder.wants_fill())
    }

    /// Some recorder has a row for every packet, or as many rows. A run in one part hands them over during the run; a
    /// run in several parts keeps them to the end.
    pub fn has_many_rows(self) -> bool {
        [Recording::Deliveries, Recording::Transport, Recording::Pauses].into_iter().any(|rows| self.has(rows))
    }

    /// Some recorder needs to know what input buffers hold, packet by packet.
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
    use crate::{Names, Recorder};

    #[test]
    fn a_set_has_what_it_was_made_of_and_nothing_else() {
        let set = ProbeSet::from_iter([Recording::Flows, Recording::InjectionAudit, Recording::Flows]);
        assert!(set.has(Recording::Flows) && set.has(Recording::InjectionAudit) && !set.has(Recording::Ports));
        assert!(set.any() && !set.counts_buffers() && !ProbeSet::default().any());
        assert!(ProbeSet::from_iter([Recording::Queues]).counts_buffers());
        assert!(!set.counts_waiting() && ProbeSet::from_iter([Recording::OutputQueues]).counts_waiting());
    }

    #[test]
    fn every_recorder_makes_the_tables_of_its_line() {
        let window =
            MeasurementWindow { warm_up: Time::START, end: Time(100), bin: Span(50), sampling_interval: Span(50) };
        let name = |name: &str| vec![name.to_owned(); 2];
        let names = Names { ports: name("A->B"), nodes: name("A"), classes: name("all") };
        for &recording in Recording::ALL {
            let mut recorder = Recorder::new(ProbeSet::from_iter([recording]), window, 1, 2, 1, 1);
            recorder.finish(window.end);
            let mut made: Vec<&str> = recorder.tables(&names).iter().map(|table| table.name).collect();
            let mut listed: Vec<&str> = recording.tables().iter().map(|&(name, _)| name).collect();
            made.sort_unstable();
            listed.sort_unstable();
            assert_eq!(made, listed, "{recording:?}");
        }
    }

    #[test]
    fn parts_of_a_network_can_record_all_that_there_is() {
        assert!(ProbeSet::from_iter(Recording::ALL.iter().copied()).by_owner());
    }
}
