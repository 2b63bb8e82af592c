// The keyboard: everything that the pointer can do but aim.

import type { Model } from "./state";
import type { Scene } from "./scene";
import type { Search } from "./search";
import type { Timeline } from "./timeline";
import type { Tools } from "./tools";

export interface Parts {
  scene: Scene;
  timeline: Timeline;
  search: Search;
  tools: Tools;
  toggleDark(): void;
}

export function listen(target: HTMLElement, model: Model, parts: Parts): void {
  target.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (parts.tools.help.open && event.key !== "?") return;
    const from = event.target as HTMLElement;
    const types = from.tagName === "SELECT" || (from instanceof HTMLInputElement && from.type === "search");
    if (types && event.key !== "Escape") return;
    if (presses(from) && (event.key === " " || event.key === "Enter")) return;
    const act = actions(model, parts)[event.key];
    if (!act) return;
    event.preventDefault();
    act(event.shiftKey ? 10 : 1);
  });
}

/** Whether space and Enter are this control's own. */
function presses(control: HTMLElement): boolean {
  return control.tagName === "BUTTON" || control.tagName === "SUMMARY" || (control instanceof HTMLInputElement && control.type === "checkbox");
}

function actions(model: Model, parts: Parts): Record<string, (times: number) => void> {
  const { state } = model;
  const by = (step: number) => {
    const all = model.quantities();
    if (all.length) model.set({ by: all[(all.indexOf(state.by) + step + all.length) % all.length]! });
  };
  return {
    " ": () => parts.timeline.toggle(),
    ArrowLeft: (times) => model.set({ frame: state.frame - times, playing: false }),
    ArrowRight: (times) => model.set({ frame: state.frame + times, playing: false }),
    ArrowDown: () => by(1),
    ArrowUp: () => by(-1),
    Home: () => model.set({ frame: 0, playing: false }),
    End: () => model.set({ frame: model.times.length - 1, playing: false }),
    n: () => next(model, 1),
    p: () => next(model, -1),
    "+": () => parts.scene.zoom(0.5),
    "=": () => parts.scene.zoom(0.5),
    "-": () => parts.scene.zoom(-0.5),
    "0": () => parts.scene.fit(),
    t: () => model.set({ trees: !state.trees }),
    x: () => model.set({ difference: !state.difference && model.data.runs.length > 1 }),
    "/": () => parts.search.input.focus(),
    d: () => parts.toggleDark(),
    "?": () => parts.tools.toggleHelp(),
    Escape: () => model.set({ chosen: null }),
  };
}

/** The next tree at the instant shown, largest first. */
function next(model: Model, step: number): void {
  const here = model.data.runs.flatMap((run, r) => {
    const rows = run.trees?.rows;
    const frame = model.frameOf(run);
    if (!rows || frame === null) return [];
    const found: { run: number; id: number; size: number }[] = [];
    for (let i = 0; i < rows.frame.length; i++) if (rows.frame[i] === frame) found.push({ run: r, id: rows.tree[i]!, size: rows.branches[i]! });
    return found;
  });
  if (!here.length) return;
  here.sort((a, b) => a.run - b.run || b.size - a.size || a.id - b.id);
  const { chosen } = model.state;
  const at = here.findIndex((tree) => chosen?.kind === "tree" && tree.id === chosen.id && tree.run === chosen.run);
  const to = here[(at + step + here.length + (at < 0 && step < 0 ? 1 : 0)) % here.length]!;
  model.set({ chosen: { kind: "tree", run: to.run, id: to.id } });
}
