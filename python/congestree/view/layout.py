"""Where the nodes of a fabric are drawn: by its structure, hosts below, cores above.

The structure is found from the links alone, so that a fabric from a file is laid out like one that congestree made:

levels  every link between switches joins two neighbouring levels (a tree, a fat tree): one row a level, hosts below
        their switch
rows    the numbers in the names of the switches are coordinates, and a link changes one of them (a torus, a mesh, a
        HyperX): rows and columns, further dimensions as blocks
groups  switches fall into groups of one size, which their names tell (r3_0: the first number) or which are cliques
        joined by single links (a dragonfly, a dragonfly+): the groups on a circle, each around its place
free    anything else: places are computed by drawing together what is linked (forces after Fruchterman and Reingold,
        Software: Practice and Experience 21, 1991), or for very many switches one row a level

One unit is the distance of two hosts.
"""

import re
from collections import deque

import numpy as np

FORCED = 600
"""Up to this number of switches forces are computed: every pair of them acts on each other."""
ROUNDS = 160
"""Steps of the forces."""


class Fabric:
    """Which nodes are linked, from the table `ports`; nodes are numbered, hosts first.

    names: of the nodes; hosts: how many of them are hosts; origin, end: node numbers by port; kind: one of the words
    above; x, y: places.
    """

    def __init__(self, run, hosts):
        ports = run.arrow("ports", ["from", "to"])
        origin, end = ports["from"].to_pylist(), ports["to"].to_pylist()
        self.names = [*origin[:hosts], *dict.fromkeys(origin[hosts:])]
        self.hosts = hosts
        number = {name: i for i, name in enumerate(self.names)}
        self.origin = np.array([number[name] for name in origin], dtype=np.int64)
        self.end = np.array([number[name] for name in end], dtype=np.int64)
        self.switches = len(self.names) - hosts
        inner = (self.origin >= hosts) & (self.end >= hosts)
        self.pairs = np.unique(np.column_stack([self.origin[inner], self.end[inner]]) - hosts, axis=0)
        self.around = [[] for _ in range(self.switches)]
        for a, b in self.pairs.tolist():
            self.around[a].append(b)
        self.home = np.full(hosts, -1, dtype=np.int64)
        for port in np.flatnonzero(self.origin < hosts).tolist():
            self.home[self.origin[port]] = self.end[port] - hosts
        self.kind, places = self._lay_out()
        self.x, self.y = places[:, 0].astype(np.float32), places[:, 1].astype(np.float32)

    def _lay_out(self):
        level = self.levels()
        if all(abs(level[a] - level[b]) == 1 for a, b in self.pairs.tolist()):
            return "levels", self._in_levels(level)
        if (grid := self._coordinates()) is not None:
            return "rows", self._in_rows(grid)
        if (groups := self._named_groups() or self._groups()) is not None:
            return "groups", self._in_groups(groups)
        if self.switches > FORCED:
            return "free", self._in_levels(level)
        return "free", self._by_forces()

    def levels(self):
        """Distance of each switch from the nearest one with hosts; those that no host reaches are at 0."""
        level = np.full(self.switches, -1)
        level[self.home[self.home >= 0]] = 0
        edge = deque(np.flatnonzero(level == 0).tolist())
        while edge:
            switch = edge.popleft()
            for other in self.around[switch]:
                if level[other] < 0:
                    level[other] = level[switch] + 1
                    edge.append(other)
        return np.maximum(level, 0)

    def _guests(self):
        """The hosts of each switch, in order."""
        guests = [[] for _ in range(self.switches)]
        for host, switch in enumerate(self.home.tolist()):
            if switch >= 0:
                guests[switch].append(host)
        return guests

    def _in_levels(self, level):
        places = np.zeros((len(self.names), 2))
        guests = self._guests()
        rows = max(1, round(np.sqrt(self.hosts / 96)))
        x = 0.0
        centre = np.full(self.switches, np.nan)
        for switch in np.flatnonzero(level == 0).tolist():
            mine = guests[switch]
            columns = max(1, -(-len(mine) // rows))
            for i, host in enumerate(mine):
                places[host] = x + i % columns, -(i // columns)
            centre[switch] = x + (columns - 1) / 2
            x += columns + 0.8
        width = max(x - 1.8, 1.0)
        top = int(level.max(initial=0))
        rise = max(2.0, (width * 0.52 - rows) / (top + 1))
        for height in range(top + 1):
            there = np.flatnonzero(level == height)
            if height:
                for switch in there.tolist():
                    below = [centre[n] for n in self.around[switch] if level[n] == height - 1]
                    centre[switch] = np.mean(below) if below else width / 2
                there = there[np.lexsort((there, np.round(centre[there], 6)))]
                centre[there] = (np.arange(len(there)) + 0.5) * width / len(there)
            places[self.hosts + there, 0] = centre[there]
            places[self.hosts + there, 1] = (height + 0.85) * rise
        return places

    def _named_groups(self):
        """Groups of switches by the first of the two numbers in their names, if each is connected by itself."""
        numbers = [re.fullmatch(r"[A-Za-z]+(\d+)_(\d+)", name) for name in self.names[self.hosts :]]
        if not numbers or not all(numbers):
            return None
        found = {}
        for switch, number in enumerate(numbers):
            found.setdefault(int(number[1]), []).append(switch)
        groups = [found[number] for number in sorted(found)]
        same = len({len(members) for members in groups}) == 1
        return groups if len(groups) > 2 and same and all(map(self._hangs_together, groups)) else None

    def _hangs_together(self, members):
        inside, edge = set(members), [members[0]]
        seen = {members[0]}
        while edge:
            for other in self.around[edge.pop()]:
                if other in inside and other not in seen:
                    seen.add(other)
                    edge.append(other)
        return seen == inside

    def _groups(self):
        """Groups of switches: cliques of one size that remain when links without a common neighbour are left out."""
        sets = [set(near) for near in self.around]
        local = [[b for b in near if sets[a] & sets[b]] for a, near in enumerate(self.around)]
        group = np.full(self.switches, -1)
        found = []
        for start in range(self.switches):
            if group[start] >= 0:
                continue
            members, edge = [start], [start]
            group[start] = len(found)
            while edge:
                for other in local[edge.pop()]:
                    if group[other] < 0:
                        group[other] = len(found)
                        members.append(other)
                        edge.append(other)
            if any(len(sets[m].intersection(members)) != len(members) - 1 for m in members):
                return None
            found.append(sorted(members))
        sizes = {len(members) for members in found}
        return found if len(found) > 2 and len(sizes) == 1 and sizes.pop() > 2 else None

    def _in_groups(self, groups):
        places = np.zeros((len(self.names), 2))
        guests = self._guests()
        most = max((len(mine) for mine in guests), default=1)
        around = max(2.0, len(groups[0]) * (most + 1) / (2 * np.pi) * 0.8)
        radius = max(2.6 * around, len(groups) * 2.6 * around / (2 * np.pi))
        for number, members in enumerate(groups):
            angle = np.pi / 2 - 2 * np.pi * number / len(groups)
            middle = radius * np.array([np.cos(angle), np.sin(angle)])
            # Switches with hosts come first: half a circle of them faces outwards, the others face the other groups.
            first = angle - (np.pi / 2 if any(not guests[switch] for switch in members) else 0.0)
            for i, switch in enumerate(sorted(members, key=lambda switch: not guests[switch])):
                turn = first + 2 * np.pi * (i + 0.5) / len(members)
                out = np.array([np.cos(turn), np.sin(turn)])
                places[self.hosts + switch] = middle + 0.55 * around * out
                self._fan(places, guests[switch], middle, turn, around, 0.8 * 2 * np.pi / len(members))
        return places

    @staticmethod
    def _fan(places, hosts, middle, turn, radius, width):
        """Hosts on an arc."""
        for i, host in enumerate(hosts):
            at = turn + width * ((i + 0.5) / len(hosts) - 0.5)
            places[host] = middle + radius * np.array([np.cos(at), np.sin(at)])

    def _coordinates(self):
        """Coordinates of the switches, if the numbers in their names are such: a link changes just one of them."""
        numbers = [[int(n) for n in re.findall(r"\d+", name)] for name in self.names[self.hosts :]]
        if not numbers or len({len(n) for n in numbers}) != 1 or len(numbers[0]) < 2:
            return None
        grid = np.array(numbers)
        grid = grid[:, grid.max(axis=0) > grid.min(axis=0)]
        if grid.shape[1] < 2 or len(np.unique(grid, axis=0)) != len(grid) or not len(self.pairs):
            return None
        changed = (grid[self.pairs[:, 0]] != grid[self.pairs[:, 1]]).sum(axis=1)
        return grid - grid.min(axis=0) if (changed == 1).all() else None

    def _in_rows(self, grid):
        guests = self._guests()
        most = max((len(mine) for mine in guests), default=0)
        step = 3.0 + np.sqrt(most) * 1.2
        spread, at = np.zeros((self.switches, 2)), [step, step]
        for dimension in range(grid.shape[1]):
            axis = dimension % 2
            spread[:, axis] += at[axis] * grid[:, dimension]
            at[axis] *= (grid[:, dimension].max() + 1) * 1.12
        places = np.zeros((len(self.names), 2))
        places[self.hosts :] = spread * (1, -1)
        # A little askew, so that links that go around do not lie on those they pass.
        places[self.hosts :] += 0.12 * step * np.column_stack([grid[:, 1] % 2, grid[:, 0] % 2])
        for switch, mine in enumerate(guests):
            middle = places[self.hosts + switch]
            self._fan(places, mine, middle, -np.pi / 2 + 0.7, 0.36 * step, min(2.2, 0.5 * len(mine)))
        return places

    def _by_forces(self):
        number = self.switches
        guests = self._guests()
        most = max((len(mine) for mine in guests), default=0)
        turn = 2 * np.pi * np.arange(number) / max(number, 1)
        at = np.column_stack([np.cos(turn), np.sin(turn)]) * np.sqrt(max(number, 1))
        a, b = self.pairs[:, 0], self.pairs[:, 1]
        for heat in np.linspace(1.0, 0.02, ROUNDS):
            apart = at[:, None] - at[None]
            square = (apart**2).sum(axis=2) + 1e-6
            move = (apart / square[..., None]).sum(axis=1)
            along = at[b] - at[a]
            pull = along * np.sqrt((along**2).sum(axis=1) + 1e-9)[:, None]
            np.add.at(move, a, pull * 0.5)
            length = np.sqrt((move**2).sum(axis=1)) + 1e-9
            at += move / length[:, None] * np.minimum(length, heat)[:, None]
        step = 3.2 + 0.5 * most
        places = np.zeros((len(self.names), 2))
        places[self.hosts :] = at * step
        middle = places[self.hosts :].mean(axis=0) if number else np.zeros(2)
        for switch, mine in enumerate(guests):
            here = places[self.hosts + switch]
            away = here - middle
            facing = float(np.arctan2(away[1], away[0])) if np.abs(away).sum() > 1e-9 else -np.pi / 2
            self._fan(places, mine, here, facing, max(1.2, 0.35 * len(mine)), min(2 * np.pi, 0.6 * len(mine)))
        return places
