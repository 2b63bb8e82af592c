"""Random networks that `tools/night.py` runs under audit, and the search that confirms their deadlocks."""
