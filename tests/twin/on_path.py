"""Imported for what it does: it puts the twin and the generators of scenarios, plain folders both, on the path."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE / "random"), str(HERE.parents[1])]
