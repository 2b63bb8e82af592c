"""A bill of materials (CycloneDX 1.5, JSON) of what a release is made from.

    python tools/sbom.py dist

Crates are those of Cargo.lock with their checksums, all of them linked into the engine or used to build and test it;
Python libraries are those that pyproject.toml requires, with the range of versions that is allowed. Packages for the
browser are those of viewer/package-lock.json that can be in the viewer, which the wheel contains.
"""

import base64
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
        "components": crates + [library(text) for text in project["dependencies"]] + viewer(),
    }


def viewer():
    """The components of the browser part of the viewer, with the checksums of npm."""
    lock = json.loads((ROOT / "viewer/package-lock.json").read_text())["packages"]
    used = {path: package for path, package in lock.items() if path and not package.get("dev")}
    return [npm_package(path.rpartition("node_modules/")[2], package) for path, package in used.items()]


def npm_package(name, package):
    """A package for the browser."""
    version, (algorithm, _, content) = package["version"], package["integrity"].partition("-")
    return {
        "type": "library",
        "name": name,
        "version": version,
        "licenses": [{"license": {"id": package["license"]}}],
        "purl": f"pkg:npm/{name.replace('@', '%40')}@{version}",
        "hashes": [{"alg": f"SHA-{algorithm[3:]}", "content": base64.b64decode(content).hex()}],
    }


def crate(package):
    """A crate, with the checksum of Cargo."""
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
