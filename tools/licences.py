"""The licences of the Rust crates that are linked into the engine and the C library, for the packages.

    python tools/licences.py [FILE]

FILE is by default python/congestree/data/THIRD-PARTY.txt, which wheels contain. The texts are the crates' own files, as
Cargo has fetched them; crates of any platform are in it, and none that only build, generate or test code.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "python/congestree/data/THIRD-PARTY.txt"
LINKED = ("congestree-python", "congestree-capi")
NAMES = re.compile(r"(licen[cs]e|copying|notice|copyright|unlicense)", re.IGNORECASE)
RULE = "\n\n" + "-" * 80 + "\n\n"


def crates():
    """The crates of others that are linked, as Cargo describes them."""
    command = ["cargo", "metadata", "--locked", "--format-version", "1"]
    told = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout)
    packages = {package["id"]: package for package in told["packages"]}
    nodes = {node["id"]: node for node in told["resolve"]["nodes"]}
    waiting = [id for id, package in packages.items() if package["name"] in LINKED]
    found = set()
    while waiting:
        if (id := waiting.pop()) in found or is_macro(packages[id]):
            continue
        found.add(id)
        deps = nodes[id]["deps"]
        waiting += [dep["pkg"] for dep in deps if any(kind["kind"] is None for kind in dep["dep_kinds"])]
    theirs = [packages[id] for id in found if packages[id]["source"]]
    return sorted(theirs, key=lambda package: (package["name"], package["version"]))


def is_macro(package):
    """Whether the compiler runs it, and nothing of it is in what is compiled."""
    return any("proc-macro" in target["kind"] for target in package["targets"])


def texts_of(package):
    """The texts of the licence files of a crate."""
    folder = Path(package["manifest_path"]).parent
    files = sorted(path for path in folder.iterdir() if path.is_file() and NAMES.match(path.name))
    return [path.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n").strip() for path in files]


def notices(packages):
    """The whole file: every text once, below the crates that have it; first the crates that have none."""
    texts, without = {}, []
    for package in packages:
        name = f"{package['name']} {package['version']}: {package['license']}"
        found = texts_of(package)
        if not found:
            without.append(f"{name} ({', '.join(package['authors']) or package['repository']}; no file of its own)")
        for text in found:
            texts.setdefault(text, []).append(name)
    head = "What the engine is built from, besides Rust's standard library (MIT OR Apache-2.0, https://rust-lang.org)"
    return RULE.join(["\n".join([head, *without]), *("\n".join(n) + "\n\n" + text for text, n in texts.items())]) + "\n"


def main():
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else FILE
    packages = crates()
    path.write_text(notices(packages), encoding="utf-8")
    print(f"{path}: {len(packages)} crates")


if __name__ == "__main__":
    main()
