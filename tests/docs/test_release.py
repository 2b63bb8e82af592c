"""Files of a release agree with each other: versions, requirements, platforms; the bill of materials is complete."""

import email
import importlib.util
import json
import os
import re
import runpy
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml
from blocks import PAGES, ROOT
from blocks import name as name_of

import congestree

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_there_is_one_version():
    workspace = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]
    conda = re.search(r'set version = "(.*?)"', (ROOT / "packaging/conda/meta.yaml").read_text())[1]
    debian = re.match(r"congestree \((.*?)\)", (ROOT / "packaging/debian/changelog").read_text())[1]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())["version"]
    assert {congestree.__version__, PROJECT["version"], workspace, conda, debian, str(citation)} == {"0.1.0"}
    assert f"## {congestree.__version__}" in (ROOT / "CHANGELOG.md").read_text()


def test_there_is_one_oldest_version_of_rust():
    """With an older one the build ends among errors of the compiler; cargo says at once what it needs."""
    needed = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["rust-version"]
    for manifest in ROOT.glob("crates/*/Cargo.toml"):
        package = tomllib.loads(manifest.read_text())["package"]
        assert package.get("rust-version") == {"workspace": True}, package["name"]
    debian = re.findall(r"(?:cargo|rustc) \(>= ([\d.]+)\)", (ROOT / "packaging/debian/control").read_text())
    conda = re.findall(r"rust >=([\d.]+)", (ROOT / "packaging/conda/meta.yaml").read_text())
    assert debian == [needed, needed] and conda == [needed]
    for page in ("README.md", "CONTRIBUTING.md", "docs/reference/installing.md"):
        assert f"Rust {needed} or newer" in (ROOT / page).read_text(encoding="utf-8"), page


def test_conda_requires_what_pip_requires():
    recipe = re.sub(r"\{\{.*?\}\}|\{%.*?%\}", "", (ROOT / "packaging/conda/meta.yaml").read_text())
    run = {
        line.replace(" ", "").replace("matplotlib-base", "matplotlib")
        for line in yaml.safe_load(recipe)["requirements"]["run"]
    }
    assert run == {*PROJECT["dependencies"], f"python{PROJECT['requires-python']}"}


LOWEST = {
    "numpy": ("1.26", "the first that has wheels for Python 3.12; older ones are not tried"),
    "pyarrow": ("16", "`RecordBatch.rename_columns`, for stored runs of older names"),
    "polars": ("1.3", "1.0 has no `read_csv(infer_schema)`, for tables of operations; 1.3 is the oldest that is tried"),
    "typer": ("0.15.4", "older ones end in a traceback with click 8.2 and newer, which they do not exclude"),
    "rich": ("13", "older ones are not tried"),
    "matplotlib": ("3.8", "the first that has wheels for Python 3.12; older ones are not tried"),
}
"""The lowest version of each library, and why: `make lowest` runs commands with all of them."""


def test_the_lowest_version_of_each_library_has_a_reason():
    bounds = dict(re.match(r"([\w-]+)>=([\d.]+)", one).groups() for one in PROJECT["dependencies"])
    assert bounds == {name: version for name, (version, _) in LOWEST.items()}
    pinned = runpy.run_path(str(ROOT / "tools/lowest.py"))["lowest"](PROJECT["dependencies"])
    assert pinned == [f"{name}=={version}" for name, (version, _) in LOWEST.items()]


def test_workflows_are_whole_and_name_every_platform():
    github = yaml.safe_load((ROOT / ".github/workflows/wheels.yml").read_text())
    targets = [(one["machine"], one["target"]) for one in github["jobs"]["wheel"]["strategy"]["matrix"]["include"]]
    assert [target for _, target in targets] == ["x86_64", "aarch64", "universal2-apple-darwin", "x64"]
    gitlab = yaml.safe_load((ROOT / ".gitlab-ci.yml").read_text())
    assert {"test", "wheel x86-64", "wheel aarch64", "sdist"} <= set(gitlab)
    step = next(step for step in github["jobs"]["wheel"]["steps"] if "fingerprints" in step.get("run", ""))
    assert "pip install dist/*.whl" in step["run"], "by its name a package could come from the index"
    assert step["shell"] == "bash", "the shell of Windows leaves the * as it is"
    assert "chromium" in str(gitlab["test"]), "tests in the browser fail without one where CI is set"
    for path in re.findall(r"tools/\w+\.py", str(github) + str(gitlab)):
        assert (ROOT / path).exists()


def test_ci_runs_the_lints_and_all_tests():
    """As CONTRIBUTING.md says; the lints were left out."""
    job = yaml.safe_load((ROOT / ".gitlab-ci.yml").read_text())["test"]
    assert job["script"] == ["make lint", "make test"]
    assert "rustup component add rustfmt clippy" in job["before_script"], "the image has the compiler alone"
    assert "lint test" in (ROOT / ".ci/run").read_text()


def test_clean_removes_all_that_is_built():
    """It left the engine, which Python then imported, and packages of older versions in dist."""
    told = subprocess.run(["make", "-n", "clean"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    ignored = {line.strip("/") for line in (ROOT / ".gitignore").read_text().splitlines() if line.startswith("/")}
    assert {*ignored, "python/congestree/_engine.*.so"} - {"runs"} <= set(told), "runs has results, not what was built"


PACKERS = {
    "Makefile": r"^wheel:.*\$\(VIEWER\)(?s:.*?)maturin build",
    ".github/workflows/wheels.yml": r"(?s:node viewer/build\.mjs.*?maturin-action.*?){2}$",
    ".gitlab-ci.yml": r"node viewer/build\.mjs(?s:.*?)maturin build",
    "packaging/debian/rules": r"node viewer/build\.mjs(?s:.*?)maturin build",
    "packaging/conda/meta.yaml": r"node viewer/build\.mjs(?s:.*?)pip install",
}
STATIC = "congestree/view/static"
LICENCES = sorted({path.parent.relative_to(ROOT).as_posix() for path in ROOT.glob("[gt]*/*/*/LICENSE*")})
"""Folders of files of others."""
BUILT = {path.name: path.read_bytes() for path in (ROOT / "python" / STATIC).glob("*")}


@pytest.mark.parametrize("packer", PACKERS)
def test_whoever_makes_a_package_builds_the_viewer_first(packer):
    """It is not checked in: a checkout has none, and the wheel would lack it without a word."""
    assert re.search(PACKERS[packer], (ROOT / packer).read_text(), re.M)


@pytest.mark.parametrize("packer", PACKERS)
def test_whoever_makes_a_package_writes_the_licences_first(packer):
    text = (ROOT / packer).read_text()
    assert re.search(r"tools/licences\.py(?s:.*?)(maturin build|maturin-action|pip install \.)", text), packer


def test_pages_build_the_viewer_before_they_install_from_a_checkout():
    """By `pip install .` alone the package lacks it, and `congestree doctor`, the next command, ends with 1."""
    installing = {page: text for page in PAGES if "pip install" in (text := page.read_text(encoding="utf-8"))}
    for page, text in installing.items():
        for found in re.finditer(r"pip install (\.(?!\w)|dist/)", text):
            built = re.search(r"make (viewer|wheel)", text[: found.start()])
            assert built or name_of(page) == "CHANGELOG.md", f"{name_of(page)}: {text[found.start() :][:60]}"
    assert {"README.md", "docs/decide.md", "docs/reference/installing.md"} <= set(map(name_of, installing))


def debian(folder, target, *there):
    """Carry out a target of the rules in a folder, with these commands doing nothing."""
    (folder / "debian/congestree").mkdir(parents=True, exist_ok=True)
    for name in there:
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)
    rules = ["make", "-s", "-f", ROOT / "packaging/debian/rules", target]
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    subprocess.run(rules, cwd=folder, env={**os.environ, "PATH": path}, check=True)


def test_the_package_of_debian_requires_the_python_whose_interpreter_it_has(tmp_path):
    """Its environment was installed beside any newer one, whose libraries the copied interpreter does not find."""
    debian(tmp_path, "override_dh_gencontrol", "dh_gencontrol")
    told = (tmp_path / "debian/congestree.substvars").read_text()
    least, below = re.fullmatch(r"python3:Depends=python3 \(>= 3\.(\d+)~\), python3 \(<< 3\.(\d+)\)\n", told).groups()
    assert int(below) == int(least) + 1
    assert "${python3:Depends}" in (ROOT / "packaging/debian/control").read_text()


def test_the_package_of_debian_names_no_folder_of_the_machine_that_built_it(tmp_path):
    home = tmp_path / "debian/congestree/usr/lib/congestree"
    (home / "bin").mkdir(parents=True)
    for name in ("pip", "f2py", "activate", "congestree", "python3", "python3.11"):
        (home / "bin" / name).write_text(f"#!{home}/bin/python3\n")
        (home / "bin" / name).chmod(0o755)
    (home / "bin/pip").write_text("#!/bin/sh\n")
    (home / "pyvenv.cfg").write_text(f"command = python3 -m venv {home}\n")
    debian(tmp_path, "override_dh_auto_install", "python3")
    assert {path.name for path in (home / "bin").iterdir()} == {"congestree", "python3", "python3.11"}
    assert (home / "bin/congestree").read_text() == "#!/usr/lib/congestree/bin/python3\n"
    assert (home / "pyvenv.cfg").read_text() == "command = python3 -m venv /usr/lib/congestree\n"


def test_the_licences_are_those_of_the_crates_that_are_linked():
    module = runpy.run_path(str(ROOT / "tools/licences.py"))
    packages = module["crates"]()
    names = {package["name"] for package in packages}
    assert {"pyo3", "serde_json"} <= names and not names & {"syn", "serde_derive", "congestree-engine", "proptest"}
    text = module["notices"](packages)
    assert all(f"{package['name']} {package['version']}: " in text for package in packages)
    assert "Permission is hereby granted" in text and text.count("Apache License") >= 1


@pytest.fixture(scope="module")
def dist_info(tmp_path_factory):
    """What a wheel says of itself, which needs no engine."""
    place = tmp_path_factory.mktemp("wheel")
    maturin("pep517", "write-dist-info", "--metadata-directory", place, "--interpreter", sys.executable)
    return next(place.glob("*.dist-info"))


def test_a_wheel_names_the_licences_of_all_that_it_contains(dist_info):
    said = email.message_from_string((dist_info / "METADATA").read_text(encoding="utf-8"))
    names = set(said["License-Expression"].split(" AND "))
    assert names == {"Apache-2.0", "MIT", "BSD-2-Clause", "Zlib", "0BSD"}
    assert set(re.findall(r"^@?[\w./-]+ [\d.]+: (.+)$", BUILT["LICENSES.txt"].decode(), re.M)) <= names
    for package in runpy.run_path(str(ROOT / "tools/licences.py"))["crates"]():
        assert names & set(re.split(r" OR |/", package["license"])), package["license"]
    htsim = {f"python/congestree/data/gallery/uec_htsim/data/LICENSE-{of}" for of in ("htsim", "Transport-WG.txt")}
    named = set(said.get_all("License-File"))
    assert named >= {"LICENSE", f"python/{STATIC}/LICENSES.txt"} | htsim
    assert all((dist_info / "licenses" / path).is_file() for path in named)


def test_the_description_of_a_package_has_no_link_into_the_repository(dist_info):
    """An index shows it where there are no other pages: README.md had 48 links that led nowhere, and no picture."""
    text = email.message_from_string((dist_info / "METADATA").read_text(encoding="utf-8")).get_payload()
    assert "What does congestion do" in text
    targets = re.findall(r"\]\(([^)]*)\)|^\[[^]]+\]:\s*(\S+)|(?:href|src)=[\"']([^\"']*)", text, re.M)
    assert [target for target in map("".join, targets) if not target.startswith("https://")] == []


def test_conda_and_debian_name_the_same_licences():
    recipe = yaml.safe_load(re.sub(r"\{\{.*?\}\}|\{%.*?%\}", "", (ROOT / "packaging/conda/meta.yaml").read_text()))[
        "about"
    ]
    assert recipe["license"] == PROJECT["license"]
    made = {f"python/{STATIC}/LICENSES.txt", "python/congestree/data/THIRD-PARTY.txt"}
    assert set(recipe["license_file"]) >= made and all((ROOT / p).exists() for p in set(recipe["license_file"]) - made)
    stanzas = (ROOT / "packaging/debian/copyright").read_text(encoding="utf-8").split("\n\n")[1:]
    covered = " ".join(re.sub(r"\n(?=\S)(?s:.*)", "", s.removeprefix("Files:")) for s in stanzas if s[:6] == "Files:")
    for folder in (*LICENCES, f"python/{STATIC}"):
        assert f"{folder}/*" in covered.split(), folder
    used = {
        name for s in stanzas if s[:6] == "Files:" for name in re.search(r"^License: (.+)$", s, re.M)[1].split(" and ")
    }
    assert used == {s.splitlines()[0].removeprefix("License: ") for s in stanzas if s[:8] == "License:"}


def test_the_source_distribution_has_the_viewer(tmp_path):
    """The bytes that were built here, and the licences of their content."""
    maturin("sdist", "--out", tmp_path)
    (path,) = tmp_path.iterdir()
    with tarfile.open(path) as packed:
        names = {name.partition("/")[2]: name for name in packed.getnames()}
        found = {name: packed.extractfile(names[f"python/{STATIC}/{name}"]).read() for name in BUILT}
        assert len(packed.extractfile(names["python/congestree/data/gallery/hpl2002/claims.toml"]).read()) > 1000
    assert {"CHANGELOG.md", "CITATION.cff", "packaging/description.md"} <= set(names)
    assert set(BUILT) == {"viewer.js", "LICENSES.txt"} and found == BUILT


@pytest.mark.slow
def test_the_wheel_shows_a_run(tmp_path):
    """Packed as for a release, with the engine that is built already; only the content of the wheel is used."""
    maturin("build", *profile(), "--interpreter", sys.executable, "--out", tmp_path / "dist")
    (path,) = (tmp_path / "dist").iterdir()
    with zipfile.ZipFile(path) as packed:
        assert {name: packed.read(f"{STATIC}/{name}") for name in BUILT} == BUILT
        packed.extractall(tmp_path / "site")
    probes = "measure.probes=['ports']"
    for command in (["run", "hot-spot", "--set", probes, "--out", "seen"], ["view", "seen"], ["doctor", "--no-bench"]):
        script = "import congestree.cli, sys; sys.exit(congestree.cli.main())"
        environment = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}
        subprocess.run([sys.executable, "-c", script, *command], check=True, cwd=tmp_path, env=environment)
    assert (tmp_path / "seen/view.html").stat().st_size > len(BUILT["viewer.js"])


def maturin(*arguments):
    """Run maturin of this environment on the checkout, as `make setup` does: nothing need be built again."""
    program = Path(sys.executable).with_name("maturin")
    subprocess.run([program, *arguments], check=True, cwd=ROOT, env=os.environ | {"VIRTUAL_ENV": sys.prefix})


def profile():
    """How the engine of this checkout was built last, so that it need not be built again."""
    built = {path.parent.name: path.stat().st_mtime for path in ROOT.glob("target/*/lib_engine.so")}
    last = max(built, key=built.get, default="release")
    return ["--profile", {"debug": "dev"}.get(last, last), *(["--features", "lean"] if last == "quick" else [])]


def test_the_bill_of_materials_has_every_crate_with_its_sum(tmp_path):
    subprocess.run([sys.executable, ROOT / "tools/sbom.py", tmp_path], check=True, capture_output=True)
    (path,) = tmp_path.iterdir()
    bill = json.loads(path.read_text())
    lock = tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]
    sums = {c["name"]: c["hashes"][0]["content"] for c in bill["components"] if c["purl"].startswith("pkg:cargo/")}
    assert set(sums) == {p["name"] for p in lock if "source" in p} and all(len(s) == 64 for s in sums.values())
    assert {c["name"] for c in bill["components"] if c["purl"].startswith("pkg:pypi/")} >= {"numpy", "pyarrow"}
    packages = {f"{c['name']} {c['version']}" for c in bill["components"] if c["purl"].startswith("pkg:npm/")}
    shipped = re.findall(r"^(@?[\w./-]+ [\d.]+): ", BUILT["LICENSES.txt"].decode(), re.M)
    assert len(shipped) > 10 and packages >= set(shipped) and not any("esbuild" in name for name in packages)


def test_fingerprints_of_a_package_are_compared_with_those_of_the_repository(monkeypatch, capsys):
    spec = importlib.util.spec_from_file_location("fingerprints", ROOT / "tools/fingerprints.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    expected = json.loads((ROOT / "tests/golden/fingerprints.json").read_text())

    class Run:
        def __init__(self, path):
            self.fingerprint = dict(expected[path.stem])
            if path.stem == "hot-spot" and Run.wrong:
                self.fingerprint["results"] = "0"

    monkeypatch.setattr(module.congestree, "run", Run)
    monkeypatch.setattr(sys, "argv", ["fingerprints.py"])
    for Run.wrong in (False, True):
        try:
            module.main()
        except SystemExit as end:
            assert bool(end.code) == Run.wrong
    assert "hot-spot" in capsys.readouterr().out
