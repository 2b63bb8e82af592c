"""The common part of all papers of the gallery: the form of a claim, names of runs, repetitions, the style of plots.

judge.py     a claim: its text, its finding, its verdict
acceptance.py   what is accepted: formulas over the numbers of a finding, judged on intervals
comparison.py   one comparison of such a formula, and the combined result of several
parts.py     the numbers of a finding by name, with their seeds
names.py     names of runs: a family, its parameters, the repetition
study.py     results by name; means over repetitions
plots.py     panels, titles, axes
tried.py     one thing changed in the runs of a claim, and the claim judged again
"""
