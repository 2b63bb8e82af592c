// Which links, hosts and roots belong to the trees at a frame.

import type { Run, Trees } from "./data";

export const ROOT = 2;
export const BRANCH = 1;
export const HELD = 0;

export interface Member {
  port: number;
  tree: number;
  role: number;
}

export interface Row {
  tree: number;
  root: number;
  depth: number;
  branches: number;
  held: number;
  bytes: number;
  backlog: number;
  contributors: number;
  victims: number;
}

export interface Part {
  tree: number;
  share: number;
}

const KEYS = ["tree", "root", "depth", "branches", "held", "bytes", "backlog", "contributors", "victims"] as const;

export class Forest {
  private readonly start: Uint32Array; // of the rows of each frame

  constructor(private readonly run: Run, private readonly trees: Trees) {
    const frames = run.times.length;
    this.start = new Uint32Array(frames + 1);
    for (const frame of trees.rows.frame) this.start[frame + 1]!++;
    for (let i = 0; i < frames; i++) this.start[i + 1]! += this.start[i]!;
  }

  /** The trees of a sample. */
  rows(frame: number): Row[] {
    const found: Row[] = [];
    for (let i = this.start[frame]!; i < this.start[frame + 1]!; i++) found.push(this.row(i));
    return found;
  }

  private row(i: number): Row {
    return Object.fromEntries(KEYS.map((key) => [key, this.trees.rows[key][i]!])) as unknown as Row;
  }

  /** One number of a tree at every frame; gaps are null. */
  series(tree: number, key: keyof Row): (number | null)[] {
    const values: (number | null)[] = new Array(this.run.times.length).fill(null);
    const { rows } = this.trees;
    for (let i = 0; i < rows.tree.length; i++) if (rows.tree[i] === tree) values[rows.frame[i]!] = rows[key][i]!;
    return values;
  }

  at(tree: number, frame: number): Row | undefined {
    return this.rows(frame).find((row) => row.tree === tree);
  }

  /** Links that belong to trees at a frame: roots, branches, and those by which only victims go. */
  links(frame: number): Member[] {
    const { tree, port, depth, carries, first, last } = this.trees.links;
    const found: Member[] = [];
    for (let i = 0; i < tree.length; i++) {
      if (first[i]! > frame || last[i]! <= frame) continue;
      found.push({ port: port[i]!, tree: tree[i]!, role: depth[i] === 0 ? ROOT : carries[i] ? BRANCH : HELD });
    }
    for (const row of this.rows(frame)) found.push({ port: row.root, tree: row.tree, role: ROOT });
    return found;
  }

  /** Trees that a link belongs to at a frame. */
  of(port: number, frame: number): Member[] {
    return this.links(frame).filter((link) => link.port === port);
  }

  /**
   * Hosts that feed a tree, or are held by one, from the first sample that saw it so to the last; share: of the samples between those.
   */
  hosts(frame: number): { culprits: Map<number, Part>; victims: Map<number, Part> } {
    const culprits = new Map<number, Part>();
    const victims = new Map<number, Part>();
    const { tree, flow, victim, first, last, time } = this.trees.flows;
    const { place, source } = this.sources();
    const { times } = this.run;
    const living = new Set(this.rows(frame).map((row) => row.tree));
    for (let i = 0; i < tree.length; i++) {
      if (first[i]! > frame || last[i]! < frame || !living.has(tree[i]!)) continue;
      const host = source[place.get(flow[i]!) ?? -1] ?? -1;
      if (host < 0) continue;
      const share = Math.min(1, time[i]! / (times[last[i]!]! - times[first[i]!]! + this.trees.every));
      const parts = victim[i] ? victims : culprits;
      if ((parts.get(host)?.share ?? 0) < share) parts.set(host, { tree: tree[i]!, share });
    }
    return { culprits, victims };
  }

  private listed?: { place: Map<number, number>; source: ArrayLike<number> };

  private sources() {
    this.listed ??= { place: places(this.run), source: this.run.flows.source };
    return this.listed;
  }

  /** Flows of a tree, longest first: places in the list of flows. */
  flowsOf(wanted: number): { flow: number; victim: boolean; time: number }[] {
    const { tree, flow, victim, time } = this.trees.flows;
    const { place } = this.sources();
    const found = [];
    for (let i = 0; i < tree.length; i++) {
      const at = place.get(flow[i]!);
      if (tree[i] === wanted && at !== undefined) found.push({ flow: at, victim: victim[i] === 1, time: time[i]! });
    }
    return found.sort((a, b) => b.time - a.time);
  }

  /** Trees of a flow, longest first. */
  treesOf(listed: number): { tree: number; victim: boolean; time: number }[] {
    const { tree, flow, victim, time } = this.trees.flows;
    const id = this.run.flows.id[listed];
    const found = [];
    for (let i = 0; i < tree.length; i++) if (flow[i] === id) found.push({ tree: tree[i]!, victim: victim[i] === 1, time: time[i]! });
    return found.sort((a, b) => b.time - a.time);
  }
}

/** From the id of a flow to its place in the list. */
function places(run: Run): Map<number, number> {
  return new Map(Array.from(run.flows.id, (id, i) => [id, i]));
}
