"""First Experiences with Congestion Control in InfiniBand Hardware (Gran, Paper III)."""
