// A picture made by the processor: lines and discs with smooth edges, written straight into pixels.
//
// A line is walked along its longer axis, a pixel a step; across it every pixel gets the share that the line covers.
// That is some 10 ns a pixel of its length, and 2 ns without smooth edges, on any machine: a browser without a graphics
// card takes some 50 us for a line of WebGL, whatever its length.

import type { RGB } from "./colours";

const ONE = 65536; // places across a line are in 1/65536 of a pixel
const OPAQUE = 0xff000000 | 0;

export class Raster {
  readonly image: ImageData;
  private readonly pixels: Int32Array; // alpha, blue, green, red from the highest byte

  constructor(readonly width: number, readonly height: number) {
    this.image = new ImageData(width, height);
    this.pixels = new Int32Array(this.image.data.buffer);
  }

  fill([r, g, b]: RGB): void {
    this.pixels.fill(OPAQUE | (b << 16) | (g << 8) | r);
  }

  copy(other: Raster): void {
    this.pixels.set(other.pixels);
  }

  /** A straight line; places and width in pixels, alpha from 0 to 255. Of width 0 it is one whole pixel wide, without alpha or smooth edges. */
  line(x0: number, y0: number, x1: number, y1: number, width: number, [r, g, b]: RGB, alpha: number): void {
    const steep = Math.abs(y1 - y0) > Math.abs(x1 - x0);
    if (steep) this.walk(y0, x0, y1, x1, width, this.width, 1, this.height, this.width, (b << 16) | r, g << 8, alpha);
    else this.walk(x0, y0, x1, y1, width, 1, this.width, this.width, this.height, (b << 16) | r, g << 8, alpha);
  }

  /** Along the first axis, which has so many pixels `long` with a stride of `along`; across it `wide` with `across`. */
  private walk(a0: number, b0: number, a1: number, b1: number, width: number, along: number, across: number, long: number, wide: number, rb: number, g: number, alpha: number): void {
    if (a0 > a1) [a0, b0, a1, b1] = [a1, b1, a0, b0];
    const slope = a1 > a0 ? (b1 - b0) / (a1 - a0) : 0;
    const half = 0.5 * width * Math.sqrt(1 + slope * slope);
    const [least, most] = [half + 0.01, wide - half - 0.01]; // across, all of the line is on the picture
    let first = Math.max(0, Math.ceil(a0 - 0.5));
    let last = Math.min(long - 1, Math.floor(a1 - 0.5));
    if (slope === 0) {
      if (b0 < least || b0 > most) return;
    } else {
      const [enter, leave] = slope > 0 ? [least, most] : [most, least];
      first = Math.max(first, Math.ceil(a0 + (enter - b0) / slope - 0.5));
      last = Math.min(last, Math.floor(a0 + (leave - b0) / slope - 0.5));
    }
    if (first > last) return;
    let low = Math.round((b0 + (first + 0.5 - a0) * slope - half) * ONE);
    const step = Math.round(slope * ONE);
    const thick = Math.round(2 * half * ONE);
    const { pixels } = this;
    let row = first * along;
    if (width === 0) {
      const whole = OPAQUE | rb | g;
      for (let i = first; i <= last; i++, low += step, row += along) pixels[row + (low >> 16) * across] = whole;
      return;
    }
    for (let i = first; i <= last; i++, low += step, row += along) {
      const high = low + thick;
      let at = row + (low >> 16) * across;
      const end = row + (high >> 16) * across;
      if (at === end) {
        pixels[at] = mixed(pixels[at]!, rb, g, ((thick >> 8) * alpha) >> 8);
        continue;
      }
      pixels[at] = mixed(pixels[at]!, rb, g, ((256 - ((low >> 8) & 255)) * alpha) >> 8);
      for (at += across; at !== end; at += across) pixels[at] = mixed(pixels[at]!, rb, g, alpha);
      pixels[end] = mixed(pixels[end]!, rb, g, (((high >> 8) & 255) * alpha) >> 8);
    }
  }

  /** A disc, or what of it is outside an inner radius; places and radii in pixels. */
  disc(x: number, y: number, radius: number, inner: number, [r, g, b]: RGB, alpha: number): void {
    const reach = radius + 0.5;
    const [left, right] = [Math.max(0, Math.floor(x - reach)), Math.min(this.width - 1, Math.floor(x + reach))];
    const [top, bottom] = [Math.max(0, Math.floor(y - reach)), Math.min(this.height - 1, Math.floor(y + reach))];
    for (let j = top; j <= bottom; j++) {
      for (let i = left; i <= right; i++) {
        const far = Math.sqrt((i + 0.5 - x) ** 2 + (j + 0.5 - y) ** 2);
        const cover = Math.min(1, reach - far, inner > 0 ? far - inner + 0.5 : 1, 2 * radius);
        const at = j * this.width + i;
        if (cover > 0) this.pixels[at] = mixed(this.pixels[at]!, (b << 16) | r, g << 8, (cover * alpha) | 0);
      }
    }
  }
}

/** A pixel with a colour (red and blue, green) mixed into it; alpha from 0 to 255. Both pairs are mixed in one word. */
function mixed(there: number, rb: number, g: number, alpha: number): number {
  const share = alpha + (alpha >> 7);
  const rest = 256 - share;
  const pair = (Math.imul(there & 0xff00ff, rest) + Math.imul(rb, share)) | 0;
  const green = (Math.imul(there & 0xff00, rest) + Math.imul(g, share)) | 0;
  return OPAQUE | ((pair >>> 8) & 0xff00ff) | ((green >>> 8) & 0xff00);
}
