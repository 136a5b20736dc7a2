import type { FastifyReply, FastifyRequest } from "fastify";
import type { Page, PageAddress } from "#shared/pages/page.ts";
import { loginThen } from "#shared/paths.ts";
import type { SessionUser } from "#shared/sessions/session-user.ts";
import type { KeepReady } from "../ready-answers.ts";
import type { PageBuilder } from "./page-builder.ts";
import { encodeOnce, preferredEncoding } from "./page-bytes.ts";
import type { ProblemAnswers } from "./problem-answers.ts";
import { sendBytes, sendEncoded } from "./send-page.ts";
import { SPECULATION_RULES } from "./site-files.ts";

type AnswerOptions = Pick<PageBuilder, "build" | "keep" | "isFresh"> &
  Pick<ProblemAnswers, "sendNotFound"> & {
    readonly policyOf: (page: Page) => Record<string, string>;
    readonly findUser: (request: FastifyRequest) => Promise<SessionUser | null>;
    readonly isGuest: (request: FastifyRequest) => boolean;
    readonly keepReady?: KeepReady | undefined;
  };

/** Answers a request for a page: from the cache if it is the same for everybody, otherwise made for this request. */
export function createPageAnswer({ build, keep, isFresh, policyOf, sendNotFound, ...options }: AnswerOptions) {
  /** Neither logged in nor a guest. If sessions can't be looked up, nobody counts as a stranger. */
  const isStranger = async (request: FastifyRequest) =>
    !options.isGuest(request) && (await options.findUser(request).catch(() => undefined)) === null;

  const sendPersonal = async (page: Page, address: PageAddress, request: FastifyRequest, reply: FastifyReply) => {
    reply.header("cache-control", "private, no-store");
    // The address grants access to the page, so it must not leak as a referrer.
    if (page.access === "key") reply.header("referrer-policy", "no-referrer");
    const user = page.access === "member" ? await options.findUser(request) : undefined;
    if (user === null) return reply.redirect(loginThen(request.url), 302);
    return sendOnce(page, address, request, reply, user);
  };

  const sendOnce = async (
    page: Page,
    address: PageAddress,
    request: FastifyRequest,
    reply: FastifyReply,
    user?: SessionUser,
  ) => {
    const html = await build(page, fillPath(page.path, address.params), address, user);
    if (html === null) return sendNotFound(request, reply);
    const encoding = preferredEncoding(request.headers["accept-encoding"]);
    reply.headers(policyOf(page));
    return sendEncoded(reply, encoding, await encodeOnce(html, encoding));
  };

  const sendKept = async (page: Page, address: PageAddress, request: FastifyRequest, reply: FastifyReply) => {
    const path = fillPath(page.path, address.params);
    const bytes = await keep(page, path, address);
    if (bytes === null) return sendNotFound(request, reply);
    return sendBytes(request, reply, bytes, {
      policy: policyOf(page),
      keeper: page.access === "member or guest" ? "private" : "public",
      keepReady: () => options.keepReady?.(request, () => isFresh(path, address, bytes)),
    });
  };

  return async (page: Page, request: FastifyRequest, reply: FastifyReply) => {
    const address = readAddress(page, request);
    if (address === null) return sendNotFound(request, reply);
    // People filling in a form stay on it, and the rules would be one more file to fetch.
    if (page.bodyClass !== "is-form") reply.header("speculation-rules", `"${SPECULATION_RULES}"`);
    if (page.takesPayments) reply.header("cross-origin-opener-policy", "same-origin-allow-popups");
    if (isPersonal(page)) return sendPersonal(page, address, request, reply);
    if (page.caching === "none") return sendOnce(page, address, request, reply.header("cache-control", "no-store"));
    if (page.access === "member or guest") {
      reply.header("vary", "cookie");
      if (await isStranger(request)) {
        return reply.header("cache-control", "no-store").redirect(loginThen(request.url), 302);
      }
    }
    return sendKept(page, address, request, reply);
  };
}

export function isPersonal({ access }: Page): boolean {
  return access === "member" || access === "key";
}

function fillPath(path: string, params: PageAddress["params"]): string {
  return path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? "");
}

/** The parts of the address that the page reads; null if no page can have this address. */
function readAddress(page: Page, { params, query }: FastifyRequest): PageAddress | null {
  const named = params as Record<string, string>;
  if (!Object.values(named).every((value) => /^[a-z0-9-]{1,120}$/.test(value))) return null;
  const given = query as Record<string, unknown>;
  if (page.queryParameters !== undefined) {
    const isAsked = ([name, value]: [string, unknown]) =>
      page.queryParameters!.includes(name) && typeof value === "string" && value.length <= 120;
    return {
      params: named,
      query: Object.fromEntries(Object.entries(given).filter(isAsked)) as Record<string, string>,
    };
  }
  const after = page.isPaged ? given.after : undefined;
  if (after === undefined) return { params: named };
  return typeof after === "string" && after.length <= 60 ? { params: named, after } : null;
}
