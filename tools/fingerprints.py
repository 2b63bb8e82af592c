"""Do the shipped scenarios have the fingerprints of the repository, with the package that is installed here?

    python tools/fingerprints.py
    python tools/fingerprints.py --out docs/data/trust/fingerprints.json --how "emulated by QEMU"

For wheels of other processors and systems: the same bits everywhere. `tests/golden` asks the same of a checkout. With
--out what came out is kept by processor and system; --how says in words on what it ran.
"""

import argparse
import json
import platform
import sys
from pathlib import Path

import congestree

ROOT = Path(__file__).resolve().parent.parent


def compare(name, golden):
    """The error of a scenario, or None."""
    run = congestree.run(ROOT / "scenarios" / f"{name}.toml")
    if run.fingerprint != {key: golden[key] for key in run.fingerprint}:
        return f"{name}: {run.fingerprint}, expected {golden}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenarios", nargs="*", help="these only")
    parser.add_argument("--out", type=Path, help="keep what came out in this file")
    parser.add_argument("--how", default="", help="on what it ran, in words")
    asked = parser.parse_args()
    expected = json.loads((ROOT / "tests/golden/fingerprints.json").read_text())
    names = asked.scenarios or list(expected)
    wrong = []
    for name in names:
        found = compare(name, expected[name])
        print(found or f"{name}: the same", flush=True)
        wrong += [found] if found else []
    same = len(names) - len(wrong)
    print(f"{same} of {len(names)} scenarios have the fingerprints of the repository.")
    if asked.out:
        told = json.loads(asked.out.read_text()) if asked.out.exists() else {}
        facts = {"same": same, "tried": len(names), "shipped": len(expected), "how": asked.how}
        told[f"{platform.system()} {platform.machine()}"] = facts
        asked.out.write_text(json.dumps(told, indent=2) + "\n")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
