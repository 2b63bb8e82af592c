"""Many runs: sweeps on all cores or on a cluster, and their tables."""
