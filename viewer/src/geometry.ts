// Lines of links: each direction a little to the right of the straight line, parallel links beside each other.

import type { Fabric } from "./data";

const SIDE = 0.07;
const PARALLEL = 0.16;

export interface Box {
  left: number;
  right: number;
  bottom: number;
  top: number;
}

export class Geometry {
  readonly source: Float32Array; // x, y, 0 by port
  readonly target: Float32Array;
  readonly box: Box;

  /** stretch: a pane is so much taller than the layout that levels may stand farther apart. */
  constructor(readonly fabric: Fabric, stretch = 1) {
    if (fabric.kind === "levels") fabric.y = fabric.y.map((y) => (y > 0 ? y * stretch : y));
    const { x, y, from, to } = fabric;
    const ports = from.length;
    this.source = new Float32Array(3 * ports);
    this.target = new Float32Array(3 * ports);
    const seen = new Map<number, number>();
    for (let p = 0; p < ports; p++) {
      const [a, b] = [from[p]!, to[p]!];
      const key = a * fabric.nodes.length + b;
      const before = seen.get(key) ?? 0;
      seen.set(key, before + 1);
      const [dx, dy] = [x[b]! - x[a]!, y[b]! - y[a]!];
      const length = Math.hypot(dx, dy) || 1;
      const side = (SIDE + PARALLEL * before) / length;
      const [sx, sy] = [dy * side, -dx * side];
      this.source.set([x[a]! + sx, y[a]! + sy, 0], 3 * p);
      this.target.set([x[b]! + sx, y[b]! + sy, 0], 3 * p);
    }
    let [left, right, bottom, top] = [Infinity, -Infinity, Infinity, -Infinity];
    for (let i = 0; i < x.length; i++) {
      left = Math.min(left, x[i]!);
      right = Math.max(right, x[i]!);
      bottom = Math.min(bottom, y[i]!);
      top = Math.max(top, y[i]!);
    }
    this.box = { left, right, bottom, top };
  }

  /** Where the sign of a root stands: near the end of its link. */
  root(port: number): [number, number] {
    const [x, y, u, v] = [this.source[3 * port]!, this.source[3 * port + 1]!, this.target[3 * port]!, this.target[3 * port + 1]!];
    return [x + 0.5 * (u - x), y + 0.5 * (v - y)];
  }

  /** The node within `reach` of a place, switches before hosts; -1 if there is none. */
  node(x: number, y: number, reach: number): number {
    let [best, least] = [-1, reach * reach];
    for (let i = 0; i < this.fabric.x.length; i++) {
      const square = (this.fabric.x[i]! - x) ** 2 + (this.fabric.y[i]! - y) ** 2;
      if (square <= least) [best, least] = [i, square];
    }
    return best;
  }

  /** The link within `reach` of a place, those of `preferred` before others; -1 if there is none. */
  port(x: number, y: number, reach: number, preferred: Set<number>): number {
    let [best, least] = [-1, reach * reach];
    const { source, target } = this;
    for (let p = 0; p < this.fabric.from.length; p++) {
      const i = 3 * p;
      const [ax, ay] = [source[i]!, source[i + 1]!];
      const [dx, dy] = [target[i]! - ax, target[i + 1]! - ay];
      const along = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
      let square = (ax + along * dx - x) ** 2 + (ay + along * dy - y) ** 2;
      if (square > reach * reach) continue;
      if (preferred.has(p)) square *= 0.04;
      if (square <= least) [best, least] = [p, square];
    }
    return best;
  }
}
