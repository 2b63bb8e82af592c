"""One iteration of training GPT-13B: 40 layers of 5,120 values, sequences of 2,048 tokens; 4 x 8 x 4 ranks.

It is what `congestree job make` writes for this description, with other routes or control where a run says so.
h: values of a token; T: tokens of a microbatch; s: tokens of a sequence.
"""

import functools
import tomllib

from congestree import job_make

HIDDEN, SEQUENCE, VALUE = 5120, 2048, 2
DATA, TENSOR, PIPELINE = 4, 8, 4
WHOLE, QUICK = {"layers": 40, "microbatches": 8}, {"layers": 4, "microbatches": 2}
"""The model, and a piece of it that takes seconds."""
TERAFLOPS = 180
"""What an accelerator really computes: as of an A100 in published runs of this size."""
CASES = {"static": {}, "adaptive": {"route": "least-queue"}, "control": {"preset": "ib-cc"}}


def scenario(name, case, size):
    """The scenario of one case, of the model or a piece of it."""
    return {**job(**size), "name": name} | ({"scheme": CASES[case]} if CASES[case] else {})


@functools.cache  # it is checked while it is written, which takes a second for the model
def job(**size):
    """What all cases have in common."""
    text = job_make.training(
        data=DATA,
        tensor=TENSOR,
        pipeline=PIPELINE,
        hidden=HIDDEN,
        sequence=SEQUENCE,
        teraflops=TERAFLOPS,
        node=TENSOR,
        name="iteration",
        **size,
    )
    made = tomllib.loads(text)
    made["links"]["flow_control"]["byte-credits"]["credit_delay"] = "0 ns"
    return made


def computing(size):
    """Time that every rank computes, s: 24 T h^2 + 4 T s h operations a layer forward, twice that backward, shared by
    tensor neighbours. See the head of this file.
    """
    forward = 24 * SEQUENCE * HIDDEN**2 + 4 * SEQUENCE * SEQUENCE * HIDDEN
    return 3 * forward * size["layers"] / PIPELINE * size["microbatches"] / TENSOR / (TERAFLOPS * 1e12)


def gradients(size):
    """Bytes of gradients of all tensor neighbours and stages together: 12 h^2 values a layer."""
    return 12 * HIDDEN**2 * VALUE * size["layers"]
