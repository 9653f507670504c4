// The fields of the form: lists of texts, each with a name, and what a file or an example fills in.

import { button, byId, element, visible } from "./dom.js";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Fields for texts of one role; there is always at least `least`. */
class TextList {
  constructor(place, { id, noun, add, least, most, placeholder, numbered }) {
    Object.assign(this, { id, noun, least, most, placeholder, numbered, fields: [] });
    this.list = element("div", { class: "stack fields" });
    this.more = button(add, () => this.add("", "").area.focus(), { class: "quiet add" });
    place.append(this.list, this.more);
    this.texts = [];
  }

  add(text, system) {
    const field = { system };
    const id = `${this.id}-${crypto.randomUUID?.() ?? Math.random()}`;
    field.name = element("label", { for: id });
    field.area = element("textarea", {
      id, dir: "auto", spellcheck: "false", autocomplete: "off", placeholder: this.placeholder, required: true,
    });
    field.area.value = text;
    field.remove = button("Remove", () => this.remove(field), { class: "quiet" });
    field.box = element("div", { class: "field" }, element("div", { class: "bar" }, field.name, element("span", { class: "spring" }), field.remove), field.area);
    this.fields.push(field);
    this.list.append(field.box);
    this.rename();
    return field;
  }

  remove(field) {
    const at = this.fields.indexOf(field);
    field.box.remove();
    this.fields.splice(at, 1);
    this.rename();
    (this.fields[Math.min(at, this.fields.length - 1)]?.area ?? this.more).focus();
  }

  /** Names and numbers follow the order; what must stay has no button to remove it. */
  rename() {
    const single = this.fields.length === 1 && !this.numbered;
    this.fields.forEach((field, at) => {
      const name = single ? this.noun : `${this.noun} ${this.numbered ? LETTERS[at] : at + 1}`;
      field.name.replaceChildren(name);
      if (field.system && field.system !== LETTERS[at]) field.name.append(" ", element("bdi", { dir: "auto", class: "note" }, visible(field.system.slice(0, 60))));
      field.remove.setAttribute("aria-label", `Remove ${name}`);
      field.remove.hidden = this.fields.length <= this.least;
    });
    this.more.hidden = this.fields.length >= this.most;
  }

  /** The texts, each with the name that the page shows and the name of its system. */
  get given() {
    return this.fields.map((field, at) => ({
      name: this.numbered ? LETTERS[at] : String(at + 1), system: field.system, text: field.area.value, area: field.area,
    }));
  }

  get texts() {
    return this.given.map((each) => each.text);
  }

  set texts(given) {
    this.fields.forEach((field) => field.box.remove());
    this.fields = [];
    const filled = given.length ? given : Array(this.least).fill("");
    for (const each of filled.slice(0, this.most)) this.add(each.text ?? each, each.name ?? "");
    this.rename();
  }
}

export const sources = new TextList(byId("sources"), {
  id: "source", noun: "Source", add: "Add a source document", least: 1, most: 20,
  placeholder: "Paste the text that was summarised.",
});
export const summaries = new TextList(byId("summaries"), {
  id: "summary", noun: "Summary", add: "Add a summary to compare", least: 1, most: LETTERS.length, numbered: true,
  placeholder: "Paste a summary of it.",
});
export const references = new TextList(byId("references"), {
  id: "reference", noun: "Reference", add: "Add a reference", least: 0, most: 20,
  placeholder: "Paste a summary that somebody has written.",
});

/** Fill in one document: texts, or objects with `name` and `text`. */
export function fill(document) {
  sources.texts = document.sources;
  summaries.texts = document.summaries;
  references.texts = document.references ?? [];
  byId("references-part").open = Boolean(document.references?.length);
  for (const list of [sources, summaries]) for (const { area } of list.given) clearInvalid(area);
}

export function clearInvalid(area) {
  area.removeAttribute("aria-invalid");
}

/** The examples of a request, or the field and the words for what is missing. */
export function examples() {
  const source = sources.texts.filter((text) => text.trim());
  const compared = references.texts.filter((text) => text.trim());
  const filled = summaries.given.filter(({ text }) => text.trim());
  if (!source.length && !compared.length) return { missing: "Paste a source first.", area: sources.given[0].area };
  if (!filled.length) return { missing: "Paste a summary first.", area: summaries.given[0].area };
  return {
    names: filled.map(({ name }) => name),
    examples: filled.map(({ name, system, text }) => ({
      source: source.length === 1 ? source[0] : source,
      summary: text,
      references: compared,
      doc_id: "1",
      system: system || name,
    })),
  };
}

export const EXAMPLE = {
  sources: [
    "The town of Velmar will close its coal-fired heating plant in March and replace it with three heat pumps that draw " +
    "warmth from the river Osse, the mayor, Ines Halloran, said on Thursday. The work costs 18.4 million crowns, of which " +
    "the region pays 40 per cent.\n\n" +
    "The pumps will heat 6,200 homes, about half of the town. Halloran said that bills would fall by a tenth in the second " +
    "year. The plant’s 57 workers have been offered posts at the waterworks; 12 of them will retire instead.\n\n" +
    "Tomas Brandt, who leads the opposition in the council, called the timetable reckless, because the pumps have not been " +
    "tested in a winter as cold as that of 2012. The council approved the plan by 21 votes to 14.",
  ],
  summaries: [
    "Velmar will replace its coal-fired heating plant with three heat pumps in March. The work costs 14.8 million crowns. " +
    "Mayor Tomas Brandt said that bills would fall. A second plant will be built beside the airport in Lisbon.",
    "Velmar will replace its coal-fired heating plant with three river heat pumps in March for 18.4 million crowns. They will " +
    "heat 6,200 homes. Tomas Brandt of the opposition called the timetable reckless, but the council approved the plan.",
  ],
};
