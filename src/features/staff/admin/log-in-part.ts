import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { type ActionDone, action, Refusal } from "#admin/actions.ts";
import { recordAct } from "#admin/audit.ts";
import type { AdminPart } from "#admin/feature.ts";
import type { Connection } from "#shared/database/connect.ts";
import { UsedPasskey } from "#shared/passkeys/contract.ts";
import { hasPasskeys } from "#shared/passkeys/passkeys.ts";
import { useDemoLink } from "../server/demo-link.ts";
import { type Admitted, handOverSession } from "../server/hand-over-session.ts";
import { LOG_IN_CODE_MS } from "../server/log-in-codes.ts";
import { listOwnWaysToLogIn, type OwnWaysToLogIn } from "../server/own-account.ts";
import { actorOf, type StaffServices } from "../server/services.ts";
import { askForStaffPasskey, type ProvedStaff, proveByPasskey } from "../server/use-passkey.ts";
import { type GivenPassword, proveByEmailedCode, proveByPassword } from "../server/use-password.ts";
import { CODE_PATH, continueTo, MAX_NEXT_LENGTH } from "./next-path.ts";

declare module "#admin/screen.ts" {
  interface AdminReads {
    /** What the screens for logging in show. */
    readonly entrance: () => Entrance;
    readonly listOwnWaysToLogIn: (staffId: number) => Promise<OwnWaysToLogIn>;
  }
}

export type Entrance = {
  /** False if the site's host is an IP address. */
  readonly hasPasskeys: boolean;
  /** Whether links of a demo may log somebody in. */
  readonly isDemo: boolean;
  /** Whom to ask if one cannot log in. */
  readonly contact: string;
  readonly organisationName: string;
};

const filled = (maxLength: number, message: string) => z.string(message).min(1, message).max(maxLength, message);
const next = z.string().max(MAX_NEXT_LENGTH).optional();
const email = filled(254, "Enter your email.").transform((text) => text.trim());
const password = filled(128, "Enter your password.");
const code = filled(20, "Enter the six digits that your app shows.");

const noPasskey = "Your browser sent no passkey. Turn on JavaScript, or use another way.";

/** The passkey's answer, which the browser's script put into a hidden field. @throws Refusal if there is none. */
export function readPasskey<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  const parsed = text === "" ? null : schema.safeParse(parseJson(text));
  if (!parsed?.success) throw new Refusal(noPasskey);
  return parsed.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The actions for logging in, and for proving again who one is. */
export function logInPart(services: StaffServices): AdminPart {
  const { config, organisation, database } = services;
  return {
    reads: {
      entrance: (): Entrance => ({
        hasPasskeys: hasPasskeys(config),
        isDemo: config.isDemo,
        contact: organisation.current().email,
        organisationName: organisation.current().name,
      }),
      listOwnWaysToLogIn: (staffId: number) => listOwnWaysToLogIn({ database }, staffId),
    },
    actions: [...logInActions(services), ...confirmActions(services)],
    routes: (admin) => logInRoutes(admin, services),
  };
}

function logInActions(services: StaffServices) {
  const screen = "/admin/sign-in";
  const begin = (request: FastifyRequest) => beginSession(services, request);
  const byPassword = async (given: GivenPassword, request: FastifyRequest, reply: FastifyReply, done: ActionDone) => {
    const outcome = await proveByPassword(services, given, request, begin(request));
    if ("codeToken" in outcome) {
      reply.setCookie(CODE_COOKIE, outcome.codeToken, codeCookie(services));
      return { check: codeSent };
    }
    handOverSession(services, request, reply, outcome.result);
    return done;
  };
  return [
    action({
      path: "/admin/sign-in/passkey",
      screen,
      right: "everybody",
      resumes: true,
      fields: z.object({ passkey: z.string().max(20_000).default(""), next }),
      run: async ({ fields, request, reply }) => {
        const used = readPasskey(UsedPasskey, fields.passkey);
        const admitted = await proveByPasskey(services, used, {}, request, (transaction, staff) =>
          begin(request)(transaction, staff, "passkey"),
        );
        handOverSession(services, request, reply, admitted);
        return continueTo(fields.next);
      },
    }),
    action({
      path: "/admin/sign-in/password",
      screen,
      right: "everybody",
      resumes: true,
      fields: z.object({ email, password, code, next }),
      run: ({ fields: { next, ...given }, request, reply }) => byPassword(given, request, reply, continueTo(next)),
    }),
    action({
      path: "/admin/sign-in/recovery",
      screen,
      right: "everybody",
      resumes: true,
      fields: z.object({ email, password, recoveryCode: filled(40, "Enter one of your recovery codes."), next }),
      run: ({ fields: { next, ...given }, request, reply }) =>
        byPassword(given, request, reply, {
          ...continueTo(next),
          toast: "You are in. That recovery code no longer works.",
        }),
    }),
    action({
      path: CODE_PATH,
      screen,
      right: "everybody",
      resumes: true,
      fields: z.object({ emailedCode: filled(20, "Enter the eight digits from the email."), next }),
      run: async ({ fields: { emailedCode, next }, request, reply }) => {
        const given = { token: request.cookies[CODE_COOKIE] ?? "", code: emailedCode };
        handOverSession(services, request, reply, await proveByEmailedCode(services, given, request, begin(request)));
        reply.clearCookie(CODE_COOKIE, codeCookie(services));
        return continueTo(next);
      },
    }),
  ];
}

const CODE_COOKIE = "staff-code";

const codeCookie = ({ config }: StaffServices) =>
  ({
    path: "/admin/sign-in",
    httpOnly: true,
    sameSite: "strict",
    secure: config.publicUrl.startsWith("https:"),
    maxAge: LOG_IN_CODE_MS / 1000,
  }) as const;

const codeSent =
  "This browser is new to us, and there have been failed attempts. If what you typed was right, we have emailed you a code.";

/** Begins a session in the transaction that checks the proof; `handOverSession` gives it to the browser after the commit. */
function beginSession({ staffSessions, now }: StaffServices, request: FastifyRequest) {
  return async (transaction: Connection, staff: ProvedStaff, way: string): Promise<Admitted> => {
    const act = { verb: "staff.log-in", subject: "staff", subjectId: String(staff.id), after: { way } };
    await recordAct(transaction, actorOf(staff, request), act, now());
    return { email: staff.email, token: await staffSessions.begin(transaction, staff.id, request) };
  };
}

function confirmActions(services: StaffServices) {
  const { staffSessions } = services;
  const screen = "/admin/confirm";
  return [
    action({
      path: "/admin/confirm/passkey",
      screen,
      right: "logged in",
      resumes: true,
      fields: z.object({ passkey: z.string().max(20_000).default(""), next }),
      run: async ({ fields, request, session, staff }) => {
        const confirms = { sessionId: session.id, staffId: staff.id };
        await proveByPasskey(services, readPasskey(UsedPasskey, fields.passkey), { confirms }, request, (transaction) =>
          staffSessions.noteProof(transaction, session, request),
        );
        return continueTo(fields.next);
      },
    }),
    action({
      path: "/admin/confirm/password",
      screen,
      right: "logged in",
      resumes: true,
      fields: z.object({ password, code, next }),
      run: async ({ fields, request, session, staff }) => {
        const { password, code } = fields;
        const given = { email: staff.email, password, code, isConfirming: true } as const;
        await proveByPassword(services, given, request, (transaction) =>
          staffSessions.noteProof(transaction, session, request),
        );
        return continueTo(fields.next);
      },
    }),
  ];
}

function logInRoutes(admin: FastifyInstance, services: StaffServices) {
  const { staffSessions } = services;
  const everybody = { config: { access: "everybody" }, schema: { hide: true } as object } as const;
  const loggedIn = { config: { access: "logged in" }, schema: { hide: true } as object } as const;

  admin.get("/admin/sign-in/options", everybody, (request) => askForStaffPasskey(services, {}, request));

  /**
   * Requests from a link in an email lack the session's cookie, so the log-in screen's script asks here for the
   * session.
   */
  admin.get("/admin/sign-in/session", everybody, async (request) => ({
    isLoggedIn: (await staffSessions.find(request)) !== null,
  }));

  admin.get("/admin/confirm/options", loggedIn, async (request) => {
    const session = await staffSessions.find(request);
    const confirms = { sessionId: session!.id, staffId: session!.staff.id };
    return askForStaffPasskey(services, { confirms }, request);
  });

  if (!services.config.isDemo) return;
  admin.get<{ Params: { token: string } }>("/admin/sign-in/:token", everybody, async (request, reply) => {
    const admitted = await useDemoLink(services, request.params.token, request);
    if (admitted === null) return reply.redirect("/admin/sign-in?notice=over", 303);
    handOverSession(services, request, reply, admitted);
    return reply.redirect("/admin", 303);
  });
}
