"""`traffic.program` of a scenario, generated from the engine's JSON Schema. Do not edit: run `make schema`."""

from .benchmarks import Mpifft, NaturalRing, PingPong, Ptrans, RandomRing
from .collectives import (
    AllGather,
    AllReduceDoubling,
    AllReduceRing,
    AllToAll,
    Barrier,
    Broadcast,
    Chunking,
    Collective,
    ReduceScatter,
)
from .training import Captured, Chakra, Chosen, LanguageModel, Library, Moe, Parallel, Training, Uniform, Zipf

__all__ = [
    "AllGather",
    "AllReduceDoubling",
    "AllReduceRing",
    "AllToAll",
    "Barrier",
    "Broadcast",
    "Captured",
    "Chakra",
    "Chosen",
    "Chunking",
    "Collective",
    "LanguageModel",
    "Library",
    "Moe",
    "Mpifft",
    "NaturalRing",
    "Parallel",
    "PingPong",
    "Ptrans",
    "RandomRing",
    "ReduceScatter",
    "Training",
    "Uniform",
    "Zipf",
]
