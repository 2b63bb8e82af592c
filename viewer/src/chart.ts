// A small time line of one or several numbers, by uPlot; a click moves the slider, the line at the instant shown moves with it.

import uPlot from "uplot";
import { css, theme, type RGB } from "./colours";
import { h } from "./dom";
import type { Model } from "./state";
import { scale } from "./words";

export interface Line {
  label: string;
  colour: RGB;
  times: Float64Array;
  values: (number | null)[];
}

/** A chart of lines with one unit; times in s. */
export function chart(model: Model, title: string, unit: string, lines: Line[], dark: boolean, width: number): { element: HTMLElement; follow(): void; stop(): void } {
  const colours = theme(dark);
  const most = lines.reduce((a, line) => line.values.reduce<number>((b, v) => Math.max(b, v ?? 0), a), 0);
  const [factor, name] = scale(unit, most);
  const [inTime, timeUnit] = scale("s", model.times[model.times.length - 1]!);
  const data = uPlot.join(lines.map((line) => [Array.from(line.times, (t) => t * inTime), line.values.map((v) => (v === null ? null : v * factor))] as uPlot.AlignedData));
  const axis = { stroke: css(colours.ink, 0.75), grid: { stroke: css(colours.ink, 0.1), width: 1 }, ticks: { stroke: css(colours.ink, 0.2), width: 1 }, font: "11px system-ui, sans-serif" };
  const heading = h("figcaption", {}, `${title}${name ? ` (${name})` : ""}`);
  if (lines.length > 1) for (const line of lines) heading.append(" ", h("span", { class: "key", style: `--c:${css(line.colour)}` }, line.label));
  const element = h("figure", { class: "chart" }, heading);
  const now = () => model.time * inTime;
  const plot = new uPlot(
    {
      width, height: 132, legend: { show: false }, cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
      scales: { x: { time: false, range: () => [0, model.times[model.times.length - 1]! * inTime] }, y: { range: (_, __, top) => [0, top > 0 ? top * 1.08 : 1] } },
      axes: [{ ...axis, size: 28, values: (_, ticks) => ticks.map((t, i) => (i === ticks.length - 1 ? `${t} ${timeUnit}` : String(t))) }, { ...axis, size: 46 }],
      series: [{}, ...lines.map((line) => ({ stroke: css(line.colour), width: 1.6, points: { show: lineIsSparse(line) }, spanGaps: false }))],
      hooks: {
        draw: [
          (u) => {
            const x = u.valToPos(now(), "x", true);
            u.ctx.fillStyle = css([213, 94, 0]);
            u.ctx.fillRect(x - 1, u.bbox.top, 2, u.bbox.height);
          },
        ],
      },
    },
    data,
    element,
  ); // prettier-ignore
  plot.over.addEventListener("click", (event) => {
    const time = plot.posToVal(event.offsetX, "x") / inTime;
    model.set({ frame: model.frameNear(time), playing: false });
  });
  return { element, follow: () => plot.redraw(false, false), stop: () => plot.destroy() };
}

/** Single points between gaps would not be seen as a line. */
function lineIsSparse(line: Line): boolean {
  return line.values.some((v, i) => v !== null && (line.values[i - 1] ?? null) === null && (line.values[i + 1] ?? null) === null);
}
