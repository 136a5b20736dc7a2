import { createHmac, randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { isSameSecret } from "#shared/http/same-secret.ts";

const YEAR_SECONDS = 365 * 86_400;

type Site = { readonly secretKey: string; readonly publicUrl: string };

/**
 * A signed cookie by which a browser shows that it has logged in with an email before. It grants no access. `purpose`
 * keeps the cookies of different accounts apart.
 */
export function knownDevices({
  cookie,
  purpose,
  sameSite,
}: {
  readonly cookie: string;
  readonly purpose: string;
  readonly sameSite: "lax" | "strict";
}) {
  const optionsOf = ({ publicUrl }: Site) => {
    const secure = publicUrl.startsWith("https:");
    return { name: secure ? `__Host-${cookie}` : cookie, set: { path: "/", httpOnly: true, sameSite, secure } };
  };

  function sign({ secretKey }: Site, name: string, email: string): string {
    return createHmac("sha256", secretKey).update(`${purpose}\n${name}\n${email.toLowerCase()}`).digest("base64url");
  }

  /** The name of this browser if it has logged in with this email before, else null. */
  function find(site: Site, request: FastifyRequest, email: string): string | null {
    const [name = "", signature = ""] = request.cookies[optionsOf(site).name]?.split(".") ?? [];
    if (!/^[\w-]{22}$/.test(name)) return null;
    return isSameSecret(signature, sign(site, name, email)) ? name : null;
  }

  return {
    find,

    /** Marks this browser as known after a log-in. */
    remember(site: Site, request: FastifyRequest, reply: FastifyReply, email: string): void {
      const name = find(site, request, email) ?? randomBytes(16).toString("base64url");
      const options = optionsOf(site);
      reply.setCookie(options.name, `${name}.${sign(site, name, email)}`, { ...options.set, maxAge: YEAR_SECONDS });
    },

    forget(site: Site, reply: FastifyReply): void {
      const options = optionsOf(site);
      reply.clearCookie(options.name, options.set);
    },
  };
}
