import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Action, Refusal, type SentFile, type SentForm } from "#admin/actions.ts";
import { type FilledForm, hasAccess, type Screen } from "#admin/screen.ts";
import type { StaffSession } from "#admin/staff-sessions.ts";
import { AppError } from "#shared/errors.ts";
import { fieldErrors } from "#shared/http/mount.ts";
import { MULTIPART, refuseOtherBodies, type Upload, withUpload } from "#shared/http/uploads.ts";
import { type CarriedForm, isCarried, readCarried } from "./carried-form.ts";
import { type AdminOptions, readShortTexts, type ScreenAnswers } from "./screen-answers.ts";

const CHECK_FIELDS = "Check what is marked below.";

type Running = AdminOptions & { readonly screens: readonly Screen[]; readonly answers: ScreenAnswers };

type Sending = Pick<SentForm<unknown>, "request" | "reply" | "files"> & { readonly values: CarriedForm["values"] };

/** Adds the address of a form. */
export function addAction(admin: FastifyInstance, action: Action, running: Running): void {
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
      request,
      reply,
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

/** A name that comes once gives a text, otherwise a list. */
function unwrap(values: CarriedForm["values"]): Record<string, string | readonly string[]> {
  return Object.fromEntries(Object.entries(values).map(([name, list]) => [name, list.length === 1 ? list[0]! : list]));
}
