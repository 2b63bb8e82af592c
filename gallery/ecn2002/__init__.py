"""Evaluation of Congestion Detection Mechanisms for InfiniBand Switches. The README has questions and readings."""
