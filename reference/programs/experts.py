"""Mixture of experts: every token goes to the ranks of the experts that were chosen for it, and comes back.

Experts are distributed evenly over the ranks, the first of them at rank 0. Tokens of a rank for its own experts are
not sent.
"""

import json
from pathlib import Path

from reference.programs.algorithms import exchange
from reference.programs.program import Operation, Program, Step
from reference.programs.teams import open_place, together
from reference.quantities import choice, given, size, span
from reference.rng import Rng, shuffle


class Drawn:
    """Randomly drawn experts: of a layer the k-th in a random order is chosen k^-s times as often as the first."""

    def __init__(self, seed: int, name: str, parameters: dict):
        self.seed, self.name = seed, name
        self.experts, self.chosen = parameters["experts"], parameters["chosen"]
        self.exponent = parameters.get("exponent", 0.0)
        self.layer = None

    def route(self, layer: int, rank: int, token: int) -> list[int]:
        """The experts of a token."""
        if layer != self.layer:
            self.layer, self.rng = layer, Rng(self.seed, f"routing {self.name}", layer)
            self.order = shuffle(range(self.experts), self.rng)
            self.sums, total = [], 0.0
            for k in range(self.experts):
                total += (k + 1.0) ** -self.exponent
                self.sums.append(total)
        found = []
        while len(found) < self.chosen:
            share = self.rng.unit() * self.sums[-1]
            place = sum(upto <= share for upto in self.sums)
            expert = self.order[min(place, self.experts - 1)]
            if expert not in found:
                found.append(expert)
        return found


class Captured:
    """Recorded experts: each rank takes the tokens of a list in turn, starting at a different place, cyclically."""

    def __init__(self, parameters: dict, tokens: int):
        self.tokens, self.experts, found = tokens, None, {}
        for line in Path(parameters["file"]).read_text().splitlines():
            row = json.loads(line) if line.strip() else {}
            self.experts = row.get("provenance", row).get("expert_count", self.experts)
            if parameters.get("phase") is not None and row.get("phase") != parameters["phase"]:
                continue
            for place, one in enumerate(row.get("routing", [])):
                found.setdefault(one.get("layer_index", place), []).append(one["expert_ids"])
        self.layers = [found[layer] for layer in sorted(found)]

    def route(self, layer: int, rank: int, token: int) -> list[int]:
        """The experts of a token."""
        of_layer = self.layers[layer % len(self.layers)]
        return of_layer[(rank * self.tokens + token) % len(of_layer)]


def moe(parameters: dict, ranks: int, seed: int, name: str) -> Program:
    """In each layer a dispatch, the computation, a combine."""
    kind, gate = choice(parameters["gate"])
    tokens = parameters["tokens"]
    router = Captured(gate, tokens) if kind == "captured" else Drawn(seed, name, gate)
    once, in_turn = parameters.get("copies") == "each-rank", parameters.get("order") == "in-turn"
    time, program, tag = span(given(parameters, "compute", "0 ns")), Program(ranks), 0
    each = {"dispatch": size(given(parameters, "dispatch", "7392 B"))}
    each["combine"] = size(given(parameters, "combine", "14336 B"))
    after = [[] for _ in range(ranks)]
    for layer in range(given(parameters, "layers", 1)):
        copies = [[0] * ranks for _ in range(ranks)]
        for rank in range(ranks):
            for token in range(tokens):
                owners = [expert * ranks // router.experts for expert in router.route(layer, rank, token)]
                for owner in set(owners) if once else owners:
                    copies[rank][owner] += 1
        for what, nbytes in each.items():
            places = [open_place(program, rank, after[rank]) for rank in range(ranks)]
            step = Step(f"{what} {layer}", what, nbytes * sum(map(sum, copies)), ranks)
            goes = [[nbytes * count for count in row] for row in copies]
            if what == "combine":
                goes = [list(column) for column in zip(*goes, strict=True)]
            task = lambda team, goes=goes: exchange(team, lambda a, b: goes[a][b], in_turn)  # noqa: E731
            tag = together(program, step, places, tag, None, task)
            for place in places:
                after[place.rank] = [place.end]
                if what == "dispatch" and time > 0:
                    whole = time * sum(row[place.rank] for row in copies)
                    after[place.rank] = [program.add(place.rank, Operation("compute", time=whole), [place.end])]
    return program
