"""The rounds of a job written out: GOAL has no repetition.

In every rank the first operations of a round wait for all of the round before, by way of a computation of no time, as
they do in a run. Ranks do not wait for each other in between.
"""

from ..errors import CongestreeError
from ..quantities import in_words
from ..runs import memory

CHARACTER_BYTES = 8
"""Memory of a character while rounds are written: in a line, in its rank, and in the whole."""


def in_rounds(text, repeat, job):
    """GOAL text in which each rank runs its program so many times, from the text of one round that the engine wrote.

    repeat: the number of rounds. job: what complaints call it. Raises CongestreeError if the result would not fit into
    memory.
    """
    if repeat == 1:
        return text
    limit, needed = memory.default_limit(), len(text) * repeat * CHARACTER_BYTES
    if limit is not None and needed > limit:
        raise CongestreeError(
            f"{job} runs its program {repeat:,} times. Written out, that takes about {in_words(needed, 'B')} of "
            f"memory, and the limit is {in_words(limit, 'B')}. Give it a smaller repeat."
        )
    head, *ranks = text.split("\nrank ")
    return "\nrank ".join([head, *(_rank(told, repeat) for told in ranks)])


def _rank(told, repeat):
    """The operations of a rank, and then what each of them waits for, round after round."""
    head, *lines, end = told.splitlines()
    actions = [line.partition(": ")[2] for line in lines if ": " in line]
    waits = [(int(a[1:]), word, int(b[1:])) for a, word, b in (line.split() for line in lines[len(actions) :])]
    if not actions:
        return told
    begin = set(range(len(actions))) - {follower for follower, _, _ in waits}
    last = set(range(len(actions))) - {other for _, word, other in waits if word == "requires"}
    between = len(actions)  # the number of the computation between two rounds, within the first of them
    of_round = [*actions, "calc 0"]
    all_waits = [*waits, *((between, "requires", other) for other in sorted(last))]
    all_waits += [(between + 1 + follower, "requires", between) for follower in sorted(begin)]
    count = repeat * len(of_round) - 1  # none after the last round
    made = [f"l{number}: {of_round[number % len(of_round)]}" for number in range(count)]
    for first in range(0, count, len(of_round)):
        made += [f"l{first + a} {word} l{first + b}" for a, word, b in all_waits if first + max(a, b) < count]
    return "\n".join([head, *made, end]) + "\n"
