"""Files of fabrics for tests: samples, small ones written here, and a tree whose shortest paths make credit loops."""

from pathlib import Path

from congestree.formats import fabrics
from congestree.runs import running

SAMPLES = Path(__file__).parent / "fabrics"
CLUSTER, TABLES, TOPO = (SAMPLES / name for name in ("cluster.txt", "cluster-lfts.dump", "cluster.topo"))
NET = """
# A net file as ibsim reads it: bit masks of widths and speeds, and nothing else.
width=3
Switch 8 "S1"
[1] "H1"[1]
[2] "H1"[2]  w=1
[4] "S2"[3]  s=7
[5] "S2"[1]

speed=3
Switch 8 "S2"
[3] "S1"[4]
[1] "S1"[5]
[8] "H2"

Hca 2 "H1"
[1] "S1"[1]
[2] "S1"[2]

Ca 1 "H2"  # "the second"
[1] "S2"[8]
"""


def written(tmp_path, text, name="net"):
    """The path of a file with this text."""
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def checked(fabric, **options):
    """The engine's verdict on the scenario made of a fabric."""
    return running.check(fabrics.scenario_text(fabric, **{"rate": 8 * 10**9, **options}))


def crossed_tree():
    """A tree of 8 leaves, 8 switches in the middle and 4 at the top in two halves, with a second link from every leaf
    to the other half: by shortest paths some routes go up again after going down.

    The wiring is that of the credit-loops demonstration of ibutils.
    """
    other = {1: 8, 2: 5, 3: 6, 4: 7, 5: 1, 6: 2, 7: 3, 8: 4}
    lines = []
    for leaf in range(1, 9):
        lines += [f"MTS400 leaf{leaf}", f" P1 -> HCA h{2 * leaf - 1} P1", f" P2 -> HCA h{2 * leaf} P1"]
        lines += [f" P3 -> MTS400 mid{leaf} P1", f" P4 -> MTS400 mid{other[leaf]} P2", ""]
    for mid in range(1, 9):
        half = 1 if mid <= 4 else 3
        lines += [f"MTS400 mid{mid}", f" P3 -> MTS400 top{half} P{(mid - 1) % 4 + 1}"]
        lines += [f" P4 -> MTS400 top{half + 1} P{(mid - 1) % 4 + 1}", ""]
    return "\n".join(lines)


SHARP = """
Switch	41 "S-a1"		# "leaf" enhanced port 0 lid 1 lmc 0
[1]	"H-b1"[1](b1)		# "one mlx5_0" lid 11 2xHDR
[2]	"H-b2"[1](b2)		# "two mlx5_0" lid 12 2xHDR
[3]	"S-a2"[7]		# "spine" lid 2 4xHDR
[41]	"H-c1"[1](c1)		# "Mellanox Technologies Aggregation Node" lid 21 4xHDR

Switch	41 "S-a2"		# "spine" enhanced port 0 lid 2 lmc 0
[7]	"S-a1"[3]		# "leaf" lid 1 4xHDR
[8]	"H-b3"[1](b3)		# "three mlx5_0" lid 13 1xHDR
[41]	"H-c2"[1](c2)		# "Mellanox Technologies Aggregation Node" lid 22 4xHDR

Ca	1 "H-b1"		# "one mlx5_0"
[1](b1)	"S-a1"[1]		# lid 11 lmc 0 "leaf" lid 1 2xHDR

Ca	1 "H-b2"		# "two mlx5_0"
[1](b2)	"S-a1"[2]		# lid 12 lmc 0 "leaf" lid 1 2xHDR

Ca	1 "H-b3"		# "three mlx5_0"
[1](b3)	"S-a2"[8]		# lid 13 lmc 0 "spine" lid 2 1xHDR

Ca	1 "H-c1"		# "Mellanox Technologies Aggregation Node"
[1](c1)	"S-a1"[41]		# lid 21 lmc 0 "leaf" lid 1 4xHDR

Ca	1 "H-c2"		# "Mellanox Technologies Aggregation Node"
[1](c2)	"S-a2"[41]		# lid 22 lmc 0 "spine" lid 2 4xHDR
"""
