import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Action, ActionDone } from "#admin/actions.ts";
import { readTexts } from "#admin/read-texts.ts";
import { type AdminReads, type FilledForm, hasAccess, type Screen, type ScreenRequest } from "#admin/screen.ts";
import { findStep, SET_UP_PATH } from "#admin/set-up.ts";
import type { StaffSessions } from "#admin/staff-sessions.ts";
import { MAX_NEXT_LENGTH } from "#features/staff/admin/next-path.ts";
import type { Database } from "#shared/database/connect.ts";
import type { Organisation } from "#shared/organisation.ts";
import type { AdminFiles, AdminFrame } from "./render-admin.tsx";
import { createToastCookie } from "./toast-cookie.ts";

type Build = typeof import("./render-admin.tsx");

export type AdminOptions = {
  readonly database: Database;
  readonly staffSessions: StaffSessions;
  readonly organisation: () => Organisation;
  readonly now: () => Date;
  readonly isSecure: boolean;
  readonly hasNoMail: boolean;
  /** Signs the cookie by which limits and challenges recognise a browser. */
  readonly secretKey: string;
  readonly reads: object;
  readonly actions: readonly Action[];
  readonly routes: readonly ((admin: FastifyInstance) => void)[];
  /** The built screens and their files. */
  readonly build: Build;
  readonly files: AdminFiles;
};

export type ScreenAnswers = ReturnType<typeof createScreenAnswers>;

/** How the back office answers: with a screen, a problem, or a redirect to a toast. */
export function createScreenAnswers(options: AdminOptions) {
  const { staffSessions, organisation, reads, now, build, files, isSecure, hasNoMail } = options;
  const allReads = { ...reads, now } as AdminReads;
  const toastCookie = createToastCookie(isSecure);
  /** Above every screen until the site is open, then above those of what is left. */
  const findSetUp = async ({ path, staff }: ScreenRequest) => {
    if (path === SET_UP_PATH || staff === null || !hasAccess(staff, "settings.change")) return null;
    const setUp = await allReads.findSetUp();
    if (setUp === null || !setUp.isOpen) return setUp;
    const here = findStep(setUp, path);
    return here === undefined || here.state === "done" ? null : setUp;
  };
  const frameOf = async (request: FastifyRequest, reply: FastifyReply, described: ScreenRequest) => {
    const toast = toastCookie.take(request, reply);
    // Works without JavaScript. The toast's cookie is gone by then, so reloading the screen downloads nothing.
    if (toast?.download !== undefined) reply.header("refresh", `0; url=${toast.download}`);
    const { staff } = described;
    const [setUp, waiting] = await Promise.all([
      findSetUp(described),
      staff === null ? {} : allReads.countWaiting(staff),
    ]);
    return { organisation: organisation(), files, toast, setUp, waiting, now: now() } satisfies AdminFrame;
  };
  const describe = async (request: FastifyRequest, form: FilledForm | null, carried: string | null) => {
    const session = await staffSessions.find(request);
    return {
      path: request.url.split("?", 1)[0]!,
      params: readShortTexts(request.params),
      query: readShortTexts(request.query),
      staff: session?.staff ?? null,
      sessionId: session?.id ?? "",
      ipAddress: request.ip,
      form,
      hasNoMail,
      carried,
    } satisfies ScreenRequest;
  };
  const send = (reply: FastifyReply, html: string) => reply.type("text/html; charset=utf-8").send(html);

  const problem = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { status, title, text }: { status: number; title: string; text: string },
  ) => {
    const described = await describe(request, null, null);
    // Also shown while the database is away; without a person the frame reads nothing.
    const frame = await frameOf(request, reply, status < 500 ? described : { ...described, staff: null });
    return send(reply.code(status), build.renderAdminProblem({ title, text }, described, frame));
  };

  const unknown = (request: FastifyRequest, reply: FastifyReply) =>
    problem(request, reply, {
      status: 404,
      title: "This page does not exist",
      text: "There is nothing at this address. It may have been removed, or the address may be incomplete.",
    });

  return {
    problem,
    unknown,
    forgetWaiting: () => allReads.forgetWaiting(),

    /** Shows a screen, as if requested at `at`; with a form, filled with what was typed. */
    async screen(
      screen: Screen,
      request: FastifyRequest,
      reply: FastifyReply,
      form: FilledForm | null,
      { carried = null, params }: { carried?: string | null; params?: Readonly<Record<string, string>> } = {},
    ) {
      const described = { ...(await describe(request, form, carried)), ...(params && { params }) };
      const instead = form === null && carried === null ? (screen.leadsTo?.(described) ?? null) : null;
      if (instead !== null) return reply.redirect(instead, 302);
      const data = await screen.load(allReads, described);
      if (data === null) return unknown(request, reply);
      return send(reply, build.renderScreen(screen, data, described, await frameOf(request, reply, described)));
    },

    /** Redirects to an address, where a toast says what was done. */
    redirect(reply: FastifyReply, { to, toast, undo, download }: ActionDone) {
      allReads.forgetWaiting();
      if (toast !== undefined) {
        toastCookie.keep(reply, { message: toast, ...(undo && { undo }), ...(download && { download }) });
      }
      return reply.redirect(to, 303);
    },
  };
}

/** Texts of a path or query, none longer than 200 characters, but for the address to go on to. */
export function readShortTexts(given: unknown): Record<string, string> {
  const isShort = ([name, text]: [string, string]) => text.length <= (name === "next" ? MAX_NEXT_LENGTH : 200);
  return Object.fromEntries(Object.entries(readTexts(given)).filter(isShort));
}
