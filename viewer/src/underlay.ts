// The idle fabric beneath what moves: every link as a thin line, on a canvas that is drawn when the camera rests.

import { css, type Theme } from "./colours";
import type { Geometry } from "./geometry";

const PIECE = 400; // lines a stroke: one long path costs more than many short ones

export class Underlay {
  private key = "";
  private timer = 0;
  private readonly lines: Uint32Array; // one port of each two-way link

  constructor(private readonly canvas: HTMLCanvasElement, private readonly geometry: Geometry) {
    const { from, to } = geometry.fabric;
    this.lines = Uint32Array.from(from.keys()).filter((p) => from[p]! < to[p]!);
  }

  /** Draws once nothing has moved for a moment; places: from fabric to pixels, one for each run. */
  draw(theme: Theme, size: [number, number], places: ((x: number, y: number) => [number, number])[]): void {
    const key = JSON.stringify([theme.dark, size, places.map((place) => [place(0, 0), place(1, 1)])]);
    if (key === this.key) return;
    const first = this.key === "";
    this.key = key;
    if (!first) this.canvas.getContext("2d")!.clearRect(0, 0, this.canvas.width, this.canvas.height);
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.paint(theme, size, places), first ? 0 : 120);
  }

  private paint(theme: Theme, size: [number, number], places: ((x: number, y: number) => [number, number])[]): void {
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(size[0] * places.length * ratio);
    this.canvas.height = Math.round(size[1] * ratio);
    const pen = this.canvas.getContext("2d")!;
    pen.scale(ratio, ratio);
    pen.strokeStyle = css(theme.idle, Math.max(0.25, Math.min(0.9, 6000 / this.lines.length)));
    pen.lineWidth = 0.8;
    const { source, target } = this.geometry;
    places.forEach((place, run) => {
      pen.save();
      pen.beginPath();
      pen.rect(run * size[0], 0, size[0], size[1]);
      pen.clip();
      for (let first = 0; first < this.lines.length; first += PIECE) {
        pen.beginPath();
        for (const p of this.lines.subarray(first, first + PIECE)) {
          pen.moveTo(...place(source[3 * p]!, source[3 * p + 1]!));
          pen.lineTo(...place(target[3 * p]!, target[3 * p + 1]!));
        }
        pen.stroke();
      }
      pen.restore();
    });
  }
}
