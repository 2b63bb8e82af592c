"""Paper II: Congestion Control, Switch Arbitration and Fairness. The README has questions and readings."""
