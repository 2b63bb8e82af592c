//! How lanes share a link.

/// Two tables of lanes and weights, see `link::lanes::weighted`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaneWeights {
    /// Lanes that go first, with their weights in units of 64 bytes.
    pub high: Vec<(u8, u8)>,
    /// The others.
    pub low: Vec<(u8, u8)>,
    /// After more than this many units of 4,096 bytes from `high` a packet of `low` may go first; 255: never.
    pub limit: u8,
}

/// Strict priorities and deficit round robin, see `link::lanes::schedule`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaneSchedule {
    /// Lanes that go first, in this order.
    pub strict: Vec<u8>,
    /// The others, with the bytes that each may send in a turn.
    pub shares: Vec<(u8, u32)>,
}
