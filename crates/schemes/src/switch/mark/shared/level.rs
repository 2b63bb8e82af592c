//! The level up to which an output marks nothing: notes on a scenario compare it with what can be there at most.

use congestree_units::Bytes;

/// Nothing is marked at an output while no more than this is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarksAbove {
    /// That level; `None`: the output never marks, as was asked for.
    pub level: Option<MarkLevel>,
    /// The parameter that sets it.
    pub key: &'static str,
    /// This parameter is a weight: the higher it is, the lower is the level.
    pub weight: bool,
}

/// A level, and what is compared with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkLevel {
    /// All bytes that wait for the output in the lane.
    Waiting(Bytes),
    /// The bytes of a single queue that feeds the output.
    OneQueue(Bytes),
    /// Bytes that wait in the inputs for the output and lane, times the number of inputs that have any.
    TimesInputs(Bytes),
    /// Data packets for the output and lane in the switch.
    Packets(u32),
}
