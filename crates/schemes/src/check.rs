//! Checks of the parameters of a part: each part has its own, beside its fields.
//!
//! What a schema can express (ranges, choices, unknown keys) is stated with the fields; the rest is here. A part knows
//! its position in a scenario only from its arguments: the path of its parameters, and the [`Setting`] around it.

use congestree_units::{Bytes, Rate, Span};

/// Parameters that can be compared with each other, and with the scenario around them.
pub trait Check {
    /// Reports everything that cannot work, each at its field.
    fn check(&self, _setting: &Setting, _found: &mut Diagnostics) {}
}

/// Nothing to set.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct NoParams {}

impl Check for NoParams {}

/// Parameters of any part of a role.
pub trait Part {
    /// The part's name in scenarios.
    fn name(&self) -> String;

    /// Reports all that cannot work, each at its field.
    fn check(&self, setting: &Setting, found: &mut Diagnostics);
}

/// The scenario around a part, as far as any part compares its parameters with it.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Rate of links without a rate of their own.
    pub rate: Rate,
    /// Whether links of hosts may have rates of their own.
    pub own_rates: bool,
    /// Lanes of a link.
    pub lanes: u8,
    /// A full packet on the wire.
    pub packet: Bytes,
    /// Full packets for which the largest input buffer has room; none if inputs have no buffers of their own.
    pub buffer_packets: Option<u32>,
    /// Packets of any size for which the buffer of an input has room in lane 0, the one in which isolation acts; none if
    /// it is not counted in packets.
    pub first_lane_slots: Option<u32>,
    /// Size of the largest input buffer in bytes, if it is counted in bytes and not shared with other inputs.
    pub buffer: Option<Bytes>,
    /// How the queues of an input are selected.
    pub queues: QueuedBy,
    /// Whether outputs have buffers of their own.
    pub output_buffers: bool,
    /// Whether links have flow control, which can block outputs.
    pub holds: bool,
    /// Marks come back by ACKs.
    pub acks: bool,
    /// Whether the reaction to marks has a window.
    pub windowed: bool,
    /// Whether the network has groups of switches and uses its own routes.
    pub groups: bool,
}

impl Setting {
    /// Packets of any size for which the largest input buffer has room, if it is counted in packets.
    pub fn slots(&self) -> Option<u32> {
        self.buffer_packets.filter(|_| self.buffer.is_none())
    }
}

/// How the queues of an input are selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueuedBy {
    /// By output: each has its own queue (VOQ).
    Output,
    /// Several queues, each for several outputs or destinations.
    Some,
    /// One queue for all packets, or one for each destination of the network.
    Other,
}

impl Default for Setting {
    /// A plain network: the setting in which parts are tested.
    fn default() -> Self {
        Self {
            rate: Rate::from_gbps(100),
            own_rates: false,
            lanes: 1,
            packet: Bytes(2_068),
            buffer_packets: Some(64),
            first_lane_slots: None,
            buffer: Some(Bytes(128 << 10)),
            queues: QueuedBy::Output,
            output_buffers: false,
            holds: true,
            acks: true,
            windowed: false,
            groups: true,
        }
    }
}

/// A parameter that is not valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Dotted path of the key in the scenario.
    pub path: String,
    /// What is the case.
    pub fact: String,
    /// What to do about it.
    pub remedy: String,
}

/// The errors found in one part.
#[derive(Clone, Debug)]
pub struct Diagnostics {
    /// The path of its parameters.
    path: String,
    /// What was found.
    pub list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// No errors yet, for the parameters at `path`.
    pub fn about(path: impl Into<String>) -> Self {
        Self { path: path.into(), list: Vec::new() }
    }

    /// An error in a field of the part, or in the part as a whole if the field is empty.
    pub fn report(&mut self, field: &str, fact: impl Into<String>, remedy: impl Into<String>) {
        let path = if field.is_empty() { self.path.clone() } else { format!("{}.{field}", self.path) };
        self.report_at(path, fact, remedy);
    }

    /// An error in a key anywhere in the scenario.
    pub fn report_at(&mut self, path: impl Into<String>, fact: impl Into<String>, remedy: impl Into<String>) {
        self.list.push(Diagnostic { path: path.into(), fact: fact.into(), remedy: remedy.into() });
    }

    /// All errors that `look` finds in the parameters at a field.
    pub fn within(&mut self, field: &str, look: impl FnOnce(&mut Diagnostics)) {
        let mut inner = Diagnostics::about(format!("{}.{field}", self.path));
        look(&mut inner);
        self.list.append(&mut inner.list);
    }

    /// Checks that a rate is not zero or nearly so.
    pub fn check_rate(&mut self, field: &str, rate: Option<Rate>) {
        if let Some((fact, remedy)) = rate.and_then(too_slow) {
            self.report(field, fact, remedy);
        }
    }

    /// Checks that a lowest rate is a rate, and not higher than that of the links, if all have the same.
    pub fn check_least_rate(&mut self, field: &str, least: Rate, setting: &Setting) {
        self.check_rate(field, Some(least));
        if least > setting.rate && !setting.own_rates {
            let fact = format!("links carry {}, less than {least}: no source would ever slow down", setting.rate);
            self.report(field, fact, "make it smaller");
        }
    }

    /// Reports a value that was given though it is `idle`; `why` names what decides in its place.
    pub fn check_idle(&mut self, field: &str, idle: bool, why: &str, remedy: &str) {
        if idle {
            self.report(field, format!("{why}, so {field} has no effect"), remedy);
        }
    }

    /// Checks the round trip of an empty network.
    pub fn check_round_trip(&mut self, field: &str, round_trip: Option<Span>) {
        if round_trip == Some(Span::ZERO) {
            let remedy = "give the round-trip time of the empty network, or leave it out";
            self.report(field, "no network answers at once", remedy);
        }
    }

    /// Checks that links have this lane.
    pub fn check_lane(&mut self, field: &str, lane: Option<u8>, setting: &Setting) {
        if let Some(lane) = lane.filter(|&lane| lane >= setting.lanes) {
            let fact = format!("there is no lane {lane}: links.lanes is {}, and lanes count from 0", setting.lanes);
            self.report(field, fact, "take a lower lane, or raise links.lanes");
        }
    }
}

/// Slower than any intended link or source; time spans and rates below stay far from the ends of their range.
pub const SLOWEST: Rate = Rate(1_000);

/// Why a rate is too low for any progress, and what to do about it.
pub fn too_slow(rate: Rate) -> Option<(String, String)> {
    if rate.0 == 0 {
        return Some(("the rate is zero, so nothing would ever move".into(), "give a rate above zero".into()));
    }
    let slow = rate < SLOWEST;
    slow.then(|| (format!("a rate of {rate} is too slow to be meant"), format!("make it at least {SLOWEST}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diagnostics_stand_at_fields_at_the_part_or_elsewhere() {
        let mut found = Diagnostics::about("scheme.mark.red");
        found.report("max", "a", "b");
        found.report("", "a", "b");
        found.report_at("links.lanes", "a", "b");
        found.within("lanes.0", |found| found.report("min", "a", "b"));
        let paths = found.list.iter().map(|diagnostic| diagnostic.path.as_str()).collect::<Vec<_>>();
        assert_eq!(paths, ["scheme.mark.red.max", "scheme.mark.red", "links.lanes", "scheme.mark.red.lanes.0.min"]);
    }

    #[test]
    fn a_rate_is_too_slow_below_a_thousand_bits() {
        let told = [0, 999, 1_000].map(|bits| too_slow(Rate(bits)).is_some());
        assert_eq!(told, [true, true, false]);
    }
}
