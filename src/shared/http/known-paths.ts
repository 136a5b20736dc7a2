import type { FastifyInstance } from "fastify";
import { AppError } from "#shared/errors.ts";

/**
 * API-16: answers 405 with `Allow` for a known path with another method, and lists the methods for OPTIONS. Call it
 * before any route is added. The body is not read.
 */
export function refuseWrongMethods(app: FastifyInstance) {
  const known: { methods: readonly string[]; pattern: RegExp }[] = [];
  app.addHook("onRoute", ({ method, url }) => {
    known.push({ methods: [method].flat(), pattern: patternOf(url) });
  });
  app.addHook("onRequest", async (request, response) => {
    if (!request.is404) return;
    const path = withoutLastSlash(decodeURI(request.url.split("?", 1)[0] ?? ""));
    const taken = known.filter(({ pattern }) => path === "*" || pattern.test(path)).flatMap(({ methods }) => methods);
    if (taken.length === 0 || taken.includes(request.method)) return;
    response.header("allow", [...new Set(taken), "OPTIONS"].join(", "));
    if (request.method !== "OPTIONS") throw new AppError("wrong_method");
    return response.code(204).send();
  });
}

/** '/images/:hash' and '/dev/mail/:id(^\\d+$).html' as the router reads them. */
function patternOf(url: string): RegExp {
  const source = withoutLastSlash(url).replace(
    /:\w+(?:\(\^?([^)]*?)\$?\))?|\*|[.+?^${}()|[\]\\]/g,
    (part, rule = "[^/]+") => {
      if (part.startsWith(":")) return rule;
      return part === "*" ? ".*" : `\\${part}`;
    },
  );
  return new RegExp(`^${source}$`);
}

/** The router treats both the same. */
const withoutLastSlash = (path: string) => path.replace(/(?<=.)\/$/, "");
