// Cards of scores, and the evidence of one of them painted on the texts.

import { sentence } from "./api.js";
import { element, given, visible } from "./dom.js";
import { number, range } from "./scoring.js";

const FLAGS = {
  truncated: "part of the text was not read: it is longer than the model can read",
  language: "made for English, and this does not look like English",
  case: "the text is all in one case, so names are hard to tell",
};

/** How people find out what a mark means. */
export const HOW_TO_READ = matchMedia("(hover: none)").matches
  ? "Tap a mark to read why; tap it again to see its match."
  : "Point at a mark to read why; click it to see its match.";

/** One card per measure, in the order of the request; `choose(label)` is called with a choice. */
export class Cards {
  constructor(scoring, row, choose) {
    Object.assign(this, { scoring, row, cards: new Map() });
    this.node = element("ul", { class: "cards", "aria-label": "Scores" });
    for (const measure of scoring.measures) {
      const card = element("button", { type: "button", class: "score", "aria-pressed": "false", onclick: () => choose(measure.label) });
      this.cards.set(measure.label, card);
      this.node.append(element("li", {}, card));
      this.update(measure.label);
    }
  }

  update(label) {
    const card = this.cards.get(label);
    if (card) card.replaceChildren(...cardParts(this.scoring.measure(label), this.scoring.rows[this.row].get(label), this.scoring.state));
  }

  updateAll() {
    for (const label of this.cards.keys()) this.update(label);
  }

  choose(label) {
    for (const [name, card] of this.cards) card.setAttribute("aria-pressed", String(name === label));
  }
}

function cardParts(measure, score, state) {
  const waiting = !score;
  const value = waiting ? (state === "running" ? "…" : "–") : number(score.value);
  return [
    element("span", { class: "label" }, visible(measure.label)),
    element("span", { class: waiting ? "value quiet" : "value" }, value),
    scale(measure, score?.value),
    element("span", { class: "quiet direction" }, range(measure)),
    measure.meaning && element("span", { class: "meaning" }, sentence(measure.meaning)),
    measure.follows && measure.direction !== "neither" &&
      element("span", { class: "quiet" }, `It follows ${measure.follows} more than quality.`),
    ...(score?.flags ?? []).map((flag) => element("span", { class: "warn" }, `${visible(flag)}: ${FLAGS[flag] ?? "a warning of the measure"}`)),
    score?.problem && element("span", { class: "bad" }, given(sentence(score.problem))),
  ].filter(Boolean);
}

/** Where the value lies between its bounds. */
function scale({ bounds, direction }, value) {
  const [low, high] = bounds ?? [];
  if (!Number.isFinite(low) || !Number.isFinite(high)) return null;
  const bar = element("span", { class: "scale", "aria-hidden": "true" });
  if (typeof value === "number") {
    const fill = element("span", { class: direction === "neither" ? "fill is-plain" : "fill" });
    fill.style.setProperty("width", `${(100 * Math.min(1, Math.max(0, (value - low) / (high - low)))).toFixed(1)}%`);
    bar.append(fill);
  }
  return bar;
}

/** A text of the page, ready to be painted on. */
export function pane(title, note = "") {
  const text = element("div", { class: "text", role: "group", tabindex: "0", "aria-label": title });
  const head = element("h3", {}, title, note && element("span", { class: "quiet" }, " ", given(note)));
  return { text, head, node: element("div", { class: "pane" }, head, text) };
}

/** The evidence of one score: what it means in words, and the texts side by side. */
export class Evidence {
  constructor(example, title, note = "") {
    this.example = example;
    this.sources = [example.source].flat();
    this.references = example.references ?? [];
    const many = this.sources.length > 1;
    this.summaryPane = pane(title, note);
    this.sourcePanes = this.sources.map((_, at) => pane(many ? `Source ${at + 1}` : "Source"));
    this.referencePanes = this.references.map((_, at) => pane(this.references.length > 1 ? `Reference ${at + 1}` : "Reference"));
    this.caption = element("p", { class: "caption", role: "status" });
    this.legend = element("ul", { class: "legend", "aria-label": "Legend" });
    this.lines = element("ul", { class: "lines" });
    this.parts = element("details", { class: "parts", hidden: true });
    const others = element("div", { class: "stack" }, ...[...this.sourcePanes, ...this.referencePanes].map(({ node }) => node));
    const left = element("div", { class: "stack" }, this.summaryPane.node, this.lines, this.parts);
    this.node = element("div", { class: "evidence" }, this.caption, this.legend,
      element("div", { class: "texts", "data-example": true }, left, others));
    this.show(null, null);
  }

  /** Paint what a score is based on; without a score only the texts are shown. */
  show(measure, score) {
    const painting = score?.painting;
    const marks = painting?.marks ?? [];
    window.tricolore.paint(this.summaryPane.text, this.example.summary, marks, "summary", 0);
    this.sourcePanes.forEach(({ text }, at) => window.tricolore.paint(text, this.sources[at], marks, "source", at));
    this.referencePanes.forEach(({ text, node }, at) => {
      window.tricolore.paint(text, this.references[at], marks, "reference", at);
      node.hidden = this.sources.length > 0 && !marks.some(({ where }) => where === "reference");
    });
    this.caption.replaceChildren(...captionOf(measure, score));
    window.tricolore.legend(this.legend, painting?.legend ?? []);
    this.lines.replaceChildren(...(painting?.lines ?? []).map((line) => element("li", {}, given(line))));
    this.parts.replaceChildren(...partsOf(score));
    this.parts.hidden = !this.parts.childElementCount;
  }
}

function captionOf(measure, score) {
  if (!measure) return ["Choose a score to see what it is based on."];
  const name = element("strong", {}, visible(measure.label));
  if (!score) return [name, " has no value yet."];
  if (score.problem) return [name, ": ", given(sentence(score.problem))];
  if (!score.painting?.marks.length) return [name, " has nothing to mark in these texts."];
  return [name, ` ${number(score.value)}. ${HOW_TO_READ}`];
}

function partsOf(score) {
  const parts = Object.entries(score?.parts ?? {});
  if (!parts.length) return [];
  return [
    element("summary", {}, `All ${parts.length} numbers of this score`),
    element("dl", {}, ...parts.flatMap(([name, value]) => [element("dt", {}, visible(name)), element("dd", { class: "number" }, number(value))])),
  ];
}
