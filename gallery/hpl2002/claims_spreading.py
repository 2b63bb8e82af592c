"""Sections 1, 3 and 4: congestion spreads, a window of one packet cures it, until flows outnumber slots."""

import numpy as np

from ..common.judge import Finding
from ..hp_common.scenario import INTER, ROOT
from .paper import check

ON = (42, 58)
"""The part of the victim's 20 ms that the means are taken over, ms."""
ALL = (1, 100)
"""All contenders are active, ms."""


@check("hpl2002-fig2a-victim")
def victim(study):
    return Finding(study.sample("fig2a", lambda view: view.rate("victim", *ON)))


@check("hpl2002-fig2a-interswitch")
def interswitch(study):
    return Finding(study.sample("fig2a", lambda view: view.use(INTER, *ON)))


@check("hpl2002-fig2a-idle")
def idle(study):
    return Finding(study.sample("fig2a", lambda view: 1 - view.use(INTER, *ON)))


@check("hpl2002-fig2a-sixth-share")
def sixth_share(study):
    rates = np.mean([view.rates("contenders", *ALL) for view in study.views("fig2a")], axis=0)
    return Finding(rates, note="locals first, the remote flow last; mean over starts")


@check("hpl2002-fig2a-remote-equals-victim")
def remote_equals_victim(study):
    return Finding(study.sample("fig2a", lambda view: view.rate("victim", *ON) / view.rate("remote", *ON)))


@check("hpl2002-s3-proactive-rate")
def proactive(study):
    blocked = study.sample("paced", lambda view: view.blocked(*ALL))
    share = study.sample("paced", lambda view: view.rate("victim", *ON) / (1 - view.rate("remote", *ON)))
    all_blocked = study.sample("pacedall", lambda view: view.blocked(*ALL))
    all_share = study.sample("pacedall", lambda view: view.rate("victim", *ON) / (1 - view.rate("remote", *ON)))
    value = {
        "blocked": blocked,
        "victim / (1 - remote)": share,
        "blocked, locals paced too": all_blocked,
        "victim / (1 - remote), locals paced too": all_share,
    }
    return Finding(value, note=f"blocked: {blocked.spread()}; share: {share.spread()}")


@check("hpl2002-fig2b-spreading-gone")
def spreading_gone(study):
    used = study.sample("fig2b", lambda view: view.use(INTER, *ON))
    rate = study.sample("fig2b", lambda view: view.rate("victim", *ON))
    blocked = study.sample("fig2b", lambda view: view.blocked(*ON))
    value = {"inter-switch utilisation": used, "victim": rate, "blocked": blocked}
    return Finding(value, note=f"utilisation: {used.spread()}")


@check("hpl2002-fig2b-never-full")
def never_full(study):
    full = sum(time for view in study.views("fig2b") for held, time in view.levels().items() if held >= 4)
    blocked = sum(view.ports[INTER]["blocked"] for view in study.views("fig2b"))
    return Finding({"time full, s": full, "time blocked, s": blocked}, note="sum over all starts")


@check("hpl2002-fig2b-bypass-artefact")
def bypass_artefact(study):
    value = {}
    for word, link in (("root", ROOT), ("inter-switch", INTER)):
        limited = study.sample("fig2b", lambda view, link=link: view.use(link, *ON))
        free = study.sample("fig2bfree", lambda view, link=link: view.use(link, *ON))
        value[f"{word}, limit 4"], value[f"{word}, no limit"] = limited, free
    most = max(max(view.levels()) for view in study.views("fig2b"))
    return Finding(value, note=f"mean over starts, victim on; B holds at most {most} packets of this link")


@check("hpl2002-fig3a-spreading-back")
def spreading_back(study):
    used = study.sample("fig3a", lambda view: view.use(INTER, *ON))
    share = study.sample("fig3a", lambda view: view.rate("victim", *ON) / (1 - view.rate("remote", *ON)))
    blocked = study.sample("fig3a", lambda view: view.blocked(*ON))
    rate = study.sample("fig3a", lambda view: view.rate("victim", *ON))
    value = {"victim": rate, "inter-switch utilisation": used, "victim / (1 - remote)": share, "blocked": blocked}
    return Finding(value, note=f"utilisation: {used.spread()}")


@check("hpl2002-s4-window-insufficient")
def window_insufficient(study):
    remotes = study.axis("window", 0)
    blocked = [study.sample(("window", remote), lambda view: view.blocked(*ON)) for remote in remotes]
    return Finding(dict(zip(remotes, blocked, strict=True)), note="blocked share by number of remote flows")


@check("hpl2002-fig3b-m1")
def ideal_rates(study):
    value = {}
    for word, family in (("window 1", "fig3b"), ("window 2", "fig3bw2")):
        views = study.views(family)
        victims = [view.rate("victim", *ON) for view in views]
        value[word] = {
            "locals / 0.1": np.mean([view.rates("local", *ON) / 0.1 for view in views], axis=0),
            "remotes / 0.1": np.mean([view.rates("remote", *ON) / 0.1 for view in views], axis=0),
            "victim / 0.5": np.mean(victims) / 0.5,
            "victim / 0.5 by start": np.array(victims) / 0.5,
            "inter-switch utilisation": study.sample(family, lambda view: view.use(INTER, *ON)),
            "root utilisation": study.sample(family, lambda view: view.use(ROOT, *ON)),
        }
    return Finding(
        value,
        note="the victim depends on phases: remote packets that come together outlast its window",
    )


@check("hpl2002-s1-bdp")
def alone(study):
    return Finding(study.sample("alone", lambda view: view.mean_rate("victim")))


@check("hpl2002-s4.2-rate-below-one-packet")
def below_one_packet(study):
    quiet = (20, 40)
    paced = study.sample("fig3b", lambda view: view.held(*quiet))
    window = study.sample("fig3a", lambda view: view.held(*quiet))
    blocked = study.sample("fig3b", lambda view: view.blocked(*quiet))
    value = {
        "paced, packets per flow": paced / 5,
        "paced, blocked": blocked,
        "window only, packets": window,
        "window only, packets per flow": window / 5,
    }
    return Finding(value, note="mean of the buffer of 4 from 20 to 40 ms, victim silent; saturated is read as over 3.5")
