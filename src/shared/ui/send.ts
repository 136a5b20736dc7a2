import type { Send } from "#shared/contract/call.ts";

const TIME_OUT_MS = 60_000;
const TOKEN = "XSRF-TOKEN";

/**
 * Sends one call from the page to our server. Rejects if no answer arrives within a minute; the caller decides what
 * that means. Everything that changes something carries the CSRF token (API-8); an outdated one, for example after
 * logging in in another tab, is silently replaced once.
 */
export const send: Send = async (request) => {
  const answer = await sendOnce(request);
  if (answer.status !== 403 || !answer.text.includes('"error":"csrf"')) return answer;
  await renewToken();
  return sendOnce(request);
};

const sendOnce: Send = async ({ method, url, body, headers }) => {
  const response = await fetch(url, {
    method,
    credentials: "same-origin",
    headers: {
      accept: "application/json",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(method === "GET" ? {} : { "x-xsrf-token": await findToken() }),
      ...headers,
    },
    signal: AbortSignal.timeout(TIME_OUT_MS),
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, text: await response.text() };
};

/** The CSRF token, fetched first if this browser has none. */
export async function findToken(): Promise<string> {
  if (readCookie(TOKEN) === "") await renewToken();
  return readCookie(TOKEN);
}

/** Gets a new CSRF token, which any reading call sets; this is a small one. */
export async function renewToken(): Promise<void> {
  await fetch("/api/checkout", { method: "HEAD", signal: AbortSignal.timeout(TIME_OUT_MS) }).catch(() => undefined);
}

function readCookie(name: string): string {
  const pair = document.cookie.split("; ").find((cookie) => cookie.startsWith(`${name}=`));
  return pair === undefined ? "" : decodeURIComponent(pair.slice(name.length + 1));
}
