// Beside the fabric: what is chosen, with its numbers, lines and sentences; else the sentences of the runs.

import { chart } from "./chart";
import { h } from "./dom";
import type { Forest } from "./forest";
import { Teller, type Fact, type Facts } from "./facts";
import { List } from "./list";
import type { Chosen, Model } from "./state";
import { inWords, many } from "./words";

const ROOTS = 12; // trees that are listed without a choice, largest first

export class Panel {
  readonly element: HTMLElement;
  readonly teller: Teller;
  private readonly card = h("div", { class: "card" });
  private readonly live = h("div", { class: "live", "aria-live": "polite" });
  private charts: { follow(): void; stop(): void }[] = [];
  private readonly heading = h("h2"); // without a choice
  private readonly told = h("div");
  private readonly numbers = h("table", { class: "numbers" });
  private lists: List[] = [];

  constructor(private readonly model: Model, private readonly forests: (Forest | undefined)[], private readonly isDark: () => boolean, private readonly show: (chosen: Chosen) => void) {
    this.teller = new Teller(model, forests);
    this.element = h("aside", { "aria-label": "What is chosen, and the findings" }, this.card, this.findings(), this.live);
    model.listen((changed) => {
      if (["chosen", "by", "dark"].some((key) => changed.has(key as never))) this.rebuild();
      else if (changed.has("frame")) this.follow();
      if (changed.has("chosen") || changed.has("playing")) this.announce();
    });
    this.rebuild();
  }

  /** The sentences of explain: the whole of what is drawn, for those who do not see it. */
  private findings(): HTMLElement {
    const { runs } = this.model.data;
    return h(
      "section",
      { class: "findings", "aria-label": "Findings" },
      h("h2", {}, "What was seen"),
      ...runs.flatMap((run, i) => [
        runs.length > 1 ? h("h3", {}, `${"AB"[i]}: ${run.name}`) : null,
        ...run.said.map((sentence) => h("p", {}, sentence)),
      ]),
    );
  }

  private rebuild(): void {
    for (const made of this.charts) made.stop();
    this.charts = [];
    const { chosen } = this.model.state;
    const list = (title: string) => new List(title, (to) => this.model.set({ chosen: to }));
    if (!chosen) {
      this.lists = [list("Roots")];
      this.card.replaceChildren(
        this.heading, this.lists[0]!.element, h("p", { class: "hint" }, "Click on a root, a link, a switch or a host for its numbers over time."),
      ); // prettier-ignore
      this.follow();
      return;
    }
    const facts = this.teller.tell(chosen);
    const runs = this.model.data.runs;
    const close = h("button", { type: "button", class: "close", "aria-label": "Choose nothing", title: "Choose nothing (Escape)", click: () => this.model.set({ chosen: null }) }, "×");
    const where = h("button", { type: "button", class: "plainly", click: () => this.show(chosen) }, "Show it");
    const tag = runs.length > 1 ? ` in ${"AB"[chosen.run]}` : "";
    this.card.replaceChildren(
      h("header", {}, h("div", {}, h("h2", { class: "name" }, facts.title), h("p", { class: "kind" }, facts.kind + tag)), where, close),
      this.told, this.numbers,
    ); // prettier-ignore
    const width = Math.max(220, (this.element.clientWidth || 360) - 34);
    for (const { title, unit, lines } of facts.charts) {
      const made = chart(this.model, title, unit, lines, this.isDark(), width);
      this.charts.push(made);
      this.card.append(made.element);
    }
    this.lists = facts.links.map(({ title }) => list(title));
    this.card.append(...this.lists.map(({ element }) => element));
    this.follow(facts);
  }

  private table(facts: Facts): HTMLElement[] {
    const bodies: HTMLElement[] = [];
    const both = this.model.data.runs.length > 1 && facts.now.concat(facts.measured, facts.whole).some((fact) => fact.values.length > 1);
    const part = (title: string, rows: Fact[]) => {
      if (!rows.length) return;
      const heads = both ? ["A", "B"] : [""];
      const head = h("tr", {}, h("th", { scope: "col" }, title), ...heads.map((name) => h("th", { scope: "col" }, name)));
      const body = rows.map((row) => h("tr", {}, h("th", { scope: "row" }, row.name), ...row.values.map((value) => h("td", {}, value))));
      bodies.push(h("tbody", {}, head, ...body));
    };
    part(`At ${this.model.clock()}`, facts.now);
    const after = this.measured();
    if (after) part(after, facts.measured);
    part("In the whole run", after ? facts.whole : facts.measured.concat(facts.whole));
    return bodies;
  }

  /** From when on the runs are measured; "" if that is from their beginning. */
  private measured(): string {
    const times = this.model.data.runs.map((run) => run.warm_up);
    if (!Math.max(...times)) return "";
    const same = times.every((time) => time === times[0]);
    return `After the warm-up of ${same ? inWords(times[0], "s") : times.map((time, i) => `${inWords(time, "s")} (${"AB"[i]})`).join(" and ")}`;
  }

  /** Without a choice: the trees there are at this instant. */
  private summary(): void {
    const rows = this.model.data.runs.flatMap((run, r) => {
      const frame = this.model.frameOf(run);
      return frame === null ? [] : (this.forests[r]?.rows(frame) ?? []).map((row) => ({ run: r, row }));
    });
    const lives = (run: number) => this.model.data.runs[run]!.trees!.lives;
    const items = rows
      .sort((a, b) => b.row.branches - a.row.branches)
      .slice(0, ROOTS)
      .map(({ run, row }) => ({
        label: lives(run).find((life) => life.tree === row.tree)?.root ?? String(row.tree),
        note: `${this.model.tag(run, ", ")}${many(row.branches + row.held, "link")}`,
        chosen: { kind: "tree", run, id: row.tree } as Chosen,
      }));
    const looked = this.model.data.runs.some((run) => run.trees);
    const now = this.model.clock();
    const count = rows.length ? many(rows.length, "congestion tree") : "No congestion tree";
    this.heading.textContent = looked ? `${count} at ${now}` : `At ${now}`;
    this.lists[0]!.fill(items, rows.length, true);
  }

  /** What changes with time. */
  private follow(facts?: Facts): void {
    const { chosen } = this.model.state;
    if (!chosen) {
      this.summary();
      return;
    }
    facts ??= this.teller.tell(chosen);
    this.told.replaceChildren(...facts.said.map((sentence) => h("p", { class: "said" }, sentence)));
    this.numbers.replaceChildren(...this.table(facts));
    facts.links.forEach(({ items, of }, i) => this.lists[i]!.fill(items, of));
    for (const made of this.charts) made.follow();
  }

  /** What readers of the screen hear when something was chosen, or when the play stops. */
  private announce(): void {
    const { chosen, playing } = this.model.state;
    if (playing) return;
    const said = chosen ? `${this.teller.name(chosen)}. ${this.teller.tell(chosen).said.join(" ")}` : (this.card.querySelector("h2")?.textContent ?? "");
    this.live.textContent = said;
  }
}
