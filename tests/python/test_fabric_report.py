"""What is reported of a real fabric: degraded and missing links, credit loops, and the words of the file."""

from congestree.formats import fabrics

from .fabric_files import CLUSTER, SHARP, crossed_tree, written


def report_of(path, **options):
    fabric = fabrics.read(path)
    options = {"rate": 8 * 10**9, **options}
    return fabrics.report(fabric, fabrics.network_of(fabric, **options), options["rate"])


def test_the_report_finds_degraded_and_missing_links():
    found = report_of(CLUSTER)
    assert [row["switches"] for row in found["levels"]] == [4, 2]
    assert [(s["width_and_speed"], s["links"]) for s in found["speeds"]] == [("4xHDR", 14), ("4xQDR", 1)]
    assert [(d["link"], d["expected"]) for d in found["degraded"]] == [
        ("leaf-3 port 3 - spine-1 port 3", "200 Gbit/s (4xHDR)")
    ]
    assert [(m["switch"], m["kind"], m["has"], m["usual"], m["ports"]) for m in found["missing"]] == [
        ("leaf-4", "links up", 1, 2, [4])
    ]


def test_a_link_below_what_its_port_could_do_is_degraded(tmp_path):
    text = CLUSTER.read_text().replace('"node11 mlx5_0" lid 7 4xHDR', '"node11 mlx5_0" lid 7 4xHDR (Could be NDR)')
    found = report_of(written(tmp_path, text))["degraded"]
    # Both ends must support it; only the switch says so here, and the host does not contradict.
    assert any(d["expected"] == "400 Gbit/s (4xNDR)" and "ports could do" in d["because"] for d in found)


def test_credit_loops_are_found_and_levels_go_around_them(tmp_path):
    path = written(tmp_path, crossed_tree(), "crossed.topo")
    assert report_of(path, routing="shortest-path")["credit_loop"]
    assert report_of(path, routing="d-mod-k")["credit_loop"] is None


def test_the_report_has_the_words_of_the_file(tmp_path):
    """Two lanes of HDR are as fast as four of EDR."""
    speeds = report_of(written(tmp_path, SHARP))["speeds"]
    said = {s["rate"]: s["width_and_speed"] for s in speeds}
    assert said == {"100 Gbit/s": "2xHDR", "200 Gbit/s": "4xHDR", "50 Gbit/s": "1xHDR"}
