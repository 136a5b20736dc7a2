import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Action, type ActionDone, Refusal, type SentFile, type SentForm } from "#admin/actions.ts";
import { readTexts } from "#admin/read-texts.ts";
import type { Right } from "#admin/rights.ts";
import {
  type AdminReads,
  type FilledForm,
  hasAccess,
  listMenu,
  type Screen,
  type ScreenRequest,
} from "#admin/screen.ts";
import { findStep, SET_UP_PATH } from "#admin/set-up.ts";
import type { StaffSession, StaffSessions } from "#admin/staff-sessions.ts";
import { readToast, writeToast } from "#admin/toast.ts";
import { MAX_NEXT_LENGTH } from "#features/staff/admin/next-path.ts";
import type { Database } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import { toAppError } from "#shared/http/answer-errors.ts";
import { fieldErrors } from "#shared/http/mount.ts";
import { MULTIPART, refuseOtherBodies, takeUploads, type Upload, withUpload } from "#shared/http/uploads.ts";
import type { Organisation } from "#shared/organisation.ts";
import { recogniseBrowsers } from "#shared/sessions/browser.ts";
import { securityHeaders } from "../rendering/content-security-policy.ts";
import { type CarriedForm, isCarried, readCarried, writeCarried } from "./carried-form.ts";
import { parseForms } from "./form-body.ts";
import { describeMissingRight } from "./missing-right.ts";
import type { AdminFiles, AdminFrame } from "./render-admin.tsx";

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

type ScreenAnswers = ReturnType<typeof createScreenAnswers>;

function createScreenAnswers(options: AdminOptions) {
  const { staffSessions, organisation, reads, now, build, files, isSecure, hasNoMail } = options;
  const allReads = { ...reads, now } as AdminReads;
  // Bound to this host: a neighbour's toast could have an Undo that does anything.
  const toastCookie = isSecure ? "__Host-toast" : "toast";
  /** Above every screen until the site is open, then above those of what is left. */
  const findSetUp = async ({ path, staff }: ScreenRequest) => {
    if (path === SET_UP_PATH || staff === null || !hasAccess(staff, "settings.change")) return null;
    const setUp = await allReads.findSetUp();
    if (setUp === null || !setUp.isOpen) return setUp;
    const here = findStep(setUp, path);
    return here === undefined || here.state === "done" ? null : setUp;
  };
  const frameOf = async (request: FastifyRequest, reply: FastifyReply, described: ScreenRequest) => {
    const kept = request.method === "GET" ? request.cookies[toastCookie] : undefined;
    if (kept !== undefined) reply.clearCookie(toastCookie, { path: "/", secure: isSecure });
    const toast = kept === undefined ? null : readToast(kept);
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
        const text = writeToast({ message: toast, ...(undo && { undo }), ...(download && { download }) });
        reply.setCookie(toastCookie, text, {
          path: "/",
          sameSite: "strict",
          secure: isSecure,
          httpOnly: true,
          maxAge: 60,
        });
      }
      return reply.redirect(to, 303);
    },
  };
}

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

function addAction(admin: FastifyInstance, action: Action, running: Running): void {
  const screen = running.screens.find(({ path }) => path === action.screen);
  if (screen === undefined)
    throw new Error(`The form ${action.path} names the screen ${action.screen}, which is none.`);
  const config = { access: action.right, needsProof: action.needsProof ?? false };
  const { path, files } = action;
  if (files === undefined) {
    admin.post(path, { config, schema: { hide: true } as object }, (request, reply) =>
      runAction(action, screen, { request, reply, values: readValues(request), files: [] }, running),
    );
    return;
  }
  const schema = { hide: true, consumes: [MULTIPART] } as object;
  admin.post(path, { config, schema, preHandler: refuseOtherBodies }, (request, reply) => {
    const run = (upload: Upload) => {
      const values = Object.fromEntries(Object.entries(upload.fields).map(([name, text]) => [name, [text]]));
      return runAction(action, screen, { request, reply, values, files: listFiles(upload) }, running);
    };
    return withUpload(request, [files.name], run, { maxOfEach: files.max });
  });
}

const readValues = ({ body }: FastifyRequest) => (body ?? {}) as CarriedForm["values"];

/** The files of a form in the order in which they came. A field that was left empty has none. */
function listFiles({ files, faults, fileNames }: Upload): SentFile[] {
  return Object.entries(fileNames).flatMap(([key, name]): SentFile[] => {
    const [fault] = faults[key] ?? [];
    if (fault !== undefined) return [{ name, fault }];
    return files[key] === undefined ? [] : [{ name, bytes: files[key].bytes }];
  });
}

/** A form with files that is refused is not read; its sender gets the answer only once it is. */
function discardBody({ raw }: FastifyRequest): void {
  if (!raw.readableEnded) raw.resume();
}

const CHECK_FIELDS = "Check what is marked below.";

type Running = AdminOptions & { readonly screens: readonly Screen[]; readonly answers: ScreenAnswers };

type Sending = Pick<SentForm<unknown>, "request" | "reply" | "files"> & { readonly values: CarriedForm["values"] };

async function runAction(
  action: Action,
  screen: Screen,
  { request, reply, files, values: { carried: carriedTexts, ...values } }: Sending,
  options: Running,
): Promise<FastifyReply> {
  const carried = isCarried(carriedTexts?.[0]) ? carriedTexts[0] : null;
  // A refused form is shown again, and to escape a long text for HTML takes seconds: strangers get none.
  if (action.right === "everybody" && isLong(values)) throw new AppError("too_large");
  const session = await options.staffSessions.find(request);
  const showForm = (status: number, form: Pick<FilledForm, "state"> & Partial<FilledForm>) =>
    options.answers.screen(
      screen,
      request,
      reply.code(status),
      { action: request.url, values, errors: {}, ...form },
      { carried },
    );
  const refuse = (status: number, errors: FilledForm["errors"], message?: string) =>
    showForm(status, { errors, message, state: "refused" });
  const fields = action.fields.safeParse(unwrap(values));
  if (!fields.success) return refuse(422, fieldErrors(fields.error), CHECK_FIELDS);
  try {
    const done = await action.run({
      params: readShortTexts(request.params),
      fields: fields.data,
      files,
      actor: { staff: session?.staff ?? null, ipAddress: request.ip },
      ...{ request, reply },
      ...whoSends(session),
    });
    if ("file" in done) return await reply.headers(done.file.headers).send(done.file.bytes);
    if ("check" in done) return await showForm(200, { message: done.check, state: "checking" });
    if ("link" in done) {
      options.answers.forgetWaiting();
      return await showForm(200, { values: {}, message: done.message, link: done.link, state: "done" });
    }
    if (action.resumes && carried !== null) return await resume(carried, request, reply, options);
    return options.answers.redirect(reply, done);
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === null) throw error;
    if (error instanceof AppError && error.problem === "files_away") {
      request.log.warn({ err: error }, "a form was not saved, because the bucket for files is away");
      reply.header("retry-after", String(error.retryAfterSeconds));
    }
    return refuse(refusal.status, refusal.errors, refusal.message);
  }
}

/** What the form says when it is shown again after this error; null if a page of its own reports the error. */
function refusalOf(error: unknown) {
  if (error instanceof Refusal) return { status: 409, errors: {}, message: error.message };
  if (!(error instanceof AppError)) return null;
  if (error.fields !== undefined) return { status: 422, errors: error.fields, message: CHECK_FIELDS };
  const isForForm = (error.status < 500 && error.status !== 404) || error.problem === "files_away";
  return isForForm ? { status: error.status, errors: {}, message: error.text } : null;
}

/** No form for everybody has a longer text than a passkey's answer. */
const isLong = (values: CarriedForm["values"]) => Object.values(values).some((texts) => texts.join("").length > 20_000);

/** An action for everybody needs no session. */
const whoSends = (session: StaffSession | null) =>
  ({ staff: session?.staff, session }) as Pick<SentForm<unknown>, "staff" | "session">;

/** Shows the form that was kept, filled, to be sent again by hand. */
async function resume(text: string, request: FastifyRequest, reply: FastifyReply, options: Running) {
  const carried = readCarried(text);
  const found = carried === null ? null : findAction(options.actions, carried.path);
  const session = await options.staffSessions.find(request);
  if (carried === null || found === null || session === null || !hasAccess(session.staff, found.action.right)) {
    return options.answers.redirect(reply, { to: "/admin" });
  }
  const screen = options.screens.find(({ path }) => path === found.action.screen)!;
  const form: FilledForm = {
    action: carried.path,
    values: carried.values,
    errors: {},
    message: "Thank you. Nothing was sent yet: please check this, and send it again.",
    state: "resumed",
  };
  return options.answers.screen(screen, request, reply, form, { params: found.params });
}

function findAction(actions: readonly Action[], url: string) {
  const path = url.split("?", 1)[0]!;
  for (const action of actions) {
    const match = new RegExp(`^${action.path.replace(/:(\w+)/g, "(?<$1>[^/]+)")}$`).exec(path);
    if (match !== null) return { action, params: { ...match.groups } };
  }
  return null;
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

/** Texts of a path or query, none longer than 200 characters, but for the address to go on to. */
function readShortTexts(given: unknown): Record<string, string> {
  const isShort = ([name, text]: [string, string]) => text.length <= (name === "next" ? MAX_NEXT_LENGTH : 200);
  return Object.fromEntries(Object.entries(readTexts(given)).filter(isShort));
}

/** A name that comes once gives a text, otherwise a list. */
function unwrap(values: CarriedForm["values"]): Record<string, string | readonly string[]> {
  return Object.fromEntries(Object.entries(values).map(([name, list]) => [name, list.length === 1 ? list[0]! : list]));
}
