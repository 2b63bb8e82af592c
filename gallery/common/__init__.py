"""What all papers of the gallery share: the form of a claim, names of runs, repetitions, the look of plots.

judge.py     a claim: its text, its finding, its verdict
names.py     names of runs: a family, its parameters, the repetition
study.py     results by name; means over repetitions
plots.py     panels, titles, axes
"""
