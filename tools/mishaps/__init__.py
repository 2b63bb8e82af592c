"""Parts of `tools/mishaps.py`: what a machine can do to runs and sweeps."""
