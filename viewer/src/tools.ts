// The row of controls above the fabric, and the list of keys.

import { h } from "./dom";
import type { Model } from "./state";

export const KEYS: [string, string][] = [
  ["space", "play or stop"],
  ["← →", "one sample back or on (with shift: ten)"],
  ["Home End", "first and last sample"],
  ["n p", "next and previous tree in this sample"],
  ["+ − 0", "nearer, farther, all of it"],
  ["arrows up, down", "next and previous colouring"],
  ["t", "trees on or off"],
  ["x", "differences on or off (two runs)"],
  ["/", "find a name"],
  ["d", "dark or light"],
  ["Escape", "choose nothing"],
  ["?", "this list"],
];

export class Tools {
  readonly element: HTMLElement;
  readonly help: HTMLDialogElement;

  constructor(model: Model, search: HTMLElement, toggleDark: () => void) {
    const { data } = model;
    const select = h("select", { class: "by", change: (event: Event) => model.set({ by: (event.target as HTMLSelectElement).value }) });
    for (const id of model.quantities()) {
      const quantity = data.runs.map((run) => model.quantity(run, id)).find((q) => q)!;
      select.append(h("option", { value: id, title: quantity.meaning }, quantity.label));
    }
    const box = (key: "trees" | "difference", text: string, title: string) => {
      const input = h("input", { type: "checkbox", change: () => model.set({ [key]: input.checked }) });
      const update = () => (input.checked = model.state[key]);
      model.listen(update);
      update();
      return h("label", { title }, input, text);
    };
    const licences = h("pre", { tabindex: 0 });
    licences.textContent = LICENCES;
    this.help = h(
      "dialog",
      { class: "help", click: () => this.help.close() },
      h("h2", {}, "Keys"),
      h("dl", {}, ...KEYS.flatMap(([key, what]) => [h("dt", {}, key), h("dd", {}, what)])),
      h("p", {}, "Drag to move, turn the wheel to zoom, click on anything for its numbers. The address of the page remembers what is seen."),
      h("details", { click: (event: Event) => event.stopPropagation() }, h("summary", {}, "What this page is built from, with licences"), licences),
    );
    model.listen((changed) => {
      if (changed.has("by")) select.value = model.state.by;
    });
    select.value = model.state.by;
    const titles = data.runs.map((run, i) => model.tag(i) + run.name).join("  ·  ");
    this.element = h(
      "header",
      { class: "tools" },
      h("h1", { title: data.runs[0]!.description || undefined }, titles),
      model.quantities().length ? h("label", {}, "Links by", select) : null,
      data.runs.some((run) => run.trees) ? box("trees", "trees", "Draw congestion trees over the links (t)") : null,
      data.runs.length > 1 && model.quantities().length ? box("difference", "differences", "Colour the links of B by how they differ from A (x)") : null,
      search,
      h("button", { type: "button", "aria-label": "Dark or light", title: "Dark or light (d)", click: toggleDark }, "◐"),
      h("button", { type: "button", "aria-label": "Keys", title: "Keys (?)", click: () => this.toggleHelp() }, "?"),
    );
  }

  toggleHelp(): void {
    if (this.help.open) this.help.close();
    else this.help.showModal();
  }
}
