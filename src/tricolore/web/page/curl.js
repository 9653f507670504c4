// A request as a command for a shell.

import { hasToken } from "./api.js";

/** `curl` with the request in single quotes; characters that a terminal obeys are escaped. */
export function curl(request) {
  const json = JSON.stringify(request).replace(/[\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const quoted = `'${json.replaceAll("'", "'\\''")}'`;
  return [
    `curl -sS ${location.origin}/v1/score`,
    hasToken() && '-H "Authorization: Bearer $TRICOLORE_TOKEN"',
    "-H 'content-type: application/json'",
    `--data-binary ${quoted}`,
  ].filter(Boolean).join(" \\\n  ");
}
