"""Hosts as they are: DCQCN on the switch of its paper, what notifications cost when they are late, what messages cost."""
