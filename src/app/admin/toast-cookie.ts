import type { FastifyReply, FastifyRequest } from "fastify";
import { readToast, type Toast, writeToast } from "#admin/toast.ts";

/** The cookie that keeps a toast until the next screen. */
export function createToastCookie(isSecure: boolean) {
  // Bound to this host: a neighbour's toast could have an Undo that does anything.
  const name = isSecure ? "__Host-toast" : "toast";
  return {
    /** The toast that this screen shows; the next one doesn't. */
    take(request: FastifyRequest, reply: FastifyReply): Toast | null {
      const kept = request.method === "GET" ? request.cookies[name] : undefined;
      if (kept === undefined) return null;
      reply.clearCookie(name, { path: "/", secure: isSecure });
      return readToast(kept);
    },

    keep(reply: FastifyReply, toast: Toast): void {
      reply.setCookie(name, writeToast(toast), {
        path: "/",
        sameSite: "strict",
        secure: isSecure,
        httpOnly: true,
        maxAge: 60,
      });
    },
  };
}
