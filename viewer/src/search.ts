// A search by name over switches, hosts, links, trees and flows.

import { h, visible } from "./dom";
import type { Chosen, Model } from "./state";
import type { Teller } from "./facts";

const MOST = 14;
const FLOWS = 2000; // more that match are not looked for

interface Hit {
  label: string;
  what: string;
  chosen: Chosen;
}

export class Search {
  readonly element: HTMLElement;
  readonly input: HTMLInputElement;
  private readonly list = h("ul", { class: "hits", role: "listbox", id: `hits-${Math.random().toString(36).slice(2)}` });
  private hits: Hit[] = [];
  private at = -1;

  constructor(private readonly model: Model, private readonly teller: Teller, private readonly go: (chosen: Chosen) => void) {
    this.input = h("input", {
      type: "search", placeholder: "Find a name  ( / )", "aria-label": "Find a host, switch, link, flow or tree by name", role: "combobox",
      "aria-expanded": "false", "aria-controls": this.list.id, autocomplete: "off", spellcheck: "false",
      input: () => this.update(), keydown: (event: KeyboardEvent) => this.key(event), blur: () => this.close(),
    }); // prettier-ignore
    this.element = h("div", { class: "search" }, this.input, this.list);
  }

  private find(word: string): Hit[] {
    const found: Hit[] = [];
    const { fabric, runs } = this.model.data;
    const wanted = word.toLowerCase();
    const add = (name: string, what: string, chosen: Chosen) => {
      if (name.toLowerCase().includes(wanted)) found.push({ label: name, what, chosen });
    };
    fabric.nodes.forEach((name, id) => add(name, id < fabric.hosts ? "host" : "switch", { kind: "node", run: 0, id }));
    runs.forEach((run, r) => run.trees?.lives.forEach((life) => add(life.root, runs.length > 1 ? `tree in ${"AB"[r]}` : "tree", { kind: "tree", run: r, id: life.tree })));
    fabric.ports.forEach((name, id) => add(name, "link", { kind: "port", run: 0, id }));
    found.push(...this.flows(wanted));
    const near = (hit: Hit) => (hit.label.toLowerCase() === wanted ? 0 : hit.label.toLowerCase().startsWith(wanted) ? 1 : 2);
    return found.sort((a, b) => near(a) - near(b)).slice(0, MOST); // stable: kinds stay in order
  }

  /** Flows with this in their names; of B those that A does not have. */
  private flows(wanted: string): Hit[] {
    const { runs } = this.model.data;
    const found: Chosen[] = [];
    const named = new Map<string, number>(); // how many have a name
    const name = ({ run, id }: Chosen) => this.teller.flowName(runs[run]!, id);
    runs.forEach(({ flows }, run) => {
      for (let id = 0; id < flows.listed && found.length < FLOWS; id++) {
        const flow: Chosen = { kind: "flow", run, id };
        if ((run > 0 && this.teller.same.place(run, id, 0) >= 0) || !name(flow).toLowerCase().includes(wanted)) continue;
        found.push(flow);
        named.set(name(flow), (named.get(name(flow)) ?? 0) + 1);
      }
    });
    return found.map((chosen) => {
      const label = name(chosen);
      const { flows } = runs[chosen.run]!;
      const of = named.get(label)! > 1 ? ` of the class ${flows.classes[flows.class[chosen.id]!]}` : "";
      return { label, what: `flow${of}${chosen.run > 0 ? ` in ${"AB"[chosen.run]}` : ""}`, chosen };
    });
  }

  private update(): void {
    const word = this.input.value.trim();
    this.hits = word ? this.find(word) : [];
    this.at = this.hits.length ? 0 : -1;
    const items = this.hits.map((hit, i) =>
      h("li", { role: "option", id: `${this.list.id}-${i}`, mousedown: () => this.choose(i) }, h("b", {}, hit.label), h("span", {}, hit.what)),
    );
    if (word && !items.length) items.push(h("li", { class: "none" }, `Nothing here is called ${visible(word)}.`));
    this.list.replaceChildren(...items);
    this.mark();
  }

  private mark(): void {
    this.input.setAttribute("aria-expanded", String(this.list.childElementCount > 0));
    [...this.list.children].forEach((item, i) => item.setAttribute("aria-selected", String(i === this.at)));
    if (this.at >= 0) this.input.setAttribute("aria-activedescendant", `${this.list.id}-${this.at}`);
    else this.input.removeAttribute("aria-activedescendant");
  }

  private key(event: KeyboardEvent): void {
    event.stopPropagation();
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const by = event.key === "ArrowDown" ? 1 : -1;
      this.at = this.hits.length ? (this.at + by + this.hits.length) % this.hits.length : -1;
      this.mark();
    } else if (event.key === "Enter" && this.at >= 0) this.choose(this.at);
    else if (event.key === "Escape") {
      this.close();
      this.input.blur();
    }
  }

  private choose(i: number): void {
    const hit = this.hits[i];
    this.close();
    this.input.value = "";
    this.input.blur();
    if (hit) this.go(hit.chosen);
  }

  private close(): void {
    this.hits = [];
    this.at = -1;
    this.list.replaceChildren();
    this.mark();
  }
}
