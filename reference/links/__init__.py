"""Everything between two nodes: packets and frames, lanes, credits, pauses, links that damage frames or fail."""
