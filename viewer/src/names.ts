// Names beside the nodes, on a canvas of their own: it is drawn when the camera moves, not with every sample.

import { css, type Theme } from "./colours";
import type { Fabric } from "./data";
import { visible } from "./dom";

const NAMED = 110; // nodes in sight up to which they have their names written beside them

export class Names {
  private key = "";

  constructor(private readonly canvas: HTMLCanvasElement, private readonly fabric: Fabric) {}

  /** Writes the names that have room; place: from fabric to pixels, one for each run. */
  draw(theme: Theme, scale: number, size: [number, number], places: ((x: number, y: number) => [number, number])[]): void {
    const nodes = this.inSight(scale, size, places[0]!);
    const key = JSON.stringify([theme.dark, scale, size, places.map((place) => place(0, 0)), nodes]);
    if (key === this.key) return;
    this.key = key;
    this.canvas.hidden = !nodes.length; // a canvas without a word costs as much as one with many
    if (!nodes.length) return;
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [size[0] * places.length, size[1]];
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    const pen = this.canvas.getContext("2d")!;
    pen.scale(ratio, ratio);
    pen.font = "12px system-ui, sans-serif";
    pen.textAlign = "center";
    pen.lineJoin = "round";
    pen.lineWidth = 4;
    pen.strokeStyle = css(theme.background, 0.85);
    pen.fillStyle = css(theme.ink);
    const { x, y, hosts, nodes: names } = this.fabric;
    places.forEach((place, run) => {
      pen.save();
      pen.beginPath();
      pen.rect(run * size[0], 0, size[0], size[1]);
      pen.clip();
      const taken: [left: number, right: number, line: number][] = [];
      const rows = nodes.map((node) => ({ node, at: place(x[node]!, y[node]!) })).sort((a, b) => a.at[1] - b.at[1] || a.at[0] - b.at[0]);
      for (const { node, at: [px, py] } of rows) {
        const name = shortened(visible(names[node]!));
        const half = pen.measureText(name).width / 2 + 3;
        const line = node < hosts ? py + Math.min(24, 13 + scale * 0.25) : py - Math.min(24, 5 + scale * 0.5);
        if (taken.some(([left, right, other]) => Math.abs(line - other) < 13 && px - half < right && px + half > left)) continue;
        taken.push([px - half, px + half, line]);
        pen.strokeText(name, px, line);
        pen.fillText(name, px, line);
      }
      pen.restore();
    });
  }

  /** Switches in sight if there is room to write them, and hosts if there is room for those, too. */
  private inSight(scale: number, [width, height]: [number, number], place: (x: number, y: number) => [number, number]): number[] {
    const { x, y, hosts } = this.fabric;
    const within = (first: number, last: number): number[] => {
      const found: number[] = [];
      for (let i = first; i < last && found.length <= NAMED; i++) {
        const [px, py] = place(x[i]!, y[i]!);
        if (px > 0 && px < width && py > 0 && py < height) found.push(i);
      }
      return found;
    };
    const switches = within(hosts, x.length);
    const named = switches.length <= NAMED && switches.length * 46 < 6 * width ? switches : [];
    const guests = scale >= 26 ? within(0, hosts) : [];
    return guests.length <= NAMED ? [...named, ...guests] : named;
  }
}

function shortened(name: string): string {
  return name.length > 28 ? `${name.slice(0, 27)}…` : name;
}
