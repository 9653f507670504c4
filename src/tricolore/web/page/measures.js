// The form of measures, made from what the server tells about them, and the specs that it gives.

import { askJson, sentence } from "./api.js";
import { button, byId, copy, element, visible } from "./dom.js";

const DIRECTIONS = { higher: "higher is better", lower: "lower is better", neither: "" };
const GROUPS = [
  ["recommended", "Recommended"],
  ["references", "Need references"],
  ["others", "Others"],
  ["missing", "Not available here"],
];

const choices = new Map(); // name → the entry of the form
let more; // the field for specs that the form cannot express

/** Ask the server for its measures and make the form. */
export async function loadMeasures() {
  const measures = await askJson("/v1/measures");
  choices.clear();
  const groups = GROUPS.map(([key, title]) => {
    const members = ordered(measures.filter((measure) => groupOf(measure) === key)).map(entry);
    if (!members.length) return null;
    const count = element("span", { class: "quiet" }, ` ${members.length}`);
    return element("details", { open: key === "recommended", "data-group": key },
      element("summary", {}, title, count), ...members.map(({ box }) => box));
  });
  more = element("input", { id: "more", autocomplete: "off", spellcheck: "false", placeholder: "0.5*grounding+0.5*importance" });
  more.addEventListener("input", tell);
  const sums = element("details", { "data-group": "specs" },
    element("summary", {}, "Sums and other specs"),
    element("label", { for: "more", class: "note" }, "Specs, separated by commas. A sum of measures is a measure."), more);
  byId("catalogue").replaceChildren(...groups.filter(Boolean), sums);
  tell();
}

const groupOf = (measure) =>
  measure.is_available === false ? "missing"
  : measure.needs.includes("references") ? "references"
  : measure.is_recommended ? "recommended" : "others";

/** Measures of quality come before those that only describe. */
const ordered = (measures) => measures.toSorted((a, b) => (a.direction === "neither") - (b.direction === "neither"));

function entry(measure) {
  const id = `measure-${measure.name}`;
  const made = { measure, inputs: new Map(), preset: null };
  const off = measure.is_available === false;
  made.check = element("input", { type: "checkbox", id, disabled: off, "aria-describedby": `${id}-words`, onchange: tell });
  made.check.checked = !off && groupOf(measure) === "recommended";
  const settings = off ? null : settingsOf(made, id);
  made.box = element("div", { class: "choice" },
    made.check,
    element("label", { for: id }, measure.name),
    element("div", { class: "about" },
      element("p", { id: `${id}-words` },
        sentence(measure.meaning || measure.summary), element("span", { class: "quiet" }, ` ${extent(measure)}`),
        off && element("span", { class: "warn" }, ` ${sentence(measure.why_not ?? "")}`)),
      settings));
  choices.set(measure.name, made);
  return made;
}

function extent({ direction, follows, cost }) {
  return [
    DIRECTIONS[direction] ?? direction,
    follows && (direction === "neither" ? `tells of ${follows}, not of quality` : `follows ${follows} more than quality`),
    cost && `takes ${cost}`,
  ].filter(Boolean).map(sentence).join(" ");
}

function settingsOf(made, id) {
  const { measure } = made;
  const { settings } = measure;
  if (!settings.length) return null;
  const rows = settings.map((setting) => {
    const input = control(setting, `${id}-${setting.name}`, () => { made.check.checked = true; tell(); });
    made.inputs.set(setting.name, { setting, input });
    return element("div", { class: "setting" },
      element("label", { for: input.id }, setting.name), input,
      element("p", { id: `${input.id}-help`, class: "quiet" }, setting.help));
  });
  const presets = Object.keys(measure.presets ?? {});
  if (presets.length > 1) {
    made.preset = element("select", { id: `${id}-preset` }, element("option", { value: "" }, "default"),
      ...presets.map((name) => element("option", { value: name }, name)));
    made.preset.addEventListener("change", () => {
      show(made, base(made));
      made.check.checked = true;
      tell();
    });
    rows.unshift(element("div", { class: "setting" }, element("label", { for: made.preset.id }, "preset"), made.preset,
      element("p", { class: "quiet" }, "A named group of settings: where a paper and its released code differ, there is one for each.")));
  }
  const reset = button("Reset", () => {
    if (made.preset) made.preset.value = "";
    show(made, base(made));
    tell();
  }, { class: "quiet" });
  return element("details", { class: "settings" }, element("summary", {}, "Settings"), ...rows, reset);
}

function control(setting, id, changed) {
  const about = { id, "aria-describedby": `${id}-help`, onchange: changed };
  let input;
  if (setting.type === "true or false") input = element("input", { type: "checkbox", ...about });
  else if (setting.choices?.length) {
    input = element("select", about, ...setting.choices.map((choice) => element("option", { value: choice }, choice)));
  } else if (setting.type === "whole number") input = element("input", { type: "number", step: "1", ...about });
  else if (setting.type === "number") input = element("input", { type: "number", step: "any", ...about });
  else input = element("input", { type: "text", autocomplete: "off", spellcheck: "false", ...about });
  write(input, setting.default);
  return input;
}

const write = (input, value) => {
  if (input.type === "checkbox") input.checked = value === true || value === "true";
  else input.value = value ?? "";
};
const read = (input) => (input.type === "checkbox" ? String(input.checked) : input.value.trim());

/** The settings that hold without a change: the defaults, or those of the chosen preset. */
function base(made) {
  const found = {};
  for (const [name, { setting }] of made.inputs) found[name] = setting.default;
  return { ...found, ...(made.preset?.value ? made.measure.presets[made.preset.value] : {}) };
}

function show(made, values) {
  for (const [name, { input }] of made.inputs) write(input, values[name]);
}

function specOf(made) {
  const from = base(made);
  const words = made.preset?.value ? [`preset=${made.preset.value}`] : [];
  for (const [name, { input }] of made.inputs) {
    if (read(input) !== String(from[name] ?? "")) words.push(`${name}=${read(input)}`);
  }
  return words.length ? `${made.measure.name}:${words.join(",")}` : made.measure.name;
}

/** The specs of the chosen measures. */
export function specs() {
  const chosen = [...choices.values()].filter(({ check }) => check.checked).map(specOf);
  return more?.value.trim() ? [...chosen, more.value.trim()] : chosen;
}

/** Choose these specs; what the form cannot express goes into the field for specs. */
export function choose(given) {
  const others = [];
  for (const made of choices.values()) {
    made.check.checked = false;
    if (made.preset) made.preset.value = "";
    show(made, base(made));
  }
  for (const spec of given) if (!chooseOne(spec)) others.push(spec);
  more.value = others.join(",");
  if (others.length) more.closest("details").open = true;
  tell();
}

function chooseOne(spec) {
  const [name, rest = ""] = spec.split(/:(.*)/su);
  const made = choices.get(name.trim());
  if (!made || made.check.disabled || made.check.checked) return false;
  const pairs = rest.split(",").filter((pair) => pair.trim()).map((pair) => pair.split(/=(.*)/su).map((word) => word?.trim()));
  const known = pairs.every(([key, value]) => value !== undefined && (key === "preset"
    ? made.preset && value in made.measure.presets
    : made.inputs.has(key)));
  if (!known) return false;
  const preset = pairs.find(([key]) => key === "preset");
  if (preset) made.preset.value = preset[1];
  show(made, { ...base(made), ...Object.fromEntries(pairs.filter(([key]) => key !== "preset")) });
  made.check.checked = true;
  made.box.closest("details").open = true;
  return true;
}

function tell() {
  const chosen = specs();
  const pieces = chosen.flatMap((spec, at) => [at ? "," : "", at ? element("wbr") : "", visible(spec)]);
  byId("spec").replaceChildren(...(chosen.length ? pieces : ["no measure is chosen"]));
  byId("copy-spec").disabled = !chosen.length;
}

function filter() {
  const words = byId("filter").value.toLowerCase().split(/\s+/u).filter(Boolean);
  for (const { box, measure } of choices.values()) {
    const text = `${measure.name} ${measure.meaning ?? ""} ${measure.summary ?? ""}`.toLowerCase();
    box.hidden = !words.every((word) => text.includes(word));
  }
  for (const group of byId("catalogue").querySelectorAll("details[data-group]")) {
    const members = [...group.querySelectorAll(".choice")];
    if (!members.length) {
      group.hidden = words.length > 0;
      continue;
    }
    group.hidden = members.every((box) => box.hidden);
    if (words.length) group.open = true;
  }
  byId("catalogue").classList.toggle("is-empty", [...byId("catalogue").children].every((group) => group.hidden));
}

byId("filter").addEventListener("input", filter);
byId("filter").addEventListener("keydown", (event) => {
  if (event.key === "Enter") event.preventDefault(); // filtering is not sending
});
byId("copy-spec").addEventListener("click", (event) => copy(specs().join(","), event.currentTarget));
