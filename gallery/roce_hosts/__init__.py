"""Hosts as they are: DCQCN on the switch of its paper, and messages that cost something."""
