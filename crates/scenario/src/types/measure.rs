//! How long to run and what to look at.

use congestree_units::{Span, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is measured, and for how long.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Measure {
    /// The end of the run.
    pub duration: Time,
    /// Totals count from here.
    #[serde(default)]
    pub warm_up: Time,
    /// Length of the bins of the time series. Default: a hundredth of the duration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bin: Option<Span>,
    /// What is recorded besides the totals.
    #[serde(default)]
    pub probes: Vec<Probe>,
    /// From one look of the probes `trees` and `input-queues` at the fabric to the next. Default: `bin`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub look_every: Option<Span>,
    /// Stop with a report if an output has waited this long for room that can never come.
    #[serde(default = "one_millisecond")]
    pub watchdog: Span,
    /// The run is over when all applications have finished; `duration` is the longest that it may take then.
    #[serde(default)]
    pub until_jobs_end: bool,
    /// Check the conservation laws during the run, not only at its end.
    #[serde(default)]
    pub audit: bool,
}

/// Something to record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Probe {
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
    /// What waits and what is dropped at every output over time.
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
    /// Congestion trees: roots, branches, contributors and victims at every look, and the time that flows lose to them.
    Trees,
    /// Regions of congestion: degrees and windows of outputs, and which flows are looked at, paced and rerouted. Needs `scheme.rcm`.
    Regions,
    /// What waits at every input for every output, at regular looks (`look_every`): who hogs a memory that queues share.
    InputQueues,
    /// Every root that a scheme declares, beside what the output declared was offered. Needs a scheme that isolates.
    Detections,
    /// Packets that stand in a queue behind packets for other outputs, by class: how many, how long, behind whom. Needs a
    /// scheme that isolates, or `switches.arbiter = "islip"`.
    Behind,
    /// What hosts let past: packets sent against a stop, or sooner than their throttle allows.
    Gates,
}

fn one_millisecond() -> Span {
    Span::from_ms(1)
}
