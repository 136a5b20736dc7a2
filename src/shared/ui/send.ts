import type { Send } from "#shared/contract/call.ts";

const TIME_OUT_MS = 60_000;
const TOKEN = "XSRF-TOKEN";

/**
 * Carries one call from the page to our own server. Rejects when no answer came within a minute; what that means is
 * the caller's to say. The cross-site-request token goes with everything that changes something (API-8); one that is out
 * of date, as when another tab logged in or out meanwhile, is replaced once, without a word.
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

/** The token against forged requests, fetched first where this browser has none. */
export async function findToken(): Promise<string> {
  if (readCookie(TOKEN) === "") await renewToken();
  return readCookie(TOKEN);
}

/** Any call that only reads brings a fresh token against forged requests; this is a small one. */
export async function renewToken(): Promise<void> {
  await fetch("/api/checkout", { method: "HEAD", signal: AbortSignal.timeout(TIME_OUT_MS) }).catch(() => undefined);
}

function readCookie(name: string): string {
  const pair = document.cookie.split("; ").find((cookie) => cookie.startsWith(`${name}=`));
  return pair === undefined ? "" : decodeURIComponent(pair.slice(name.length + 1));
}
