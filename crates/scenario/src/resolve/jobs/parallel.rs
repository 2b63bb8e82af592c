//! Mixtures of experts and training jobs: from a short description to a program.

use std::collections::BTreeMap;
use std::fs;

use congestree_traffic::program::Builder;
use congestree_traffic::programs::moe::{Captured, Drawn, ExpertRouter, Moe, moe};
use congestree_traffic::programs::training::Training;
use congestree_units::Span;
use serde_json::Value as Json;

use crate::needs::memory;
use crate::resolve::Collector;
use crate::resolve::jobs::library::library;
use crate::types::{self, Copies, Gate, Phase};

/// Number of experts that are drawn for an estimate.
const ENOUGH: u64 = 10_000_000;

/// The program of an exchange among the ranks of experts.
pub(in crate::resolve) fn exchange(
    written: &types::Moe,
    seed: u64,
    name: &str,
    ranks: u32,
    path: &str,
    collector: &mut Collector<'_>,
) -> Option<Builder> {
    let path = format!("{path}.program.moe");
    let (experts, chosen, mut router): (u32, u32, Box<dyn ExpertRouter>) = match &written.gate {
        Gate::Uniform(all) => (all.experts, all.chosen, Box::new(Drawn::new(seed, name, all.experts, all.chosen, 0.0))),
        Gate::Zipf(zipf) => {
            (zipf.experts, zipf.chosen, Box::new(Drawn::new(seed, name, zipf.experts, zipf.chosen, zipf.exponent)))
        }
        Gate::Captured(file) => {
            let at = format!("{path}.gate.captured.file");
            match captured(file) {
                Ok((experts, layers)) => (experts, 1, Box::new(Captured { layers, tokens: written.tokens })),
                Err((fact, remedy)) => {
                    collector.report(at, fact, remedy);
                    return None;
                }
            }
        }
    };
    if chosen > experts {
        let fact = format!("{chosen} of {experts} experts cannot be chosen");
        collector.report(format!("{path}.gate"), fact, "choose as many as there are, or fewer");
        return None;
    }
    if !experts.is_multiple_of(ranks) {
        let fact = format!("{experts} experts cannot be spread evenly over {ranks} ranks");
        collector.report(
            format!("{path}.gate"),
            fact,
            format!("write a multiple of {ranks}, or let as many ranks run as divide the number of experts"),
        );
        return None;
    }
    if !fits(4 * u64::from(ranks).pow(2) * u64::from(written.layers), &path, collector) {
        return None;
    }
    let all = u64::from(ranks) * u64::from(written.layers) * u64::from(chosen);
    let enough = (ENOUGH / all.max(1)).clamp(1, u64::from(written.tokens)) as u32;
    let shape = Moe {
        ranks,
        tokens: written.tokens,
        drawn: if collector.reading.roughly { enough } else { written.tokens },
        experts,
        layers: written.layers,
        dispatch: written.dispatch.0,
        combine: written.combine.0,
        compute: written.compute,
        once: written.copies == Copies::EachRank,
        order: written.order,
    };
    Some(moe(&shape, router.as_mut()))
}

/// Reports a program that would take too much memory; returns false then.
fn fits(operations: u64, path: &str, collector: &mut Collector<'_>) -> bool {
    let what = format!("a program of about {operations} operations");
    collector.fits(path, what, memory::OPERATION.saturating_mul(operations))
}

/// By layer and token: the experts chosen.
type Layers = Vec<Vec<Vec<u32>>>;

/// Total number of experts, and number of chosen ones; or fact and remedy.
fn captured(file: &types::CapturedRouting) -> Result<(u32, Layers), (String, String)> {
    let name = &file.file;
    let wrong = |line: usize, fact: &str| {
        (format!("{name}:{line}: {fact}"), "name a file of captured routing, lines of JSON".to_owned())
    };
    let text = fs::read_to_string(name)
        .map_err(|error| (format!("{name} cannot be read: {error}"), "name a text file that is there".to_owned()))?;
    let (mut experts, mut layers): (_, BTreeMap<u64, _>) = (None, BTreeMap::new());
    let mut numbered = None;
    let text = text.trim_start_matches('\u{feff}');
    for (line, text) in (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty()) {
        let row: Json = serde_json::from_str(text).map_err(|_| wrong(line, "this is not JSON"))?;
        if let Some(count) = row.pointer("/provenance/expert_count").or(row.get("expert_count")) {
            experts = count.as_u64().and_then(|count| u32::try_from(count).ok());
        }
        let phase = match file.phase {
            None => None,
            Some(Phase::Prefill) => Some("prefill"),
            Some(Phase::Decode) => Some("decode"),
        };
        let Some(routing) = row.get("routing").and_then(Json::as_array) else { continue };
        if phase.is_some() && row.get("phase").and_then(Json::as_str) != phase {
            continue;
        }
        for (at, one) in routing.iter().enumerate() {
            let ids = one.get("expert_ids").and_then(Json::as_array);
            let number = |id: &Json| id.as_u64().and_then(|id| u32::try_from(id).ok());
            let ids: Option<Vec<u32>> = ids.and_then(|ids| ids.iter().map(number).collect());
            let Some(ids) = ids else { return Err(wrong(line, "expert_ids is not a list of numbers")) };
            let index = one.get("layer_index");
            if *numbered.get_or_insert(index.is_some()) != index.is_some() {
                return Err(wrong(line, "layer_index is missing, which others have"));
            }
            let layer = index.map_or(Some(at as u64), Json::as_u64);
            let Some(layer) = layer else { return Err(wrong(line, "layer_index is not a number from 0 on")) };
            layers.entry(layer).or_insert_with(Vec::new).push(ids);
        }
    }
    let layers: Layers = layers.into_values().collect();
    let largest = layers.iter().flatten().flatten().copied().max();
    match (experts, largest) {
        (_, None) => {
            Err((format!("no token is routed in {name}"), "name a file with routing, or another phase".into()))
        }
        (Some(experts), Some(largest)) if largest >= experts => {
            Err((format!("{name} names expert {largest} of {experts}"), "correct expert_count in its header".into()))
        }
        (Some(experts), _) => Ok((experts, layers)),
        (None, _) => Err((format!("{name} does not say how many experts there are"), "give expert_count".into())),
    }
}

/// The number of ranks of a training job.
pub(in crate::resolve) fn ranks(training: &types::Training) -> u64 {
    let parallel = &training.parallel;
    u64::from(parallel.data) * u64::from(parallel.tensor) * u64::from(parallel.pipeline)
}

/// The program of an iteration.
pub(in crate::resolve) fn iteration(
    written: &types::Training,
    path: &str,
    collector: &mut Collector<'_>,
) -> Option<Builder> {
    let path = format!("{path}.program.training");
    let (parallel, model) = (&written.parallel, &written.model);
    if !parallel.data.is_multiple_of(parallel.expert) {
        let fact = format!("{} data ranks cannot share experts by {}", parallel.data, parallel.expert);
        collector.report(format!("{path}.parallel.expert"), fact, "give a divisor of data");
        return None;
    }
    if !model.layers.is_multiple_of(parallel.pipeline) {
        let fact = format!("{} layers cannot be cut into {} stages", model.layers, parallel.pipeline);
        collector.report(format!("{path}.model.layers"), fact, "give a multiple of pipeline");
        return None;
    }
    let library = library(&written.library, &path, collector)?;
    let (h, t) = (f64::from(model.hidden), f64::from(parallel.tensor));
    let tokens = f64::from(written.sequences) * f64::from(model.sequence);
    let chosen = if parallel.expert > 1 { f64::from(model.chosen) } else { 1.0 };
    // Multiplications and additions: 24 T h^2 in matrices, 4 T s h in attention.
    let time = |operations: f64| Span((operations / t / written.teraflops).round() as u64);
    let whole = |bytes: f64| bytes.min(1e15) as u64;
    let value = f64::from(model.value);
    let dense = if parallel.expert > 1 { 4.0 } else { 12.0 };
    let shape = Training {
        data: parallel.data,
        tensor: parallel.tensor,
        pipeline: parallel.pipeline,
        expert: parallel.expert,
        layers: model.layers,
        microbatches: written.microbatches,
        activations: whole(tokens * h * value),
        routed: whole(tokens * h * value * chosen / t),
        gradients: whole(dense * h * h * value / t),
        expert_gradients: whole(8.0 * h * h * value / t),
        attention: time(8.0 * tokens * h * h + 4.0 * tokens * f64::from(model.sequence) * h),
        rest: time(16.0 * tokens * h * h * chosen),
        optimizer: written.optimizer,
        library,
    };
    if !fits(operations(&shape), &path, collector) {
        return None;
    }
    Some(shape.program())
}

/// Approximate number of operations of an iteration.
fn operations(shape: &Training) -> u64 {
    let passes = 2 * u64::from(shape.microbatches) * u64::from(shape.layers);
    let wide = u64::from(shape.data) * u64::from(shape.tensor);
    let n = u64::from(shape.tensor.max(shape.expert));
    let chunk = shape.library.chunk.unwrap_or(1 << 20);
    let loops = |bytes: u64, n: u64| (bytes / chunk / n.max(1) + 1) * u64::from(shape.library.channels) * 2;
    let sums = u64::from(shape.layers) * wide * 4 * u64::from(shape.data) * loops(shape.gradients, shape.data.into());
    passes * wide * (4 + 8 * n * loops(shape.activations, n)) + sums
}
