"""How many instants a page shows: the bounds of `frames` in Python and of `--frames`."""

FEWEST_FRAMES = 2
"""With one frame there is nothing to play."""
MOST_FRAMES = 20_000
"""Less than 65,536: the page has the frames of trees in 16 bits (`forest.py`)."""
