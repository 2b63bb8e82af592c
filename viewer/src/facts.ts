// What can be said of a link, a node, a flow or a tree: rows of numbers, lines over time, sentences, and what else to look at.

import { ROLES, type RGB } from "./colours";
import type { Matrix, Run } from "./data";
import { SameFlows } from "./flows";
import type { Forest } from "./forest";
import type { Line } from "./chart";
import type { Item } from "./list";
import type { Chosen, Model } from "./state";
import { digits, inWords, many } from "./words";

export const OF_RUN: RGB[] = [[0, 114, 178], [230, 159, 0]];

export interface Fact {
  name: string;
  values: string[]; // one a run
}

export interface Facts {
  title: string;
  kind: string;
  now: Fact[];
  measured: Fact[]; // after the warm-up
  whole: Fact[];
  charts: { title: string; unit: string; lines: Line[] }[];
  said: string[];
  links: { title: string; items: Item[]; of?: number }[]; // of: how many there are, if not all are in the list
}

// How many a list has at most.
const [LINKS, FLOWS, TREES] = [40, 20, 8];

export class Teller {
  readonly same: SameFlows;

  constructor(private readonly model: Model, private readonly forests: (Forest | undefined)[]) {
    this.same = new SameFlows(model.data.runs);
  }

  tell(chosen: Chosen): Facts {
    const facts = { port: () => this.port(chosen), node: () => this.node(chosen), flow: () => this.flow(chosen), tree: () => this.tree(chosen) };
    return facts[chosen.kind]();
  }

  name(chosen: Chosen): string {
    if (chosen.kind === "flow") return this.flowName(this.model.data.runs[chosen.run]!, chosen.id);
    if (chosen.kind === "tree") return `tree at ${this.life(chosen)?.root ?? chosen.id}`;
    return this.model.nameOf(chosen);
  }

  private life(chosen: Chosen) {
    return this.model.data.runs[chosen.run]!.trees?.lives.find((life) => life.tree === chosen.id);
  }

  flowName(run: Run, flow: number): string {
    const { nodes } = this.model.data.fabric;
    const to = run.flows.destination[flow]!;
    return `${nodes[run.flows.source[flow]!] ?? "?"}->${to < 0 ? "*" : nodes[to]}`;
  }

  private line(run: number, values: (number | null)[], colour = OF_RUN[run]!): Line {
    const { runs } = this.model.data;
    return { label: this.model.tag(run) + runs[run]!.name, colour, times: runs[run]!.times, values };
  }

  private over(matrix: Matrix, row: number): (number | null)[] {
    return Array.from({ length: matrix.frames }, (_, k) => matrix.at(row, k)).map((value) => (Number.isNaN(value) ? null : value));
  }

  private port(chosen: Chosen): Facts {
    const { model } = this;
    const { fabric, runs } = model.data;
    const id = chosen.id;
    const now: Fact[] = [];
    const charts: Facts["charts"] = [];
    for (const key of model.quantities()) {
      const of = runs.map((run) => model.quantity(run, key));
      const some = of.find((q) => q)!;
      now.push({ name: some.label, values: of.map((q, r) => inWords(model.now(runs[r]!, q?.values, id), some.unit)) });
      const lines = of.flatMap((q, r) => (q ? [this.line(r, this.over(q.values, id))] : []));
      charts.push({ title: some.label, unit: some.unit, lines });
    }
    charts.sort((a, b) => Number(b.title === this.label()) - Number(a.title === this.label()));
    const total = (key: keyof Run["totals"], tell: (value: number) => string) => runs.map((run) => tell(run.totals[key][id]!));
    const [a, b] = [fabric.from[id]!, fabric.to[id]!];
    const back = this.reverse(id);
    const trees = runs.flatMap((_, r) => this.treesOfPort(id, r));
    return {
      title: fabric.ports[id]!,
      kind: `link of ${inWords(fabric.rate[id]!, "bit/s")}`,
      now,
      measured: [
        { name: "mean use", values: total("utilisation", (v) => `${digits(100 * v)} %`) },
        { name: "held by flow control", values: total("blocked", (v) => inWords(v, "s")) },
        { name: "packets", values: total("packets", digits) },
        { name: "bytes", values: total("bytes", (v) => inWords(v, "B")) },
        { name: "marked", values: total("marked", digits) },
      ],
      whole: [],
      charts: charts.slice(0, 4),
      said: [...runs.flatMap((run, r) => this.failures(run, r, id)), ...trees.flatMap((tree) => tree.said)],
      links: [
        { title: "Ends", items: [a, b].map((node) => ({ label: fabric.nodes[node]!, note: node < fabric.hosts ? "host" : "switch", chosen: { kind: "node", run: chosen.run, id: node } })) },
        { title: "Other direction", items: back < 0 ? [] : [{ label: fabric.ports[back]!, note: "", chosen: { kind: "port", run: chosen.run, id: back } }] },
        { title: "Trees now", items: trees.map((tree) => tree.item) },
      ],
    }; // prettier-ignore
  }

  /** What fails of a link at this instant. */
  private failures(run: Run, r: number, port: number): string[] {
    const { time } = this.model;
    return run.failures
      .filter(({ ports, begin, end }) => ports.includes(port) && begin <= time && (time < end || end >= run.duration) && !this.model.ended(run))
      .map(({ begin, end, down }) => `${this.model.tag(r)}It is ${down ? "down" : "slower than its rate"} from ${inWords(begin, "s")} to ${inWords(end, "s")}.`);
  }

  private label(): string {
    return this.model.data.runs.map((run) => this.model.quantity(run)?.label).find((l) => l) ?? "";
  }

  /** The other direction of a link: of links side by side that of the same rank, as in the table of failures. */
  private reverse(port: number): number {
    const [a, b] = [this.model.data.fabric.from[port]!, this.model.data.fabric.to[port]!];
    return this.between(b, a)[this.between(a, b).indexOf(port)] ?? -1;
  }

  private between(a: number, b: number): number[] {
    const { from, to } = this.model.data.fabric;
    const found: number[] = [];
    for (let p = 0; p < from.length; p++) if (from[p] === a && to[p] === b) found.push(p);
    return found;
  }

  private treesOfPort(port: number, r: number) {
    const run = this.model.data.runs[r]!;
    const forest = this.forests[r];
    const frame = this.model.frameOf(run);
    if (!forest || frame === null) return [];
    const roles = ["is held by", "is a branch of", "is the root of"];
    return forest.of(port, frame).map((member) => {
      const life = run.trees!.lives.find((l) => l.tree === member.tree);
      const root = life?.root ?? "";
      const sentences = member.role === 2 ? (life?.said ?? []) : [`In this sample it ${roles[member.role]} the tree at ${root}.`];
      const said = sentences.map((sentence) => this.model.tag(r) + sentence);
      const note = this.model.tag(r, ", ") + roles[member.role]!;
      return { said, item: { label: root, note, chosen: { kind: "tree", run: r, id: member.tree } as Chosen } };
    });
  }

  private node(chosen: Chosen): Facts {
    const { model } = this;
    const { fabric, runs } = model.data;
    const host = chosen.id < fabric.hosts;
    const run = runs[chosen.run]!;
    const ports: number[] = [];
    for (let p = 0; p < fabric.from.length; p++) if (fabric.from[p] === chosen.id || (host && fabric.to[p] === chosen.id)) ports.push(p);
    const quantity = model.quantity(run);
    const value = (p: number) => (quantity ? model.now(run, quantity.values, p) : run.totals.utilisation[p]!);
    const busiest = [...ports].sort((a, b) => run.totals.utilisation[b]! - run.totals.utilisation[a]!); // at any instant
    const sorted = ports.sort((a, b) => (value(b) ?? -1) - (value(a) ?? -1));
    const note = (p: number) => (quantity ? inWords(value(p), quantity.unit) : `${digits(100 * value(p)!)} %`);
    const said: string[] = [];
    if (host)
      runs.forEach((_, r) => {
        const frame = model.frameOf(runs[r]!);
        const roles = frame === null ? undefined : this.forests[r]?.hosts(frame);
        const tag = model.tag(r);
        const at = (tree: number) => runs[r]!.trees!.lives.find((l) => l.tree === tree)?.root ?? "";
        if (roles?.culprits.has(chosen.id)) said.push(`${tag}About now it feeds the tree at ${at(roles.culprits.get(chosen.id)!.tree)}.`);
        if (roles?.victims.has(chosen.id)) said.push(`${tag}About now a flow of it is held by the tree at ${at(roles.victims.get(chosen.id)!.tree)}, which it does not use.`);
      });
    return {
      title: fabric.nodes[chosen.id]!,
      kind: host ? "host" : `switch with ${many(ports.length, "link")} out`,
      now: sorted.slice(0, host ? 4 : 0).map((p) => ({
        name: `${quantity?.label ?? "use"} ${fabric.from[p] === chosen.id ? "out" : "in"}`,
        values: runs.map((r) => {
          const q = model.quantity(r);
          return inWords(model.now(r, q?.values, p), q?.unit ?? "");
        }),
      })),
      measured: [],
      whole: [],
      charts: quantity && host ? busiest.slice(0, 2).map((p) => ({ title: `${quantity.label}, ${fabric.ports[p]}`, unit: quantity.unit, lines: runs.flatMap((r, i) => (model.quantity(r) ? [this.line(i, this.over(model.quantity(r)!.values, p))] : [])) })) : [],
      said,
      links: [
        { title: "Links", of: sorted.length, items: sorted.slice(0, LINKS).map((p) => ({ label: fabric.ports[p]!, note: note(p), chosen: { kind: "port", run: chosen.run, id: p } })) },
        ...(host ? this.flowsOfHost(chosen) : []),
      ],
    }; // prettier-ignore
  }

  private flowsOfHost(chosen: Chosen): Facts["links"] {
    const run = this.model.data.runs[chosen.run]!;
    const { source, destination, rate } = run.flows;
    const of = (ends: ArrayLike<number>) => {
      const found: number[] = [];
      for (let i = 0; i < ends.length; i++) if (ends[i] === chosen.id) found.push(i);
      const items = found.sort((a, b) => rate[b]! - rate[a]!).slice(0, FLOWS).map((id) => this.flowItem(chosen.run, id, inWords(rate[id]!, "bit/s")));
      return { items, of: found.length };
    }; // prettier-ignore
    return [
      { title: "Flows from it", ...of(source) },
      { title: "Flows to it", ...of(destination) },
    ];
  }

  private flowItem(run: number, id: number, note: string) {
    return { label: this.flowName(this.model.data.runs[run]!, id), note, chosen: { kind: "flow", run, id } as Chosen };
  }

  private flow(chosen: Chosen): Facts {
    const { runs } = this.model.data;
    const run = runs[chosen.run]!;
    const places = runs.map((_, r) => this.same.place(chosen.run, chosen.id, r));
    const each = (tell: (flows: Run["flows"], at: number, run: Run) => string) => runs.map((r, i) => (places[i]! < 0 ? "–" : tell(r.flows, places[i]!, r)));
    const series = run.flows.series;
    const rows = runs.map((r, i) => r.flows.series && places[i]! >= 0 && places[i]! < r.flows.series.rows);
    const now = rows.some((x) => x)
      ? [{ name: "rate", values: runs.map((r, i) => inWords(rows[i] ? this.model.now(r, r.flows.series, places[i]!) : null, "bit/s")) }]
      : [];
    const lines = runs.flatMap((r, i) => (rows[i] ? [this.line(i, this.over(r.flows.series!, places[i]!))] : []));
    const trees = this.forests[chosen.run]?.treesOf(chosen.id) ?? [];
    const root = (tree: number) => run.trees!.lives.find((l) => l.tree === tree)?.root ?? "";
    const lost = run.flows.lost?.[chosen.id] ?? 0;
    const said = trees.slice(0, 3).map((t) => `It ${t.victim ? "was held by" : "fed"} the tree at ${root(t.tree)} for ${inWords(t.time, "s")}${t.victim ? ", which it does not use" : ""}.`);
    if (lost > 0) said.push(`It lost ${inWords(lost, "s")} behind packets that it had no part in: ${digits((100 * lost) / run.duration)} % of the run.`);
    return {
      title: this.flowName(run, chosen.id),
      kind: `flow of the class ${run.flows.classes[run.flows.class[chosen.id]!]}`,
      now,
      measured: [
        { name: "mean rate", values: each((f, at) => inWords(f.rate[at]!, "bit/s")) },
        { name: "packets delivered", values: each((f, at) => digits(f.packets[at]!)) },
        { name: "marked", values: each((f, at) => digits(f.marked[at]!)) },
      ],
      whole: runs.some((r) => r.flows.lost) ? [{ name: "time lost behind others", values: each((f, at) => inWords(f.lost?.[at], "s")) }] : [],
      charts: series && lines.length ? [{ title: "rate", unit: "bit/s", lines }] : [],
      said,
      links: [
        { title: "Ends", items: [run.flows.source[chosen.id]!, run.flows.destination[chosen.id]!].filter((n) => n >= 0).map((n) => ({ label: this.model.data.fabric.nodes[n]!, note: "host", chosen: { kind: "node", run: chosen.run, id: n } })) },
        { title: "Trees", of: trees.length, items: trees.slice(0, TREES).map((t) => ({ label: root(t.tree), note: `${t.victim ? "held by it" : "fed it"} for ${inWords(t.time, "s")}`, chosen: { kind: "tree", run: chosen.run, id: t.tree } })) },
      ],
    }; // prettier-ignore
  }

  private tree(chosen: Chosen): Facts {
    const run = this.model.data.runs[chosen.run]!;
    const forest = this.forests[chosen.run]!;
    const life = this.life(chosen)!;
    const frame = this.model.frameOf(run);
    const row = frame === null ? undefined : forest.at(chosen.id, frame);
    const one = (name: string, value: string): Fact => ({ name, values: [value] });
    const flows = forest.flowsOf(chosen.id);
    const list = (victim: boolean) => {
      const found = flows.filter((f) => f.victim === victim);
      return { items: found.slice(0, FLOWS).map((f) => this.flowItem(chosen.run, f.flow, inWords(f.time, "s"))), of: found.length };
    };
    return {
      title: life.root,
      kind: `root of a congestion tree${life.lane ? ` in lane ${life.lane}` : ""}`,
      now: row
        ? [
            one("branches", digits(row.branches)), one("links that only victims wait for", digits(row.held)), one("depth", many(row.depth, "link")),
            one("waiting for the root", inWords(row.bytes, "B")), one("of it at the root's switch", inWords(row.backlog, "B")),
            one("flows that feed it", digits(row.contributors)), one("flows held that do not use it", digits(row.victims)),
          ]
        : [one("in this sample", "it is not there")],
      measured: [],
      whole: [one("seen", `${inWords(life.seen_s, "s")} in all`), one("born", inWords(life.born_s, "s")), one("died", life.died_s === null ? "not by the end" : inWords(life.died_s, "s")), one("most branches", digits(life.links)), one("most waiting", inWords(life.bytes, "B"))],
      charts: [
        { title: "links held", unit: "", lines: [{ label: "branches", colour: ROLES.branch, times: run.times, values: forest.series(chosen.id, "branches") }, { label: "victims only", colour: ROLES.held, times: run.times, values: forest.series(chosen.id, "held") }] },
        { title: "waiting for the root", unit: "B", lines: [{ label: "waiting", colour: OF_RUN[0]!, times: run.times, values: forest.series(chosen.id, "bytes") }] },
      ],
      said: life.said,
      links: [
        { title: "Root", items: [{ label: life.root, note: "the link", chosen: { kind: "port", run: chosen.run, id: life.port } }] },
        { title: "Fed by", ...list(false) },
        { title: "Held by it", ...list(true) },
      ],
    }; // prettier-ignore
  }
}
