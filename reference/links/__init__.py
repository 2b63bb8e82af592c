"""What is between two nodes: packets and frames, lanes, credits, pauses, links that err or fail."""
