"""Parts of `tools/faults.py`: what a machine can do to runs and sweeps."""
