"""`python -m reference scenario.json` runs the twin on a scenario and prints the results."""

import json
import sys
from pathlib import Path

from reference.fabric import run


def main() -> None:
    """Read a scenario (TOML or JSON), run it, print counts per flow and the outputs that were blocked."""
    path = Path(sys.argv[1])
    if path.suffix == ".toml":
        import tomllib

        scenario = tomllib.loads(path.read_text())
    else:
        scenario = json.loads(path.read_text())
    result = run(scenario)
    print(f"{'flow':28} {'packets':>8} {'marked':>8} {'Gbit/s':>8}")
    for flow in result.flows:
        rate = flow.delivered_bytes * 8e3 / result.duration
        print(f"{flow.name:28} {flow.delivered:8} {flow.marked:8} {rate:8.3f}")
    for name, _, blocked in result.ports:
        if blocked:
            print(f"blocked {name:20} {blocked / 1e6:12.3f} us")


if __name__ == "__main__":
    main()
