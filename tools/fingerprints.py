"""Do the shipped scenarios have the fingerprints of the repository, with the package that is installed here?

    python tools/fingerprints.py

For wheels of other processors and systems: the same bits everywhere. `tests/golden` asks the same of a checkout.
"""

import json
import sys
from pathlib import Path

import congestree

ROOT = Path(__file__).resolve().parent.parent


def main():
    expected = json.loads((ROOT / "tests/golden/fingerprints.json").read_text())
    wrong = []
    for name, golden in expected.items():
        run = congestree.run(ROOT / "scenarios" / f"{name}.toml")
        if run.fingerprint != {key: golden[key] for key in run.fingerprint}:
            wrong.append(f"{name}: {run.fingerprint}, expected {golden}")
    print("\n".join(wrong) or f"{len(expected)} scenarios have the fingerprints of the repository.")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
