"""Which options of `congestree import` and `cc read` apply to which files: one that would change nothing is refused."""

FABRIC = ("routes", "topology_only", "routing", "rate", "delay")
KINDS = {
    "ibnetdiscover": ("output of ibnetdiscover", FABRIC),
    "ibsim": ("a net file of ibsim", FABRIC),
    "topo": ("a .topo file of ibdm", (*FABRIC, "host_type")),
    "infragraph": ("an InfraGraph file", ("topology_only", "rate", "delay")),
    "htsim": ("a fat tree of htsim", ("topology_only",)),
    "hpcc-topology": ("a topology of HPCC", ("topology_only", "flows", "config")),
    "hpcc-config": ("settings of HPCC", ("topology_only", "flows", "config")),
    "hpcc-flow": ("a list of flows of HPCC", ("into",)),
    "cm": ("a connection matrix of htsim", ("into",)),
    "opensm": ("a file of OpenSM", ("sl", "at")),
    "ccmgr": ("a file of ccmgr", ("sl", "at")),
    "mlx5": ("a file of mlx5 adapters", ()),
    "sonic": ("a file of a SONiC switch", ("profile",)),
    "sonic-pg": ("a pg_profile_lookup.ini", ("profile",)),
}
"""By form: what a file is, and the options that apply to it; --out and --json apply to all, and to settings --into."""


def check(file, form, given):
    """Raises CongestreeError if options do not apply to a file of this form, or to each other.

    `given`: the values of the options by name; of one that the command does not have, None, False or an empty list.
    """
    from ...errors import AskedError

    what, applying = KINDS[form]
    given = [option for option, value in given.items() if not (value is None or value is False or value == [])]
    wrong = [_spelt(option) for option in given if option not in applying]
    if wrong:
        said, it = f"{_listed(wrong)} {'does' if len(wrong) == 1 else 'do'}", "it" if len(wrong) == 1 else "them"
        raise AskedError(f"{said} not apply to {file}, which is {what}: leave {it} out.")
    if {"routes", "routing"} <= {*given}:
        raise AskedError("--routes reads the routes of a fabric, and --routing computes others: give one of them.")
    wrong = [_spelt(option) for option in ("flows", "config") if option in given]
    if wrong and "topology_only" in given:
        raise AskedError(f"--topology-only writes the network alone: leave it out, or {_listed(wrong)}.")


def _spelt(option):
    return f"--{option.replace('_', '-')}"


def _listed(options):
    *most, last = options
    return f"{', '.join(most)} and {last}" if most else last
