import type { ActionDone } from "#admin/actions.ts";
import { chosenName, ONLY_CHOSEN } from "#admin/chosen-rows.ts";

const BASE = "http://own.invalid";
const ENTRANCE = /^\/admin\/(?:sign-in|confirm|welcome|log-out)(?:\/|$)/;

/** The address that a log-in leads to: one of the back office, never another site or the log-in itself. */
export function nextPath(asked: string | undefined): string {
  const text = asked ?? "";
  const url = URL.parse(text, BASE);
  if (url === null || url.origin !== BASE || !text.startsWith("/")) return "/admin";
  const isOurs = /^\/admin(?:\/|$)/.test(url.pathname) && !ENTRANCE.test(url.pathname);
  return isOurs ? url.pathname + url.search : "/admin";
}

/** The ends of addresses that answer with a file, and what the screen that offers it has instead. */
const files: readonly (readonly [end: RegExp, instead: string])[] = [
  [/\/data\.zip$/, ""],
  [/\/attendance\.csv$/, "/report"],
  [/\.(?:csv|xlsx)$/, ""],
];

/** The screen at that address; of a file, the screen that offers it, with its filters but without ticks. */
export function nextScreen(asked: string | undefined): string {
  const path = nextPath(asked);
  const url = new URL(path, BASE);
  const file = files.find(([end]) => end.test(url.pathname));
  if (file === undefined) return path;
  const isTick = (name: string) => name === ONLY_CHOSEN.name || name.startsWith(chosenName(""));
  for (const name of [...url.searchParams.keys()].filter(isTick)) url.searchParams.delete(name);
  return url.pathname.replace(...file) + url.search;
}

/** Where a log-in or a proof leads. A file leaves the browser where it is, so its screen comes first and begins it. */
export function continueTo(asked: string | undefined): ActionDone {
  const path = nextPath(asked);
  const screen = nextScreen(asked);
  return screen === path ? { to: path } : { to: screen, toast: "Thank you. The download begins now.", download: path };
}

/** Twenty-five ticked rows fit. */
export const MAX_NEXT_LENGTH = 2000;

/** The form's address for the emailed code that completes a log-in. */
export const CODE_PATH = "/admin/sign-in/code";
