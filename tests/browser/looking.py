"""Where to look on the page of a run, and what its tables say of that place."""

MIDDLE = "#sample=60&by=use"
TIME = 600e-6


def tree_at(run, time):
    rows = run.trees.filter((run.trees["time"] - time).abs() < 1e-9).sort("branches", descending=True)
    return rows.row(0, named=True)


def place_of_root(page, port, run=0):
    script = """([run, port]) => { const v = window.congestree;
        return v.scene.project(run, ...v.scene.geometry.root(port)); }"""
    return page.evaluate(script, [run, port])
