// Builds elements. Text goes in as text nodes only, so whatever users paste stays text.

export const byId = (id) => document.getElementById(id);

/** An element with attributes (`on…` are listeners, false and null are left out) and children. */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

export const button = (text, onclick, attributes = {}) =>
  element("button", { type: "button", ...attributes, onclick }, text);

/** Text that users or files gave, isolated from the direction of the text around it. */
export const given = (text, tag = "bdi") => element(tag, { dir: "auto" }, visible(text));

/** A text in which control characters are visible, one character for each. */
export const visible = (text) => window.tricolore.printable(text);

/** The beginning of a text in one line. */
export function beginning(text, most) {
  const head = Array.from(text.slice(0, 4 * most).replace(/\s+/gu, " ").trim());
  return visible(head.length > most ? head.slice(0, most - 1).join("") + "…" : head.join(""));
}

/** Copy a text, and say so on the button for a moment. */
export async function copy(text, trigger) {
  trigger.dataset.words ??= trigger.textContent;
  trigger.textContent = (await copied(text)) ? "Copied" : "Cannot copy";
  setTimeout(() => { trigger.textContent = trigger.dataset.words; }, 1500);
}

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without https, browsers have only the old way.
    const area = element("textarea", { class: "unseen", "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

export function download(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = element("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
