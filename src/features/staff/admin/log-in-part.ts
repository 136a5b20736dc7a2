import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { action, Refusal } from "#admin/actions.ts";
import { recordAct } from "#admin/audit.ts";
import type { AdminPart } from "#admin/feature.ts";
import type { Connection } from "#shared/database/connect.ts";
import { UsedPasskey } from "#shared/passkeys/contract.ts";
import { hasPasskeys } from "#shared/passkeys/passkeys.ts";
import { useDemoLink } from "../server/demo-link.ts";
import { listOwnWays, type OwnWays } from "../server/own-account.ts";
import { actorOf, type StaffServices } from "../server/services.ts";
import { askForStaffPasskey, type ProvedStaff, proveByPasskey } from "../server/use-passkey.ts";
import { type GivenPassword, proveByPassword } from "../server/use-password.ts";
import { nextPath } from "./next-path.ts";

declare module "#admin/screen.ts" {
  interface AdminReads {
    /** What the screens say that let somebody in. */
    readonly entrance: () => Entrance;
    readonly listOwnWays: (staffId: number) => Promise<OwnWays>;
  }
}

export type Entrance = {
  /** False if the site's host is an IP address. */
  readonly hasPasskeys: boolean;
  /** Links of a demo may log somebody in. */
  readonly isDemo: boolean;
  /** Whom to ask who cannot get in. */
  readonly contact: string;
  readonly organisationName: string;
};

const filled = (most: number, message: string) => z.string(message).min(1, message).max(most, message);
const next = z.string().max(500).optional();
const email = filled(254, "Enter your email.").transform((text) => text.trim());
const password = filled(128, "Enter your password.");
const code = filled(20, "Enter the six digits that your app shows.");

const noPasskey = "Your browser sent no passkey. Turn on JavaScript, or use another way.";

/** The answer of the browser's script in a form's hidden field. @throws Refusal if there is none. */
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

/** Logging in, and proving again who one is. */
export function logInPart(services: StaffServices): AdminPart {
  const { config, organisation, database } = services;
  return {
    reads: {
      entrance: (): Entrance => ({
        hasPasskeys: hasPasskeys(config),
        isDemo: !config.isLive,
        contact: organisation.current().email,
        organisationName: organisation.current().name,
      }),
      listOwnWays: (staffId: number) => listOwnWays({ database }, staffId),
    },
    actions: [...logInActions(services), ...confirmActions(services)],
    routes: (admin) => logInRoutes(admin, services),
  };
}

function logInActions(services: StaffServices) {
  const begin = beginSession(services);
  const screen = "/admin/sign-in";
  const byPassword = (given: GivenPassword, way: string, request: FastifyRequest, reply: FastifyReply) =>
    begin(request, reply, (then) => proveByPassword(services, given, request, then(way)));
  return [
    action({
      ...({ path: "/admin/sign-in/passkey", screen, right: "everybody", resumes: true } as const),
      fields: z.object({ passkey: z.string().max(20_000).default(""), next }),
      run: async ({ fields, request, reply }) => {
        const used = readPasskey(UsedPasskey, fields.passkey);
        await begin(request, reply, (then) => proveByPasskey(services, used, {}, request, then("passkey")));
        return { to: nextPath(fields.next) };
      },
    }),
    action({
      ...({ path: "/admin/sign-in/password", screen, right: "everybody", resumes: true } as const),
      fields: z.object({ email, password, code, next }),
      run: async ({ fields, request, reply }) => {
        const given = { who: { email: fields.email }, password: fields.password, code: fields.code };
        await byPassword(given, "password and code", request, reply);
        return { to: nextPath(fields.next) };
      },
    }),
    action({
      ...({ path: "/admin/sign-in/recovery", screen, right: "everybody", resumes: true } as const),
      fields: z.object({ email, password, recoveryCode: filled(40, "Enter one of your recovery codes."), next }),
      run: async ({ fields, request, reply }) => {
        const { recoveryCode } = fields;
        await byPassword({ who: fields, password: fields.password, recoveryCode }, "recovery code", request, reply);
        return { to: nextPath(fields.next), said: "You are in. That recovery code works no longer." };
      },
    }),
  ];
}

type Then = (way: string) => (transaction: Connection, staff: ProvedStaff) => Promise<string>;

/** Begins a session in the transaction that proves who it is, and hands it over after the commit. */
function beginSession({ staffSessions, now }: StaffServices) {
  return async (request: FastifyRequest, reply: FastifyReply, prove: (then: Then) => Promise<string>) => {
    const token = await prove((way) => async (transaction, staff) => {
      const act = { verb: "staff.log-in", subject: "staff", subjectId: String(staff.id), after: { way } };
      await recordAct(transaction, actorOf(staff, request), act, now());
      return staffSessions.begin(transaction, staff.id, request);
    });
    staffSessions.handOver(request, reply, token);
  };
}

function confirmActions(services: StaffServices) {
  const { staffSessions } = services;
  const screen = "/admin/confirm";
  return [
    action({
      ...({ path: "/admin/confirm/passkey", screen, right: "logged in", resumes: true } as const),
      fields: z.object({ passkey: z.string().max(20_000).default(""), next }),
      run: async ({ fields, request, session, staff }) => {
        const confirms = { sessionId: session.id, staffId: staff.id };
        await proveByPasskey(services, readPasskey(UsedPasskey, fields.passkey), { confirms }, request, (transaction) =>
          staffSessions.noteProof(transaction, session, request),
        );
        return { to: nextPath(fields.next) };
      },
    }),
    action({
      ...({ path: "/admin/confirm/password", screen, right: "logged in", resumes: true } as const),
      fields: z.object({ password, code, next }),
      run: async ({ fields, request, session, staff }) => {
        const given = { who: { staffId: staff.id }, password: fields.password, code: fields.code };
        await proveByPassword(services, given, request, (transaction) =>
          staffSessions.noteProof(transaction, session, request),
        );
        return { to: nextPath(fields.next) };
      },
    }),
  ];
}

function logInRoutes(admin: FastifyInstance, services: StaffServices) {
  const { staffSessions } = services;
  const everybody = { config: { access: "everybody" }, schema: { hide: true } as object } as const;
  const loggedIn = { config: { access: "logged in" }, schema: { hide: true } as object } as const;

  admin.get("/admin/sign-in/options", everybody, (request) => askForStaffPasskey(services, {}, request));

  /** A link from an email comes without the session's cookie; the log-in screen asks here, and then leads on. */
  admin.get("/admin/sign-in/session", everybody, async (request) => ({
    isLoggedIn: (await staffSessions.find(request)) !== null,
  }));

  admin.get("/admin/confirm/options", loggedIn, async (request) => {
    const session = await staffSessions.find(request);
    const confirms = { sessionId: session!.id, staffId: session!.staff.id };
    return askForStaffPasskey(services, { confirms }, request);
  });

  if (services.config.isLive) return;
  admin.get<{ Params: { token: string } }>("/admin/sign-in/:token", everybody, async (request, reply) => {
    const token = await useDemoLink(services, request.params.token, request);
    if (token === null) return reply.redirect("/admin/sign-in?notice=over", 303);
    staffSessions.handOver(request, reply, token);
    return reply.redirect("/admin", 303);
  });
}
