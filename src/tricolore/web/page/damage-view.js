// Damages a summary on purpose and shows how each measure reacts.

import { askJson, sentence } from "./api.js";
import { element, given, visible } from "./dom.js";
import { distance, PairTable } from "./compare-view.js";
import { Evidence, pane } from "./evidence-view.js";
import { better, Scoring } from "./scoring.js";

let kinds = null; // what the server can do, asked for once

const REACTIONS = {
  first: ["finds it worse", "noticed"],
  second: ["finds it better", "warn"],
  same: ["does not notice", "quiet"],
};

export class DamageView {
  /** `attempt(work)` shows what goes wrong with work; `run(work)` also lets people cancel it. */
  constructor(scoring, choose, { run, attempt }) {
    Object.assign(this, { scoring, choose, run, attempt, label: null, row: 0 });
    this.form = element("form", { class: "damage-form" });
    this.outcome = element("div", { class: "stack" });
    this.node = element("div", { class: "stack" },
      element("p", { class: "note" }, "A good measure of faithfulness notices when a summary is made worse. " +
        "Choose a kind of error; it is made at random places, and the damaged summary is scored like the original."),
      this.form, this.outcome);
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.damage();
    });
    this.load();
  }

  async load() {
    if (!kinds) {
      await this.attempt(async () => {
        kinds = await askJson("/v1/perturbations");
      }, () => this.load());
    }
    if (!kinds) return;
    this.kind = element("select", { id: "damage-kind", "aria-describedby": "damage-help", onchange: () => explain() },
      ...kinds.map(({ kind, is_available }) => element("option", { value: kind, disabled: !is_available }, kind)));
    if (kinds.some(({ kind }) => kind === "number-swap")) this.kind.value = "number-swap"; // needs no model
    this.errors = element("input", { id: "damage-errors", type: "number", min: "1", max: "100", step: "1", value: "2", inputmode: "numeric" });
    this.seed = element("input", { id: "damage-seed", type: "number", min: "0", step: "1", value: "0", inputmode: "numeric" });
    this.which = element("select", { id: "damage-which" },
      ...this.scoring.names.map((each, row) => element("option", { value: row }, `Summary ${each}`)));
    this.which.value = this.scoring.soundest;
    const help = element("p", { id: "damage-help", class: "note" });
    const explain = () => {
      const chosen = kinds.find(({ kind }) => kind === this.kind.value);
      const off = kinds.filter(({ is_available }) => !is_available).map(({ kind, why_not }) => sentence(`${kind} is not available: ${why_not}`));
      help.textContent = [sentence(chosen.summary), ...off].join(" ");
      this.errors.disabled = !chosen.is_counted;
    };
    explain();
    this.form.replaceChildren(
      element("div", { class: "bar" },
        this.scoring.names.length > 1 && labelled("Damage", this.which),
        labelled("Kind of damage", this.kind),
        labelled("Errors", this.errors),
        labelled("Seed", this.seed),
        element("button", { type: "submit", class: "primary" }, "Damage and score")),
      help);
  }

  async damage() {
    const row = Number(this.which.value);
    const original = this.scoring.request.examples[row];
    await this.run(async (signal, report) => {
      report("Damaging the summary…");
      const made = await askJson("/v1/perturb", {
        signal,
        body: { source: original.source, summary: original.summary, kind: this.kind.value,
          seed: Math.trunc(Number(this.seed.value)) || 0, errors: Math.trunc(Number(this.errors.value)) || 1 },
      });
      const request = { ...this.scoring.request, examples: [{ ...original, summary: made.summary, system: `${original.system}, damaged` }] };
      const damaged = new Scoring(request, ["damaged"]);
      this.show(row, made, damaged);
      await damaged.run(signal, () => {
        report(`${damaged.ready} of ${damaged.wanted} scores of the damaged summary are ready.`);
        this.update();
      });
      report(`The damaged summary is scored: ${this.reactions()}`);
    });
  }

  show(row, made, damaged) {
    Object.assign(this, { row, damaged });
    const name = this.scoring.names[row];
    const original = this.scoring.request.examples[row];
    const marks = changeMarks(original.summary, made.changes);
    const [before, after] = [pane(`Summary ${name}`), pane("Damaged summary")];
    window.tricolore.paint(before.text, original.summary, marks, "source", 0);
    window.tricolore.paint(after.text, made.summary, marks, "summary", 0);
    this.evidence = new Evidence(damaged.request.examples[0], "Damaged summary");
    this.tablePlace = element("div");
    this.outcome.replaceChildren(
      element("p", { class: "caption" }, `${made.changes.length} ${made.changes.length === 1 ? "change" : "changes"}: `,
        ...made.changes.slice(0, 8).flatMap((change, at) => [at ? ", " : "", given(changeWords(change, made.summary))]),
        made.changes.length > 8 ? ", …" : "", made.problem ? ` (${sentence(made.problem)})` : ""),
      element("div", { class: "texts", "data-example": true }, before.node, after.node),
      element("h3", {}, "How the measures reacted"),
      this.tablePlace, this.evidence.node);
    this.table = null;
    this.update();
  }

  update() {
    if (!this.damaged) return;
    if (!this.table && this.damaged.measures.length) {
      this.table = new PairTable({
        caption: "Scores of the original and the damaged summary",
        heads: ["Original", "Damaged", "Reaction"],
        measures: this.damaged.measures,
        scores: (label) => [this.scoring.rows[this.row].get(label), this.damaged.rows[0].get(label)],
        choose: this.choose,
        words: (measure, first, second, which) => {
          if (!which) return typeof first === "number" && typeof second === "number" 
            ? element("span", { class: "quiet" }, `changes by ${distance(first, second)}`) : "";
          const [reaction, look] = REACTIONS[which];
          return element("span", { class: look }, which === "same" ? reaction : `${reaction}, by ${distance(first, second)}`);
        },
      });
      this.tablePlace.replaceChildren(this.table.node);
    }
    this.table?.update();
    this.showEvidence(this.label);
  }

  /** How many of the measures that can notice damage did. */
  reactions() {
    const found = this.damaged.measures.map(({ direction, label }) =>
      better(direction, ...[this.scoring.rows[this.row], this.damaged.rows[0]].map((scores) => scores.get(label)?.value)));
    const judging = found.filter((which, at) => which && this.damaged.measures[at].direction !== "neither");
    return `${judging.filter((which) => which === "first").length} of ${judging.length} measures of quality find it worse.`;
  }

  showEvidence(label) {
    this.label = label;
    this.table?.choose(label);
    if (this.damaged) this.evidence.show(label ? this.damaged.measure(label) : null, this.damaged.rows[0].get(label));
  }
}

const labelled = (words, control) => element("div", { class: "labelled" }, element("label", { for: control.id }, words), control);

function changeWords({ start, end, before, label }, damaged) {
  const after = Array.from(damaged).slice(start, end).join("");
  return before && after ? `“${before}” → “${after}”` : label || before || after || "";
}

/** Marks on both texts; each leads to the other. `changes` count characters of the damaged text. */
function changeMarks(original, changes) {
  const marks = [];
  let shift = 0;
  const letters = Array.from(original);
  for (const change of [...changes].sort((a, b) => a.start - b.start)) {
    const length = Array.from(change.before ?? "").length;
    const start = change.start - shift;
    shift += change.end - change.start - length;
    const fits = letters.slice(start, start + length).join("") === change.before;
    const at = marks.length;
    const both = change.end > change.start && length > 0 && fits;
    if (change.end > change.start) {
      marks.push({ where: "summary", document: 0, start: change.start, end: change.end, kind: "changed", item: "", shade: 3,
        words: change.before ? `This was “${visible(change.before)}”.` : "This was added.", ...(both ? { match: at + 1 } : {}) });
    }
    if (length > 0 && fits) {
      marks.push({ where: "source", document: 0, start, end: start + length, kind: "changed", item: "", shade: 3,
        words: change.end > change.start ? "This was changed." : "This was taken out.", ...(both ? { match: at } : {}) });
    }
  }
  return marks;
}
