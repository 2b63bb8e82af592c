//! An iteration of training a transformer on many ranks: tensor, data, pipeline and expert parallelism.
//!
//! Ranks are numbered by tensor neighbours first, then data, then pipeline [narayanan2021megatron]. A stage of the
//! pipeline alternates one forward and one backward pass of a microbatch, after as many forward passes as there are
//! stages behind it. A layer has two halves, attention and the rest; each ends, forward and backward, with an
//! all-reduce among tensor neighbours. With experts, tokens go to their ranks and back around the second half.
//! Activations go to the next stage in as many parts as there are tensor neighbours. When the last microbatch has gone
//! back through a layer, its gradients are summed over the data ranks while other stages still compute. Embeddings and
//! the loss are left out.

use congestree_units::Span;

use super::collectives::{Library, Operation};
use crate::program::{Builder, Local};
use crate::programs::rank_steps::RankStep;

/// The model, and how it is distributed over ranks.
#[derive(Clone, Debug, PartialEq)]
pub struct Training {
    /// Data parallelism: copies of the model.
    pub data: u32,
    /// Parts of a layer.
    pub tensor: u32,
    /// Pipeline parallelism: stages of layers.
    pub pipeline: u32,
    /// Number of data neighbours that share the experts, one expert each; 1: there are no experts.
    pub expert: u32,
    /// Total number of layers.
    pub layers: u32,
    /// Microbatches per iteration.
    pub microbatches: u32,
    /// Activations of a microbatch between layers (B).
    pub activations: u64,
    /// Copies of tokens sent to experts, of each tensor rank (B).
    pub routed: u64,
    /// Gradients of a layer at a rank, for the parameters that all data ranks share (B).
    pub gradients: u64,
    /// Gradients of its expert (B).
    pub expert_gradients: u64,
    /// Forward pass through the first half of a layer; the backward pass takes twice as long.
    pub attention: Span,
    /// Forward pass through the second half.
    pub rest: Span,
    /// The optimizer, at the end.
    pub optimizer: Span,
    /// How collectives are performed.
    pub library: Library,
}

impl Training {
    /// How many ranks there are.
    pub fn ranks(&self) -> u32 {
        self.data * self.tensor * self.pipeline
    }

    /// The program.
    pub fn program(&self) -> Builder {
        let mut making = Making { shape: self, builder: Builder::new(self.ranks()), after: Vec::new(), tag: INSIDE };
        for stage in 0..self.pipeline {
            making.after = vec![Vec::new(); (self.data * self.tensor) as usize];
            making.stage(stage);
        }
        making.builder
    }
}

/// Tags of messages inside collectives begin here; those between stages are smaller.
const INSIDE: u32 = 1 << 31;

#[derive(Clone, Copy, PartialEq)]
enum Direction {
    Forward,
    Backward,
}

impl Direction {
    fn word(self) -> &'static str {
        if self == Direction::Forward { "forward" } else { "backward" }
    }
}

struct Making<'a> {
    shape: &'a Training,
    builder: Builder,
    /// By rank of the stage: operations that must have finished before it continues.
    after: Vec<Vec<Local>>,
    tag: u32,
}

impl Making<'_> {
    /// All microbatches at a stage, then its gradients and the optimizer.
    fn stage(&mut self, stage: u32) {
        let all = self.shape.microbatches;
        let ahead = (self.shape.pipeline - 1 - stage).min(all);
        let mut summed: Vec<Vec<Local>> = vec![Vec::new(); self.after.len()];
        for batch in 0..ahead {
            self.pass(stage, batch, Direction::Forward, &mut summed);
        }
        for batch in 0..all {
            if batch + ahead < all {
                self.pass(stage, batch + ahead, Direction::Forward, &mut summed);
            }
            self.pass(stage, batch, Direction::Backward, &mut summed);
        }
        for (place, summed) in summed.into_iter().enumerate() {
            let rank = self.first(stage) + place as u32;
            let after: Vec<Local> = self.after[place].iter().copied().chain(summed).collect();
            self.builder.compute(rank, self.shape.optimizer, &after);
        }
    }

    /// The first rank of a stage.
    fn first(&self, stage: u32) -> u32 {
        stage * self.shape.data * self.shape.tensor
    }

    /// A microbatch goes through the layers of a stage.
    fn pass(&mut self, stage: u32, batch: u32, direction: Direction, summed: &mut [Vec<Local>]) {
        let (shape, width) = (self.shape, self.shape.data * self.shape.tensor);
        let each = shape.layers / shape.pipeline;
        let layers: Vec<u32> = match direction {
            Direction::Forward => (stage * each..(stage + 1) * each).collect(),
            Direction::Backward => (stage * each..(stage + 1) * each).rev().collect(),
        };
        let (from, to) = match direction {
            Direction::Forward => (stage.checked_sub(1), Some(stage + 1).filter(|&next| next < shape.pipeline)),
            Direction::Backward => (Some(stage + 1).filter(|&next| next < shape.pipeline), stage.checked_sub(1)),
        };
        let (tag, part) =
            (2 * batch + u32::from(direction == Direction::Backward), shape.activations / u64::from(shape.tensor));
        for place in 0..width {
            if let Some(from) = from {
                let (rank, peer) = (self.first(stage) + place, self.first(from) + place);
                let received = self.builder.receive(rank, part, peer, tag, &[]);
                self.after[place as usize].push(received);
            }
        }
        for layer in layers {
            let name = format!("layer {layer} {} {batch}", direction.word());
            let halves = if direction == Direction::Forward { [false, true] } else { [true, false] };
            for second in halves {
                self.half(stage, &name, direction, second);
            }
            if direction == Direction::Backward && batch + 1 == shape.microbatches {
                self.gradients(stage, layer, summed);
            }
        }
        for place in 0..width {
            if let Some(to) = to {
                let (rank, peer) = (self.first(stage) + place, self.first(to) + place);
                let after = self.after[place as usize].clone();
                self.builder.send(rank, part, peer, tag, &after);
            }
        }
    }

    /// A half of a layer: its computation, with its experts if it is the second half, and the sum over tensor
    /// neighbours.
    fn half(&mut self, stage: u32, name: &str, direction: Direction, second: bool) {
        let shape = self.shape;
        let forward = if second { shape.rest } else { shape.attention };
        let time = if direction == Direction::Forward { forward } else { Span(2 * forward.0) };
        let routed = second && shape.expert > 1;
        if routed {
            self.route(stage, &format!("to experts, {name}"));
        }
        for place in 0..self.after.len() {
            let rank = self.first(stage) + place as u32;
            let after = std::mem::take(&mut self.after[place]);
            self.after[place] = vec![self.builder.compute(rank, time, &after)];
        }
        if routed {
            self.route(stage, &format!("from experts, {name}"));
        }
        if shape.tensor > 1 {
            for row in 0..shape.data {
                let places: Vec<u32> = (row * shape.tensor..(row + 1) * shape.tensor).collect();
                self.together(stage, format!("tensor, {name}"), Operation::AllReduce, shape.activations, &places, None);
            }
        }
    }

    /// Tokens go to the ranks of their experts, or back.
    fn route(&mut self, stage: u32, name: &str) {
        let shape = self.shape;
        for first in (0..shape.data).step_by(shape.expert as usize) {
            for t in 0..shape.tensor {
                let places: Vec<u32> = (first..first + shape.expert).map(|row| row * shape.tensor + t).collect();
                self.together(stage, name.to_owned(), Operation::AllToAll, shape.routed, &places, None);
            }
        }
    }

    /// The gradients of a layer are summed up, while other operations continue.
    fn gradients(&mut self, stage: u32, layer: u32, summed: &mut [Vec<Local>]) {
        let shape = self.shape;
        for t in 0..shape.tensor {
            let at = |rows: &mut dyn Iterator<Item = u32>| rows.map(|row| row * shape.tensor + t).collect::<Vec<u32>>();
            let name = format!("gradients, layer {layer}");
            let all = at(&mut (0..shape.data));
            self.together(stage, name, Operation::AllReduce, shape.gradients, &all, Some(&mut *summed));
            for expert in 0..if shape.expert > 1 { shape.expert } else { 0 } {
                let name = format!("gradients of experts, layer {layer}");
                let same = at(&mut (expert..shape.data).step_by(shape.expert as usize));
                self.together(stage, name, Operation::AllReduce, shape.expert_gradients, &same, Some(&mut *summed));
            }
        }
    }

    /// Some ranks of a stage perform a collective; what follows waits for it, or `aside` does.
    fn together(
        &mut self,
        stage: u32,
        name: String,
        operation: Operation,
        bytes: u64,
        places: &[u32],
        aside: Option<&mut [Vec<Local>]>,
    ) {
        if places.len() < 2 || bytes == 0 {
            return;
        }
        let first = self.first(stage);
        let open: Vec<RankStep> = places
            .iter()
            .map(|&place| RankStep::open(&mut self.builder, first + place, &self.after[place as usize]))
            .collect();
        let library = &self.shape.library;
        let whole = library.collective(operation, bytes, 0);
        self.tag = library.carry_out(&mut self.builder, name, whole, &open, self.tag);
        match aside {
            None => places.iter().zip(open).for_each(|(&at, place)| self.after[at as usize] = vec![place.end]),
            Some(aside) => places.iter().zip(open).for_each(|(&at, place)| aside[at as usize].push(place.end)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Action;
    use crate::rehearsal::Rehearsal;

    fn shape() -> Training {
        Training {
            data: 2,
            tensor: 2,
            pipeline: 2,
            expert: 1,
            layers: 4,
            microbatches: 3,
            activations: 1000,
            routed: 400,
            gradients: 600,
            expert_gradients: 300,
            attention: Span(10),
            rest: Span(20),
            optimizer: Span(5),
            library: Library { chunk: Some(1 << 20), ..Library::default() },
        }
    }

    #[test]
    fn every_rank_computes_and_sends_its_share() {
        let shape = shape();
        let program = shape.program().build().expect("there is no cycle");
        assert_eq!(program.ranks(), 8);
        assert_eq!(Rehearsal::of(&program), Rehearsal::default());
        for rank in 0..8 {
            let time: u64 = program
                .of_rank(rank)
                .map(|id| match program.operations()[id as usize].action {
                    Action::Compute { time } => time.0,
                    _ => 0,
                })
                .sum();
            // Two layers, three microbatches, forward and twice as long backward, and the optimizer.
            assert_eq!(time, 2 * 3 * (10 + 20) * 3 + 5);
        }
        let count = |word: &str| program.steps().list.iter().filter(|step| step.name.starts_with(word)).count();
        // Tensor: 4 layers, 3 microbatches, 2 halves, 2 directions, 2 data ranks. Gradients: 4 layers, 2 tensor ranks.
        assert_eq!((count("tensor"), count("gradients")), (4 * 3 * 2 * 2 * 2, 4 * 2));
        // Between the stages: 3 microbatches in both directions, 4 ranks wide, half of the activations each.
        let between: Vec<u64> = program
            .sends()
            .filter(|&(_, from, to, _, _)| from / 4 != to / 4)
            .map(|(_, _, _, _, bytes)| bytes)
            .collect();
        assert_eq!(between, vec![500; 3 * 2 * 4]);
    }

    #[test]
    fn experts_get_tokens_and_sum_up_their_own_gradients() {
        let shape = Training { data: 4, expert: 2, ..shape() };
        let program = shape.program().build().expect("there is no cycle");
        assert_eq!(Rehearsal::of(&program), Rehearsal::default());
        let count = |word: &str| program.steps().list.iter().filter(|step| step.name.starts_with(word)).count();
        // 4 layers, 3 microbatches, 2 directions, 2 groups of data ranks, 2 tensor ranks.
        assert_eq!((count("to experts"), count("from experts")), (96, 96));
        assert_eq!(count("gradients of experts"), 4 * 2 * 2);
    }
}
