"""Whole papers, run again: one folder a paper, with its runs, figures and claims."""
