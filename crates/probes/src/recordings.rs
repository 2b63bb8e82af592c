//! What can be recorded: the only list of names, and sets of them.
//!
//! A line may name a file beside the list, which holds the recorder. Such a recorder gets all facts, like any other
//! [`Probe`], and is asked for its tables when the run is over; no other code need know of it.

use std::any::Any;
use std::fmt::Debug;

use congestree_units::{Span, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::built_in::{BuiltIn, NetworkSize, RecorderNeeds};
use crate::recorder::{detections, events, flows, isolation, ports, regions, series};
use crate::{MeasurementWindow, Names, Probe, Table};

/// A recorder with a file of its own in the folder `recordings`.
pub(crate) trait ListedRecorder: Probe + Debug + Send + Any {}

impl<R: Probe + Debug + Send + Any> ListedRecorder for R {}

/// Makes these from the list: the enum by which a scenario names what it wants recorded, the tables of each, the `mod`
/// lines of recorders with files of their own, the recorders of a set, and how they are told of facts (`tell!`) and
/// asked what they want (`any!`).
///
/// A line reads `Name { table: "What a row is." },`, with as many tables as the recorder makes, and says which recorder
/// that is: `Name = file::Type { ... },` with the file in the folder `recordings`; or `Name in field: path::Type { ... },`
/// for a type that is part of the recorder itself, so that a fact that it ignores costs nothing.
macro_rules! recordings {
    (
        $(
            $(#[$doc:meta])*
            $name:ident $( in $field:ident : $built_in:path )? $( = $file:ident :: $recorder:ident )? {
                $( $table:ident: $row:literal ),+ $(,)?
            },
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

            /// What its recorder needs. Those with files of their own are asked by what they want.
            fn needs(self) -> RecorderNeeds {
                match self {
                    $( Self::$name => <[RecorderNeeds]>::first(&[$( <$built_in as BuiltIn>::NEEDS )?])
                        .copied().unwrap_or_default(), )+
                }
            }
        }

        /// The recorders of a set.
        #[derive(Debug)]
        pub(crate) struct Recorders {
            $( $( pub(crate) $field: Option<$built_in>, )? )+
            /// Those with files of their own.
            pub(crate) listed: Vec<Box<dyn ListedRecorder>>,
        }

        /// The recorders of a set that have files of their own.
        fn listed(set: ProbeSet, window: MeasurementWindow) -> Vec<Box<dyn ListedRecorder>> {
            let mut listed: Vec<Box<dyn ListedRecorder>> = Vec::new();
            $( $( if set.has(Recording::$name) {
                listed.push(Box::new($file::$recorder::new(window)));
            } )? )+
            listed
        }

        impl Recorders {
            pub(crate) fn new(set: ProbeSet, window: MeasurementWindow, size: NetworkSize) -> Self {
                Self {
                    $( $( $field: set.has(Recording::$name).then(|| <$built_in>::new(window, size)), )? )+
                    listed: listed(set, window),
                }
            }

            /// Adds what the same recorders of a part of the network have recorded; `sends` says of a flow whether its
            /// source is in that part.
            pub(crate) fn take_in(&mut self, part: Self, sends: &dyn Fn(u32) -> bool) {
                $( $( if let (Some(all), Some(part)) = (&mut self.$field, part.$field) {
                    all.take_in(part, sends);
                } )? )+
                for (listed, part) in self.listed.iter_mut().zip(part.listed) {
                    let part: Box<dyn Any> = part;
                    listed.take_in_part(&*part);
                }
            }

            /// The first table that has enough rows to be handed over during the run.
            pub(crate) fn batch(&mut self, names: &Names) -> Option<Table> {
                $( $( if let Some(table) = self.$field.as_mut().and_then(|recorder| recorder.batch(names)) {
                    return Some(table);
                } )? )+
                self.listed.iter_mut().find_map(|listed| listed.batch(names))
            }

            /// What was recorded; each recorder goes when its tables are made.
            pub(crate) fn tables(&mut self, names: &Names) -> Vec<Table> {
                let mut tables = Vec::new();
                $( $( tables.extend(self.$field.take().into_iter().flat_map(|mut own| own.tables(names))); )? )+
                tables.extend(self.listed.iter_mut().flat_map(|listed| listed.tables(names)));
                tables
            }
        }

        /// Tells all recorders of a fact.
        macro_rules! tell {
            ($all:expr, $fact:ident $what:tt) => {
                $( $( if let Some(recorder) = &mut $all.$field {
                    recorder.$fact $what;
                } )? )+
                for listed in &mut $all.listed {
                    listed.$fact $what;
                }
            };
        }
        pub(crate) use tell;

        /// Whether any recorder wants this.
        macro_rules! any {
            ($all:expr, $wants:ident) => {
                $( $( $all.$field.as_ref().is_some_and(|recorder| recorder.$wants()) || )? )+
                $all.listed.iter().any(|listed| listed.$wants())
            };
        }
        pub(crate) use any;
    };
}

recordings! {
    /// Throughput, marks and rate limit of every flow over time.
    Flows in flows: series::FlowSeries { flow_series: "A row for each flow and bin." },
    /// Throughput and marks of every traffic entry over time: small, however many flows there are.
    Classes in classes: series::ClassSeries { class_series: "A row for each traffic entry and bin." },
    /// Throughput, blocked time and buffer fill of every port over time.
    Ports in ports: ports::port_series::PortSeries { port_series: "A row for each direction of a link and bin." },
    /// How long each buffer held how many packets.
    Queues in queues: series::QueueTimes { queues: "How long each input buffer held how many packets." },
    /// Every marking event: its trigger, the packets, and when sources were notified.
    Events in events: events::EventLog {
        events: "A row for each trigger of a marking policy.",
        fulls: "A row for each instant at which a buffer became full.",
        buffered: "A row for each flow with packets waiting in a buffer that became full.",
        marks: "A row for each marked packet.",
        congestion: "A row for each time that an output enters or leaves the congestion state.",
    },
    /// Distributions of latency by class.
    Latency in latency: flows::deliveries::Latencies {
        latency: "A row for each traffic class and kind of latency: its distribution.",
    },
    /// Every delivered data packet, one by one.
    Deliveries in deliveries: flows::deliveries::Deliveries { deliveries: "A row for each delivered data packet." },
    /// Totals by port and lane under the names that operators know: PortXmitWait, PortRcvFECN, PortXmitTimeCong, ...
    Counters in counters: ports::counters::Counters {
        counters: "A row for each direction of a link and lane: totals after the warm-up.",
    },
    /// What waits for every output over time, in all queues of its switch, and drops.
    OutputQueues in output_queues: ports::output_queues::OutputQueueSeries {
        output_queue_series: "A row for each bin and each output at which a packet ever waited for some time.",
    },
    /// Every pause frame that was received, and totals by port and lane. Only with pfc.
    Pauses in pauses: ports::pauses::PauseLog {
        pauses: "A row for each pause frame that was received, each pause that expired, and each action of the watchdog.",
        pause_counters: "A row for each direction of a link and lane: totals after the warm-up.",
    },
    /// Buffer fill over time, by port and lane. Only with pfc.
    Buffers in buffers: ports::pauses::BufferSeries {
        buffer_series: "A row for each bin and each input and lane that ever held anything.",
    },
    /// Every complete message: when it was generated, started and finished. Needs a transport.
    Transfers in transfers: flows::transfers::Transfers {
        transfers: "A row for each message that has arrived completely.",
    },
    /// CAM lines and set-aside queues in use over time, and inputs that have none left. Needs a scheme that isolates.
    Isolation in isolation: isolation::IsolationSeries {
        isolation_series: "For each bin, a row for all switches and a row for all hosts.",
    },
    /// Every flow that has finished, where messages are flows of their own: size, start, finish, time on the idle fabric.
    Completions in completions: flows::completions::Completions {
        completions: "A row for each finished flow, where each message is a flow of its own; written during the run.",
    },
    /// Rate, phase and round-trip times of every transport, ACK by ACK, and when its phase changes.
    Transport in transport: flows::transport::TransportStates {
        transport: "A row for each ACK, timeout and new phase of a transport.",
    },
    /// Every message of an application: from rank to rank, when it was sent and delivered.
    Messages in messages: flows::messages::Messages { messages: "A row for each delivered message of an application." },
    /// Congestion trees: roots, branches, contributors and victims in every sample, and the time that flows lose to them.
    Trees in trees: crate::trees::Trees {
        trees: "A row for each congestion tree in each sample.",
        tree_links: "A row for each period in which a link belonged to a tree with the same values of depth and carries.",
        tree_flows: "A row for each tree, flow and role of the flow in that tree; whole run.",
        tree_losses: "A row for each flow that lost time to head-of-line blocking; whole run.",
    },
    /// RCM's congested regions: degrees and windows of outputs, and which flows are sampled, paced and rerouted. Needs
    /// `scheme.schedule = "rcm"`.
    Regions in regions: regions::Regions {
        regions: "A row for each change in what an output knows about its region of congestion.",
        region_windows: "A row for each window in which an output paces harmful flows.",
        region_flows: "A row for each bin, output and flow sampled, paced or rerouted there.",
    },
    /// Queue lengths at every input for every output, sampled (`sampling_interval`): they show which queue fills a
    /// shared memory.
    InputQueues in input_queues: ports::input_queues::InputQueues { input_queue_series: "A row for each sample and each input and output between which packets wait." },
    /// Every root that a scheme declares, together with the load that was offered to that output. Needs a scheme that
    /// isolates.
    Detections in detections: detections::Detections {
        detections: "A row for each time that an input declares an output the root of a tree.",
    },
    /// Head-of-line blocking inside switches, by class: packets that wait in a queue behind packets for other outputs.
    /// Needs a scheme that isolates, or `switches.arbiter = "islip"`.
    HolBlocking = hol_blocking::HolBlocking {
        hol_blocking: "A row for each bin, class of waiting packets and class of the packets in front of them.",
    },
    /// Credits of every output in every lane, sampled (`sampling_interval`). Only with credits.
    Credits in credits: ports::credits::Credits { credit_series: "A row for each sample, direction of a link and lane that has credits." },
    /// Checks of injection: packets that hosts sent in spite of a stop, or sooner than their rate limit allows.
    InjectionAudit = injection_audit::InjectionAudit { injection_audit: "A row for each host that sent anything." },
}

// A set is a word of bits.
const _: () = assert!(Recording::ALL.len() <= u32::BITS as usize);

/// A window for asking recorders about themselves before anything is measured.
pub(crate) const NO_WINDOW: MeasurementWindow =
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
        self.needs(|needs| needs.samples)
    }

    /// Parts of a network can record all of it independently. What is recorded without a file of its own belongs to a
    /// single flow, class or port, or is a row of one of them, or is made of samples, in which each part sees its own
    /// ports. The recorders with files of their own say for themselves.
    pub fn by_owner(self) -> bool {
        listed(self, NO_WINDOW).iter().all(|recorder| recorder.adds_up())
    }

    /// Some recorder needs the bytes that wait for outputs.
    pub fn counts_waiting(self) -> bool {
        self.needs(|needs| needs.waiting) || listed(self, NO_WINDOW).iter().any(|recorder| recorder.wants_fill())
    }

    /// Some recorder has a row for every packet, or as many rows. A run in one part hands them over during the run; a
    /// run in several parts keeps them to the end.
    pub fn has_many_rows(self) -> bool {
        self.needs(|needs| needs.many_rows)
    }

    /// Some recorder needs to know what input buffers hold, packet by packet.
    pub fn counts_buffers(self) -> bool {
        self.needs(|needs| needs.buffers)
    }

    /// Some recorder has this need.
    fn needs(self, has: fn(RecorderNeeds) -> bool) -> bool {
        Recording::ALL.iter().any(|&recording| self.has(recording) && has(recording.needs()))
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
    use crate::Recorder;

    #[test]
    fn a_set_has_what_it_was_made_of_and_nothing_else() {
        let set = ProbeSet::from_iter([Recording::Flows, Recording::InjectionAudit, Recording::Flows]);
        assert!(set.has(Recording::Flows) && set.has(Recording::InjectionAudit) && !set.has(Recording::Ports));
        assert!(set.any() && !set.counts_buffers() && !ProbeSet::default().any());
        assert!(ProbeSet::from_iter([Recording::Queues]).counts_buffers());
        assert!(!set.counts_waiting() && ProbeSet::from_iter([Recording::OutputQueues]).counts_waiting());
    }

    #[test]
    fn a_set_needs_what_any_of_its_recorders_needs() {
        use Recording::*;
        let needing = |needs: fn(ProbeSet) -> bool| {
            let each = Recording::ALL.iter().filter(|&&one| needs(ProbeSet::from_iter([one])));
            each.copied().collect::<Vec<_>>()
        };
        assert_eq!(needing(ProbeSet::samples), [Trees, InputQueues, Credits]);
        assert_eq!(needing(ProbeSet::has_many_rows), [Deliveries, Pauses, Transport]);
        assert_eq!(needing(ProbeSet::counts_buffers), [Ports, Queues]);
        assert_eq!(needing(ProbeSet::counts_waiting), [OutputQueues]);
    }

    #[test]
    fn every_recorder_makes_the_tables_of_its_line() {
        let size = NetworkSize { flows: 1, ports: 2, lanes: 1, classes: 1 };
        let window =
            MeasurementWindow { warm_up: Time::START, end: Time(100), bin: Span(50), sampling_interval: Span(50) };
        let name = |name: &str| vec![name.to_owned(); 2];
        let names = Names { ports: name("A->B"), nodes: name("A"), classes: name("all") };
        for &recording in Recording::ALL {
            let mut recorder = Recorder::new(ProbeSet::from_iter([recording]), window, size);
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
