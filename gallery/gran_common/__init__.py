"""What the papers of Gran's thesis share: the test bed, its flows, the readings, how runs are read and drawn.

scenario.py  the test bed of seven hosts as a scenario, with the readings as arguments
study.py     payload rates by flow and phase, oscillation, shares of one run
plots.py     rates of flows over time
"""
