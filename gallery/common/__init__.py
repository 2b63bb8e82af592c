"""What all papers of the gallery share: the form of a claim, names of runs, repetitions, the look of plots.

judge.py     a claim: its text, its finding, its verdict
acceptance.py   what is accepted: formulas over the numbers of a finding, judged on intervals
names.py     names of runs: a family, its parameters, the repetition
study.py     results by name; means over repetitions
plots.py     panels, titles, axes
"""
