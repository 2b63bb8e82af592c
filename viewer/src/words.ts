// Numbers with the unit in which they read best, as python/congestree/quantities.py writes them.

const LADDERS: Record<string, [number, string][]> = {
  s: [[1, "s"], [1e3, "ms"], [1e6, "us"], [1e9, "ns"]],
  "bit/s": [[1e-12, "Tbit/s"], [1e-9, "Gbit/s"], [1e-6, "Mbit/s"], [1e-3, "kbit/s"], [1, "bit/s"]],
  B: [[2 ** -40, "TiB"], [2 ** -30, "GiB"], [2 ** -20, "MiB"], [2 ** -10, "KiB"], [1, "B"]],
};

/** The factor and the unit in which values up to `largest` read best. */
export function scale(unit: string, largest: number): [number, string] {
  const ladder = LADDERS[unit] ?? [[1, unit] as [number, string]];
  return ladder.find(([factor]) => Math.abs(largest) * factor >= 1) ?? ladder[ladder.length - 1]!;
}

/** A value to three digits with its unit. */
export function inWords(value: number | null | undefined, unit: string): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const [factor, name] = scale(unit, value);
  return `${digits(value * factor)} ${name}`.trim();
}

/** An instant in s, to three digits, or to as many as tell apart instants that are `apart`. */
export function instant(time: number, apart: number): string {
  const [factor, name] = scale("s", time * (1 + 1e-9)); // what is 1 ms but for rounding is no 1,000 us
  const value = time * factor;
  const places = Math.max(Math.ceil(-Math.log10(apart * factor) - 1e-6), value > 0 ? 2 - Math.floor(Math.log10(value)) : 0);
  const shown = Number(value.toFixed(Math.max(0, Math.min(12, places))));
  return `${shown < 1000 ? shown : shown.toLocaleString("en", { maximumFractionDigits: 12 })} ${name}`;
}

/** A number to three digits, larger ones whole with commas. */
export function digits(value: number): string {
  if (!Number.isFinite(value)) return "–";
  if (Math.abs(value) >= 999.5) return Math.round(value).toLocaleString("en");
  return String(Number(value.toPrecision(3)));
}

/** "the first 20 of 1,000". */
export function firstOf(shown: number, all: number): string {
  return `the first ${shown.toLocaleString("en")} of ${all.toLocaleString("en")}`;
}

/** "1 link", "3 links". */
export function many(count: number, one: string): string {
  return `${count.toLocaleString("en")} ${one}${count === 1 ? "" : "s"}`;
}
