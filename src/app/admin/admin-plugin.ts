import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Right } from "#admin/rights.ts";
import { hasAccess, listMenu, type Screen } from "#admin/screen.ts";
import { toAppError } from "#shared/http/answer-errors.ts";
import { takeUploads } from "#shared/http/uploads.ts";
import { recogniseBrowsers } from "#shared/sessions/browser.ts";
import { securityHeaders } from "../rendering/content-security-policy.ts";
import { type CarriedForm, writeCarried } from "./carried-form.ts";
import { parseForms } from "./form-body.ts";
import { describeMissingRight } from "./missing-right.ts";
import { addAction } from "./run-action.ts";
import { type AdminOptions, createScreenAnswers, type ScreenAnswers } from "./screen-answers.ts";

const LOG_IN = "/admin/sign-in";
const CONFIRM = "/admin/confirm";

export type Admin = {
  /** Answers an address below /admin that does not exist; not to strangers, who get the site's own page. */
  readonly answerUnknown: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>;
};

/** Adds the back office. An address below /admin that does not say who may use it stops the start. */
export async function addAdmin(app: FastifyInstance, options: AdminOptions): Promise<Admin> {
  const answers = createScreenAnswers(options);
  await app.register(async (admin) => {
    parseForms(admin);
    recogniseBrowsers(admin, options);
    admin.addHook("onRoute", ({ url, config }) => {
      if (config?.access === undefined) throw new Error(`The address ${url} does not say who may use it.`);
    });
    const screens = options.build.listScreens();
    const guard = createGuard(options, screens, answers);
    admin.addHook("onRequest", async (_, reply) => void reply.headers(adminHeaders));
    // Runs after the body is read, because a form is kept while the person logs in.
    admin.addHook("preHandler", guard);
    admin.setErrorHandler((error, request, reply) => sendProblem(error, request, reply, answers));
    for (const screen of screens) {
      const policy = screen.readsCodes ? securityHeaders(undefined, [], { readsCodes: true }) : {};
      admin.get(screen.path, { config: { access: screen.right }, schema: { hide: true } as object }, (request, reply) =>
        answers.screen(screen, request, reply.headers(policy), null),
      );
    }
    const running = { ...options, screens, answers };
    for (const action of options.actions) if (action.files === undefined) addAction(admin, action, running);
    await admin.register(async (uploads) => {
      await takeUploads(uploads);
      for (const action of options.actions) if (action.files !== undefined) addAction(uploads, action, running);
    });
    for (const add of options.routes) add(admin);
  });
  return {
    async answerUnknown(request, reply) {
      if (!/^\/admin(\/|\?|$)/.test(request.url)) return undefined;
      // Without the database nobody is known to be staff.
      const session = await options.staffSessions.find(request).catch(() => null);
      return session === null ? undefined : answers.unknown(request, reply.headers(adminHeaders));
    },
  };
}

const adminHeaders = {
  ...securityHeaders(),
  "cache-control": "private, no-store",
  "x-robots-tag": "noindex",
  // Other sites never see an address with search words. With no referrer at all, browsers would send no origin with
  // forms.
  "referrer-policy": "same-origin",
};

/** Lets people in only if they may use the address; keeps a form that was sent without a session or a recent proof. */
function createGuard({ staffSessions, database }: AdminOptions, screens: readonly Screen[], answers: ScreenAnswers) {
  const screenAt = (path: string) => screens.find((screen) => screen.path === path)!;
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { access, needsProof = false } = request.routeOptions.config;
    if (access === undefined || access === "everybody") return;
    const session = await staffSessions.find(request);
    const isForm = request.method === "POST";
    const ask = (path: typeof LOG_IN | typeof CONFIRM) => {
      discardBody(request);
      if (isCall(request)) return reply.code(401).send({ problem: askMessages[path], to: path });
      if (!isForm) return reply.redirect(`${path}?${new URLSearchParams({ next: request.url })}`, 302);
      const carried = writeCarried({ path: request.url, values: (request.body ?? {}) as CarriedForm["values"] });
      return answers.screen(screenAt(path), request, reply.code(401), null, { carried });
    };
    if (session === null) return ask(LOG_IN);
    if (!hasAccess(session.staff, access)) {
      discardBody(request);
      const first = request.url === "/admin" ? listMenu(screens, session.staff, undefined)[0] : undefined;
      if (first !== undefined) return reply.redirect(first.path, 302);
      return answers.problem(request, reply, {
        status: 403,
        title: "You may not do this",
        text: await describeMissingRight(database, access as Right),
      });
    }
    if (needsProof && !staffSessions.isProved(session)) return ask(CONFIRM);
  };
}

/** Whether a script asks for JSON: it gets a status and a sentence, never a redirect to a screen. */
const isCall = ({ routeOptions }: FastifyRequest) => /\.json$|\/options$/.test(routeOptions.url ?? "");

const askMessages = {
  [LOG_IN]: "You have been logged out. Log in again.",
  [CONFIRM]: "Confirm that it is you first.",
} as const;

/** A form with files that is refused is not read; its sender gets the answer only once it is. */
function discardBody({ raw }: FastifyRequest): void {
  if (!raw.readableEnded) raw.resume();
}

async function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply, answers: ScreenAnswers) {
  const { status, text } = toAppError(error);
  discardBody(request);
  if (status === 404) return answers.unknown(request, reply);
  if (status < 500) return answers.problem(request, reply, { status, title: "That did not work", text });
  request.log.error({ err: error, incident: request.id }, "a screen of the back office failed");
  if (status === 503) reply.header("retry-after", "10");
  return answers.problem(request, reply, {
    status,
    title: "Something went wrong",
    text: `This did not work because of a fault on our side. Try again in a moment. If it lasts, tell whoever runs the server the incident number ${request.id}.`,
  });
}
