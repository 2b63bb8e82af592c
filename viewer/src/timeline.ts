// Beneath the fabric: the slider of time, and the life of each tree as a band whose height is the links it holds.

import { css, ROLES, theme } from "./colours";
import { h, visible } from "./dom";
import { Forest } from "./forest";
import { SPEEDS, type Chosen, type Model } from "./state";
import { firstOf } from "./words";

const ROW = 17;
const MOST = 60; // trees a run that get a band, largest first
const SHOWN = 7; // bands in sight without scrolling

interface Band {
  run: number;
  tree: number;
  root: string;
  parts: [from: number, to: number, links: number][];
}

export class Timeline {
  readonly element: HTMLElement;
  private readonly slider: HTMLInputElement;
  private readonly play: HTMLButtonElement;
  private readonly clock: HTMLOutputElement;
  private readonly canvas: HTMLCanvasElement;
  private readonly bands: Band[];
  private readonly most: number;
  private readonly end: number; // of the slider as of the bands: both are drawn over time
  private timer = 0;
  private due = 0;

  constructor(private readonly model: Model, private readonly isDark: () => boolean) {
    this.end = model.times[model.times.length - 1]!;
    this.bands = model.data.runs.flatMap((run, i) => bandsOf(run, i));
    this.most = this.bands.reduce((most, band) => band.parts.reduce((a, [, , links]) => Math.max(a, links), most), 1);
    this.play = h("button", { class: "play", type: "button", click: () => this.toggle(), title: "Play or stop (space)" });
    this.clock = h("output", { class: "clock" });
    // As wide as its longest text, so that nothing beside it moves while it runs.
    this.clock.style.minWidth = `max(5.2em, ${model.times.reduce((most, time) => Math.max(most, model.clock(time).length), 0)}ch)`;
    this.slider = h("input", {
      type: "range", min: 0, max: this.end, step: "any", "aria-label": "Time", class: "slider", input: () => this.slide(),
    }); // prettier-ignore
    const speed = h(
      "select",
      { "aria-label": "Samples a second", title: "Samples a second", change: (event: Event) => model.set({ speed: Number((event.target as HTMLSelectElement).value) }) },
      ...SPEEDS.map((n) => h("option", { value: n, selected: n === model.state.speed }, `${n}/s`)),
    );
    this.canvas = h("canvas", { class: "bands", role: "img", "aria-label": this.alternative(), click: (e: MouseEvent) => this.choose(e) });
    this.canvas.addEventListener("pointermove", (e) => (this.canvas.title = this.told(e)));
    const bands = h("div", { class: "scroll", tabindex: this.bands.length > SHOWN ? 0 : undefined }, this.canvas, this.left());
    bands.style.maxHeight = `${SHOWN * ROW + 8}px`;
    this.element = h("div", { class: "timeline" }, this.play, this.clock, speed, h("div", { class: "track" }, this.slider, this.bands.length ? bands : null));
    model.listen((changed) => {
      if (changed.has("frame") || changed.has("playing")) this.update();
      if (changed.has("playing")) this.run();
      if (changed.has("speed")) speed.value = String(model.state.speed);
      if (["frame", "chosen", "dark"].some((key) => changed.has(key as never))) this.draw();
    });
    this.update();
  }

  /** Which trees have no band. */
  private left(): HTMLElement | null {
    const { runs } = this.model.data;
    const cut = runs.flatMap(({ trees }, i) => {
      const all = trees?.lives.length ?? 0;
      return all > MOST ? [`${this.model.tag(i)}${firstOf(MOST, all)} trees`] : [];
    });
    return cut.length ? h("p", { class: "left" }, `Shown here: ${cut.join("; ")}`) : null;
  }

  private alternative(): string {
    if (!this.bands.length) return "No congestion tree.";
    return `The lives of ${this.bands.length} congestion trees over time; the sentences beside the drawing say the same.`;
  }

  toggle(): void {
    const { model } = this;
    const atEnd = model.state.frame >= model.times.length - 1;
    model.set({ playing: !model.state.playing, ...(atEnd && !model.state.playing ? { frame: 0 } : {}) });
  }

  private run(): void {
    cancelAnimationFrame(this.timer);
    if (!this.model.state.playing) return;
    this.due = performance.now();
    const step = (now: number) => {
      const { frame, speed, playing } = this.model.state;
      if (!playing) return;
      const passed = Math.floor(((now - this.due) * speed) / 1000);
      if (passed > 0) {
        this.due += (passed * 1000) / speed;
        if (frame + passed >= this.model.times.length - 1) {
          this.model.set({ frame: this.model.times.length - 1, playing: false });
          return;
        }
        this.model.set({ frame: frame + passed });
      }
      this.timer = requestAnimationFrame(step);
    };
    this.timer = requestAnimationFrame(step);
  }

  /** The thumb goes from sample to sample, wherever it is dragged. */
  private slide(): void {
    this.model.set({ frame: this.model.frameNear(Number(this.slider.value)), playing: false });
    this.slider.value = String(this.model.time);
  }

  private update(): void {
    const { frame, playing } = this.model.state;
    this.slider.value = String(this.model.time);
    const time = this.model.clock();
    this.slider.setAttribute("aria-valuetext", `${time}, sample ${frame + 1} of ${this.model.times.length}`);
    this.play.textContent = playing ? "❚❚" : "▶";
    this.play.setAttribute("aria-label", playing ? "Stop" : "Play");
    this.clock.textContent = time;
  }

  private rows(): number {
    return this.bands.length;
  }

  draw(): void {
    const { canvas } = this;
    if (!this.bands.length) return;
    const colours = theme(this.isDark());
    const width = canvas.parentElement?.clientWidth || 600;
    const height = this.rows() * ROW + 6;
    const ratio = window.devicePixelRatio || 1;
    canvas.style.height = `${height}px`;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const pen = canvas.getContext("2d")!;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.font = "11px system-ui, sans-serif";
    pen.textBaseline = "middle";
    const chosen = this.model.state.chosen;
    const across = (time: number) => (time / this.end) * width;
    this.bands.forEach((band, i) => {
      const base = (i + 1) * ROW;
      const mine = chosen?.kind === "tree" && chosen.id === band.tree && chosen.run === band.run;
      if (mine) {
        pen.fillStyle = css(ROLES.branch, 0.22);
        pen.fillRect(0, base - ROW + 1, width, ROW);
      }
      pen.fillStyle = css(colours.ink, 0.1);
      pen.fillRect(0, base, width, 1);
      pen.fillStyle = css(ROLES.branch, 0.95);
      for (const [from, to, links] of band.parts) {
        const tall = 3 + (ROW - 5) * Math.sqrt(links / this.most);
        const right = across(to);
        const left = Math.min(across(from), right - 1);
        pen.fillRect(left, base - tall, right - left + 0.5, tall);
      }
      const name = this.model.tag(band.run, "  ") + visible(band.root);
      pen.strokeStyle = css(colours.background, 0.85);
      pen.lineWidth = 3;
      pen.strokeText(name, 4, base - ROW / 2 + 1);
      pen.fillStyle = css(colours.ink, 0.95);
      pen.fillText(name, 4, base - ROW / 2 + 1);
    });
    pen.fillStyle = css(ROLES.root);
    pen.fillRect(across(this.model.time) - 1, 0, 2, height);
  }

  private under(event: MouseEvent): [Band | undefined, number] {
    const box = this.canvas.getBoundingClientRect();
    return [this.bands[Math.floor((event.clientY - box.top) / ROW)], ((event.clientX - box.left) / box.width) * this.end];
  }

  private choose(event: MouseEvent): void {
    const [band, time] = this.under(event);
    const chosen: Chosen | null = band ? { kind: "tree", run: band.run, id: band.tree } : this.model.state.chosen;
    this.model.set({ frame: this.model.frameOver(time), chosen, playing: false });
  }

  private told(event: MouseEvent): string {
    const [band, time] = this.under(event);
    return band ? visible(`${band.root}: ${this.model.clock(time)}`) : "";
  }

  stop(): void {
    cancelAnimationFrame(this.timer);
  }
}

function bandsOf(run: Model["data"]["runs"][number], index: number): Band[] {
  if (!run.trees) return [];
  const forest = new Forest(run, run.trees);
  return run.trees.lives.slice(0, MOST).map((life) => {
    const [branches, held] = [forest.series(life.tree, "branches"), forest.series(life.tree, "held")];
    const parts = branches.flatMap((n, i): Band["parts"] => (n === null ? [] : [[run.times[i - 1] ?? 0, run.times[i]!, n + (held[i] ?? 0)]]));
    // A tree that came and went between two frames has its life.
    if (!parts.length) parts.push([life.born_s, life.died_s ?? run.duration, life.links + life.held_links]);
    return { run: index, tree: life.tree, root: life.root, parts };
  });
}
