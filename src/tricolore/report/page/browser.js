"use strict";
/* The browser of examples in a report: sort, filter, and look at the evidence of one example. */
(() => {
  const holder = document.getElementById("examples-data");
  const root = document.getElementById("examples-browser");
  if (!holder || !root) return;
  const data = JSON.parse(holder.textContent);
  if (!data.rows.length) return;
  const PAGE = 60;
  const state = {
    order: "worst", measure: data.preferred, other: -1, system: -1, problem: "",
    search: "", listed: PAGE, row: 0, painted: data.preferred,
  };

  function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key === "on") for (const [event, call] of Object.entries(value)) made.addEventListener(event, call);
      else if (value === true) made.setAttribute(key, "");
      else if (value !== false && value !== null) made.setAttribute(key, value);
    }
    made.append(...children);
    return made;
  }

  /* Values */
  const isWhole = data.measures.map((_, at) =>
    data.rows.every((row) => row.values[at] === null || Number.isInteger(row.values[at])));
  function number(row, measure) {
    const value = row.values[measure];
    if (value === null) return "–";
    if (isWhole[measure]) return String(value);
    return Math.abs(value) >= 100 ? value.toFixed(1) : value.toFixed(3);
  }
  const sign = (measure) => (data.measures[measure].direction === "lower" ? -1 : 1);
  const title = (row) =>
    [data.documents[row.document].id, data.systems[row.system]].filter(Boolean).join(" · ") || `row ${row.number}`;

  /* The share of all rows that a row is better than, for each measure: values of different measures can be compared by it. */
  const ranks = new Map();
  function ranksOf(measure) {
    if (!ranks.has(measure)) {
      const known = data.rows.map((row, at) => [sign(measure) * row.values[measure], at])
        .filter(([, at]) => data.rows[at].values[measure] !== null).sort((a, b) => a[0] - b[0]);
      const found = new Array(data.rows.length).fill(null);
      for (let first = 0; first < known.length;) {
        let last = first;
        while (last + 1 < known.length && known[last + 1][0] === known[first][0]) last += 1;
        const rank = known.length > 1 ? (first + last) / 2 / (known.length - 1) : 0.5;
        for (let at = first; at <= last; at += 1) found[known[at][1]] = rank;
        first = last + 1;
      }
      ranks.set(measure, found);
    }
    return ranks.get(measure);
  }

  /* How far the systems are apart on each document. */
  function spreads(measure) {
    const ends = new Map();
    for (const row of data.rows) {
      const value = row.values[measure];
      if (value === null) continue;
      const known = ends.get(row.document) || [value, value];
      ends.set(row.document, [Math.min(known[0], value), Math.max(known[1], value)]);
    }
    return new Map([...ends].map(([document_, [low, high]]) => [document_, high - low]));
  }

  const PROBLEMS = [
    ["", "all summaries", () => true],
    ["any", "with any finding", (row) => Boolean(row.found)],
    ...data.items.map((item, at) => [item, `with a finding: ${item}`, (row) => (row.found || []).includes(at)]).slice(1),
    ["no value", "without a value", (row) => Boolean(row.problems)],
    ["flag", "with a warning", (row) => Boolean(row.flags)],
  ];

  function chosen() {
    const keep = PROBLEMS.find(([name]) => name === state.problem)[2];
    const search = state.search.trim().toLowerCase();
    const rows = data.rows.map((_, at) => at).filter((at) => {
      const row = data.rows[at];
      if (state.system >= 0 && row.system !== state.system) return false;
      if (!keep(row)) return false;
      return !search || title(row).toLowerCase().includes(search) || data.texts[row.summary].toLowerCase().includes(search);
    });
    const key = keyOf();
    return key ? rows.map((at) => [key(at), at]).sort((a, b) => (b[0] - a[0]) || a[1] - b[1]).map(([, at]) => at) : rows;
  }

  /* The higher, the earlier in the list; rows without a value come last. */
  function keyOf() {
    const value = (at) => data.rows[at].values[state.measure];
    const last = (at, key) => (value(at) === null ? -Infinity : key);
    if (state.order === "worst") return (at) => last(at, -sign(state.measure) * value(at));
    if (state.order === "best") return (at) => last(at, sign(state.measure) * value(at));
    if (state.order === "disagree") {
      const one = ranksOf(state.measure), two = ranksOf(state.other);
      return (at) => (one[at] === null || two[at] === null ? -Infinity : Math.abs(one[at] - two[at]));
    }
    if (state.order === "differ") {
      const spread = spreads(state.measure);
      return (at) => (spread.get(data.rows[at].document) ?? -Infinity);
    }
    return null;
  }

  /* Controls */
  function select(label, options, value, change) {
    const made = element("select", { on: { change: (event) => { change(event.target.value); refresh(); } } },
      ...options.map(([name, words]) => {
        const option = element("option", { value: name }, words);
        option.selected = String(name) === String(value);
        return option;
      }));
    return field(label, made);
  }

  function field(label, control) {
    control.id = `browser-${label.toLowerCase()}`;
    return element("div", { class: "field" }, element("label", { for: control.id }, label), control);
  }

  function controls() {
    const neither = data.measures[state.measure].direction === "neither";
    const orders = [["worst", neither ? "lowest first" : "worst first"], ["best", neither ? "highest first" : "best first"]];
    if (data.measures.length > 1) orders.push(["disagree", "largest disagreement"]);
    if (data.systems.length > 1) orders.push(["differ", "where systems differ most"]);
    orders.push(["input", "as in the input"]);
    const measures = data.measures.map((measure, at) => [at, measure.label]);
    const parts = [
      select("Order", orders, state.order, (value) => {
        state.order = value;
        if (value === "disagree" && (state.other < 0 || state.other === state.measure)) {
          state.other = state.measure === 0 ? 1 : 0;
        }
      }),
      select("By", measures, state.measure, (value) => { state.measure = Number(value); state.painted = Number(value); }),
    ];
    if (state.order === "disagree") {
      parts.push(select("With", measures, state.other, (value) => { state.other = Number(value); }));
    }
    if (data.systems.length > 1) {
      parts.push(select("System", [[-1, "all"], ...data.systems.map((name, at) => [at, name || "(none)"])], state.system,
        (value) => { state.system = Number(value); }));
    }
    const problems = PROBLEMS.map(([name, words, keep]) => [name, words, data.rows.filter(keep).length])
      .filter(([name, , count]) => name === "" || count)
      .map(([name, words, count]) => [name, `${words} (${count})`]);
    if (problems.length > 1) parts.push(select("Show", problems, state.problem, (value) => { state.problem = value; }));
    const search = element("input", { type: "search", value: state.search, placeholder: "words or document" });
    search.addEventListener("input", () => { state.search = search.value; refresh(false); });
    parts.push(field("Search", search));
    return element("div", { class: "browser-controls" }, ...parts);
  }

  /* The list */
  function listed(rows) {
    const lines = rows.slice(0, state.listed).map((at) => {
      const row = data.rows[at];
      const parts = [
        element("span", { class: "name" }, title(row)),
        element("span", { class: "number" }, number(row, state.measure)),
      ];
      if (row.found) parts.push(element("span", { class: "found" }, row.found.map((item) => data.items[item]).join(", ")));
      return element("li", {}, element("button", {
        type: "button", "aria-current": at === state.row ? "true" : false,
        on: { click: () => { open(at); if (innerWidth <= 760) panes.example.scrollIntoView({ block: "start" }); } },
      }, ...parts));
    });
    if (rows.length > state.listed) {
      lines.push(element("li", {}, element("button", {
        type: "button", on: { click: () => { state.listed += PAGE; refresh(false); } },
      }, `Show ${Math.min(PAGE, rows.length - state.listed)} more of ${rows.length}`)));
    }
    return lines;
  }

  /* One example */
  function paintingOf(row, measure) {
    const packed = row.paintings[measure];
    if (!packed) return null;
    const marks = [];
    for (let at = 0; at < packed.marks.length; at += 9) {
      const [where, document_, start, end, kind, item, shade, words, match] = packed.marks.slice(at, at + 9);
      marks.push({
        where: data.places[where], document: document_, start, end, kind: data.kinds[kind], item: data.items[item],
        shade, words: data.words[words], match: match < 0 ? undefined : match,
      });
    }
    return { marks, legend: data.legends[packed.legend], lines: (packed.lines || []).map((line) => data.words[line]) };
  }

  function text(heading, words, marks, where, document_) {
    const id = `text-${where}-${document_}`;
    const shown = element("div", { class: "text", role: "group", "aria-labelledby": id });
    tricolore.paint(shown, words, marks, where, document_);
    return [element("p", { class: "text-heading", id }, heading), shown];
  }

  function example(at, rows) {
    const row = data.rows[at];
    const painting = paintingOf(row, state.painted);
    const marks = painting ? painting.marks : [];
    const place = rows.indexOf(at);
    const step = (by, words) => element("button", {
      type: "button", disabled: place + by < 0 || place + by >= rows.length || place < 0,
      on: { click: () => open(rows[place + by]) },
    }, words);
    const values = data.measures.map((measure, index) => {
      const problem = row.problems && row.problems[index] !== undefined ? data.words[row.problems[index]] : "";
      const flags = (row.flags && row.flags[index]) || [];
      const better = { higher: "higher is better", lower: "lower is better", neither: "" }[measure.direction];
      return element("li", {}, element("button", {
        type: "button", "aria-pressed": String(index === state.painted), title: [problem, ...flags, better].filter(Boolean).join("; "),
        class: row.paintings[index] ? "" : "is-bare", on: { click: () => { state.painted = index; show(at, rows); } },
      },
      element("span", { class: "label" }, measure.label + ({ higher: " ↑", lower: " ↓", neither: "" }[measure.direction])),
      element("span", { class: "value" }, number(row, index) + (flags.length ? " ⚠" : ""))));
    });
    const parts = [
      element("header", {}, element("h3", {}, title(row), " ", element("small", {}, `row ${row.number}`)),
        element("div", { class: "browser-steps no-print" }, step(-1, "← Previous"), step(1, "Next →"))),
      element("ul", { class: "values", "aria-label": "Measures: choose one to see its evidence" }, ...values),
    ];
    const problem = row.problems && row.problems[state.painted];
    if (problem !== undefined) parts.push(element("p", { class: "notice" }, `No value: ${data.words[problem]}`));
    const same = data.rows.map((_, other) => other).filter((other) => other !== at && data.rows[other].document === row.document);
    if (same.length) {
      parts.push(element("div", { class: "others" }, element("span", { class: "quiet" }, "Same document:"),
        ...same.slice(0, 30).map((other) => element("button", { type: "button", on: { click: () => open(other) } },
          `${data.systems[data.rows[other].system] || `row ${data.rows[other].number}`} ${number(data.rows[other], state.painted)}`))));
    }
    const list = element("ul", {});
    if (painting) tricolore.legend(list, painting.legend);
    parts.push(painting ? list : element("p", { class: "quiet" }, `${data.measures[state.painted].label} has no evidence to show here.`));
    const sources = data.documents[row.document].sources;
    parts.push(element("div", { class: "texts" },
      element("div", {}, ...text("Summary", data.texts[row.summary], marks, "summary", 0),
        ...(marks.some((mark) => mark.where === "reference") ? row.references || [] : []).flatMap((words, n) => text(`Reference ${n + 1}`, data.texts[words], marks, "reference", n)),
        ...(painting && painting.lines.length ? [element("ul", { class: "findings" }, ...painting.lines.map((line) => element("li", {}, line)))] : [])),
      element("div", {}, ...sources.flatMap((words, n) => text(sources.length > 1 ? `Source ${n + 1}` : "Source", data.texts[words], marks, "source", n)))));
    return parts;
  }

  /* Drawing */
  const panes = {
    controls: element("div"),
    list: element("ol", { class: "browser-list", "aria-label": "Examples" }),
    count: element("p", { class: "quiet", role: "status" }),
    example: element("article", { class: "browser-example card", "data-example": true, "aria-live": "off" }),
  };

  function show(at, rows) {
    state.row = at;
    panes.example.replaceChildren(...example(at, rows));
    const address = `#example-${data.rows[at].number}/${encodeURIComponent(data.measures[state.painted].label)}`;
    if (state.moved) history.replaceState(null, "", address);
  }

  function open(at) {
    state.moved = true;
    const rows = chosen();
    show(at, rows);
    panes.list.replaceChildren(...listed(rows));
  }

  function refresh(all = true) {
    const rows = chosen();
    if (all) {
      const focused = [...panes.controls.querySelectorAll("select")].indexOf(document.activeElement);
      panes.controls.replaceChildren(controls());
      if (focused >= 0) (panes.controls.querySelectorAll("select")[focused] || panes.controls.querySelector("select")).focus();
    }
    panes.count.textContent = rows.length === data.rows.length ? `${rows.length} summaries` : `${rows.length} of ${data.rows.length} summaries`;
    if (rows.length && !rows.includes(state.row)) state.row = rows[0];
    if (all && rows.length && !state.kept) state.row = rows[0];
    state.kept = false;
    panes.list.replaceChildren(...listed(rows));
    if (rows.length) show(state.row, rows);
    else panes.example.replaceChildren(element("p", {}, "No summary fits these filters."));
  }

  /* An address such as #example-12/grounding opens this example. */
  function fromAddress() {
    const found = /^#example-(\d+)(?:\/(.*))?$/.exec(location.hash);
    if (!found) return;
    const at = data.rows.findIndex((row) => row.number === Number(found[1]));
    if (at < 0) return;
    state.row = at;
    state.kept = true;
    let label = found[2] || "";
    try { label = decodeURIComponent(label); } catch { label = ""; }
    const measure = data.measures.findIndex((each) => each.label === label);
    if (measure >= 0) state.painted = measure;
    refresh();
    root.scrollIntoView();
  }

  root.append(panes.controls, panes.count, element("div", { class: "browser-panes" }, panes.list, panes.example));
  root.hidden = false;
  const fixed = document.getElementById("static-examples");
  if (fixed) fixed.hidden = true;
  refresh();
  fromAddress();
  addEventListener("hashchange", fromAddress);
})();
