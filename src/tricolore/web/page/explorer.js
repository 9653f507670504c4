// The page of `tricolore serve`: asks for scores and shows them with their evidence.

import { askJson, onMissingToken, Refusal, send } from "./api.js";
import { CompareView } from "./compare-view.js";
import { DamageView } from "./damage-view.js";
import { beginning, button, byId, copy, download, element, given, visible } from "./dom.js";
import { Cards, Evidence } from "./evidence-view.js";
import { documentsOf, FileProblem, readExamples } from "./files.js";
import { choose as chooseMeasures, loadMeasures, specs } from "./measures.js";
import { curl } from "./curl.js";
import { Scoring } from "./scoring.js";
import { clearInvalid, EXAMPLE, examples, fill, sources } from "./texts.js";

let scoring = null; // what the page shows
let chosen = null; // the label of the measure whose evidence is shown
let byHand = false; // whether people chose it
let views = new Map(); // key → the view behind a tab, made when it is first opened
let open = ""; // the key of the open tab
let working = null; // the AbortController of the work under way
let ended = Promise.resolve(); // when that work is over

// Notices

let countdown = 0;

/** Say what went wrong, with a button that tries again. */
function showProblem(error, again = null) {
  const notice = byId("notice");
  clearInterval(countdown);
  const retry = again && button("Try again", () => { hideProblem(); again(); });
  notice.replaceChildren(
    element("p", { role: "alert" }, element("strong", {}, given(error.message)), error.hint ? " " : "", error.hint ? given(error.hint) : ""),
    element("div", { class: "bar" }, retry, button("Close", hideProblem, { class: "quiet" })));
  notice.hidden = false;
  notice.scrollIntoView({ block: "nearest" });
  if (retry && error.seconds) waitWith(retry, error.seconds);
}

function waitWith(retry, seconds) {
  const until = Date.now() + 1000 * seconds;
  const tick = () => {
    const left = Math.ceil((until - Date.now()) / 1000);
    retry.disabled = left > 0;
    retry.textContent = left > 0 ? `Try again in ${left} s` : "Try again";
    if (left <= 0) clearInterval(countdown);
  };
  tick();
  countdown = setInterval(tick, 250);
}

function hideProblem() {
  clearInterval(countdown);
  byId("notice").hidden = true;
  byId("notice").replaceChildren();
}

const status = (words) => { byId("status").textContent = words; };

/** Do work and show what goes wrong with it, with a button that does it again. */
async function attempt(work, again = () => attempt(work)) {
  hideProblem();
  try {
    return await work();
  } catch (error) {
    if (error.name === "AbortError") return status("Cancelled.");
    if (!(error instanceof Refusal)) console.error(error);
    status("");
    showProblem(error instanceof Refusal ? error : new Refusal("Something in this page failed.", { hint: String(error) }), again);
  }
}

/** The same for work that can be cancelled; there is one at a time. */
async function run(work, again = () => run(work)) {
  if (working) return status("Wait until the scores are ready, or cancel them.");
  const mine = new AbortController();
  working = mine;
  byId("cancel").disabled = false;
  ended = attempt(() => work(mine.signal, status), again);
  await ended;
  working = null;
  byId("cancel").disabled = true;
}

// Scores

function request() {
  const found = examples();
  if (found.missing) {
    found.area.setAttribute("aria-invalid", "true");
    found.area.addEventListener("input", () => clearInvalid(found.area), { once: true });
    found.area.focus();
    status(found.missing);
    return null;
  }
  const measures = specs();
  if (!measures.length) {
    byId("filter").focus();
    status("Choose a measure first.");
    return null;
  }
  return { names: found.names, body: { examples: found.examples, measures, evidence: true } };
}

async function score() {
  const asked = request();
  if (!asked) return;
  working?.abort(); // what was asked before is no longer wanted
  await ended;
  await run(async (signal, report) => {
    const mine = new Scoring(asked.body, asked.names);
    report("The server is working…");
    progress(mine);
    await mine.run(signal, (row, label) => {
      if (row === undefined) start(mine);
      else arrived(row, label);
      report(`${mine.ready} of ${mine.wanted} scores are ready.`);
      progress(mine);
    }).finally(() => mine === scoring && finished());
    if (mine.state === "cancelled") report(mine.wanted ? `Cancelled: ${mine.ready} of ${mine.wanted} scores are ready.` : "Cancelled.");
    else report(`All ${mine.wanted} scores are ready, after ${mine.seconds.toFixed(1)} seconds.`);
    progress(mine);
  }, score);
}

function progress({ ready, wanted, state }) {
  const bar = byId("progress");
  bar.max = Math.max(1, wanted);
  bar.value = ready;
  bar.classList.toggle("is-running", state === "running");
}

/** The measures are known: show a card for each, which its score fills in. */
function start(mine) {
  const labels = new Set(mine.labels);
  scoring = mine;
  if (!byHand || !labels.has(chosen)) {
    chosen = null;
    byHand = false;
  }
  views = new Map();
  byId("saved").replaceChildren();
  byId("results").hidden = false;
  byId("welcome").hidden = true;
  makeTabs();
  openView("0");
  byId("action").scrollIntoView({ block: "start" });
}

function arrived(row, label) {
  const found = scoring.rows[row].get(label);
  const isOpen = open === String(row);
  if (!chosen && isOpen && found.painting?.marks.some(({ kind }) => kind === "fault")) chooseLabel(label);
  for (const view of views.values()) view.update(row, label);
}

function finished() {
  if (!chosen) {
    const first = scoring.labels.find((label) => scoring.rows[0].get(label)?.painting?.marks.length);
    if (first ?? scoring.labels[0]) chooseLabel(first ?? scoring.labels[0]);
  }
  for (const view of views.values()) view.update();
}

function chooseLabel(label) {
  chosen = label;
  for (const view of views.values()) view.choose(label);
}

const choose = (label) => {
  byHand = true;
  chooseLabel(label);
};

// Views

/** What is behind a tab: its element, and what happens with new scores and choices. */
function makeView(key) {
  if (key === "compare") {
    const view = new CompareView(scoring, choose);
    view.show(chosen);
    return { node: view.node, update: () => view.update(), choose: (label) => view.show(label) };
  }
  if (key === "damage") {
    const view = new DamageView(scoring, choose, { run, attempt });
    view.showEvidence(chosen);
    return { node: view.node, update: () => {}, choose: (label) => view.showEvidence(label) };
  }
  return summaryView(Number(key));
}

function summaryView(row) {
  const evidence = new Evidence(scoring.request.examples[row], `Summary ${scoring.names[row]}`, scoring.systems[row]);
  const cards = new Cards(scoring, row, (label) => {
    choose(label);
    if (matchMedia("(max-width: 760px)").matches) evidence.node.scrollIntoView({ block: "start" });
  });
  const show = (label) => {
    cards.choose(label);
    evidence.show(label ? scoring.measure(label) : null, scoring.rows[row].get(label));
  };
  show(chosen);
  return {
    node: element("div", { class: "judged" }, cards.node, evidence.node),
    choose: show,
    update: (changed, label) => {
      if (changed === undefined) cards.updateAll();
      else if (changed === row) cards.update(label);
      if (changed === undefined || (changed === row && label === chosen)) show(chosen);
    },
  };
}

function makeTabs() {
  const tabs = scoring.names.map((name, row) => tab(String(row), `Summary ${name}`, element("span", { class: "word" }, "Summary "), name));
  if (tabs.length > 1) tabs.push(tab("compare", "Compare", "Compare"));
  byId("views").replaceChildren(...tabs, tab("damage", "Damage", "Damage"));
}

/** A tab with a full name; a narrow screen shows less of it. */
function tab(key, name, ...words) {
  const about = { type: "button", role: "tab", id: `tab-${key}`, "data-key": key, "aria-controls": "view", "aria-label": name };
  return element("button", { ...about, onclick: () => openView(key) }, ...words);
}

function openView(key) {
  open = key;
  for (const tab of byId("views").children) {
    const isOpen = tab.dataset.key === key;
    tab.setAttribute("aria-selected", String(isOpen));
    tab.tabIndex = isOpen ? 0 : -1;
  }
  if (!views.has(key)) views.set(key, makeView(key));
  byId("view").replaceChildren(views.get(key).node);
  byId("view").setAttribute("aria-labelledby", `tab-${key}`);
}

byId("views").addEventListener("keydown", (event) => {
  const tabs = [...event.currentTarget.children];
  const at = tabs.indexOf(event.target);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
  if (at < 0 || to === undefined) return;
  event.preventDefault();
  const next = tabs.at(to % tabs.length);
  openView(next.dataset.key);
  next.focus();
});

// Files

async function readFile(file, into = null) {
  const note = byId("file-note");
  note.className = "note";
  try {
    const read = await readExamples(file);
    byId("rows").hidden = true;
    if (read.text !== undefined) {
      const area = into ?? sources.given[0].area;
      area.value = read.text;
      clearInvalid(area);
      area.focus();
      note.replaceChildren(given(file.name), " is now a text below.");
      return;
    }
    listRows(read.documents);
    note.replaceChildren(given(file.name), `: ${count(read.documents.length, "document")}, ${count(
      read.documents.reduce((sum, { summaries: all }) => sum + all.length, 0), "summary", "summaries")}.`,
      read.skipped.length ? element("span", { class: "warn" }, ` ${read.skipped[0]}${read.skipped.length > 1 ? ` ${read.skipped.length - 1} more like this.` : ""}`) : "");
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    note.className = "note bad";
    note.replaceChildren(given(error.message));
  }
}

const count = (number, noun, plural = `${noun}s`) => `${number.toLocaleString("en")} ${number === 1 ? noun : plural}`;

function listRows(documents) {
  const list = byId("row");
  list.replaceChildren(...documents.map((document, at) => element("option", { value: at, dir: "auto" },
    `${beginning(document.name, 30)} · ${count(document.summaries.length, "summary", "summaries")} · ${beginning(document.sources[0] ?? "", 60)}`)));
  list.onchange = () => fill(documents[Number(list.value)]);
  list.size = Math.min(6, Math.max(2, documents.length));
  list.value = "0";
  fill(documents[0]);
  byId("rows").hidden = documents.length < 2;
}

const texts = byId("texts");
byId("file").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  if (file) await readFile(file);
  event.target.value = ""; // the same file may be chosen again
});
texts.addEventListener("dragover", (event) => {
  if (!event.dataTransfer.types.includes("Files")) return;
  event.preventDefault();
  texts.classList.add("is-target");
});
texts.addEventListener("dragleave", (event) => {
  if (!texts.contains(event.relatedTarget)) texts.classList.remove("is-target");
});
texts.addEventListener("drop", (event) => {
  texts.classList.remove("is-target");
  const [file] = event.dataTransfer.files;
  if (!file) return;
  event.preventDefault();
  readFile(file, event.target.closest("textarea"));
});

// Links and downloads

async function save() {
  const asked = scoring.request;
  await attempt(async () => {
    const { path } = await askJson("/v1/permalinks", { body: asked });
    const address = new URL(path, location.href).href;
    const copier = button("Copy the link", () => copy(address, copier), { class: "quiet" });
    byId("saved").replaceChildren("Saved on this server: ", element("a", { href: path }, address), " ", copier);
  });
}

async function downloadReport() {
  const asked = scoring.request;
  await run(async (signal, report) => {
    report("The server writes the report…");
    const answer = await send("/v1/report", { body: asked, signal });
    download(await answer.blob(), "report.html");
    report("The report is downloaded.");
  });
}

async function openPermalink(id) {
  await attempt(async () => {
    const told = await askJson(`/v1/permalinks/${encodeURIComponent(id)}`);
    const asked = told.request ?? told;
    listRows(documentsOf(asked.examples.map((example, at) => [at + 1, example])));
    if (asked.measures) chooseMeasures(asked.measures);
  });
  if (byId("notice").hidden) await score();
}

// Tokens

onMissingToken((problem) => new Promise((resolve) => {
  const dialog = byId("token-dialog");
  byId("token-problem").textContent = visible(problem);
  byId("token").value = "";
  dialog.returnValue = "";
  dialog.addEventListener("close", () => resolve(dialog.returnValue === "use" ? byId("token").value.trim() : ""), { once: true });
  if (!dialog.open) dialog.showModal();
}));

byId("no-token").addEventListener("click", () => byId("token-dialog").close());

// The form

byId("request").addEventListener("submit", (event) => {
  event.preventDefault();
  score();
});
byId("request").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    score();
  }
});
byId("cancel").addEventListener("click", () => working?.abort());
byId("example").addEventListener("click", () => {
  byId("rows").hidden = true;
  byId("file-note").replaceChildren();
  fill(EXAMPLE);
  score();
});
byId("save").addEventListener("click", save);
byId("copy-curl").addEventListener("click", (event) => copy(curl(scoring.request), event.currentTarget));
byId("download-json").addEventListener("click", () =>
  download(new Blob([JSON.stringify(scoring.toJson(), null, 2)], { type: "application/json" }), "scores.json"));
byId("download-report").addEventListener("click", downloadReport);

async function begin() {
  let isLoaded = false;
  await attempt(async () => {
    await loadMeasures();
    isLoaded = true;
  }, begin);
  const [, id] = location.pathname.match(/^\/p\/([^/]+)$/u) ?? [];
  if (isLoaded && id) await openPermalink(decodeURIComponent(id));
}

begin();
