// The door of the bundle: a page that carries its data in the element #congestree-data, or a widget of anywidget.

import uplotStyle from "uplot/dist/uPlot.min.css";
import { unpack, type Run } from "./data";
import { h, visible } from "./dom";
import { listen } from "./keys";
import { Legend } from "./legend";
import { Panel } from "./panel";
import { Scene } from "./scene";
import { Search } from "./search";
import { Model, type Chosen } from "./state";
import style from "./style.css";
import { Timeline } from "./timeline";
import { Tools } from "./tools";
import { inWords } from "./words";

export interface View {
  model: Model;
  scene: Scene;
  stop(): void;
}

/** Shows packed data in an element; `text` is the state to begin with, `said` is told of every later one, `keys` is what listens to the keyboard. */
export async function mount(place: HTMLElement, packed: string, text = "", said: (text: string) => void = () => {}, keys?: HTMLElement): Promise<View> {
  const model = new Model(await unpack(packed));
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => model.state.dark ?? system.matches;
  const toggleDark = () => model.set({ dark: !isDark() });
  model.read(text);

  const canvas = h("canvas", { role: "img", "aria-label": `The fabric of ${visible(model.data.title)}; the findings say in sentences what is drawn.` });
  const under = h("canvas", { class: "under", "aria-hidden": "true" });
  const names = h("canvas", { class: "names", "aria-hidden": "true" });
  const tip = h("div", { class: "tip", hidden: true });
  const stage = h("div", { class: "stage" }, under, canvas, names, tip);
  const root = h("div", { class: "congestree", tabindex: 0 });
  const parts: { scene?: Scene } = {};
  const go = (chosen: Chosen) => {
    model.set({ chosen });
    parts.scene?.show(chosen);
    root.focus({ preventScroll: true });
  };
  const forests: Scene["parts"][number]["forest"][] = [];
  const timeline = new Timeline(model, isDark);
  place.replaceChildren(root);
  let pointed: Chosen | null = null;
  const label = () => {
    tip.hidden = !pointed;
    if (pointed) tip.textContent = visible(describe(model, panel, pointed));
  };
  const hover = (chosen: Chosen | null, x: number, y: number) => {
    pointed = chosen;
    label();
    tip.style.transform = `translate(${Math.min(x + 14, stage.clientWidth - 200)}px, ${Math.min(y + 14, stage.clientHeight - 44)}px)`;
  };
  const [toolsPlace, panelPlace] = [h("div", { class: "tools" }, "…"), h("aside", {})];
  root.append(h("style", {}), toolsPlace, stage, panelPlace, timeline.element);
  root.firstElementChild!.textContent = uplotStyle + style;
  timeline.draw();
  const scene = new Scene(model, canvas, names, under, isDark, hover, () => {
    performance.mark("congestree-ready");
    root.setAttribute("data-ready", "yes");
  });
  parts.scene = scene;
  forests.push(...scene.parts.map((part) => part.forest));
  const panel = new Panel(model, forests, isDark, (chosen) => scene.show(chosen));
  const search = new Search(model, panel.teller, go);
  const tools = new Tools(model, search.element, toggleDark);
  if (model.data.runs.length > 1)
    stage.append(...model.data.runs.map((run, i) => caption(model, run, i)));
  stage.append(new Legend(model, isDark).element, zoomButtons(scene));
  toolsPlace.replaceWith(tools.element);
  panelPlace.replaceWith(panel.element);
  root.append(tools.help);
  root.classList.toggle("two", model.data.runs.length > 1);

  const dress = () => root.setAttribute("data-theme", isDark() ? "dark" : "light");
  const redress = () => {
    dress();
    if (model.state.dark === null) model.set({ dark: system.matches });
  };
  system.addEventListener("change", redress);
  dress();
  listen(keys ?? root, model, { scene, timeline, search, tools, toggleDark });
  model.listen((changed) => {
    if (changed.has("dark")) dress();
    if (changed.has("frame") || changed.has("by")) label(); // the pointer rests, and what is under it changes
    if (!model.state.playing) said(model.write());
  });
  const watch = new ResizeObserver(() => {
    scene.resize();
    timeline.draw();
  });
  watch.observe(stage);
  return {
    model,
    scene,
    stop: () => {
      watch.disconnect();
      system.removeEventListener("change", redress);
      timeline.stop();
      scene.stop();
      root.remove();
    },
  };
}

/** What is under the pointer, in a line. */
function describe(model: Model, panel: Panel, chosen: Chosen): string {
  const name = panel.teller.name(chosen);
  if (chosen.kind !== "port") return name;
  const run = model.data.runs[chosen.run]!;
  const quantity = model.quantity(run);
  return quantity ? `${name}: ${quantity.label} ${inWords(model.now(run, quantity.values, chosen.id), quantity.unit)}` : name;
}

/** The name of one of two runs above its drawing; and when it ended or begins, where the slider is beyond or before that. */
function caption(model: Model, run: Run, index: number): HTMLElement {
  const span = h("span", {});
  const update = () => {
    if (model.ended(run)) span.textContent = `: ended at ${inWords(run.duration, "s")}`;
    else span.textContent = model.frameOf(run) === null ? `: first sample at ${model.clock(run.times[0])}` : "";
  };
  model.listen((changed) => {
    if (changed.has("frame")) update();
  });
  update();
  return h("div", { class: `caption caption-${index}` }, h("b", {}, "AB"[index]!), ` ${run.name}`, span);
}

function zoomButtons(scene: Scene): HTMLElement {
  const button = (text: string, label: string, act: () => void) => h("button", { type: "button", "aria-label": label, title: label, click: act }, text);
  return h("div", { class: "zoom" }, button("+", "Nearer (+)", () => scene.zoom(0.5)), button("−", "Farther (-)", () => scene.zoom(-0.5)), button("⤢", "All of it (0)", () => scene.fit())); // prettier-ignore
}

interface WidgetModel {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  save_changes(): void;
  on(name: string, act: () => void): void;
}

/** The widget: traits data, state, height (python/congestree/view). */
async function render({ model, el }: { model: WidgetModel; el: HTMLElement }): Promise<() => void> {
  // Keys are the view's own while it has the focus: a notebook would take d d, x or 0 0 for commands about its cells.
  const place = h("div", { class: "congestree-cell", "data-lm-suppress-shortcuts": "true", keydown: (event: Event) => event.stopPropagation() });
  place.style.height = `${model.get("height")}px`;
  el.append(place);
  const view = await mount(place, String(model.get("data")), String(model.get("state")), (text) => {
    model.set("state", text);
    model.save_changes();
  });
  model.on("change:state", () => {
    if (String(model.get("state")) !== view.model.write()) view.model.read(String(model.get("state")));
  });
  return () => view.stop();
}

export default { render };

const carried = typeof document === "undefined" ? null : document.getElementById("congestree-data");
const page = carried && document.getElementById("congestree-view");
if (carried && page) {
  const remember = (text: string) => {
    if (location.hash.slice(1) !== text) history.replaceState(null, "", `#${text}`);
  };
  mount(page, carried.textContent ?? "", location.hash.slice(1), remember, document.body).then(
    (view) => {
      (window as unknown as { congestree: View }).congestree = view;
      window.addEventListener("hashchange", () => view.model.read(location.hash.slice(1)));
    },
    (error: unknown) => page.prepend(h("p", { class: "plain", role: "alert" }, `This page could not be drawn: ${error instanceof Error ? error.message : String(error)}`)),
  );
  carried.remove();
}
