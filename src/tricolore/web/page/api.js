// Asks the server: JSON answers, streams of lines, and refusals in words that help.

const TOKEN = "tricolore-token";

/** An answer that is not what was asked for, in words for people. */
export class Refusal extends Error {
  constructor(problem, { hint = "", status = 0, seconds = 0, argument = "" } = {}) {
    super(problem);
    Object.assign(this, { hint, status, seconds, argument });
  }
}

let askForToken = async () => "";

/** `ask(problem)` shows a dialog and gives a token, or "" if people gave up. */
export function onMissingToken(ask) {
  askForToken = ask;
}

export const hasToken = () => Boolean(sessionStorage.getItem(TOKEN));

export async function send(path, { body, signal } = {}) {
  for (;;) {
    const answer = await sendOnce(path, body, signal);
    if (answer.ok) return answer;
    const refusal = await refusalOf(answer);
    if (refusal.status !== 401) throw refusal;
    const token = await askForToken(refusal.message);
    if (!token) {
      sessionStorage.removeItem(TOKEN);
      throw refusal;
    }
    sessionStorage.setItem(TOKEN, token);
  }
}

export async function askJson(path, options) {
  const answer = await send(path, options);
  return answer.json();
}

/** The objects of an answer with one JSON value per line, as they arrive. */
export async function* askLines(path, options) {
  const answer = await send(path, options);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const pieces = (rest + (value ?? "")).split("\n");
      rest = done ? "" : pieces.pop();
      for (const line of pieces) if (line.trim()) yield JSON.parse(line);
      if (done) return;
    }
  } catch (error) {
    throw readable(error);
  } finally {
    reader.cancel().catch(() => {});
  }
}

async function sendOnce(path, body, signal) {
  const headers = { accept: "application/json" };
  const token = sessionStorage.getItem(TOKEN);
  if (token) headers.authorization = `Bearer ${token}`;
  if (body !== undefined) headers["content-type"] = "application/json";
  try {
    return await fetch(path, {
      method: body === undefined ? "GET" : "POST",
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
      cache: "no-store",
      credentials: "omit",
    });
  } catch (error) {
    throw readable(error);
  }
}

function readable(error) {
  if (error.name === "AbortError" || error instanceof Refusal) return error;
  if (error instanceof SyntaxError) return new Refusal("The answer of the server was cut off.");
  return new Refusal("The server does not answer.", {
    hint: "Is “tricolore serve” still running? Nothing that you typed is lost.",
  });
}

const WORDS = {
  401: "The server wants a token.",
  404: "The server does not know this.",
  413: "The texts are too long for this server.",
  422: "The server cannot work with this request.",
  429: "These are too many requests at once.",
  503: "The server is busy.",
  504: "The request took too long.",
};

async function refusalOf(answer) {
  const told = await answer.json().catch(() => ({}));
  const seconds = Number.parseInt(answer.headers.get("retry-after") ?? "", 10);
  const problem = typeof told.problem === "string" ? told.problem : "";
  return new Refusal(sentence(problem) || WORDS[answer.status] || `The server answered ${answer.status}.`, {
    hint: sentence(typeof told.hint === "string" ? told.hint : ""),
    argument: typeof told.argument === "string" ? told.argument : "",
    status: answer.status,
    seconds: Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, 3600) : 0,
  });
}

/** Words of the server as a sentence. */
export function sentence(words) {
  const trimmed = words.trim();
  if (!trimmed) return "";
  return trimmed[0].toUpperCase() + trimmed.slice(1) + (/[.!?…]$/u.test(trimmed) ? "" : ".");
}
