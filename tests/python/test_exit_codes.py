"""Exit codes: 2 if the command or what it names is wrong, 1 if something could not be done (reference/cli.md)."""

import os
import shlex

import pytest

WRONG = """
check nope.toml
check .
check bin.toml
check run
run Hot-Spot
run nope.toml
run small.toml --set seed
run small.toml --limit-memory bogus
sweep nope.toml
bench --only nope
bench --scenario nope.toml
bench --only a- --compare nope
reproduce nope
reproduce hpl2002/fig99
report nope
report small.toml
view nope
view run small.toml
explain nope
plot nope
plot run --tree --animate --out x.png
goal make barrier --ranks 4 --out x
goal read a.goal --out x
goal read a.goal --out -
goal read nope.goal
goal read cut.bin
job info nope
job report nope.toml
import nope
import one.cm --rate 1
import fabric.txt --delay nan
import fabric.txt --rate '100 gbit/s'
export nope
export hot-spot --format hpcc-fct
cc read nope
cc read a.goal
cc write nope
serve nope
"""
NOT_DONE = """
run small.toml --out small.toml/results
run small.toml --out sweep
schema --out no/such/folder/x.json
plot run --tree
report damaged
"""
TABLE = [(line, 2) for line in WRONG.strip().splitlines()] + [(line, 1) for line in NOT_DONE.strip().splitlines()]


@pytest.mark.parametrize(("line", "code"), TABLE, ids=[line for line, _ in TABLE])
def test_the_code_says_whether_the_command_is_to_be_changed(
    congestree_cli, finished, small, tmp_path, root, line, code
):
    os.symlink(finished.folder, tmp_path / "run")
    (tmp_path / "bin.toml").write_bytes(b"seed = \xff")
    (tmp_path / "cut.bin").write_bytes(b"\x00" * 9)
    (tmp_path / "a.goal").write_text("num_ranks 2 rank 0 { send 8b to 1 } rank 1 { recv 8b from 0 }")
    (tmp_path / "one.cm").write_text("Nodes 4\nConnections 1\n0->1 id 1 start 0 size 100\n")
    (tmp_path / "fabric.txt").write_text((root / "tests/python/fabrics/cluster.txt").read_text())
    for name, mark in (("sweep", "study.json"), ("damaged", "manifest.json")):
        (tmp_path / name).mkdir()
        (tmp_path / name / mark).write_text("{}")
    done = congestree_cli(*shlex.split(line), code=code)
    assert done.stderr
