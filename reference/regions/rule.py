"""RCM, regional congestion mitigation (Liu et al. 2017), as a scenario describes it."""

from dataclasses import dataclass

from reference.quantities import choice, given, size, span

MOST = 63  # the highest degree of congestion


@dataclass
class RegionRule:
    """The rule; sizes are bytes, times picoseconds."""

    input_queues: bool  # the queue of the input is sampled, in addition to that of the output
    root_control: bool  # a root holds its harmful flows as well
    equilibrium: int
    growth_weight: float
    remote_weight: float
    sample_every: int
    calm_samples: int
    flows: int  # entries of the memory of harmful flows
    flow_sample_every: int
    by_chance: bool  # whose flow is sampled
    one_a_sample: bool  # each sample is an entry, and not each flow
    by_windows: bool  # windows hold harmful flows
    behind_others: bool  # harmful flows are sent when no others can be
    least_window: int
    always: bool  # what is sent is counted continuously
    notice: int
    reroute: bool
    reroute_above: int


def read_regions(scheme: dict) -> RegionRule | None:
    """The settings of regional control in a scheme."""
    kind, parameters = choice(given(scheme, "schedule", "none"))
    if kind != "rcm":
        return None
    pacing = given(parameters, "pacing", "by-windows")
    return RegionRule(
        input_queues=given(parameters, "sampled_queues", "both-queues") == "both-queues",
        root_control=given(parameters, "root_control", False),
        equilibrium=size(given(parameters, "equilibrium", "33 kB")),
        growth_weight=given(parameters, "growth_weight", 2.0),
        remote_weight=given(parameters, "remote_weight", 0.5),
        sample_every=given(parameters, "sample_every", 10),
        calm_samples=given(parameters, "calm_samples", 2),
        flows=given(parameters, "flows", 16),
        flow_sample_every=given(parameters, "flow_sample_every", 10),
        by_chance=given(parameters, "flow_sampling", "in-turn") == "by-chance",
        one_a_sample=given(parameters, "flow_entries", "one-a-flow") == "one-a-sample",
        by_windows=pacing != "behind-others",
        behind_others=pacing != "by-windows",
        least_window=span(given(parameters, "least_window", "10 us")),
        always=given(parameters, "windows_measured", "from-onset") == "always",
        notice=size(given(parameters, "notice", "64 B")),
        reroute=given(parameters, "reroute", False),
        reroute_above=size(given(parameters, "reroute_above", "80 kB")),
    )
