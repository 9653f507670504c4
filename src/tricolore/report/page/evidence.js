"use strict";
/* Paints evidence on texts, explains marks, and leads from a mark to its match.

   tricolore.paint(element, text, marks, where, document) shows a text with its marks inside an
   element. Elements that show the texts of one example must be inside one element with the
   attribute data-example, so that a mark finds its match there. Text only ever becomes text nodes.
*/
var tricolore = (() => {
  const PICTURES = 0x2400;
  // The same characters as in tricolore.text.printable; line ends and tabs are kept.
  const UNPRINTABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

  function printable(text) {
    return text.replace(UNPRINTABLE, (letter) => {
      const code = letter.codePointAt(0);
      if (code < 0x20) return String.fromCodePoint(PICTURES + code);
      return code === 0x7f ? "\u2421" : "\ufffd";
    });
  }

  /* Cuts by code points: marks count these, strings of JavaScript count UTF-16 units. */
  function cutter(text) {
    if (!/[\ud800-\udfff]/.test(text)) return [text.length, (start, end) => text.slice(start, end)];
    const letters = Array.from(text);
    return [letters.length, (start, end) => letters.slice(start, end).join("")];
  }

  /* The text cut at all ends of its marks, as `pieces` of tricolore.report.painting. */
  function pieces(length, marks) {
    const cuts = new Set([0, length]);
    const known = [];
    for (const [index, mark] of marks) {
      const start = Math.max(0, mark.start), end = Math.min(length, mark.end);
      if (start >= end) continue;
      known.push({ index, start, end });
      cuts.add(start).add(end);
    }
    known.sort((a, b) => a.end - a.start - (b.end - b.start) || a.index - b.index);
    const opening = new Map(), closing = new Map();
    known.forEach((mark, rank) => {
      if (!opening.has(mark.start)) opening.set(mark.start, []);
      if (!closing.has(mark.end)) closing.set(mark.end, []);
      opening.get(mark.start).push(rank);
      closing.get(mark.end).push(rank);
    });
    const sorted = [...cuts].sort((a, b) => a - b);
    const around = new Set();
    return sorted.slice(0, -1).map((start, at) => {
      for (const rank of closing.get(start) || []) around.delete(rank);
      for (const rank of opening.get(start) || []) around.add(rank);
      const inside = [...around].sort((a, b) => a - b).map((rank) => known[rank].index);
      return { start, end: sorted[at + 1], marks: inside };
    });
  }

  function paint(element, text, marks, where = "summary", document_ = 0) {
    const shown = printable(text);
    const [length, cut] = cutter(shown);
    const own = [];
    marks.forEach((mark, index) => {
      if (mark.where === where && (mark.document || 0) === document_) own.push([index, mark]);
    });
    const seen = new Set();
    const fragment = document.createDocumentFragment();
    for (const piece of pieces(length, own)) {
      const words = document.createTextNode(cut(piece.start, piece.end));
      if (!piece.marks.length) {
        fragment.append(words);
        continue;
      }
      fragment.append(marked(words, piece, marks, seen));
    }
    element.replaceChildren(fragment);
    element.marks = marks;
    element.setAttribute("dir", "auto");
    // One tab stop, also where a long text without marks can only be scrolled.
    const first = element.querySelector("mark[tabindex]");
    element.tabIndex = first ? -1 : 0;
    if (first) first.tabIndex = 0;
  }

  function marked(words, piece, marks, seen) {
    const index = piece.marks[0], mark = marks[index];
    const made = document.createElement("mark");
    made.className = classes(mark);
    made.dataset.marks = piece.marks.join(" ");
    made.append(words);
    if (!seen.has(index)) {  // one stop for the keyboard, however many pieces a mark has
      seen.add(index);
      made.tabIndex = -1;
      if (mark.match !== undefined) made.setAttribute("role", "button");
    }
    return made;
  }

  function classes(mark) {
    const item = mark.item === "sentence" ? "sentence" : mark.item === "word" ? "word" : "";
    return [mark.kind, item, `shade-${mark.shade}`].filter(Boolean).join(" ");
  }

  /* One chip per kind of mark. */
  function legend(list, entries) {
    list.classList.add("legend");
    list.replaceChildren(...entries.map((entry) => {
      const line = document.createElement("li"), chip = document.createElement("mark");
      chip.className = classes({ ...entry, shade: 3 });
      chip.textContent = entry.words;
      line.append(chip);
      return line;
    }));
  }

  /* Explanations */
  let box = null, explained = null;
  function explanation() {
    if (!box) {
      box = document.createElement("div");
      box.className = "explanation";
      box.id = "explanation";
      box.setAttribute("role", "tooltip");
      box.hidden = true;
      document.body.append(box);
    }
    return box;
  }

  function markOf(element) {
    const text = element.closest(".text");
    if (!text || !text.marks || !element.dataset.marks) return null;
    return text.marks[Number(element.dataset.marks.split(" ")[0])];
  }

  function explain(element) {
    const mark = markOf(element);
    if (!mark) return;
    const lines = [sentence(mark.words)];
    if (mark.match !== undefined) lines.push(
      matchMedia("(hover: none)").matches ? "Tap again to go there." : "Click or press Enter to go there.",
    );
    explanation().replaceChildren(...lines.map((words) => {
      const line = document.createElement("p");
      line.textContent = printable(words);
      return line;
    }));
    box.hidden = false;
    element.setAttribute("aria-describedby", box.id);
    explained = element;
    const at = element.getClientRects()[0] || element.getBoundingClientRect();
    const width = box.offsetWidth, height = box.offsetHeight;
    const left = Math.max(8, Math.min(at.left, window.innerWidth - width - 8));
    const below = at.bottom + 8 + height < window.innerHeight;
    box.style.left = `${left}px`;
    box.style.top = `${below ? at.bottom + 8 : Math.max(8, at.top - height - 8)}px`;
    others(element).forEach((other) => other.classList.add("is-linked"));
  }

  function sentence(words) {
    const first = words.charAt(0).toUpperCase() + words.slice(1);
    return /[.!?”]$/.test(first) ? first : `${first}.`;
  }

  function hide() {
    if (box) box.hidden = true;
    if (explained) explained.removeAttribute("aria-describedby");
    explained = null;
    document.querySelectorAll("mark.is-linked").forEach((m) => m.classList.remove("is-linked"));
  }

  /* The elements of the mark that this one was matched with. */
  function others(element) {
    const mark = markOf(element), around = element.closest("[data-example]");
    if (!mark || mark.match === undefined || !around) return [];
    const index = String(mark.match), marks = element.closest(".text").marks;
    return [...around.querySelectorAll(".text")]
      .filter((text) => text.marks === marks)
      .flatMap((text) => [...text.querySelectorAll("mark[data-marks]")])
      .filter((other) => other.dataset.marks.split(" ").includes(index));
  }

  function follow(element) {
    const found = others(element);
    if (!found.length) return;
    document.querySelectorAll("mark.is-target").forEach((m) => m.classList.remove("is-target"));
    found.forEach((other) => other.classList.add("is-target"));
    const text = found[0].closest(".text");
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const top = found[0].offsetTop - text.clientHeight / 3;
    text.scrollTo({ top, behavior: still ? "auto" : "smooth" });
    const place = text.getBoundingClientRect();
    if (place.top < 0 || place.bottom > window.innerHeight) {
      text.scrollIntoView({ block: "nearest", behavior: still ? "auto" : "smooth" });
    }
    const stop = found.find((other) => other.hasAttribute("tabindex"));
    if (stop) stop.focus({ preventScroll: true });
  }

  /* One tab stop per text; the arrow keys go from mark to mark. */
  function move(element, step) {
    const stops = [...element.closest(".text").querySelectorAll("mark[tabindex]")];
    const next = stops[stops.indexOf(element) + step];
    if (!next) return;
    element.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }

  let tapped = null;
  const target = (event) =>
    event.target instanceof Element ? event.target.closest(".text mark[data-marks]") : null;

  document.addEventListener("mouseover", (event) => {
    hide();
    const found = target(event);
    if (found) explain(found);
  });
  document.addEventListener("focusin", (event) => {
    hide();
    const found = target(event);
    if (found) explain(found);
  });
  document.addEventListener("click", (event) => {
    const found = target(event);
    if (!found) return hide();
    // A finger cannot hover: the first tap explains, the second one follows.
    const isTap = event.pointerType === "touch";
    const isNew = tapped !== found;
    tapped = found;
    if (isTap && isNew) return explain(found);
    follow(found);
  });
  document.addEventListener("scroll", hide, { capture: true, passive: true });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return hide();
    const found = target(event);
    if (!found) return;
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step) move(found, step);
    else if (event.key === "Enter" || event.key === " ") follow(found);
    else return;
    event.preventDefault();
  });

  return { paint, legend, printable, pieces };
})();
