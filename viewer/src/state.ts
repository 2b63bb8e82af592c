// What is being looked at, in one place; who draws it is told when it changes. It can be written down as text, for the address of the page.

import type { Data, Matrix, Run } from "./data";
import { instant } from "./words";

export type Kind = "tree" | "port" | "node" | "flow";

export interface Chosen {
  kind: Kind;
  run: number;
  id: number;
}

export interface Camera {
  x: number;
  y: number;
  zoom: number;
}

export interface State {
  frame: number;
  by: string;
  trees: boolean;
  difference: boolean;
  chosen: Chosen | null;
  playing: boolean;
  speed: number;
  dark: boolean | null;
  camera: Camera | null;
}

/** Older ids of quantities, which go in release 0.2.0, and what is meant by them: the first that is there. */
const OLDER: Record<string, string[]> = { queue: ["buffer", "output-queue"], credits: ["credits-at-marks"] };

export const SPEEDS = [2, 5, 10, 20, 40, 60];

export class Model {
  readonly times: Float64Array;
  private readonly apart: number; // the smallest distance of two of these
  state: State;
  private readonly listeners: ((changed: Set<keyof State>) => void)[] = [];

  constructor(readonly data: Data) {
    this.times = allOf(data.runs.map((run) => run.times));
    this.apart = this.times.reduce((least, time, i) => (i ? Math.min(least, time - this.times[i - 1]!) : least), Infinity);
    const busiest = this.busiest();
    this.state = {
      frame: busiest, by: this.quantities()[0] ?? "none", trees: data.runs.some((run) => run.trees), difference: false,
      chosen: null, playing: false, speed: 10, dark: null, camera: null,
    }; // prettier-ignore
  }

  /** The frame at which the trees held most links: what a person wants to see first. */
  private busiest(): number {
    const rows = this.data.runs[0]!.trees?.rows;
    if (!rows) return 0;
    const held = new Float64Array(this.data.runs[0]!.times.length);
    for (let i = 0; i < rows.frame.length; i++) held[rows.frame[i]!]! += rows.branches[i]! + 0.001;
    return this.frameNear(this.data.runs[0]!.times[held.indexOf(Math.max(...held))] ?? 0);
  }

  /** "A: " before what is said of the first of two runs; nothing before what is said of a run alone. */
  tag(run: number, then = ": "): string {
    return this.data.runs.length > 1 ? "AB"[run]! + then : "";
  }

  /** Ids of the quantities that all runs have, or that any has. */
  quantities(): string[] {
    return [...new Set(this.data.runs.flatMap((run) => run.quantities.map((q) => q.id)))];
  }

  quantity(run: Run, id = this.state.by) {
    return run.quantities.find((q) => q.id === id);
  }

  /** Whether links of B are coloured by how they differ from A: what only one of them recorded cannot be compared. */
  get differs(): boolean {
    const { runs } = this.data;
    return this.state.difference && runs.length > 1 && runs.every((run) => this.quantity(run));
  }

  /** Whether a run has ended before the instant of the slider. */
  ended(run: Run): boolean {
    return this.time > run.duration * (1 + 1e-9);
  }

  /** The frame of a run that is shown at the instant of the slider; null before its first and after its end. */
  frameOf(run: Run): number | null {
    const { frame } = this.state;
    if (run.times.length === this.times.length && run.times[frame] === this.times[frame]) return frame;
    const begun = this.time >= run.times[0]! * (1 - 1e-9);
    return begun && !this.ended(run) ? latest(run.times, this.time) : null;
  }

  /** A value of a run at the instant of the slider; null without one. */
  now(run: Run, values: Matrix | undefined, row: number): number | null {
    const frame = this.frameOf(run);
    const value = values && frame !== null ? values.at(row, frame) : NaN;
    return Number.isNaN(value) ? null : value;
  }

  /** The frame that tells of an instant: it shows what came since the frame before. */
  frameOver(time: number): number {
    const before = latest(this.times, time);
    return this.times[before]! >= time * (1 - 1e-9) ? before : Math.min(before + 1, this.times.length - 1);
  }

  /** The frame next to an instant, before it or after. */
  frameNear(time: number): number {
    const before = latest(this.times, time);
    const after = Math.min(before + 1, this.times.length - 1);
    return this.times[after]! - time < time - this.times[before]! ? after : before;
  }

  get time(): number {
    return this.times[this.state.frame]!;
  }

  /** An instant in words, with digits enough to tell apart all that are shown. */
  clock(time = this.time): string {
    return instant(time, this.apart);
  }

  listen(listener: (changed: Set<keyof State>) => void): void {
    this.listeners.push(listener);
  }

  set(values: Partial<State>): void {
    const changed = new Set<keyof State>();
    if (values.frame !== undefined) values.frame = Math.max(0, Math.min(this.times.length - 1, Math.round(values.frame)));
    for (const key of Object.keys(values) as (keyof State)[]) {
      if (this.state[key] !== values[key]) changed.add(key);
    }
    if (!changed.size) return;
    this.state = { ...this.state, ...values };
    for (const listener of this.listeners) listener(changed);
  }

  /** What is chosen, by a name that another run of the same scenario has, too. */
  nameOf({ kind, run, id }: Chosen): string {
    if (kind === "port") return this.data.fabric.ports[id]!;
    if (kind === "node") return this.data.fabric.nodes[id]!;
    return kind === "flow" ? String(this.data.runs[run]!.flows.id[id]) : String(id);
  }

  private find(kind: string, run: number, name: string): Chosen | null {
    const { fabric, runs } = this.data;
    if (!runs[run]) return null;
    if (kind === "port" || kind === "node") {
      const id = (kind === "port" ? fabric.ports : fabric.nodes).indexOf(name);
      return id < 0 ? null : { kind, run, id };
    }
    if (kind === "flow") {
      const id = Array.from(runs[run]!.flows.id).indexOf(Number(name));
      return id < 0 ? null : { kind, run, id };
    }
    const known = runs[run]!.trees?.lives.some((life) => life.tree === Number(name));
    return kind === "tree" && known ? { kind, run, id: Number(name) } : null;
  }

  /** The state as text, as it stands behind the # of an address. */
  write(): string {
    const s = this.state;
    const said = new URLSearchParams({ sample: String(s.frame + 1), by: s.by });
    if (!s.trees) said.set("trees", "no");
    if (s.difference) said.set("difference", "yes");
    if (s.chosen) said.set(s.chosen.kind, `${s.chosen.run}:${this.nameOf(s.chosen)}`);
    if (s.dark !== null) said.set("theme", s.dark ? "dark" : "light");
    if (s.speed !== 10) said.set("speed", String(s.speed));
    if (s.camera) said.set("at", [s.camera.x.toFixed(2), s.camera.y.toFixed(2), s.camera.zoom.toFixed(3)].join(","));
    return said.toString();
  }

  /** Takes a state from text; what makes no sense in it is passed over. */
  read(text: string): void {
    const said = new URLSearchParams(text.replace(/^#/, ""));
    const values: Partial<State> = { trees: said.get("trees") !== "no", difference: said.get("difference") === "yes" };
    const sample = said.get("sample") ?? said.get("look"); // its older name, which goes in release 0.2.0
    if (sample !== null && Number.isFinite(Number(sample))) values.frame = Number(sample) - 1;
    const by = said.get("by") ?? "";
    const newer = Object.hasOwn(OLDER, by) ? OLDER[by]! : []; // every object inherits "constructor" and others
    const there = [by, ...newer].find((id) => this.quantities().includes(id));
    if (there) values.by = there;
    if (SPEEDS.includes(Number(said.get("speed")))) values.speed = Number(said.get("speed"));
    if (said.has("theme")) values.dark = said.get("theme") === "dark";
    const at = (said.get("at") ?? "").split(",").map(Number);
    if (at.length === 3 && at.every(Number.isFinite)) values.camera = { x: at[0]!, y: at[1]!, zoom: at[2]! };
    values.chosen = null;
    for (const kind of ["tree", "port", "node", "flow"]) {
      const [, run, name] = /^(\d+):(.*)$/s.exec(said.get(kind) ?? "") ?? [];
      if (name !== undefined) values.chosen = this.find(kind, Number(run), name);
    }
    this.set(values);
  }
}

/** The instants of all runs, each once: runs may have been sampled at other times, or for longer. */
function allOf(runs: Float64Array[]): Float64Array {
  const sorted = runs.flatMap((times) => Array.from(times)).sort((a, b) => a - b);
  return Float64Array.from(sorted.filter((time, i) => i === 0 || time > sorted[i - 1]! * (1 + 1e-9)));
}

/** The last of some ascending times that is not after an instant; the first if all are. */
function latest(times: Float64Array, time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! <= time * (1 + 1e-9)) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}
