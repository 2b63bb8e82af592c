// What colours and signs mean.

import { css, ROLES, theme, type RGB } from "./colours";
import { h } from "./dom";
import { draw, type Sign } from "./icons";
import type { Model } from "./state";
import { inWords } from "./words";

export class Legend {
  readonly element = h("div", { class: "legend" });

  constructor(private readonly model: Model, private readonly isDark: () => boolean) {
    model.listen((changed) => {
      if (["by", "trees", "difference", "dark"].some((key) => changed.has(key as never))) this.update();
    });
    this.update();
  }

  update(): void {
    const { data, state } = this.model;
    const colours = theme(this.isDark());
    const of = data.runs.map((run) => this.model.quantity(run)).filter((q) => q);
    const parts: (HTMLElement | null)[] = [];
    const some = of[0];
    if (some) {
      const only = of.length < data.runs.length ? `; only ${"AB"[data.runs.findIndex((run) => this.model.quantity(run))]} recorded it` : "";
      const full = Math.max(...of.map((q) => q!.full));
      const ramp = (stops: RGB[]) => `linear-gradient(to right, ${stops.map((c) => css(c)).join(",")})`;
      if (this.model.differs) {
        const bar = h("span", { class: "ramp" });
        bar.style.background = ramp([...colours.less].reverse().concat(colours.more.slice(1)));
        parts.push(h("div", { class: "scale" }, h("span", {}, `B: less ${some.label}`), bar, h("span", {}, "more than A")));
      } else {
        const bar = h("span", { class: "ramp" });
        bar.style.background = ramp(colours.ramp);
        parts.push(h("div", { class: "scale", title: some.meaning }, h("span", {}, `${some.label}: 0`), bar, h("span", {}, inWords(full, some.unit) + only)));
      }
    }
    if (state.trees && data.runs.some((run) => run.trees)) {
      parts.push(
        h(
          "ul",
          {},
          sign("star", ROLES.root, "root"), line(ROLES.branch, "branch: held, and waits for the root"), line(ROLES.held, "held, only victims wait"),
          sign("triangle", ROLES.culprit, "host that feeds a tree (pale: seldom)"), sign("cross", ROLES.victim, "host of a victim"),
        ),
      ); // prettier-ignore
    }
    this.element.replaceChildren(...parts.filter((part): part is HTMLElement => part !== null));
  }
}

function sign(name: Sign, colour: RGB, text: string): HTMLElement {
  const canvas = h("canvas", { width: 32, height: 32, "aria-hidden": "true" });
  const pen = canvas.getContext("2d")!;
  pen.fillStyle = pen.strokeStyle = css(colour);
  pen.translate(16, 16);
  draw(pen, name, 14);
  return h("li", {}, canvas, text);
}

function line(colour: RGB, text: string): HTMLElement {
  const mark = h("i", { "aria-hidden": "true" });
  mark.style.background = css(colour);
  return h("li", {}, mark, text);
}
