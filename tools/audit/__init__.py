"""Parts of the auditor of random networks, `tools/night.py`."""
