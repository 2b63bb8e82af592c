"""The list of claims that the check module fills."""

from pathlib import Path

from ..hp_common.judge import Claims

CLAIMS = Claims(Path(__file__).parent)
check = CLAIMS.check
