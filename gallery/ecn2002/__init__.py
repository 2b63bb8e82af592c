"""Evaluation of Congestion Detection Mechanisms for InfiniBand Switches. The README says what is asked and read."""
