//! Mixture of experts: every token goes to the ranks of the experts that were chosen for it (dispatch), is processed
//! there, and comes back (combine). A step ends for a rank when all data for it have arrived; the slowest rank holds up
//! all others.
//!
//! Sizes as in DeepEP: a token is sent once for each chosen expert (low-latency kernels), or once for each rank that
//! has one of them. Data that stay at their rank are not sent.

use congestree_kernel::Rng;
use congestree_units::Span;

use super::collectives::exchange;
use crate::program::{Action, Builder, Local, RankOperation};
use crate::programs::ExchangeOrder;
use crate::programs::rank_steps::{RankStep, enclose};
use crate::steps::Step;

/// What is exchanged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moe {
    /// How many ranks.
    pub ranks: u32,
    /// Tokens of each rank.
    pub tokens: u32,
    /// The number of them for which experts are drawn; they represent all.
    pub drawn: u32,
    /// Total number of experts, distributed evenly over the ranks, the first at rank 0.
    pub experts: u32,
    /// Layers, one after the other.
    pub layers: u32,
    /// Bytes of a token sent to an expert.
    pub dispatch: u64,
    /// Bytes of a token sent back.
    pub combine: u64,
    /// Time that a rank computes for each copy of a token that it receives.
    pub compute: Span,
    /// A rank receives a token once, however many of its experts it is for.
    pub once: bool,
    /// In which order a rank sends to its partners.
    pub order: ExchangeOrder,
}

/// Which experts were chosen for a token: layer, rank, and number of the token at its rank.
pub trait ExpertRouter {
    /// Different experts; they replace the content of the list.
    fn route(&mut self, layer: u32, rank: u32, token: u32, experts: &mut Vec<u32>);
}

/// The program: in each layer a dispatch, the computation, a combine.
pub fn moe(shape: &Moe, router: &mut dyn ExpertRouter) -> Builder {
    let n = shape.ranks;
    let mut builder = Builder::new(n);
    let mut after: Vec<Vec<Local>> = vec![Vec::new(); n as usize];
    let mut tag = 0;
    for layer in 0..shape.layers {
        let copies = copies(shape, layer, router);
        let all: u64 = copies.iter().map(|&c| u64::from(c)).sum();
        let at = |from: u32, to: u32| u64::from(copies[(from * n + to) as usize]);
        for (name, each, back) in [("dispatch", shape.dispatch, false), ("combine", shape.combine, true)] {
            let places: Vec<RankStep> =
                (0..n).map(|rank| RankStep::open(&mut builder, rank, &after[rank as usize])).collect();
            let operation = if back { "combine" } else { "dispatch" };
            let step = Step { name: format!("{name} {layer}"), operation, bytes: all * each, ranks: n };
            let size = |from: u32, to: u32| each * if back { at(to, from) } else { at(from, to) };
            tag = enclose(&mut builder, step, &places, tag, |team| exchange(team, &size, shape.order));
            for place in places {
                let received: u64 = (0..n).map(|from| at(from, place.rank)).sum();
                let computes = !back && shape.compute > Span::ZERO;
                let time = Span(shape.compute.0.saturating_mul(received));
                after[place.rank as usize] = if computes {
                    let operation = RankOperation { action: Action::Compute { time }, cpu: 0, nic: 0 };
                    vec![builder.add(place.rank, operation, &[place.end])]
                } else {
                    vec![place.end]
                };
            }
        }
    }
    builder
}

/// Copies of tokens, by sending and receiving rank.
fn copies(shape: &Moe, layer: u32, router: &mut dyn ExpertRouter) -> Vec<u32> {
    let n = shape.ranks;
    let each = shape.experts / n;
    let mut copies = vec![0; n as usize * n as usize];
    let mut ranks = Vec::new();
    for rank in 0..n {
        for token in 0..shape.drawn {
            router.route(layer, rank, token, &mut ranks);
            ranks.iter_mut().for_each(|expert| *expert /= each);
            if shape.once {
                ranks.sort_unstable();
                ranks.dedup();
            }
            ranks.iter().for_each(|to| copies[(rank * n + to) as usize] += 1);
        }
    }
    if shape.drawn < shape.tokens {
        let all = |drawn: u32| (f64::from(drawn) * f64::from(shape.tokens) / f64::from(shape.drawn)).round() as u32;
        copies.iter_mut().for_each(|count| *count = all(*count));
    }
    copies
}

/// Experts drawn at random, each with its own chance, the same for all tokens of a layer.
#[derive(Clone, Debug)]
pub struct Drawn {
    seed: u64,
    name: String,
    experts: u32,
    chosen: u32,
    /// The k-th most popular expert is chosen k^-s times as often as the first; 0: all equally often.
    exponent: f64,
    /// The layer that was drawn last; its experts, the most popular first; and the cumulative sums of their weights.
    layer: Option<u32>,
    order: Vec<u32>,
    sums: Vec<f64>,
    /// Where the search in the sums begins, for equal parts of their total.
    begins: Vec<u32>,
    rng: Rng,
}

impl Drawn {
    /// `chosen` of `experts` for each token, by Zipf's law with this exponent; which experts are popular is also
    /// random.
    pub fn new(seed: u64, name: &str, experts: u32, chosen: u32, exponent: f64) -> Self {
        let (order, sums, begins) = (Vec::new(), Vec::new(), Vec::new());
        let rng = Rng::stream(seed, "routing", 0);
        Self { seed, name: name.to_owned(), experts, chosen, exponent, layer: None, order, sums, begins, rng }
    }

    fn begin(&mut self, layer: u32) {
        self.layer = Some(layer);
        self.rng = Rng::stream(self.seed, &format!("routing {}", self.name), layer.into());
        self.order = (0..self.experts).collect();
        crate::placement::shuffle(&mut self.order, &mut self.rng);
        let mut sum = 0.0;
        let weight = |k: u32| libm::pow(f64::from(k + 1), -self.exponent);
        self.sums = (0..self.experts)
            .map(|k| {
                sum += weight(k);
                sum
            })
            .collect();
        let parts = self.experts;
        let begin = |part: u32| sum * f64::from(part) / f64::from(parts);
        self.begins = (0..parts).map(|part| self.sums.partition_point(|&sum| sum <= begin(part)) as u32).collect();
    }

    /// Number of sums that are not above this share of their total.
    fn below(&self, share: f64, total: f64) -> usize {
        let (at, parts) = (share * total, self.begins.len());
        let mut k = self.begins[((share * parts as f64) as usize).min(parts - 1)] as usize;
        while k > 0 && self.sums[k - 1] > at {
            k -= 1;
        }
        while k < self.sums.len() && self.sums[k] <= at {
            k += 1;
        }
        k
    }
}

impl ExpertRouter for Drawn {
    fn route(&mut self, layer: u32, _: u32, _: u32, chosen: &mut Vec<u32>) {
        if self.layer != Some(layer) {
            self.begin(layer);
        }
        chosen.clear();
        let total = self.sums.last().copied().unwrap_or(0.0);
        while chosen.len() < self.chosen as usize {
            let share = self.rng.unit();
            let expert = self.order[self.below(share, total).min(self.order.len() - 1)];
            if !chosen.contains(&expert) {
                chosen.push(expert);
            }
        }
    }
}

/// Recorded experts: each rank takes the tokens of a list one after another, starting at a different place, cyclically.
#[derive(Clone, Debug, Default)]
pub struct Captured {
    /// By layer and token: the experts.
    pub layers: Vec<Vec<Vec<u32>>>,
    /// Tokens of a rank.
    pub tokens: u32,
}

impl ExpertRouter for Captured {
    fn route(&mut self, layer: u32, rank: u32, token: u32, experts: &mut Vec<u32>) {
        let tokens = &self.layers[layer as usize % self.layers.len()];
        let at = u64::from(rank) * u64::from(self.tokens) + u64::from(token);
        experts.clone_from(&tokens[(at % tokens.len() as u64) as usize]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rehearsal::Rehearsal;

    const SHAPE: Moe = Moe {
        ranks: 4,
        tokens: 3,
        drawn: 3,
        experts: 8,
        layers: 2,
        dispatch: 10,
        combine: 20,
        compute: Span(7),
        once: false,
        order: ExchangeOrder::AtOnce,
    };

    #[test]
    fn a_token_goes_once_to_a_rank_in_whatever_order_its_experts_are() {
        // Experts 0 and 1 are at rank 0, and 7 at rank 3, between them.
        let mut router = Captured { layers: vec![vec![vec![0, 7, 1]]], tokens: 3 };
        assert_eq!(copies(&SHAPE, 0, &mut router)[..4], [6, 0, 0, 3]);
        assert_eq!(copies(&Moe { once: true, ..SHAPE }, 0, &mut router)[..4], [3, 0, 0, 3]);
    }

    #[test]
    fn each_copy_goes_there_and_back() {
        // Every token of every rank takes experts 0, 1 (both at rank 0) and 7 (at rank 3).
        let mut router = Captured { layers: vec![vec![vec![0, 1, 7]]], tokens: 3 };
        let program = moe(&SHAPE, &mut router).build().expect("there is no cycle");
        assert_eq!(Rehearsal::of(&program), Rehearsal::default());
        let mut sent: Vec<(u32, u32, u64)> = program.sends().map(|(_, from, to, _, bytes)| (from, to, bytes)).collect();
        sent.sort_unstable();
        sent.dedup();
        // Three tokens: six copies to rank 0, three to rank 3; a rank's own tokens stay.
        let there = [(0, 3, 30), (1, 0, 60), (1, 3, 30), (2, 0, 60), (2, 3, 30), (3, 0, 60)];
        let back = [(3, 0, 60), (0, 1, 120), (3, 1, 60), (0, 2, 120), (3, 2, 60), (0, 3, 120)];
        let mut expected: Vec<(u32, u32, u64)> = there.into_iter().chain(back).collect();
        expected.sort_unstable();
        expected.dedup();
        assert_eq!(sent, expected);
        let computed: Vec<u64> = program
            .operations()
            .iter()
            .filter_map(|one| match one.action {
                Action::Compute { time } if time > Span::ZERO => Some(time.0),
                _ => None,
            })
            .collect();
        assert_eq!(computed, [24 * 7, 24 * 7, 12 * 7, 12 * 7]);
        let steps: Vec<&str> = program.steps().list.iter().map(|step| step.name.as_str()).collect();
        assert_eq!(steps, ["dispatch 0", "combine 0", "dispatch 1", "combine 1"]);
        assert_eq!(program.steps().list[0].bytes, 36 * 10);
        let once = moe(&Moe { once: true, ..SHAPE }, &mut router).build().expect("there is no cycle");
        assert_eq!(once.steps().list[0].bytes, 24 * 10);
    }

    #[test]
    fn some_tokens_stand_for_all() {
        let total = |drawn: u32| {
            let shape = Moe { tokens: 4000, drawn, ..SHAPE };
            let program = moe(&shape, &mut Drawn::new(1, "x", 8, 2, 1.0)).build().expect("there is no cycle");
            program.sends().map(|(_, from, to, _, bytes)| (from, to, bytes)).collect::<Vec<_>>()
        };
        for (few, all) in total(400).into_iter().zip(total(4000)) {
            assert_eq!((few.0, few.1), (all.0, all.1));
            assert!((few.2 as f64 / all.2 as f64 - 1.0).abs() < 0.2, "{few:?} {all:?}");
        }
    }

    #[test]
    fn a_search_from_its_part_finds_what_a_search_among_all_does() {
        for exponent in [0.0, 0.5, 3.0] {
            let mut router = Drawn::new(1, "x", 100, 1, exponent);
            router.begin(0);
            let total = router.sums[99];
            let mut rng = Rng::stream(3, "shares", 0);
            let shares = (0..10_000).map(|_| rng.unit()).chain((0..100).map(|k| f64::from(k) / 100.0));
            for share in shares {
                let found = router.sums.partition_point(|&sum| sum <= share * total);
                assert_eq!(router.below(share, total), found, "{exponent} {share}");
            }
        }
    }

    #[test]
    fn zipf_makes_some_experts_popular_and_none_is_chosen_twice() {
        for (exponent, least, most) in [(0.0, 1.0, 1.3), (1.0, 3.0, 8.0)] {
            let mut router = Drawn::new(1, "x", 32, 8, exponent);
            let mut counts = [0u32; 32];
            for token in 0..2000 {
                let mut chosen = Vec::new();
                router.route(0, 0, token, &mut chosen);
                chosen.iter().for_each(|&expert| counts[expert as usize] += 1);
                chosen.sort_unstable();
                chosen.dedup();
                assert_eq!(chosen.len(), 8);
            }
            let mean = 2000.0 * 8.0 / 32.0;
            let largest = f64::from(counts.iter().copied().max().unwrap_or(0)) / mean;
            assert!((least..most).contains(&largest), "{exponent}: {largest}");
        }
    }
}
