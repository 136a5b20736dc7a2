import { vi } from "vitest";
import type { KnownPlaces } from "#shared/places/contract.ts";

type Sent = { readonly method: string; readonly url: string; readonly body: unknown };
type Answer = { readonly status: number; readonly body: object };

/** The answers to calls, by path below /api; a function is called each time. */
export type Answers = Record<string, Answer | (() => Answer)>;

export const done = (data: unknown = {}, message = ""): Answer => ({
  status: 200,
  body: { code: "200", status: "true", message, data },
});
export const refusal = (status: number, error: string, more: object = {}): Answer => ({
  status,
  body: { code: String(status), status: "false", error, message: "Said by the server.", ...more },
});
export const noAnswer = (): never => {
  throw new TypeError("the network is gone");
};

/** Answers the page's calls in place of the server. Returns the requests, without reads of places. */
export function answerCalls(answers: Answers): Sent[] {
  const sent: Sent[] = [];
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    const method = init.method ?? "GET";
    if (method === "HEAD") return { status: 200, text: async () => "" };
    const path = url.replace(/^\/api/, "");
    const given = answers[path];
    if (given === undefined) throw new Error(`There is no answer for ${path}.`);
    const isAboutPlaces = path.startsWith("/state/");
    if (!isAboutPlaces)
      sent.push({ method, url: path, body: init.body === undefined ? undefined : JSON.parse(String(init.body)) });
    const { status, body } = typeof given === "function" ? given() : given;
    return { status, text: async () => JSON.stringify(body) };
  });
  return sent;
}

/** The data that the page is rendered with. */
export const knownPlaces: KnownPlaces = {
  countries: [
    { id: 1, name: "Australia", dialCode: "61" },
    { id: 2, name: "Gibraltar", dialCode: "350" },
    { id: 3, name: "Pakistan", dialCode: "92" },
  ],
  statesOf: "Australia",
  states: [
    { id: 11, name: "New South Wales" },
    { id: 12, name: "Victoria" },
  ],
};

/** The states of another country. */
export const places: Answers = {
  "/state/2": done([]),
  "/state/3": done([{ id: 31, name: "Punjab" }]),
};
