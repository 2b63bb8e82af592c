"""An iteration of training a transformer. Ranks are numbered by tensor first, then by data, then by pipeline.

A stage alternates one forward and one backward pass over its microbatches, after as many forward passes as there are
stages behind it. A layer is two halves, attention and the rest; each ends with an all-reduce among tensor neighbours.
With experts, tokens are sent to the experts' ranks before the second half, and back after it. When the last microbatch
has passed backward through a layer, the layer's gradients are summed over the data ranks while others still compute.
"""

from reference.programs.library import Library
from reference.programs.program import Program
from reference.programs.teams import open_place
from reference.quantities import given, span

INSIDE = 1 << 31
"""Tags of messages inside collectives begin here; those between stages are smaller."""


def ranks_of(parameters: dict) -> int:
    """The number of ranks."""
    shape = parameters["parallel"]
    return given(shape, "data", 1) * given(shape, "tensor", 1) * given(shape, "pipeline", 1)


class Training:
    """The program under construction. Sizes in bytes, times in ps."""

    def __init__(self, parameters: dict):
        shape, model = parameters["parallel"], parameters["model"]
        self.data, self.tensor, self.pipeline, self.expert = (
            given(shape, way, 1) for way in ("data", "tensor", "pipeline", "expert")
        )
        self.layers, self.microbatches = model["layers"], given(parameters, "microbatches", 1)
        hidden, value, sequence = float(model["hidden"]), float(given(model, "value", 2)), model["sequence"]
        tokens = float(given(parameters, "sequences", 1)) * sequence
        chosen = float(given(model, "chosen", 2)) if self.expert > 1 else 1.0
        self.activations = int(tokens * hidden * value)
        self.routed = int(tokens * hidden * value * chosen / self.tensor)
        dense = 4.0 if self.expert > 1 else 12.0
        self.gradients = int(dense * hidden * hidden * value / self.tensor)
        self.expert_gradients = int(8.0 * hidden * hidden * value / self.tensor)

        def time(operations: float) -> int:
            return int(operations / self.tensor / parameters["teraflops"] + 0.5)

        self.attention = time(8.0 * tokens * hidden * hidden + 4.0 * tokens * sequence * hidden)
        self.rest = time(16.0 * tokens * hidden * hidden * chosen)
        self.optimizer = span(given(parameters, "optimizer", "0 ns"))
        self.library = Library.read(given(parameters, "library", {}))
        self.program, self.tag = Program(ranks_of(parameters)), INSIDE
        self.width = self.data * self.tensor  # ranks of a stage
        self.after: list[list[int]] = []  # by rank of the stage: the operations it waits for
        self.summed: list[list[int]] = []  # and those that only the optimizer waits for
        for stage in range(self.pipeline):
            self.stage(stage)

    def stage(self, stage: int) -> None:
        """All microbatches at a stage, then its gradients and the optimizer."""
        self.first = stage * self.width
        self.after, self.summed = [[] for _ in range(self.width)], [[] for _ in range(self.width)]
        ahead = min(self.pipeline - 1 - stage, self.microbatches)
        for batch in range(ahead):
            self.go_through(stage, batch, forward=True)
        for batch in range(self.microbatches):
            if batch + ahead < self.microbatches:
                self.go_through(stage, batch + ahead, forward=True)
            self.go_through(stage, batch, forward=False)
        for place in range(self.width):
            self.program.compute(self.first + place, self.optimizer, self.after[place] + self.summed[place])

    def go_through(self, stage: int, batch: int, forward: bool) -> None:
        """A microbatch passes through the layers of a stage, from one neighbour to the other."""
        each, tag = self.layers // self.pipeline, 2 * batch + (not forward)
        layers, share = range(stage * each, (stage + 1) * each), self.activations // self.tensor
        before, behind = (stage - 1, stage + 1) if forward else (stage + 1, stage - 1)
        for place in range(self.width if 0 <= before < self.pipeline else 0):
            source = before * self.width + place
            self.after[place].append(self.program.receive(self.first + place, share, source, tag))
        for layer in layers if forward else reversed(layers):
            name = f"layer {layer} {'forward' if forward else 'backward'} {batch}"
            for second in (False, True) if forward else (True, False):
                self.half(name, (self.rest if second else self.attention) * (1 if forward else 2), second)
            if not forward and batch + 1 == self.microbatches:
                self.sum_gradients(layer)
        for place in range(self.width if 0 <= behind < self.pipeline else 0):
            self.program.send(self.first + place, share, behind * self.width + place, tag, self.after[place])

    def half(self, name: str, time: int, second: bool) -> None:
        """Half of a layer: its computation, with experts if it is the second, and the sum over tensor neighbours."""
        routed = second and self.expert > 1
        if routed:
            self.route(f"to experts, {name}")
        for place in range(self.width):
            self.after[place] = [self.program.compute(self.first + place, time, self.after[place])]
        if routed:
            self.route(f"from experts, {name}")
        for row in range(self.data if self.tensor > 1 else 0):
            neighbours = [*range(row * self.tensor, (row + 1) * self.tensor)]
            self.do(f"tensor, {name}", "all-reduce", self.activations, neighbours, self.after)

    def route(self, name: str) -> None:
        """Tokens go to the ranks of their experts, or back."""
        for first in range(0, self.data, self.expert):
            for column in range(self.tensor):
                sharing = [row * self.tensor + column for row in range(first, first + self.expert)]
                self.do(name, "all-to-all", self.routed, sharing, self.after)

    def sum_gradients(self, layer: int) -> None:
        """The gradients of a layer are summed over the ranks that have the same part of it."""
        for column in range(self.tensor):
            alike = [row * self.tensor + column for row in range(self.data)]
            self.do(f"gradients, layer {layer}", "all-reduce", self.gradients, alike, self.summed)
            for expert in range(self.expert if self.expert > 1 else 0):
                same, name = alike[expert :: self.expert], f"gradients of experts, layer {layer}"
                self.do(name, "all-reduce", self.expert_gradients, same, self.summed)

    def do(self, name: str, operation: str, nbytes: int, members: list[int], waiting: list[list[int]]) -> None:
        """Some ranks of the stage perform a collective; these wait for it."""
        if len(members) < 2 or nbytes == 0:
            return
        places = [open_place(self.program, self.first + member, self.after[member]) for member in members]
        self.tag = self.library.carry_out(self.program, name, operation, nbytes, places, self.tag)
        for member, place in zip(members, places, strict=True):
            waiting[member] = [*waiting[member], place.end] if waiting is self.summed else [place.end]
