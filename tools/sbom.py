"""A bill of materials (CycloneDX 1.5, JSON) of what a release is made from.

    python tools/sbom.py dist

Crates are those of Cargo.lock with their checksums, all of them linked into the engine or used to build and test it;
Python libraries are those that pyproject.toml requires, with the range of versions that is allowed.
"""

import json
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def bill():
    """The bill as a dict."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lock = tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]
    crates = [crate(package) for package in lock if "source" in package]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "name": project["name"],
                "version": project["version"],
                "licenses": [{"license": {"id": project["license"]}}],
                "purl": f"pkg:pypi/{project['name']}@{project['version']}",
            }
        },
        "components": crates + [library(text) for text in project["dependencies"]],
    }


def crate(package):
    """A crate, with the checksum that Cargo holds it against."""
    name, version = package["name"], package["version"]
    return {
        "type": "library",
        "name": name,
        "version": version,
        "purl": f"pkg:cargo/{name}@{version}",
        "hashes": [{"alg": "SHA-256", "content": package["checksum"]}],
    }


def library(requirement):
    """A Python library, of which the installer chooses the version."""
    name, allowed = re.fullmatch(r"([\w.-]+)(.*)", requirement).groups()
    return {"type": "library", "name": name, "purl": f"pkg:pypi/{name.lower()}", "description": f"allowed: {allowed}"}


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "dist")
    made = bill()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"congestree-{made['metadata']['component']['version']}.cdx.json"
    path.write_text(json.dumps(made, indent=2) + "\n")
    print(f"{path}: {len(made['components'])} components")


if __name__ == "__main__":
    main()
