const BASE = "http://own.invalid";
const ENTRANCE = /^\/admin\/(?:sign-in|confirm|welcome|log-out)(?:\/|$)/;

/** Where a log-in leads: an address of the back office, never another site or the entrance itself. */
export function nextPath(asked: string | undefined): string {
  const text = asked ?? "";
  const url = URL.parse(text, BASE);
  if (url === null || url.origin !== BASE || !text.startsWith("/")) return "/admin";
  const isOurs = /^\/admin(?:\/|$)/.test(url.pathname) && !ENTRANCE.test(url.pathname);
  return isOurs ? url.pathname + url.search : "/admin";
}

/** Where the emailed code is sent that completes a log-in. */
export const CODE_PATH = "/admin/sign-in/code";
