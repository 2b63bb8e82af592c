//! Detection (CRD): how congested an output is, by the lengths of its queues and their growth.
//!
//! ```text
//! F_b = (Q - Q_eq) + w_q (Q - Q at the previous sample)   congested if above zero
//! F_b' = (1 - w) F_b + w F_br                             passed on, with the degree of the neighbour (F_br)
//! ```
//!
//! The queue of the output and that of the input by which the packet arrived are sampled; the more congested of the two
//! counts. The queue of an output is its own memory if it has one, and otherwise what all inputs hold for it. The
//! degree is F_b in 63 steps of Q_eq (1 + 2 w_q), the highest value that it can have in QCN.

use super::{MOST, RegionalParams, SampledQueues};

/// The result of a sample of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// No sample was due.
    NotNow,
    /// It is congested to this degree, 1 to 63.
    Congested(u8),
    /// It is not congested, but was recently.
    Easing,
    /// It is not.
    Calm,
}

/// The congestion point of one output.
#[derive(Clone, Copy, Debug, Default)]
pub struct CongestionPoint {
    /// Bytes for the output at the last sample.
    before: u32,
    /// Packets until the next.
    until_sample: u32,
    /// Samples since congestion was last found; none while calm.
    eased: u32,
    /// Its own degree.
    degree: u8,
}

impl CongestionPoint {
    /// Its own degree of congestion.
    pub fn degree(&self) -> u8 {
        self.degree
    }

    /// A packet has arrived: `waiting` bytes wait for the output now, `own` of them at the same input, where it was
    /// `own_before` at the last sample.
    pub fn on_packet(&mut self, waiting: u32, own: u32, own_before: u32, params: &RegionalParams) -> Finding {
        if self.until_sample > 1 {
            self.until_sample -= 1;
            return Finding::NotNow;
        }
        let all = degree(waiting, self.before, params);
        let one = match params.sampled_queues {
            SampledQueues::BothQueues => degree(own, own_before, params),
            SampledQueues::OutputQueues => 0,
        };
        self.before = waiting;
        self.found(all.max(one), params)
    }

    /// Nothing waits for the output any more.
    pub fn on_empty(&mut self) {
        *self = Self::default();
    }

    fn found(&mut self, degree: u8, params: &RegionalParams) -> Finding {
        // The interval shrinks to a fourth at the highest degree.
        let shorter = params.sample_every - params.sample_every * 3 * u32::from(degree) / (4 * u32::from(MOST));
        self.until_sample = shorter.max(1);
        if degree > 0 {
            (self.degree, self.eased) = (degree, 0);
            return Finding::Congested(degree);
        }
        if self.degree == 0 {
            return Finding::Calm;
        }
        self.eased += 1;
        if self.eased < params.calm_samples {
            return Finding::Easing;
        }
        (self.degree, self.eased) = (0, 0);
        Finding::Calm
    }
}

/// The degree of a queue of this length, with the length at the previous sample; zero if it is not congested.
pub fn degree(length: u32, before: u32, params: &RegionalParams) -> u8 {
    let equilibrium = params.equilibrium.0 as f64;
    let feedback = f64::from(length) - equilibrium + params.growth_weight * (f64::from(length) - f64::from(before));
    if feedback <= 0.0 {
        return 0;
    }
    let step = equilibrium * (1.0 + 2.0 * params.growth_weight) / f64::from(MOST);
    (feedback / step).ceil().min(f64::from(MOST)) as u8
}

/// What an output inside a region passes on.
pub fn passed_on(own: u8, told: u8, params: &RegionalParams) -> u8 {
    let weight = params.remote_weight;
    ((1.0 - weight) * f64::from(own) + weight * f64::from(told)).ceil() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Q_eq 33 kB, w_q 2: a step is 33 (1 + 4) / 63 = 2.619 kB.
    #[test]
    fn the_degree_counts_length_and_growth() {
        let params = RegionalParams::default();
        assert_eq!(degree(33_000, 33_000, &params), 0);
        assert_eq!(degree(33_001, 33_001, &params), 1);
        // 33 kB over, standing still: 12.6 steps. Grown by 11 kB: 22 kB more, 21.
        assert_eq!([degree(66_000, 66_000, &params), degree(66_000, 55_000, &params)], [13, 21]);
        assert_eq!([degree(30_000, 20_000, &params), degree(60_000, 90_000, &params)], [7, 0]);
        assert_eq!(degree(900_000, 0, &params), MOST);
    }

    #[test]
    fn samples_come_every_tenth_packet_and_sooner_when_congested() {
        let params = RegionalParams::default();
        let mut point = CongestionPoint::default();
        let samples = |point: &mut CongestionPoint, waiting: u32, packets: u32| {
            (0..packets).filter(|_| point.on_packet(waiting, 0, 0, &params) != Finding::NotNow).count()
        };
        assert_eq!(samples(&mut point, 1_000, 100), 10);
        assert!(samples(&mut point, 300_000, 100) > 12);
        assert_eq!(point.degree(), MOST);
    }

    #[test]
    fn congestion_is_over_after_two_samples_without() {
        let params = RegionalParams { sample_every: 1, ..Default::default() };
        let mut point = CongestionPoint::default();
        let found =
            [50_000, 20_000, 60_000, 10_000, 10_000, 10_000].map(|waiting| point.on_packet(waiting, 0, 0, &params));
        assert!(matches!(found[0], Finding::Congested(_)) && matches!(found[2], Finding::Congested(_)));
        assert_eq!(
            [found[1], found[3], found[4], found[5]],
            [Finding::Easing, Finding::Easing, Finding::Calm, Finding::Calm]
        );
    }

    #[test]
    fn the_queue_of_one_input_is_enough() {
        let params = RegionalParams { sample_every: 1, ..Default::default() };
        let mut point = CongestionPoint::default();
        assert_eq!(point.on_packet(10_000, 0, 0, &params), Finding::Calm);
        // All in all 11 kB, 1 kB more; but one input went from nothing to 11 kB: 22 kB of growth, just on the edge.
        assert_eq!(point.on_packet(11_000, 11_000, 0, &params), Finding::Calm);
        assert_eq!(point.on_packet(11_001, 11_001, 0, &params), Finding::Congested(1));
    }

    #[test]
    fn queues_of_inputs_may_be_left_out() {
        let params =
            RegionalParams { sample_every: 1, sampled_queues: SampledQueues::OutputQueues, ..Default::default() };
        assert_eq!(CongestionPoint::default().on_packet(11_000, 90_000, 0, &params), Finding::Calm);
    }

    #[test]
    fn what_is_passed_on_lies_between_own_and_told() {
        let params = RegionalParams::default();
        assert_eq!([passed_on(20, 40, &params), passed_on(63, 63, &params), passed_on(1, 0, &params)], [30, 63, 1]);
    }
}
