"""Paper II: Congestion Control, Switch Arbitration and Fairness. The README says what is asked and read."""
