"""What the texts of GPT-13B on 128 accelerators say about its adopted results."""

from congestree.gallery import shipped


def sentences(of):
    scenario = shipped.module("gpt-128", "scenario")
    computing, microbatches = 1e3 * scenario.computing(scenario.WHOLE), scenario.WHOLE["microbatches"]
    alone = computing * (microbatches + scenario.PIPELINE - 1) / microbatches
    over = float(of("gpt-128-bubble"))
    iteration, exposed = alone * over, 100 * (1 - 1 / over)
    assert 5 < float(of("gpt-128-time")) < 20
    return {
        "README.md": [
            f"An iteration takes {iteration:.1f} ms; {exposed:.0f} % of it is communication that is not hidden",
            f"An iteration takes {iteration:.1f} ms, of which every rank computes {computing:.1f}; computation and the "
            f"pipeline alone would take {alone:.1f}, so {exposed:.0f} % of the iteration is exposed communication",
            f"{of('gpt-128-hops') / 1e6:.1f} million packet-hops and takes about ten seconds of processor time",
        ]
    }
