// A list of things to look at. It is filled anew at every instant, in place: it stays open or closed, and what has the
// focus, or is being clicked on, stays there.

import { h, visible } from "./dom";
import type { Chosen } from "./state";
import { firstOf } from "./words";

export interface Item {
  label: string;
  note: string;
  chosen: Chosen;
}

const FEW = 4; // items that are shown at once

export class List {
  readonly element: HTMLDetailsElement;
  private readonly summary = h("summary");
  private readonly rows = h("ul");
  private readonly items: Item[] = [];
  private met = false;

  constructor(private readonly title: string, private readonly choose: (chosen: Chosen) => void) {
    this.element = h("details", { class: "list", hidden: true }, this.summary, this.rows);
  }

  /** Shows these items, the first of `of`; a list of few is open at first, or if `open` says so. */
  fill(items: Item[], of = items.length, open = items.length <= FEW): void {
    this.element.hidden = !items.length;
    if (!this.met && items.length) [this.met, this.element.open] = [true, open];
    const count = items.length < of ? `: ${firstOf(items.length, of)}` : of > 1 ? ` (${of})` : "";
    this.summary.textContent = this.title + count;
    while (this.rows.children.length > items.length) this.rows.lastChild!.remove();
    while (this.rows.children.length < items.length) this.rows.append(this.row(this.rows.children.length));
    items.forEach((item, i) => {
      this.items[i] = item;
      const [name, note] = this.rows.children[i]!.children;
      if (name!.textContent !== visible(item.label)) name!.textContent = visible(item.label);
      note!.textContent = visible(item.note);
    });
  }

  private row(at: number): HTMLElement {
    return h("li", {}, h("button", { type: "button", class: "plainly", click: () => this.choose(this.items[at]!.chosen) }), h("span"));
  }
}
