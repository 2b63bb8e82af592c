//! What the three response functions of HPL-2002-4 section 6 share: a rate limit between R_max/floor and R_max,
//! kept as its inverse x = R_max/r, and the choice of 256 discrete inter-packet delays (section 6.3.1).

use super::Pace;

/// The inverse rate limit of one source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Limit {
    /// R_max/r, in [1, floor].
    pub(super) x: f64,
    floor: f64,
    discrete: bool,
}

impl Limit {
    pub(super) fn new(start: f64, floor: f64, discrete: bool) -> Self {
        Self { x: start.clamp(1.0, floor), floor, discrete }
    }

    pub(super) fn set(&mut self, x: f64) {
        self.x = x.clamp(1.0, self.floor);
    }

    /// The state stays continuous; only what is sent follows the nearest discrete delay (halves up).
    pub(super) fn pace(self) -> Pace {
        if self.x <= 1.0 {
            Pace::LineRate
        } else if self.discrete {
            Pace::Every((self.x + 0.5).floor())
        } else {
            Pace::Every(self.x)
        }
    }
}
