//! Packet spraying: every packet takes another path. Links are loaded evenly, and packets overtake each other.
//!
//! Dixit et al.: On the Impact of Packet Spraying in Data Center Networks (INFOCOM 2013).

use serde::{Deserialize, Serialize};

use super::{Passing, Router, RouterKind, drawn};

/// Parameters of packet spraying.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SprayParams {
    /// How the path of a packet is chosen.
    pub choice: SprayChoice,
}

/// How the path of a packet is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SprayChoice {
    /// Each path is equally likely.
    Random,
    /// The paths in turn, whatever flow a packet belongs to.
    InTurn,
}

impl Default for SprayParams {
    fn default() -> Self {
        Self { choice: SprayChoice::Random }
    }
}

impl RouterKind for SprayParams {
    fn goes_by_queues(&self) -> bool {
        false
    }
}

/// The turn of one switch.
#[derive(Clone, Debug)]
pub struct Spray {
    choice: SprayChoice,
    turn: u32,
}

impl Spray {
    /// A switch that has sent nothing.
    pub fn new(params: &SprayParams) -> Self {
        Self { choice: params.choice, turn: 0 }
    }
}

impl Router for Spray {
    #[inline]
    fn choose(&mut self, _: Passing, candidates: u32, _: impl Fn(u32) -> u64, draw: impl FnOnce() -> f64) -> u32 {
        match self.choice {
            SprayChoice::Random => drawn(draw(), candidates),
            SprayChoice::InTurn => {
                self.turn = self.turn.wrapping_add(1);
                self.turn % candidates
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use congestree_units::Time;

    #[test]
    fn in_turn_goes_round_and_random_follows_the_draw() {
        let packet = Passing { now: Time::START, label: 7 };
        let mut turns = Spray::new(&SprayParams { choice: SprayChoice::InTurn });
        let went: Vec<u32> = (0..6).map(|_| turns.choose(packet, 3, |_| 0, || panic!("no rng"))).collect();
        assert_eq!(went, [1, 2, 0, 1, 2, 0]);
        let mut random = Spray::new(&SprayParams::default());
        let went = [0.0, 0.249, 0.25, 0.999_999_999].map(|draw| random.choose(packet, 4, |_| 0, || draw));
        assert_eq!(went, [0, 0, 1, 3]);
    }
}
