//! In-band telemetry: what switches write into the packets that leave them, and receivers copy into ACKs.
//!
//! Two forms. *Records* (INT): every switch on the path adds one with the rate of the link, the bytes that still wait
//! for it, the bytes that it has sent so far, and the time. A *digest* (PINT): every output keeps its own utilisation,
//! by all packets that leave it, and a packet carries that of the busiest one, as a power of a base in one byte.
//!
//! | here          | HPCC, section 3.2 and 4.1; PINT | unit |
//! |---------------|---------------------------------|------|
//! | `rate`        | B                               | bit/s |
//! | `queue`       | qLen                            | B    |
//! | `output`      | pathID, of all hops in one      |      |
//! | `bytes`       | txBytes                         | B    |
//! | `at`          | ts                              | time |
//! | `utilisation` | U                               | 1    |
//! | `round_trip`  | T, the base round-trip time     | time |
//!
//! Only data packets carry it, and only switches write it. Values are exact here, while HPCC's header rounds bytes to
//! 128, queues to 80 and time to a nanosecond, and wraps around.
//!
//! Li et al.: HPCC: High Precision Congestion Control (SIGCOMM 2019); Ben Basat et al.: PINT: Probabilistic In-band Network
//! Telemetry (SIGCOMM 2020), section 4.3.

use congestree_units::{Bytes, Rate, Span, Time};

use crate::power::power;

/// The telemetry that a reaction needs from switches.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Telemetry {
    /// Nothing.
    #[default]
    None,
    /// Every switch a record.
    Records,
    /// The utilisation of the busiest link.
    Digest(Digest),
}

/// What one switch has written: the state of an output when the packet left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HopRecord {
    /// When the packet started on the link.
    pub at: Time,
    /// Bytes that the output had sent before it.
    pub bytes: u64,
    /// Bytes that waited behind it, 4 GiB at the most.
    pub queue: u32,
    /// The output. Records of two outputs cannot be compared.
    pub output: u32,
    /// Rate of the link.
    pub rate: Rate,
}

impl HopRecord {
    /// Whether two packets have taken the same path, by these outputs. (HPCC has a number for it in its header, pathID:
    /// section 4.1.)
    pub fn same_way(hops: &[HopRecord], others: &[HopRecord]) -> bool {
        hops.len() == others.len() && hops.iter().zip(others).all(|(hop, other)| hop.output == other.output)
    }
}

/// What an ACK brings of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Seen<'a> {
    /// The records of the switches on the way, first to last.
    Records(&'a [HopRecord]),
    /// The utilisation of the busiest link, as exactly as the code represents it.
    Digest(f64),
}

/// How outputs measure themselves, and how a packet carries it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Digest {
    /// Codes are powers of it.
    pub base: f64,
    /// The time over which utilisation is averaged.
    pub round_trip: Span,
}

/// The utilisation of one output, by itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct UtilisationMeter {
    utilisation: f64,
    /// When the last packet left, and its bytes.
    last: Option<(Time, u64)>,
}

impl UtilisationMeter {
    /// A packet leaves as `hop` tells: the utilisation now.
    ///
    /// ```text
    /// dt = min(time since the last packet, T)
    /// U  = (1 - dt/T) U + (dt/T) (queue / (B T) + size of the last packet / (B dt))
    /// ```
    pub fn on_leaving(&mut self, rule: Digest, hop: HopRecord, size: Bytes) -> f64 {
        let round_trip = rule.round_trip.as_secs();
        let product = hop.rate.as_bytes_per_sec() * round_trip;
        let (elapsed, before) = match self.last {
            Some((last, bytes)) => (hop.at.since(last).as_secs().min(round_trip), bytes),
            None => (round_trip, 0),
        };
        let share = elapsed / round_trip;
        self.utilisation =
            self.utilisation * (1.0 - share) + share * hop.queue as f64 / product + before as f64 / product;
        self.last = Some((hop.at, size.0));
        self.utilisation
    }
}

impl Digest {
    /// The code of a utilisation: one of the two nearest powers, drawn by `draw` in [0, 1) so that it is right on
    /// average.
    pub fn code(self, utilisation: f64, draw: impl FnOnce() -> f64) -> u8 {
        let value = (utilisation * SCALE).ceil().max(1.0);
        let below = (libm::log(value) / libm::log(self.base) + 1e-9).floor();
        let (low, high) = (libm::pow(self.base, below), libm::pow(self.base, below + 1.0));
        let up = value > low && draw() < (value - low) / (high - low);
        // Beyond the last code there is no larger one.
        (below + f64::from(u8::from(up))).min(f64::from(u8::MAX)) as u8
    }

    /// The utilisation that a code represents.
    pub fn utilisation(self, code: u8) -> f64 {
        power(self.base, u32::from(code)) / SCALE
    }

    /// The least base whose largest code represents this utilisation, rounded up to a thousandth.
    pub fn least_base(utilisation: f64) -> f64 {
        (libm::pow(utilisation * SCALE, 1.0 / f64::from(u8::MAX)) * 1e3).ceil() / 1e3
    }
}

/// A utilisation of one is so much: what is below a 512th cannot be told from it (HPCC's model of PINT).
const SCALE: f64 = 512.0;

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: Digest = Digest { base: 1.05, round_trip: Span::from_us(10) };

    fn hop(us: u64, queue: u32) -> HopRecord {
        HopRecord { at: Time(us * 1_000_000), bytes: 0, queue, output: 0, rate: Rate::from_gbps(8) }
    }

    #[test]
    fn the_first_packet_tells_of_the_queue_alone() {
        // 8 Gbit/s for 10 us are 10,000 B.
        assert_eq!(UtilisationMeter::default().on_leaving(RULE, hop(0, 5_000), Bytes(1_000)), 0.5);
    }

    #[test]
    fn packets_back_to_back_and_no_queue_make_a_full_link() {
        let mut meter = UtilisationMeter::default();
        let mut seen = 0.0;
        for us in 0..200 {
            seen = meter.on_leaving(RULE, hop(us, 0), Bytes(1_000));
        }
        assert!((seen - 1.0).abs() < 1e-6, "{seen}");
    }

    #[test]
    fn one_step_as_computed_by_hand() {
        let mut meter = UtilisationMeter::default();
        meter.on_leaving(RULE, hop(0, 5_000), Bytes(1_000));
        // 2 us later: 0.5 x 0.8 + 0.2 x 3,000/10,000 + 1,000/10,000.
        assert!((meter.on_leaving(RULE, hop(2, 3_000), Bytes(500)) - 0.56).abs() < 1e-12);
        // After a long silence only the queue of now counts, and the packet before.
        assert!((meter.on_leaving(RULE, hop(90, 0), Bytes(1_000)) - 0.05).abs() < 1e-12);
    }

    #[test]
    fn codes_are_right_on_average_and_off_by_less_than_the_base() {
        for utilisation in [0.01, 0.3, 0.95, 1.0, 3.7] {
            let value = (utilisation * SCALE).ceil() / SCALE;
            let draws: Vec<f64> =
                (0..1_000).map(|i| RULE.utilisation(RULE.code(utilisation, || f64::from(i) / 1_000.0))).collect();
            let mean = draws.iter().sum::<f64>() / 1_000.0;
            assert!((mean / value - 1.0).abs() < 1e-3, "{utilisation}: {mean}");
            assert!(draws.iter().all(|seen| (value / 1.0501..value * 1.0501).contains(seen)), "{utilisation}");
        }
    }

    #[test]
    fn the_code_of_next_to_nothing_is_zero_and_there_is_a_largest() {
        assert_eq!((RULE.code(0.0, || 0.0), RULE.code(1e9, || 0.0)), (0, 255));
    }
}
