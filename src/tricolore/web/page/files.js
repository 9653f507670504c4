// Reads files of examples in the browser; nothing is sent anywhere.

export const MOST_BYTES = 20_000_000;
const MOST_ROWS = 20_000;

// The usual names of columns, as `tricolore.data.columns` has them; the preferred one first.
const USUAL = {
  source: ["source", "document", "documents", "article", "text", "input", "source_text",
    "source_document", "dialogue", "transcript", "passage", "body", "content"],
  summary: ["generated_summary", "generated", "predicted_summary", "prediction", "hypothesis",
    "model_summary", "system_summary", "summary", "candidate", "model_output", "output"],
  references: ["references", "reference", "reference_summary", "reference_summaries", "highlights",
    "target", "targets", "gold", "gold_summary", "ground_truth", "abstract"],
  system: ["system", "system_id", "system_name", "model", "model_id", "model_name"],
  doc_id: ["doc_id", "docid", "document_id", "article_id", "source_id", "id"],
};

/** What is wrong with a file, in words for people. */
export class FileProblem extends Error {}

/**
 * The contents of a file: `{text}` for .txt, otherwise `{documents, skipped}`, where a document is
 * `{name, sources, references, summaries: [{name, text}]}` and `skipped` says what was left out.
 */
export async function readExamples(file) {
  if (file.size > MOST_BYTES) {
    throw new FileProblem(
      `${file.name} has ${megabytes(file.size)}. The explorer reads files up to ${megabytes(MOST_BYTES)}; ` +
      "use the command line for larger ones: tricolore score FILE --report report.html",
    );
  }
  const text = decoded(await file.arrayBuffer(), file.name);
  const ending = file.name.toLowerCase().split(".").pop();
  if (ending === "txt") return { text };
  const { rows, skipped } =
    ending === "json" || ending === "jsonl" || ending === "ndjson" ? jsonRows(text)
    : ending === "csv" || ending === "tsv" ? separatedRows(text, ending)
    : unknown(file.name);
  const documents = documentsOf(rows, skipped);
  if (!documents.length) {
    throw new FileProblem(`${file.name} has no row with a summary. ${skipped[0] ?? ""}`.trim());
  }
  return { documents, skipped };
}

function unknown(name) {
  throw new FileProblem(`${name} is not a kind of file that is read here: .jsonl, .json, .csv, .tsv and .txt are.`);
}

const megabytes = (bytes) => `${(bytes / 1e6).toLocaleString("en", { maximumFractionDigits: 1 })} MB`;

function decoded(buffer, name) {
  const bytes = new Uint8Array(buffer);
  const mark = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8";
  try {
    return new TextDecoder(mark, { fatal: true }).decode(buffer);
  } catch {
    throw new FileProblem(`${name} is not text in UTF-8. Save it as UTF-8 and open it again.`);
  }
}

function jsonRows(text) {
  if (text.trimStart().startsWith("[")) {
    try {
      return { rows: JSON.parse(text).map((value, at) => [at + 1, value]), skipped: [] };
    } catch { /* then it may be one value per line */ }
  }
  const rows = [], skipped = [];
  text.split("\n").forEach((line, at) => {
    if (!line.trim()) return;
    try {
      rows.push([at + 1, JSON.parse(line)]);
    } catch {
      skipped.push(`Line ${at + 1} is not JSON.`);
    }
  });
  return { rows, skipped };
}

function separatedRows(text, ending) {
  const head = text.slice(0, text.search(/[\r\n]|$/u));
  const sign = ending === "tsv" ? "\t" : [",", ";", "\t"].reduce((a, b) => (head.split(b).length > head.split(a).length ? b : a));
  const [names = [], ...lines] = cells(text, sign);
  const rows = lines.filter((line) => line.some((cell) => cell)).map((line, at) => [
    at + 2,
    Object.fromEntries(names.map((name, column) => [name.trim(), line[column] ?? ""])),
  ]);
  return { rows, skipped: [] };
}

/** The cells of a CSV text: RFC 4180, with any line end. */
function cells(text, sign) {
  const lines = [];
  let line = [], cell = "", quoted = false;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (quoted) {
      if (letter !== '"') cell += letter;
      else if (text[at + 1] === '"') { cell += '"'; at++; } else quoted = false;
    } else if (letter === '"' && !cell) quoted = true;
    else if (letter === sign) { line.push(cell); cell = ""; }
    else if (letter === "\n" || letter === "\r") {
      if (letter === "\r" && text[at + 1] === "\n") at++;
      lines.push([...line, cell]);
      line = [];
      cell = "";
    } else cell += letter;
  }
  return cell || line.length ? [...lines, [...line, cell]] : lines;
}

/** Numbered rows by document: summaries of one source belong together. */
export function documentsOf(rows, skipped = []) {
  const found = new Map();
  for (const [number, row] of rows.slice(0, MOST_ROWS)) {
    const example = row && typeof row === "object" && !Array.isArray(row) ? exampleOf(row) : null;
    if (!example) {
      skipped.push(`Row ${number} has no summary.`);
      continue;
    }
    const key = JSON.stringify([example.doc_id, example.sources]);
    const document = found.get(key) ?? {
      name: example.doc_id || `row ${number}`,
      sources: example.sources,
      references: example.references,
      summaries: [],
    };
    document.summaries.push({ name: example.system, text: example.summary });
    found.set(key, document);
  }
  if (rows.length > MOST_ROWS) {
    skipped.push(`Only the first ${MOST_ROWS.toLocaleString("en")} of ${rows.length.toLocaleString("en")} rows are listed.`);
  }
  return [...found.values()];
}

function exampleOf(row) {
  const taken = new Set();
  const column = (role) => {
    const name = USUAL[role].find((usual) => !taken.has(usual) && row[usual] !== undefined && row[usual] !== null);
    taken.add(name);
    return row[name];
  };
  const summary = column("summary");
  if (typeof summary !== "string") return null;
  const references = column("references");
  return {
    summary,
    sources: texts(column("source")),
    references: texts(references),
    system: oneLine(column("system")),
    doc_id: oneLine(column("doc_id")),
  };
}

const texts = (value) => (Array.isArray(value) ? value : [value]).filter((text) => typeof text === "string" && text.trim());
const oneLine = (value) => (typeof value === "string" || typeof value === "number" ? String(value) : "");
