//! How long to run and what to record.

pub use congestree_probes::Recording as Probe;
use congestree_units::{Span, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is measured, and for how long.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Measure {
    /// Simulated time at which the run ends.
    pub duration: Time,
    /// End of the warm-up: totals are counted from this time on.
    #[serde(default)]
    pub warm_up: Time,
    /// Length of the bins of the time series. Default: a hundredth of the duration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bin: Option<Span>,
    /// What is recorded besides the totals.
    #[serde(default)]
    pub probes: Vec<Probe>,
    /// Time between two samples of the probes `trees`, `input-queues` and `credits`. Default: `bin`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sampling_interval: Option<Span>,
    /// Stop with a report if an output has been waiting this long for buffer space that never becomes free because of a
    /// deadlock.
    #[serde(default = "one_millisecond")]
    pub deadlock_timeout: Span,
    /// End the run when all applications have finished; `duration` is then the upper limit.
    #[serde(default)]
    pub until_jobs_end: bool,
    /// Check the conservation laws during the run, not only at its end.
    #[serde(default)]
    pub audit: bool,
}

fn one_millisecond() -> Span {
    Span::from_ms(1)
}
