//! How long to run and what to look at.

pub use congestree_probes::Recording as Probe;
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
    /// From one sample of the probes `trees`, `input-queues` and `credits` to the next. Default: `bin`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sampling_interval: Option<Span>,
    /// Stop with a report if an output has waited this long for room that can never come.
    #[serde(default = "one_millisecond")]
    pub deadlock_timeout: Span,
    /// The run is over when all applications have finished; `duration` is the longest that it may take then.
    #[serde(default)]
    pub until_jobs_end: bool,
    /// Check the conservation laws during the run, not only at its end.
    #[serde(default)]
    pub audit: bool,
}

fn one_millisecond() -> Span {
    Span::from_ms(1)
}
