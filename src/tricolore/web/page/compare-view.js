// Two summaries side by side: which is better on which measure, and why.

import { button, element, visible } from "./dom.js";
import { HOW_TO_READ, pane } from "./evidence-view.js";
import { better, number } from "./scoring.js";

/**
 * A table of two columns of scores. `words(measure, first, second)` says what the last column says;
 * `choose(label)` is called when people choose a measure.
 */
export class PairTable {
  constructor({ caption, heads, measures, scores, words, choose, marksBetter = false }) {
    Object.assign(this, { measures, scores, words, marksBetter });
    this.buttons = new Map();
    this.body = element("tbody");
    this.node = element("div", { class: "table-frame", role: "region", tabindex: "0", "aria-label": caption },
      element("table", { class: "pairs" },
        element("caption", { class: "hidden-text" }, caption),
        element("thead", {}, element("tr", {}, ...["Measure", ...heads].map((head, at) =>
          element("th", { scope: "col", class: at === 1 || at === 2 ? "number" : null }, head)))),
        this.body));
    for (const { label } of measures) {
      this.buttons.set(label, button(visible(label), () => choose(label), { class: "choose", "aria-pressed": "false" }));
    }
    this.update();
  }

  update() {
    this.body.replaceChildren(...this.measures.map((measure) => {
      const [first, second] = this.scores(measure.label).map((score) => score?.value);
      const which = better(measure.direction, first, second);
      const cell = (value, best) => element("td", { class: best && this.marksBetter ? "number is-better" : "number" }, number(value));
      return element("tr", {},
        element("th", { scope: "row" }, this.buttons.get(measure.label)),
        cell(first, which === "first"), cell(second, which === "second"),
        element("td", {}, this.words(measure, first, second, which)));
    }));
  }

  choose(label) {
    for (const [name, each] of this.buttons) each.setAttribute("aria-pressed", String(name === label));
  }
}

/** How far two values are apart. */
export const distance = (first, second) => number(Math.abs(second - first));

export class CompareView {
  constructor(scoring, choose, pair = [0, 1]) {
    Object.assign(this, { scoring, choose, pair, side: 0, label: null });
    // Marks look for their match inside this element.
    this.node = element("div", { class: "compare", "data-example": true });
    this.build();
  }

  build() {
    const { scoring, pair } = this;
    const [first, second] = pair.map((row) => scoring.names[row]);
    this.table = new PairTable({
      caption: `Scores of summary ${first} and summary ${second}`,
      heads: [first, second, "Better"],
      marksBetter: true,
      measures: scoring.measures,
      scores: (label) => pair.map((row) => scoring.rows[row].get(label)),
      choose: this.choose,
      words: (measure, a, b, which) => {
        if (which === "same") return "the same";
        if (!which) return measure.direction === "neither" && typeof a === "number" && typeof b === "number"
          ? element("span", { class: "quiet" }, `differ by ${distance(a, b)}`) : "";
        return element("span", {}, element("strong", {}, which === "first" ? first : second), ` by ${distance(a, b)}`);
      },
    });
    const examples = pair.map((row) => scoring.request.examples[row]);
    this.panes = pair.map((row, side) => {
      const made = pane(`Summary ${scoring.names[row]}`, scoring.systems[row]);
      for (const kind of ["pointerover", "focusin", "pointerdown"]) {
        made.node.addEventListener(kind, () => this.showSource(side), { capture: true });
      }
      return made;
    });
    this.sources = [examples[0].source].flat();
    this.sourcePanes = this.sources.map((_, at) => pane(this.sources.length > 1 ? `Source ${at + 1}` : "Source"));
    this.caption = element("p", { class: "caption", role: "status" });
    this.legend = element("ul", { class: "legend", "aria-label": "Legend" });
    this.matched = element("p", { class: "note" });
    this.node.replaceChildren(
      scoring.names.length > 2 ? this.chooser() : "",
      this.table.node,
      element("p", { class: "note" }, "One pair of summaries shows a difference, not that one system is better than the other: " +
        "that takes many documents, and “tricolore compare” tests it."),
      this.caption, this.legend,
      element("div", { class: "texts" }, ...this.panes.map(({ node }) => node)),
      element("div", { class: "below" }, this.matched, ...this.sourcePanes.map(({ node }) => node)));
    this.show(this.label);
  }

  chooser() {
    const select = (side, words) => {
      const options = this.scoring.names.map((name, row) =>
        element("option", { value: row, selected: this.pair[side] === row }, `Summary ${name}`));
      return element("label", {}, `${words} `, element("select", { onchange: (event) => this.swap(side, Number(event.target.value)) }, ...options));
    };
    return element("div", { class: "bar" }, select(0, "Compare"), select(1, "with"));
  }

  swap(side, row) {
    this.pair[side] = row;
    this.build();
    this.node.querySelectorAll("select")[side].focus();
  }

  update() {
    this.table.update();
    if (this.label) this.show(this.label);
  }

  show(label) {
    this.label = label;
    this.table.choose(label);
    const scores = this.pair.map((row) => this.scoring.rows[row].get(label));
    this.paintings = scores.map((score) => score?.painting ?? { marks: [], legend: [] });
    this.panes.forEach(({ text }, side) =>
      window.tricolore.paint(text, this.scoring.request.examples[this.pair[side]].summary, this.paintings[side].marks, "summary", 0));
    this.caption.replaceChildren(...(!label ? ["Choose a measure in the table to see what its scores are based on."]
      : this.paintings.some(({ marks }) => marks.length)
        ? [element("strong", {}, visible(label)), `. ${HOW_TO_READ}`]
        : [element("strong", {}, visible(label)), " has nothing to mark in these texts."]));
    const entries = new Map(this.paintings.flatMap(({ legend }) => legend ?? []).map((entry) => [JSON.stringify(entry), entry]));
    window.tricolore.legend(this.legend, [...entries.values()]);
    this.showSource(this.side, true);
  }

  /** Paint on the source what the summary on one side was matched with. */
  showSource(side, always = false) {
    if (side === this.side && !always) return;
    this.side = side;
    this.matched.textContent = `Marks on the source belong to summary ${this.scoring.names[this.pair[side]]}; point at the other summary to see its marks.`;
    this.sourcePanes.forEach(({ text }, at) => window.tricolore.paint(text, this.sources[at], this.paintings[side].marks, "source", at));
  }
}
