"""The list of the documents' blocks that the tests do not execute, with the reasons.

A block of TOML, Python or a console is executed (`test_examples.py`), a block for a shell command by command, a block
after the comment `<!-- executed by … -->` by the test that it names. All others are listed here, by their page and the
first letters of the command, or of the block. Commands that reproduce papers are the only kind with a rule: the test
checks that their papers and figures exist, and reduced versions of them are run in `tests/gallery`.
"""

LETTERS = 60
"""This many letters identify a command or block."""

BY_REASON = {
    "a drawing, or a table in letters": [
        "ARCHITECTURE.md: scenario.toml ──┐                       ┌── tables (Parquet,",
        "docs/adr/0013-parts-with-owners.md: host/                  link/                        switch/",
        "docs/adr/0018-bolt-is-not-in-yet.md: SignalView   now, rate, bytes that wait, size of the packet,",
        "docs/explanation/congestion-trees.md: B_1 ─┐",
        "docs/tutorial.md: B_1 .. B_5 ──┐",
        "gallery/gran2010_hardware/README.md: H1 ─┐                ┌─ H4        scenario 1: F1 H1->H4 (vic",
        "gallery/gran2011_validation/README.md: H1 ─┐                ┌─ H4        F1 H1->H4 is the victim, F",
        "gallery/gran2012_scope/README.md: 18 spines   o o o ... o        36-port crossbars, one link b",
        "gallery/hpl2002/README.md: B_1 .. B_L ──┐                    L local flows and R remote",
        "gallery/shimonishi2008_efl/README.md: S_1 ──┐               ┌── R_1",
    ],
    "no program: compared with the manifests of the crates by test_paths.py": ["ARCHITECTURE.md: units      -"],
    "builds or installs everything, for minutes": [
        "README.md: make demo",
        "README.md: make test",
        "docs/decide.md: make wheel",
        "docs/decide.md: pip install dist/*.whl",
        "docs/reference/installing.md: make wheel",
        "docs/reference/installing.md: pip install dist/*.whl",
        "docs/howto/add-a-marking-policy.md: make setup",
        "docs/howto/add-a-marking-policy.md: make schema",
    ],
    "needs an engine with the part of the page: test_howto_add_scheme.py builds one, and runs the part and its tests": [
        "docs/howto/add-a-marking-policy.md: cargo test -p congestree-schemes every_nth",
        "docs/howto/add-a-marking-policy.md: congestree run every-nth.toml --plot",
    ],
    "runs for minutes, or as long as it is told; what it measures is adopted by hand (test_adopt.py)": [
        "docs/claims.md: make gallery PAPER=hpl2002",
        "docs/claims.md: python tools/pages.py --adopt runs/hpl2002",
        "docs/claims.md: python -m gallery.common.tried hpl2002",
        "docs/schemes.md: python tools/pages.py --adopt runs/every-scheme",
        "docs/speed.md: make bench",
        "docs/speed.md: python tools/pages.py --adopt runs/bench.json",
        "docs/trust.md: make night MINUTES=480",
        "docs/trust.md: make stress MINUTES=10",
        "docs/trust.md: make races MINUTES=10",
        "docs/trust.md: make mishaps KILLS=1000",
        "docs/trust.md: make fuzz SECONDS_EACH=3600",
        "docs/trust.md: python tools/fingerprints.py",
        "gallery/uec_htsim/README.md: CONGESTREE_UEC_KEY=folder python -m gallery.uec_htsim.large",
        "reference/README.md: PYTHONPATH=. python tests/twin/test_twin.py 0 5000",
    ],
    "measures this machine, for minutes; tests/python/test_benchmark.py runs small cases": [
        "docs/reference/cli.md: congestree bench --json bench.json",
        "docs/reference/cli.md: congestree bench --quick --only c-",
        "docs/reference/cli.md: congestree bench --scenario my-network.toml --threads 2",
        "docs/reference/cli.md: congestree bench --only c- --only d- --compare ../before",
        "docs/reference/cli.md: congestree bench --yardstick",
        "gallery/shimonishi2008_efl/README.md: congestree bench --only j-",
    ],
    "is about a paper that has been reproduced, for minutes; tests/python/test_report_paper.py has one": [
        "docs/reference/cli.md: congestree report hpl2002",
    ],
    "needs other machines; tests/python/test_cluster.py has a scheduler and workers on this one": [
        "docs/howto/run-a-sweep-on-a-cluster.md: dask scheduler",
        "docs/howto/run-a-sweep-on-a-cluster.md: dask worker tcp://node1:8786 --nworkers 16 --nthreads 1",
        "docs/howto/run-a-sweep-on-a-cluster.md: congestree sweep llnl-grid --scheduler tcp://node1:8786 --ou",
        "docs/howto/run-a-sweep-on-a-cluster.md: pip install 'congestree[dask]' dask-jobqueue",
        "docs/howto/run-a-sweep-on-a-cluster.md: cat > sweep.py <<'END'",
        "docs/howto/run-a-sweep-on-a-cluster.md: python sweep.py",
        "docs/reference/cli.md: congestree sweep llnl-grid --scheduler tcp://node1:8786 --ou",
    ],
    "needs astra-sim, which is not here; test_astra_sim.py has a stand-in for its tree": [
        "docs/howto/c-and-astra-sim.md: git submodule update --init --recursive",
        "docs/howto/c-and-astra-sim.md: CHAKRA=extern/graph_frontend/chakra/schema/protobuf",
        "docs/howto/c-and-astra-sim.md: protoc --proto_path=$CHAKRA --cpp_out=$CHAKRA $CHAKRA/et_def",
        "docs/howto/c-and-astra-sim.md: build/astra_congestree/build/AstraSim_Congestree/AstraSim_Co",
    ],
}


def mark(page, text):
    """The entry of a command, or a block, of a page in the list."""
    return f"{page}: {text.strip().splitlines()[0][:LETTERS].rstrip()}"


UNEXECUTED = {one: reason for reason, marks in BY_REASON.items() for one in marks}
