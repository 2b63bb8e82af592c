"""The common part of the two HP reports (hpl2002, ecn2002): the network, the measures, the plots.

scenario.py  the two-switch network as a scenario, with the readings of both papers as its defaults
study.py     rates, utilisation and blocked time of one run
events.py    what congestion events marked
sweeps.py    runs of the buffer and threshold sweep (HPL Fig. 5, ECN Fig. 4) and the values read from it
reaction.py  the response functions without a network
plots.py     rates over time, sweeps
"""
