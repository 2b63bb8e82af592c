"""The distributions of latency that a run has recorded (probe `latency`), for tables that people read."""

from ...quantities import in_words

COLUMNS = ("class", "kind", ">packets", ">mean", ">p50", ">p99", ">longest")
TITLE = "Latency of packets; network: from the first bit sent, total: from when the message was made"


def rows(run):
    """The rows of `latency` of which packets were delivered, as dicts: class, kind, packets, and times in s."""
    return [row for row in run.arrow("latency").to_pylist() if row["packets"]]


def cells(run):
    """The same for a table with `COLUMNS`, in words."""
    names = ("mean", "p50", "p99", "max")
    return [
        (row["class"], row["kind"], f"{row['packets']:,}", *(in_words(row[name], "s") for name in names))
        for row in rows(run)
    ]
