import { createHmac, randomBytes } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { isSameSecret } from "#shared/http/same-secret.ts";

const DAYS = 90;
const known = new WeakMap<FastifyRequest, string>();
const given = new WeakMap<FastifyRequest, string>();

type Site = { readonly secretKey: string; readonly isSecure: boolean };

/** Gives every browser that makes a call a signed cookie. It authorises nothing; limits recognise the browser by it. */
export function recogniseBrowsers(app: FastifyInstance, { secretKey, isSecure }: Site) {
  const cookie = isSecure ? "__Host-browser" : "browser";
  const options = { path: "/", httpOnly: true, sameSite: "lax", secure: isSecure, maxAge: DAYS * 86_400 } as const;
  const sign = (id: string) =>
    createHmac("sha256", secretKey).update(`browser\n${id}`).digest("base64url").slice(0, 22);
  app.addHook("onRequest", async (request, response) => {
    const [id = "", signature = ""] = request.cookies[cookie]?.split(".") ?? [];
    if (/^[\w-]{22}$/.test(id) && isSameSecret(signature, sign(id))) known.set(request, id);
    else {
      const fresh = randomBytes(16).toString("base64url");
      given.set(request, fresh);
      response.setCookie(cookie, `${fresh}.${sign(fresh)}`, options);
    }
  });
}

/** The browser's random id; undefined without our cookie. */
export function browserOf(request: FastifyRequest): string | undefined {
  return known.get(request);
}

/** The same, or the id that this answer sets: unproven until it comes back. */
export function browserFromNowOn(request: FastifyRequest): string | undefined {
  return known.get(request) ?? given.get(request);
}
