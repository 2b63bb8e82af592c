//! Whether the parameters of a part make sense: each part says so itself, beside its fields.
//!
//! What a schema can say (ranges, choices, unknown keys) stands with the fields; here is the rest. A part knows where it
//! stands in a scenario only by what it is given: the path of its parameters, and the [`Setting`] around it.

use congestree_units::{Bytes, Rate, Span};

/// Parameters that can be held against each other, and against the scenario around them.
pub trait Check {
    /// Complains about all that cannot work, each at its field.
    fn check(&self, _setting: &Setting, _found: &mut Complaints) {}
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

    /// Complains about all that cannot work, each at its field.
    fn check(&self, setting: &Setting, found: &mut Complaints);
}

/// The scenario around a part, as far as any part holds its parameters against it.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Rate of links that have none of their own.
    pub rate: Rate,
    /// Links of hosts may have rates of their own.
    pub own_rates: bool,
    /// Lanes of a link.
    pub lanes: u8,
    /// A full packet on the wire.
    pub packet: Bytes,
    /// Packets that the smallest input buffer has room for; none if that is unknown.
    pub buffer_packets: Option<u32>,
    /// Bytes of an input buffer, if it is counted in bytes and belongs to the input alone.
    pub buffer: Option<Bytes>,
    /// What the queues of an input go by.
    pub queues: QueuedBy,
    /// Outputs have buffers of their own.
    pub output_buffers: bool,
    /// Links have flow control, which holds outputs.
    pub holds: bool,
    /// Marks come back by ACKs.
    pub acks: bool,
    /// The reaction to marks has a window.
    pub windowed: bool,
    /// The network has groups of switches, and its own routes.
    pub groups: bool,
}

/// What the queues of an input go by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueuedBy {
    /// The output: each has its own (VOQ).
    Output,
    /// Some queues, each for several outputs or destinations.
    Some,
    /// One queue for all, or one for each destination of the network.
    Other,
}

impl Default for Setting {
    /// A plain network: what parts are tested in.
    fn default() -> Self {
        Self {
            rate: Rate::from_gbps(100),
            own_rates: false,
            lanes: 1,
            packet: Bytes(2_068),
            buffer_packets: Some(64),
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

/// Something that makes no sense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// Dotted path of the key in the scenario.
    pub path: String,
    /// What is the case.
    pub fact: String,
    /// What to do about it.
    pub remedy: String,
}

/// What was found wrong with one part.
#[derive(Clone, Debug)]
pub struct Complaints {
    /// Where its parameters stand.
    path: String,
    /// What was found.
    pub list: Vec<Complaint>,
}

impl Complaints {
    /// Nothing yet, about the parameters at `path`.
    pub fn about(path: impl Into<String>) -> Self {
        Self { path: path.into(), list: Vec::new() }
    }

    /// About a field of the part, or about the part as a whole if the field is empty.
    pub fn complain(&mut self, field: &str, fact: impl Into<String>, remedy: impl Into<String>) {
        let path = if field.is_empty() { self.path.clone() } else { format!("{}.{field}", self.path) };
        self.complain_of(path, fact, remedy);
    }

    /// About a key anywhere in the scenario.
    pub fn complain_of(&mut self, path: impl Into<String>, fact: impl Into<String>, remedy: impl Into<String>) {
        self.list.push(Complaint { path: path.into(), fact: fact.into(), remedy: remedy.into() });
    }

    /// All that `look` finds about the parameters at a field.
    pub fn within(&mut self, field: &str, look: impl FnOnce(&mut Complaints)) {
        let mut inner = Complaints::about(format!("{}.{field}", self.path));
        look(&mut inner);
        self.list.append(&mut inner.list);
    }

    /// A rate that is zero or nearly so.
    pub fn check_rate(&mut self, field: &str, rate: Option<Rate>) {
        if let Some((fact, remedy)) = rate.and_then(too_slow) {
            self.complain(field, fact, remedy);
        }
    }

    /// A least rate: it is one, and not more than links have.
    pub fn check_least_rate(&mut self, field: &str, least: Rate, setting: &Setting) {
        self.check_rate(field, Some(least));
        if least > setting.rate {
            let fact = format!("links carry {}, less than {least}: no source would ever slow down", setting.rate);
            self.complain(field, fact, "make it smaller");
        }
    }

    /// The round trip of an empty network.
    pub fn check_round_trip(&mut self, field: &str, round_trip: Option<Span>) {
        if round_trip == Some(Span::ZERO) {
            let remedy = "give the round-trip time of the empty network, or leave it out";
            self.complain(field, "no network answers at once", remedy);
        }
    }

    /// A lane that links must have.
    pub fn check_lane(&mut self, field: &str, lane: Option<u8>, setting: &Setting) {
        if let Some(lane) = lane.filter(|&lane| lane >= setting.lanes) {
            let fact = format!("there is no lane {lane}: links.lanes is {}, and lanes count from 0", setting.lanes);
            self.complain(field, fact, "take a lower lane, or raise links.lanes");
        }
    }
}

/// Slower than any link that could be meant; spans and rates below stay far from the ends of their range.
const SLOWEST: Rate = Rate(1_000);

/// What is wrong with a rate at which nothing moves, and what to do about it.
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
    fn complaints_stand_at_fields_at_the_part_or_elsewhere() {
        let mut found = Complaints::about("scheme.mark.red");
        found.complain("max", "a", "b");
        found.complain("", "a", "b");
        found.complain_of("links.lanes", "a", "b");
        found.within("lanes.0", |found| found.complain("min", "a", "b"));
        let paths = found.list.iter().map(|complaint| complaint.path.as_str()).collect::<Vec<_>>();
        assert_eq!(paths, ["scheme.mark.red.max", "scheme.mark.red", "links.lanes", "scheme.mark.red.lanes.0.min"]);
    }

    #[test]
    fn a_rate_is_too_slow_below_a_thousand_bits() {
        let told = [0, 999, 1_000].map(|bits| too_slow(Rate(bits)).is_some());
        assert_eq!(told, [true, true, false]);
    }
}
