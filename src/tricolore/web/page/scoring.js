// One request for scores, and what has arrived of its answer.

import { askLines, Refusal } from "./api.js";

export class Scoring {
  /** `names` are what the page calls the summaries: A, B, … */
  constructor(request, names) {
    this.request = request;
    this.names = names;
    this.measures = [];
    this.rows = request.examples.map(() => new Map());
    this.state = "running";
    this.seconds = 0;
  }

  /** The names of systems that people gave, "" where there is only our letter. */
  get systems() {
    return this.request.examples.map(({ system }, row) => (system === this.names[row] ? "" : system));
  }

  get labels() {
    return this.measures.map(({ label }) => label);
  }

  get ready() {
    return this.rows.reduce((sum, scores) => sum + scores.size, 0);
  }

  get wanted() {
    return this.rows.length * this.measures.length;
  }

  /** The row with the fewest marks for errors: damage shows best on a sound summary. */
  get soundest() {
    const faults = this.rows.map((scores) => [...scores.values()].reduce((sum, { painting }) =>
      sum + (painting?.marks.filter(({ kind }) => kind === "fault").length ?? 0), 0));
    return faults.indexOf(Math.min(...faults));
  }

  measure(label) {
    return this.measures.find((measure) => measure.label === label);
  }

  /** Read the answer; `changed(row, label)` is called with every score, and once without. */
  async run(signal, changed) {
    try {
      for await (const line of askLines("/v1/score/stream", { body: this.request, signal })) {
        if (line.problem) throw new Refusal(line.problem, { hint: line.hint ?? "" });
        if (line.measures) {
          this.measures = line.measures;
          changed();
        } else if (line.score) {
          this.rows[line.row].set(line.measure, line.score);
          changed(line.row, line.measure);
        } else if (line.done) {
          this.seconds = line.seconds;
          this.state = "done";
        }
      }
      if (this.state !== "done") throw new Refusal("The answer of the server broke off.", { hint: "The scores that arrived are shown." });
    } catch (error) {
      this.state = error.name === "AbortError" ? "cancelled" : "failed";
      if (this.state === "failed") throw error;
    }
  }

  /** The answer as the API gives it, with the request that it answers. */
  toJson() {
    return {
      request: this.request,
      measures: this.measures,
      results: this.rows.map((scores) => ({ scores: Object.fromEntries(scores) })),
    };
  }
}

const SIZES = [[100, 1], [10, 2], [0, 3]];

/** A value as people read it: whole numbers as they are, others with about three digits. */
export function number(value) {
  if (value === null || value === undefined) return "–";
  if (Number.isInteger(value)) return value.toLocaleString("en");
  const [, digits] = SIZES.find(([least]) => Math.abs(value) >= least);
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Which of two values is better: `first`, `second`, `same`, or "" if that cannot be said. */
export function better(direction, first, second) {
  if (typeof first !== "number" || typeof second !== "number") return "";
  if (Math.abs(first - second) <= 1e-9 * Math.max(1, Math.abs(first), Math.abs(second))) return "same";
  if (direction !== "higher" && direction !== "lower") return "";
  return (direction === "higher") === (first > second) ? "first" : "second";
}

const DIRECTIONS = { higher: "↑ higher is better", lower: "↓ lower is better" };

/** Direction and range in words. */
export function range({ direction, bounds, follows }) {
  if (!DIRECTIONS[direction]) return follows ? `tells of ${follows}, not of quality` : "describes, does not judge";
  const [low, high] = (bounds ?? []).map((bound) => (Number.isFinite(bound) ? number(bound) : null));
  const words = DIRECTIONS[direction];
  return low && high ? `${words}, from ${low} to ${high}` : words;
}
