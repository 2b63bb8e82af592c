// What is drawn of one run, as layers of deck.gl: links, trees over them, hosts and switches, signs of roles.

import { type Layer } from "@deck.gl/core";
import { ROLES, steps, type RGB, type Theme } from "./colours";
import type { Run } from "./data";
import { Forest, HELD, ROOT, type Member } from "./forest";
import type { Geometry } from "./geometry";
import { LinksLayer, PointsLayer, SHAPE } from "./glyphs";
import type { Model } from "./state";

type Ramps = Record<"value" | "less" | "more", Uint8Array>;

/** The layers of one run, kept up to date with the model. */
export class RunLayers {
  readonly forest?: Forest;
  private readonly colours: Uint8Array;
  private readonly values: Uint8Array; // of each link, as a step of the ramp
  private drawn: Uint32Array | null = null;
  private version = 0;
  private ramps: (Ramps & { dark: boolean }) | null = null;
  private nodes: { key: string; points: Points } | null = null;

  constructor(private readonly model: Model, readonly run: Run, private readonly index: number, private readonly geometry: Geometry) {
    if (run.trees) this.forest = new Forest(run, run.trees);
    this.colours = new Uint8Array(4 * geometry.fabric.from.length);
    this.values = new Uint8Array(geometry.fabric.from.length);
  }

  /** Colours every link by what is asked for at the instant shown, and chooses at most so many to be drawn: the busiest. */
  paint(theme: Theme, most = Infinity): void {
    if (this.ramps?.dark !== theme.dark)
      this.ramps = { dark: theme.dark, value: steps(theme.ramp), less: steps(theme.less), more: steps(theme.more) };
    const colours = this.colours;
    const length = this.geometry.fabric.from.length;
    const quantity = this.model.quantity(this.run);
    const [first] = this.model.data.runs;
    const base = this.model.state.difference && this.index > 0 && first ? this.model.quantity(first) : undefined;
    const frame = this.model.frameOf(this.run);
    this.version++;
    if (!quantity) {
      this.values.fill(0); // the idle fabric beneath shows them
    } else if (base) {
      const other = this.model.frameOf(first!);
      const full = Math.max(quantity.full, base.full) || 1;
      for (let p = 0; p < length; p++) {
        const change = (quantity.values.at(p, frame) - base.values.at(p, other)) / full;
        this.values[p] = pick(colours, p, change < 0 ? this.ramps.less : this.ramps.more, Math.min(1, Math.abs(change)));
      }
    } else {
      const full = this.model.data.runs.reduce((most, run) => Math.max(most, this.model.quantity(run)?.full ?? 0), 0) || 1;
      for (let p = 0; p < length; p++) this.values[p] = pick(colours, p, this.ramps.value, Math.min(1, quantity.values.at(p, frame) / full));
    }
    this.drawn = busiest(this.values, most);
  }

  /** Links of trees at the instant shown. */
  members(): Member[] {
    return this.forest && this.model.state.trees ? this.forest.links(this.model.frameOf(this.run)) : [];
  }

  layers(theme: Theme, zoom: number): Layer[] {
    const tag = `-${this.index}`;
    const scale = 2 ** zoom; // pixels a unit
    const width = Math.max(0.7, Math.min(5, scale * 0.09));
    const { source, target } = this.geometry;
    return [
      new LinksLayer({ id: `links${tag}`, source, target, paint: this.colours, width, version: this.version, drawn: this.drawn }),
      this.treeLayer(tag, width),
      ...this.chosenLayers(tag, theme, width, scale),
      this.places(theme, scale).layer(`nodes${tag}`),
      this.marks(theme, scale).layer(`marks${tag}`),
    ] as unknown as Layer[];
  }

  private treeLayer(tag: string, width: number): LinksLayer {
    const members = this.members();
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
    return new LinksLayer({ id, source: ends(source), target: ends(target), paint, width, version: this.version, drawn: null });
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

  /** Hosts and switches; made anew only when the zoom or the theme changes. */
  private places(theme: Theme, scale: number): Points {
    const key = `${scale.toFixed(3)} ${theme.dark}`;
    if (this.nodes?.key === key) return this.nodes.points;
    const { x, y, hosts } = this.geometry.fabric;
    const points = new Points();
    const grey: RGB = theme.dark ? [120, 132, 150] : [128, 138, 152];
    const host = Math.max(1, Math.min(18, scale * 0.55));
    const wide = Math.max(4, Math.min(32, scale * 1.05));
    for (let i = 0; i < hosts; i++) points.add(x[i]!, y[i]!, host, 0, SHAPE.circle, grey, 255);
    for (let i = hosts; i < x.length; i++) points.add(x[i]!, y[i]!, wide, 0, SHAPE.circle, theme.background, 255);
    for (let i = hosts; i < x.length; i++) points.add(x[i]!, y[i]!, wide, 0, SHAPE.ring, theme.ink, 255);
    points.freeze();
    this.nodes = { key, points };
    return points;
  }

  private marks(theme: Theme, scale: number): Points {
    const points = new Points();
    const size = Math.max(6.5, Math.min(26, scale * 0.8));
    if (this.forest && this.model.state.trees) {
      const frame = this.model.frameOf(this.run);
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
  private arrays: { places: Float32Array; shapes: Float32Array; paint: Uint8Array } | null = null;

  add(x: number, y: number, size: number, below: number, shape: number, [r, g, b]: RGB, alpha: number): void {
    this.places.push(x, y);
    this.shapes.push(size, below, shape, 0);
    this.paint.push(r, g, b, alpha);
  }

  freeze() {
    return (this.arrays ??= { places: Float32Array.from(this.places), shapes: Float32Array.from(this.shapes), paint: Uint8Array.from(this.paint) });
  }

  layer(id: string): PointsLayer {
    return new PointsLayer({ id, ...this.freeze() });
  }
}

/** Writes the colour of a value between 0 and 1, and answers its step of the ramp; what is idle is 0. */
function pick(colours: Uint8Array, port: number, ramp: Uint8Array, value: number): number {
  const step = value > 0 ? Math.max(1, Math.round(255 * value)) : 0;
  const at = 4 * port;
  colours[at] = ramp[4 * step]!;
  colours[at + 1] = ramp[4 * step + 1]!;
  colours[at + 2] = ramp[4 * step + 2]!;
  colours[at + 3] = 80 + 175 * Math.min(1, 1.3 * value);
  return step;
}

/** Links that are not idle, those of the largest values last; if they are more than `most`, only the largest. */
function busiest(values: Uint8Array, most: number): Uint32Array {
  const count = new Uint32Array(257);
  for (const value of values) count[value + 1]!++;
  let [least, there] = [255, count[256]!];
  while (least > 1 && there + count[least]! <= most) there += count[--least + 1]!;
  const start = new Uint32Array(256);
  for (let step = least + 1; step < 256; step++) start[step] = start[step - 1]! + count[step]!;
  const chosen = new Uint32Array(there);
  for (let p = 0; p < values.length; p++) if (values[p]! >= least) chosen[start[values[p]!]!++] = p;
  return chosen;
}
