"""The list of claims that the check modules fill."""

from pathlib import Path

from ..common.judge import Claims
from .study import Study

CLAIMS = Claims(Path(__file__).parent, Study)
check = CLAIMS.check
