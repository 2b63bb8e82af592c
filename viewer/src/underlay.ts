// The fabric beneath what deck.gl draws: every link in its colour, every host and switch, made by the processor.

import type { RGB, Theme } from "./colours";
import type { Geometry } from "./geometry";
import { Raster } from "./raster";

const QUICK = 20_000; // links up to which the idle ones are drawn while the camera moves
const SMOOTH = { hurried: 2_000, calm: 20_000 }; // links in use up to which thin ones have smooth edges

/** Where the camera is: a place of the fabric in the middle of a pane, and pixels a unit. */
export interface Aim {
  x: number;
  y: number;
  scale: number;
}

/** Links of a run that are not idle, in the order of drawing: RGBA by link, of which `order` are drawn. */
export interface Painted {
  colours: Uint8Array;
  order: Uint32Array;
}

/** Sizes at some pixels a unit, in pixels: width of a link; what a host and a switch measure across. */
export function sizes(scale: number): { link: number; host: number; node: number } {
  return {
    link: Math.max(0.7, Math.min(5, scale * 0.09)),
    host: Math.max(1, Math.min(18, scale * 0.55)),
    node: Math.max(4, Math.min(32, scale * 1.05)),
  };
}

export const hostColour = (theme: Theme): RGB => (theme.dark ? [120, 132, 150] : [128, 138, 152]);

export class Underlay {
  private readonly lines: Uint32Array; // one port of each two-way link
  private readonly pen: CanvasRenderingContext2D;
  private idle: Raster | null = null; // the fabric without traffic
  private made: Raster | null = null;
  private key = "";

  constructor(private readonly canvas: HTMLCanvasElement, private readonly geometry: Geometry) {
    const { from, to } = geometry.fabric;
    this.lines = Uint32Array.from(from.keys()).filter((p) => from[p]! < to[p]!);
    this.pen = canvas.getContext("2d", { alpha: false })!;
  }

  /** Draws a pane for each run; size: of a pane; moving: the camera is on its way; hurried: it is, or time passes. */
  draw(theme: Theme, size: [number, number], aim: Aim, painted: Painted[], moving: boolean, hurried: boolean): void {
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [Math.round(size[0] * ratio), Math.round(size[1] * ratio)];
    if (this.canvas.width !== width * painted.length || this.canvas.height !== height) {
      this.canvas.width = width * painted.length;
      this.canvas.height = height;
    }
    if (this.made?.width !== width || this.made.height !== height) {
      this.made = new Raster(width, height);
      this.idle = new Raster(width, height);
      this.key = "";
    }
    const place = new Places(this.geometry, aim, ratio, width, height);
    const sparse = moving && this.lines.length > QUICK;
    const key = JSON.stringify([theme.dark, aim, ratio, sparse]);
    if (key !== this.key) this.fabric(this.idle!, theme, place, sparse);
    this.key = key;
    painted.forEach((links, run) => {
      this.made!.copy(this.idle!);
      this.links(this.made!, place, links, hurried ? SMOOTH.hurried : SMOOTH.calm);
      this.nodes(this.made!, theme, place);
      this.pen.putImageData(this.made!.image, run * width, 0);
    });
  }

  private fabric(raster: Raster, theme: Theme, place: Places, sparse: boolean): void {
    raster.fill(theme.background);
    if (sparse) return;
    const alpha = 255 * Math.max(0.25, Math.min(0.9, 6000 / this.lines.length));
    const width = 0.8 * place.ratio;
    for (const p of this.lines) if (place.link(p)) raster.line(place.x0, place.y0, place.x1, place.y1, width, theme.idle, alpha | 0);
  }

  private links(raster: Raster, place: Places, { colours, order }: Painted, smooth: number): void {
    const thick = sizes(place.aim.scale).link * place.ratio;
    const width = order.length > smooth && thick < 1.5 ? 0 : thick;
    const colour: RGB = [0, 0, 0];
    for (const p of order) {
      if (!place.link(p)) continue;
      for (let c = 0; c < 3; c++) colour[c] = colours[4 * p + c]!;
      raster.line(place.x0, place.y0, place.x1, place.y1, width, colour, colours[4 * p + 3]!);
    }
  }

  private nodes(raster: Raster, theme: Theme, place: Places): void {
    const { x, y, hosts } = this.geometry.fabric;
    const { host, node } = sizes(place.aim.scale);
    const grey = hostColour(theme);
    for (let i = 0; i < x.length; i++) {
      if (!place.node(x[i]!, y[i]!)) continue;
      const across = (i < hosts ? host : node) * place.ratio;
      if (i < hosts) raster.disc(place.x0, place.y0, 0.45 * across, 0, grey, 255);
      else {
        raster.disc(place.x0, place.y0, 0.45 * across, 0, theme.background, 255);
        raster.disc(place.x0, place.y0, 0.465 * across, 0.335 * across, theme.ink, 255);
      }
    }
  }
}

/** From the fabric to pixels of the picture; the answer is left in x0, y0, x1, y1, so that nothing is made for each link. */
class Places {
  x0 = 0;
  y0 = 0;
  x1 = 0;
  y1 = 0;
  private readonly scale: number;
  private readonly left: number;
  private readonly top: number;

  constructor(private readonly geometry: Geometry, readonly aim: Aim, readonly ratio: number, private readonly width: number, private readonly height: number) {
    this.scale = aim.scale * ratio;
    this.left = width / 2 - aim.x * this.scale;
    this.top = height / 2 + aim.y * this.scale;
  }

  /** Both ends of a link; false if it cannot be in sight. */
  link(port: number): boolean {
    const { source, target } = this.geometry;
    this.x0 = this.left + source[3 * port]! * this.scale;
    this.y0 = this.top - source[3 * port + 1]! * this.scale;
    this.x1 = this.left + target[3 * port]! * this.scale;
    this.y1 = this.top - target[3 * port + 1]! * this.scale;
    const aside = Math.max(this.x0, this.x1) < 0 || Math.min(this.x0, this.x1) > this.width;
    return !aside && Math.max(this.y0, this.y1) >= 0 && Math.min(this.y0, this.y1) <= this.height;
  }

  /** A node; false if it is far out of sight. */
  node(x: number, y: number): boolean {
    this.x0 = this.left + x * this.scale;
    this.y0 = this.top - y * this.scale;
    return this.x0 > -50 && this.x0 < this.width + 50 && this.y0 > -50 && this.y0 < this.height + 50;
  }
}
