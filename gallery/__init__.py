"""Whole papers, reproduced: one folder for each paper, with its runs, figures and claims."""
