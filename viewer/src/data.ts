// What the page carries, unpacked: the counterpart of python/congestree/view/packing.py, which describes the format.

export type Column = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array;

/** Numbers of 16 bits with a scale, by link and frame; decoded when first asked for. NaN: nothing was recorded. */
export interface Matrix {
  rows: number;
  frames: number;
  at(row: number, frame: number): number;
}

export interface Quantity {
  id: string;
  label: string;
  meaning: string;
  unit: string;
  full: number;
  values: Matrix;
}

export interface Life {
  tree: number;
  root: string;
  port: number; // of the root
  lane: number;
  born_s: number;
  died_s: number | null;
  seen_s: number;
  depth: number;
  links: number;
  held_links: number;
  bytes: number;
  kind: string;
  said: string[];
}

export interface Trees {
  kind: string | null;
  every: number;
  lives: Life[];
  rows: Record<"frame" | "tree" | "root" | "depth" | "branches" | "held" | "bytes" | "backlog" | "contributors" | "victims", Column>;
  links: Record<"tree" | "port" | "depth" | "carries" | "first" | "last", Column>;
  flows: Record<"tree" | "flow" | "victim" | "first" | "last" | "time", Column>;
}

export interface Flows {
  of: number;
  listed: number;
  classes: string[];
  id: Column;
  class: Column;
  source: Column;
  destination: Column;
  rank: Column; // how many flows of the run with its class, source and destination come before it
  packets: Column;
  bytes: Column;
  rate: Column;
  marked: Column;
  lost?: Column;
  series?: Matrix;
  by_class?: Matrix;
}

export interface Run {
  name: string;
  description: string;
  duration: number;
  warm_up: number; // what `totals` and the columns of flows count comes after it
  times: Float64Array;
  sampled: boolean;
  totals: Record<"utilisation" | "blocked" | "packets" | "bytes" | "marked", Column>;
  quantities: Quantity[];
  flows: Flows;
  trees?: Trees;
  failures: { ports: number[]; begin: number; end: number; down: boolean }[];
  said: string[];
}

export interface Fabric {
  kind: string;
  hosts: number;
  nodes: string[];
  ports: string[];
  x: Float32Array;
  y: Float32Array;
  from: Uint32Array;
  to: Uint32Array;
  rate: Float64Array;
}

export interface Data {
  title: string;
  fabric: Fabric;
  runs: Run[];
}

interface Listed {
  type: string;
  shape: number[];
  offset: number;
  scale?: number;
}

/** Reads a packed piece: base64 of gzip. */
export async function unpack(text: string): Promise<Data> {
  const packed = fromBase64(text.trim());
  const stream = new Blob([packed as BlobPart]).stream().pipeThrough(new DecompressionStream("gzip"));
  const whole = await new Response(stream).arrayBuffer();
  const length = new DataView(whole).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(whole, 4, length)));
  if (header.format !== 1) throw new Error(`This page holds data of format ${header.format}, which its viewer does not know.`);
  const arrays: Record<string, Listed> = header.arrays;
  const column = (name: string): Column => exact(whole, 4 + length, arrays[name]!);
  const columns = (names: Record<string, string>) =>
    Object.fromEntries(Object.entries(names).map(([key, name]) => [key, column(name)]));
  const matrix = (name: string): Matrix => rounded(whole, 4 + length, arrays[name]!);
  const f = header.fabric;
  for (const key of ["x", "y", "from", "to", "rate"]) f[key] = column(f[key]);
  if (!f.ports.length) f.ports = Array.from(f.from as Uint32Array, (a, i) => `${f.nodes[a]}->${f.nodes[f.to[i]]}`);
  for (const run of header.runs) {
    run.times = column(run.times);
    run.totals = columns(run.totals);
    for (const q of run.quantities) q.values = matrix(q.array);
    const flows = run.flows;
    for (const key of ["id", "class", "source", "destination", "rank", "packets", "bytes", "rate", "marked", "lost"])
      if (flows[key]) flows[key] = column(flows[key]);
    for (const key of ["series", "by_class"]) if (flows[key]) flows[key] = matrix(flows[key]);
    if (run.trees) for (const key of ["rows", "links", "flows"]) run.trees[key] = columns(run.trees[key]);
  }
  return header as Data;
}

function fromBase64(text: string): Uint8Array {
  const direct = (Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array }).fromBase64;
  if (direct) return direct.call(Uint8Array, text);
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return bytes;
}

const KINDS = {
  u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, i32: Int32Array, f32: Float32Array, f64: Float64Array,
} as const; // prettier-ignore

function exact(whole: ArrayBuffer, start: number, said: Listed): Column {
  const Kind = KINDS[said.type as keyof typeof KINDS];
  return new Kind(whole, start + said.offset, said.shape.reduce((a, b) => a * b, 1));
}

let halves: Float32Array | undefined;

/** The value of every number of 16 bits (IEEE 754 binary16). */
function table(): Float32Array {
  if (halves) return halves;
  halves = new Float32Array(65536);
  for (let bits = 0; bits < 65536; bits++) {
    const exponent = (bits >> 10) & 31;
    const mantissa = bits & 1023;
    const size = exponent === 31 ? NaN : exponent ? 2 ** (exponent - 15) * (1 + mantissa / 1024) : 2 ** -14 * (mantissa / 1024);
    halves[bits] = bits & 0x8000 ? -size : size;
  }
  return halves;
}

function rounded(whole: ArrayBuffer, start: number, said: Listed): Matrix {
  const [rows, frames] = said.shape as [number, number];
  const count = rows * frames;
  const upper = new Uint8Array(whole, start + said.offset, count);
  const lower = new Uint8Array(whole, start + said.offset + count, count);
  const scale = said.scale!;
  const value = table();
  return { rows, frames, at: (row, frame) => value[(upper[row * frames + frame]! << 8) | lower[row * frames + frame]!]! * scale };
}
