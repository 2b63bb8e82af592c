// What is drawn of one run: the colours of its links, for the fabric beneath, and as layers of deck.gl the trees with
// the hosts and switches that they touch, the signs of roles, and what is chosen.

import { type Layer } from "@deck.gl/core";
import { ROLES, steps, type RGB, type Theme } from "./colours";
import type { Run } from "./data";
import { Forest, HELD, ROOT, type Member } from "./forest";
import type { Geometry } from "./geometry";
import { LinksLayer, PointsLayer, SHAPE } from "./glyphs";
import type { Model } from "./state";
import { hostColour, sizes, type Painted } from "./underlay";

type Ramps = Record<"value" | "less" | "more", Uint8Array>;

/** The layers of one run, kept up to date with the model. */
export class RunLayers {
  readonly forest?: Forest;
  private readonly colours: Uint8Array;
  private readonly values: Uint8Array; // of each link, as a step of the ramp
  private ramps: (Ramps & { dark: boolean }) | null = null;

  constructor(private readonly model: Model, readonly run: Run, private readonly index: number, private readonly geometry: Geometry) {
    if (run.trees) this.forest = new Forest(run, run.trees);
    this.colours = new Uint8Array(4 * geometry.fabric.from.length);
    this.values = new Uint8Array(geometry.fabric.from.length);
  }

  /** Colours every link by what is asked for at the instant shown. */
  paint(theme: Theme): Painted {
    if (this.ramps?.dark !== theme.dark)
      this.ramps = { dark: theme.dark, value: steps(theme.ramp), less: steps(theme.less), more: steps(theme.more) };
    const colours = this.colours;
    const length = this.geometry.fabric.from.length;
    const quantity = this.model.quantity(this.run);
    const [first] = this.model.data.runs;
    const base = this.model.differs && this.index > 0 && first ? this.model.quantity(first) : undefined;
    const frame = this.model.frameOf(this.run);
    const other = base ? this.model.frameOf(first!) : frame;
    if (!quantity || frame === null || other === null) {
      this.values.fill(0); // without a value, or without one to compare it with, they are idle
    } else if (base) {
      const full = Math.max(quantity.full, base.full) || 1;
      for (let p = 0; p < length; p++) {
        const change = (quantity.values.at(p, frame) - base.values.at(p, other)) / full;
        this.values[p] = pick(colours, p, change < 0 ? this.ramps.less : this.ramps.more, Math.min(1, Math.abs(change)));
      }
    } else {
      const full = this.model.data.runs.reduce((most, run) => Math.max(most, this.model.quantity(run)?.full ?? 0), 0) || 1;
      for (let p = 0; p < length; p++) this.values[p] = pick(colours, p, this.ramps.value, Math.min(1, quantity.values.at(p, frame) / full));
    }
    return { colours, order: ascending(this.values) };
  }

  /** Links of trees at the instant shown. */
  members(): Member[] {
    const frame = this.model.frameOf(this.run);
    return this.forest && this.model.state.trees && frame !== null ? this.forest.links(frame) : [];
  }

  layers(theme: Theme, zoom: number): Layer[] {
    const tag = `-${this.index}`;
    const scale = 2 ** zoom; // pixels a unit
    const width = sizes(scale).link;
    const members = this.members();
    return [
      this.treeLayer(tag, width, members),
      ...this.chosenLayers(tag, theme, width, scale),
      this.touched(members, theme, scale).layer(`nodes${tag}`),
      this.marks(theme, scale).layer(`marks${tag}`),
    ] as unknown as Layer[];
  }

  private treeLayer(tag: string, width: number, members: Member[]): LinksLayer {
    const chosen = this.model.state.chosen;
    const only = chosen?.kind === "tree" && chosen.run === this.index ? chosen.id : null;
    const look = (link: Member): [RGB, number, number] => {
      const colour = link.role === ROOT ? ROLES.root : link.role === HELD ? ROLES.held : ROLES.branch;
      const wide = width * (link.role === ROOT ? 1.6 : 1) + (link.role === HELD ? 0.6 : 1.6);
      return [colour, only === null || only === link.tree ? 255 : 70, wide];
    };
    return this.some(`trees${tag}`, members.map((link) => link.port), members.map(look)); // prettier-ignore
  }

  /** Some links in colours and widths of their own. */
  private some(id: string, ports: number[], looks: [RGB, number, number][]): LinksLayer {
    const { source, target } = this.geometry;
    const ends = (from: Float32Array) => Float32Array.from({ length: 3 * ports.length }, (_, i) => from[3 * ports[Math.floor(i / 3)]! + (i % 3)]!);
    const paint = Uint8Array.from(looks.flatMap(([colour, alpha]) => [...colour, alpha]));
    const width = Float32Array.from(looks, ([, , wide]) => wide);
    return new LinksLayer({ id, source: ends(source), target: ends(target), paint, width });
  }

  private chosenLayers(tag: string, theme: Theme, width: number, scale: number) {
    const chosen = this.model.state.chosen;
    const ports: number[] = chosen?.kind === "port" ? [chosen.id] : [];
    const nodes: number[] = chosen?.kind === "node" ? [chosen.id] : [];
    if (chosen?.kind === "flow") {
      const flows = this.model.data.runs[chosen.run]!.flows;
      for (const end of [flows.source[chosen.id]!, flows.destination[chosen.id]!]) if (end >= 0) nodes.push(end);
    }
    const { x, y } = this.geometry.fabric;
    const points = new Points();
    for (const n of nodes) points.add(x[n]!, y[n]!, Math.max(18, Math.min(46, scale * 1.5)), 0, SHAPE.ring, theme.ink, 255);
    return [this.some(`chosen-link${tag}`, ports, ports.map(() => [theme.ink, 255, width + 4])), points.layer(`chosen-node${tag}`)];
  }

  /** Hosts and switches at the ends of trees' links, which would else lie beneath those. */
  private touched(members: Member[], theme: Theme, scale: number): Points {
    const { x, y, hosts, from, to } = this.geometry.fabric;
    const points = new Points();
    const { host, node } = sizes(scale);
    for (const i of new Set(members.flatMap(({ port }) => [from[port]!, to[port]!]))) {
      if (i < hosts) points.add(x[i]!, y[i]!, host, 0, SHAPE.circle, hostColour(theme), 255);
      else {
        points.add(x[i]!, y[i]!, node, 0, SHAPE.circle, theme.background, 255);
        points.add(x[i]!, y[i]!, node, 0, SHAPE.ring, theme.ink, 255);
      }
    }
    return points;
  }

  private marks(theme: Theme, scale: number): Points {
    const points = new Points();
    const size = Math.max(6.5, Math.min(26, scale * 0.8));
    const frame = this.model.frameOf(this.run);
    if (this.forest && this.model.state.trees && frame !== null) {
      const { x, y } = this.geometry.fabric;
      const { culprits, victims } = this.forest.hosts(frame);
      for (const [host, { share }] of victims)
        points.add(x[host]!, y[host]!, 0.8 * size, culprits.has(host) ? 0.62 * size : 0, SHAPE.cross, ROLES.victim, 70 + 185 * share);
      for (const [host, { share }] of culprits) points.add(x[host]!, y[host]!, 0.95 * size, 0, SHAPE.triangle, ROLES.culprit, 70 + 185 * share);
      for (const row of this.forest.rows(frame)) {
        const [rx, ry] = this.geometry.root(row.root);
        const large = Math.max(18, 1.35 * size);
        points.add(rx, ry, large + 10, 0, SHAPE.star, theme.ink, 255);
        points.add(rx, ry, large + 6, 0, SHAPE.star, theme.background, 255);
        points.add(rx, ry, large, 0, SHAPE.star, ROLES.root, 255);
      }
    }
    return points;
  }
}

/** Points that are being collected. */
class Points {
  private readonly places: number[] = [];
  private readonly shapes: number[] = [];
  private readonly paint: number[] = [];

  add(x: number, y: number, size: number, below: number, shape: number, [r, g, b]: RGB, alpha: number): void {
    this.places.push(x, y);
    this.shapes.push(size, below, shape, 0);
    this.paint.push(r, g, b, alpha);
  }

  layer(id: string): PointsLayer {
    return new PointsLayer({ id, places: Float32Array.from(this.places), shapes: Float32Array.from(this.shapes), paint: Uint8Array.from(this.paint) });
  }
}

/** Writes the colour of a value between 0 and 1, and answers its step of the ramp: 0 of what is idle, or has no value (NaN). */
function pick(colours: Uint8Array, port: number, ramp: Uint8Array, value: number): number {
  if (Number.isNaN(value)) return 0;
  const step = value > 0 ? Math.max(1, Math.round(255 * value)) : 0;
  const at = 4 * port;
  colours[at] = ramp[4 * step]!;
  colours[at + 1] = ramp[4 * step + 1]!;
  colours[at + 2] = ramp[4 * step + 2]!;
  colours[at + 3] = 80 + 175 * Math.min(1, 1.3 * value);
  return step;
}

/** Links that are not idle, those of the largest values last. */
function ascending(values: Uint8Array): Uint32Array {
  const start = new Uint32Array(257); // where the links of each step begin, behind those of the step before
  for (const value of values) start[value + 1]!++;
  const idle = start[1]!;
  start[1] = 0;
  for (let step = 1; step < 256; step++) start[step + 1]! += start[step]!;
  const chosen = new Uint32Array(values.length - idle);
  for (let p = 0; p < values.length; p++) if (values[p]!) chosen[start[values[p]!]!++] = p;
  return chosen;
}
