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

/** The form's address for the emailed code that completes a log-in. */
export const CODE_PATH = "/admin/sign-in/code";
