// The drawing: one canvas with a view for each run, moved together; what is under the pointer; what a person points at.

import { log } from "@luma.gl/core";
import { Deck, OrthographicView, type Layer, type PickingInfo } from "@deck.gl/core";
import { theme } from "./colours";
import { Geometry } from "./geometry";
import { Underlay } from "./underlay";
import { RunLayers } from "./layers";
import { Names } from "./names";
import type { Camera, Chosen, Model, State } from "./state";

log.enable(false); // its hints are for those who write layers

interface ViewState {
  target: [number, number, number];
  zoom: number;
  minZoom: number;
  maxZoom: number;
}

export class Scene {
  readonly geometry: Geometry;
  readonly parts: RunLayers[];
  private readonly deck: Deck<never>;
  private readonly names: Names;
  private readonly underlay: Underlay;
  private calm = 0;
  private moving = false;
  private view: ViewState;
  private waiting = false;
  private moved = 0;
  /** Frames of the model that have been drawn; for measurements. */
  drawn = 0;
  /** Room above the fabric, for names and captions, in pixels. */
  private readonly above: number;
  private painted = -1;
  private fresh = true;

  constructor(private readonly model: Model, private readonly canvas: HTMLCanvasElement, names: HTMLCanvasElement, under: HTMLCanvasElement, private readonly isDark: () => boolean, private readonly hover: (chosen: Chosen | null, x: number, y: number) => void, ready: () => void) {
    this.above = model.data.runs.length > 1 ? 58 : 38;
    this.geometry = new Geometry(model.data.fabric, this.stretch());
    this.parts = model.data.runs.map((run, i) => new RunLayers(model, run, i, this.geometry));
    this.names = new Names(names, model.data.fabric);
    this.underlay = new Underlay(under, this.geometry);
    this.view = this.fitted();
    if (model.state.camera) this.look(model.state.camera);
    this.deck = new Deck<never>({
      canvas,
      width: "100%",
      height: "100%",
      views: this.parts.map(
        (_, i) =>
          new OrthographicView({
            id: String(i), x: `${(100 * i) / this.parts.length}%`, width: `${100 / this.parts.length}%`, flipY: false,
            controller: { scrollZoom: { speed: 0.012, smooth: false }, doubleClickZoom: true, keyboard: false, inertia: 150 },
          }),
      ),
      viewState: this.views(),
      layerFilter: ({ layer, viewport }: { layer: Layer; viewport: { id: string } }) => layer.id.endsWith(`-${viewport.id}`),
      onViewStateChange: ({ viewState }: { viewState: unknown }) => {
        const to = viewState as unknown as ViewState;
        this.settle();
        this.look({ x: to.target[0], y: to.target[1], zoom: to.zoom });
        this.keep();
      },
      layers: [],
      getCursor: ({ isDragging }: { isDragging: boolean }) => (isDragging ? "grabbing" : "default"),
      onHover: (info: PickingInfo) => this.point(info, false),
      onClick: (info: PickingInfo) => this.point(info, true),
      pickingRadius: 0,
      deviceProps: { type: "webgl", webgl: { antialias: false, depth: false, stencil: false, powerPreference: "high-performance" } },
      onAfterRender: () => {
        if (this.fresh) {
          this.fresh = false;
          ready();
        }
      },
    } as never); // prettier-ignore
    model.listen((changed) => this.follow(changed));
    this.draw();
  }

  private views(): Record<string, ViewState> {
    return Object.fromEntries(this.parts.map((_, i) => [String(i), this.view]));
  }

  private size(): [number, number] {
    return [Math.max(50, this.canvas.clientWidth / this.model.data.runs.length), Math.max(50, this.canvas.clientHeight)];
  }

  /** Room beneath the fabric, for names and the legend, however many lines it takes. */
  private get beneath(): number {
    const legend = this.canvas.parentElement?.querySelector<HTMLElement>(".legend")?.offsetHeight ?? 0;
    return Math.min(Math.max(104, legend + 30), this.canvas.clientHeight / 2);
  }

  private stretch(): number {
    const { x, y } = this.model.data.fabric;
    const span = (values: Float32Array) => values.reduce((a, v) => Math.max(a, v), -Infinity) - values.reduce((a, v) => Math.min(a, v), Infinity) || 1;
    const [width, height] = this.size();
    return Math.max(1, Math.min(3, (((height - this.above - this.beneath) / (width - 60)) * span(x)) / span(y)));
  }

  private fitted(): ViewState {
    const { left, right, bottom, top } = this.geometry.box;
    const [width, height] = this.size();
    const zoom = Math.log2(Math.min((width - 60) / (right - left || 1), (height - this.above - this.beneath) / (top - bottom || 1)));
    const lift = (this.beneath - this.above) / 2 / 2 ** Math.min(zoom, 6.5);
    return { target: [(left + right) / 2, (bottom + top) / 2 - lift, 0], zoom: Math.min(zoom, 6.5), minZoom: zoom - 2, maxZoom: 9 };
  }

  private look({ x, y, zoom }: Camera): void {
    this.view = { ...this.view, target: [x, y, 0], zoom: Math.max(this.view.minZoom, Math.min(this.view.maxZoom, zoom)) };
    this.draw();
  }

  /** Remembers the camera in the model, once it rests. */
  private keep(): void {
    clearTimeout(this.moved);
    this.moved = window.setTimeout(() => {
      const [x, y] = this.view.target;
      this.model.set({ camera: { x, y, zoom: this.view.zoom } });
    }, 250);
  }

  /** The whole fabric. */
  fit(): void {
    this.view = this.fitted();
    this.model.set({ camera: null });
    this.draw();
  }

  zoom(by: number): void {
    this.look({ x: this.view.target[0], y: this.view.target[1], zoom: this.view.zoom + by });
    this.keep();
  }

  /** Moves to what is chosen, near enough to read its name. */
  show(chosen: Chosen): void {
    const { fabric, source, target } = this.geometry;
    let [x, y] = [0, 0];
    const port = chosen.kind === "tree" ? this.rootOf(chosen) : chosen.kind === "port" ? chosen.id : -1;
    const node = chosen.kind === "node" ? chosen.id : chosen.kind === "flow" ? this.model.data.runs[chosen.run]!.flows.source[chosen.id]! : -1;
    if (port >= 0) [x, y] = [(source[3 * port]! + target[3 * port]!) / 2, (source[3 * port + 1]! + target[3 * port + 1]!) / 2];
    else if (node >= 0) [x, y] = [fabric.x[node]!, fabric.y[node]!];
    else return;
    this.look({ x, y, zoom: Math.max(this.view.zoom, Math.min(this.view.maxZoom, this.fitted().zoom + 2)) });
    this.keep();
  }

  rootOf(chosen: Chosen): number {
    return this.model.data.runs[chosen.run]!.trees?.lives.find((life) => life.tree === chosen.id)?.port ?? -1;
  }

  /** Where a place of the fabric is, in pixels of the canvas. */
  project(run: number, x: number, y: number): [number, number] {
    const [width, height] = this.size();
    const scale = 2 ** this.view.zoom;
    return [run * width + width / 2 + (x - this.view.target[0]) * scale, height / 2 - (y - this.view.target[1]) * scale];
  }

  private point(info: PickingInfo, click: boolean): void {
    const [width, height] = this.size();
    const run = Math.min(this.parts.length - 1, Math.floor(info.x / width));
    const scale = 2 ** this.view.zoom;
    const x = this.view.target[0] + (info.x - run * width - width / 2) / scale;
    const y = this.view.target[1] - (info.y - height / 2) / scale;
    const found = info.x < 0 ? null : this.under(run, x, y, scale);
    if (click) this.model.set({ chosen: found });
    else this.hover(found, info.x, info.y);
  }

  /** What is at a place: the sign of a root, then a node, then a link. */
  private under(run: number, x: number, y: number, scale: number): Chosen | null {
    const part = this.parts[run]!;
    const frame = this.model.frameOf(part.run);
    if (part.forest && this.model.state.trees && frame !== null) {
      const reach = Math.max(7, Math.min(17, scale * 0.5)) / scale;
      for (const row of part.forest.rows(frame)) {
        const [rx, ry] = this.geometry.root(row.root);
        if (Math.hypot(rx - x, ry - y) < reach) return { kind: "tree", run, id: row.tree };
      }
    }
    const node = this.geometry.node(x, y, Math.max(4, Math.min(12, scale * 0.45)) / scale);
    if (node >= 0) return { kind: "node", run, id: node };
    const port = this.geometry.port(x, y, 5 / scale, new Set(part.members().map((link) => link.port)));
    return port >= 0 ? { kind: "port", run, id: port } : null;
  }

  private follow(changed: Set<keyof State>): void {
    if (changed.has("camera") && this.model.state.camera) {
      const { x, y, zoom } = this.model.state.camera;
      if (Math.abs(x - this.view.target[0]) + Math.abs(y - this.view.target[1]) + Math.abs(zoom - this.view.zoom) > 0.02) this.look({ x, y, zoom });
    }
    if (["frame", "by", "trees", "difference", "chosen", "dark", "playing"].some((key) => changed.has(key as keyof State))) this.draw();
  }

  /** Draws all of it once nothing moves. */
  private settle(): void {
    clearTimeout(this.calm);
    this.moving = true;
    this.calm = window.setTimeout(() => {
      this.moving = false;
      this.draw();
    }, 160);
  }

  /** Draws before the next picture of the screen, once. */
  draw(): void {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      const colours = theme(this.isDark());
      const [x, y] = this.view.target;
      const scale = 2 ** this.view.zoom;
      const painted = this.parts.map((part) => part.paint(colours));
      this.underlay.draw(colours, this.size(), { x, y, scale }, painted, this.moving, this.moving || this.model.state.playing);
      this.deck.setProps({ layers: this.parts.flatMap((part) => part.layers(colours, this.view.zoom)), viewState: this.views() } as never);
      const places = this.parts.map((_, run) => (px: number, py: number) => this.project(run, px, py));
      this.names.draw(colours, scale, this.size(), places);
      if (this.painted !== this.model.state.frame) this.drawn++;
      this.painted = this.model.state.frame;
    });
  }

  resize(): void {
    if (!this.model.state.camera) this.view = this.fitted();
    this.draw();
  }

  stop(): void {
    this.deck.finalize();
  }
}
