import { createHmac, randomBytes } from "node:crypto";
import { isSameSecret } from "#shared/http/same-secret.ts";
import type { Visit } from "./services.ts";

const YEAR_SECONDS = 365 * 86_400;

type Site = { readonly secretKey: string; readonly publicUrl: string };

const isSecure = ({ publicUrl }: Site) => publicUrl.startsWith("https:");
const cookieOf = (site: Site) => (isSecure(site) ? "__Host-device" : "device");

function sign({ secretKey }: Site, name: string, email: string): string {
  return createHmac("sha256", secretKey).update(`known device\n${name}\n${email.toLowerCase()}`).digest("base64url");
}

/**
 * The name of this browser if it has logged in with this email before, else null. It grants no access: its owner only
 * gets a separate limit of tries, not shared with strangers.
 */
export function findDevice(site: Site, { request }: Pick<Visit, "request">, email: string): string | null {
  const [name = "", signature = ""] = request.cookies[cookieOf(site)]?.split(".") ?? [];
  if (!/^[\w-]{22}$/.test(name)) return null;
  return isSameSecret(signature, sign(site, name, email)) ? name : null;
}

/** Marks this browser as known after a log-in. */
export function rememberDevice(site: Site, visit: Visit, email: string): void {
  const name = findDevice(site, visit, email) ?? randomBytes(16).toString("base64url");
  visit.response.setCookie(cookieOf(site), `${name}.${sign(site, name, email)}`, {
    path: "/",
    httpOnly: true,
    sameSite: "lax",
    secure: isSecure(site),
    maxAge: YEAR_SECONDS,
  });
}

export function forgetDevice(site: Site, { response }: Pick<Visit, "response">): void {
  response.clearCookie(cookieOf(site), { path: "/", httpOnly: true, sameSite: "lax", secure: isSecure(site) });
}
