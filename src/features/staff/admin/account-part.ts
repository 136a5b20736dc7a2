import { z } from "zod";
import { action } from "#admin/actions.ts";
import { recordAct } from "#admin/audit.ts";
import type { AdminPart } from "#admin/feature.ts";
import type { ListedStaffSession } from "#admin/staff-sessions.ts";
import { plainLine } from "#shared/contract/plain-line.ts";
import { AppError } from "#shared/errors.ts";
import { NewPasskey } from "#shared/passkeys/contract.ts";
import { offerNewPasskey, verifyStaffPasskey } from "../server/new-passkey.ts";
import * as account from "../server/own-account.ts";
import { checkSetUp, openSetUp, PasswordSetUp } from "../server/password-set-up.ts";
import type { StaffServices } from "../server/services.ts";
import { readPasskey } from "./log-in-part.ts";
import { Name } from "./people.ts";
import { type ShownSetUp, showSetUp } from "./shown-set-up.ts";

declare module "#admin/screen.ts" {
  interface AdminReads {
    readonly listOwnSessions: (staffId: number) => Promise<ListedStaffSession[]>;
    /** A new password's secret and codes, or those of the form that is shown again (`sealed`). */
    readonly offerPassword: (
      staff: { readonly id: number; readonly email: string },
      sealed: string | undefined,
    ) => Promise<ShownSetUp>;
  }
}

const screen = "/admin/you";
const to = screen;
const right = "logged in";

/** A person's own account: how they log in, and their sessions. */
export function accountPart(services: StaffServices): AdminPart {
  const { staffSessions } = services;
  return {
    reads: {
      listOwnSessions: (staffId: number) => staffSessions.list(staffId),
      offerPassword: (staff: { id: number; email: string }, sealed: string | undefined) =>
        showSetUp(services, staff, sealed),
    },
    actions: [
      nameAction(services),
      ...passkeyActions(services),
      ...passwordActions(services),
      ...sessionActions(services),
    ],
    routes: (admin) => {
      // Asked for while somebody types. Finding the session is what keeps it.
      admin.get(
        "/admin/you/session.json",
        { config: { access: right }, schema: { hide: true } as object },
        (_, reply) => reply.code(204).send(),
      );
      // Asks for the proof first. Otherwise the device would make a passkey that the server then refuses.
      const config = { access: right, needsProof: true } as const;
      admin.get("/admin/you/passkeys/options", { config, schema: { hide: true } as object }, async (request) => {
        const session = (await staffSessions.find(request))!;
        return offerNewPasskey(services, session.staff, { session: session.id });
      });
    },
  };
}

const nameAction = (services: StaffServices) =>
  action({
    path: "/admin/you/name",
    screen,
    right,
    needsProof: true,
    fields: z.object({ name: Name }),
    run: async ({ fields: { name }, staff, actor }) => {
      await account.changeOwnName(services, { staffId: staff.id, actor }, name);
      return { to, toast: "Your name is changed. What you did before keeps the earlier one." };
    },
  });

const nameless = "Enter a name, such as ‘Work laptop’.";
const PasskeyName = z.string(nameless).trim().min(1, nameless).max(60, "Use at most 60 characters.").regex(plainLine, {
  message: nameless,
});

function passkeyActions(services: StaffServices) {
  return [
    action({
      path: "/admin/you/passkeys",
      screen,
      right,
      needsProof: true,
      fields: z.object({ passkey: z.string().max(20_000).default("") }),
      run: async ({ fields, staff, session, actor, request }) => {
        const made = readPasskey(NewPasskey, fields.passkey);
        const verified = await verifyStaffPasskey(services, made, { session: session.id }, request);
        await account.addPasskey(services, { staffId: staff.id, actor }, verified);
        return { to, toast: `The passkey is added. It is called ${verified.name}.` };
      },
    }),
    action({
      path: "/admin/you/passkeys/:id/name",
      screen,
      right,
      fields: z.object({ name: PasskeyName }),
      run: async ({ fields: { name }, params: { id = "" }, staff, actor }) => {
        await account.renamePasskey(services, { staffId: staff.id, actor }, id, name);
        return { to, toast: "The passkey has its new name." };
      },
    }),
    action({
      path: "/admin/you/passkeys/:id/remove",
      screen,
      right,
      needsProof: true,
      fields: z.object({}),
      run: async ({ params: { id = "" }, staff, actor }) => {
        await account.removePasskey(services, { staffId: staff.id, actor }, id);
        return { to, toast: "The passkey is removed. Delete it on your device too." };
      },
    }),
  ];
}

function passwordActions(services: StaffServices) {
  const { config, now } = services;
  const CodesForm = PasswordSetUp.pick({ setUp: true, areKept: true });
  return [
    action({
      path: "/admin/you/password",
      screen: "/admin/you/password",
      right,
      needsProof: true,
      fields: PasswordSetUp,
      run: async ({ fields, staff, session, actor }) => {
        const checked = await checkSetUp(config.secretKey, staff.id, fields, now());
        await account.changePassword(services, { staffId: staff.id, actor, sessionId: session.id }, checked);
        return { to, toast: "The password is set. Your other sessions have ended." };
      },
    }),
    action({
      path: "/admin/you/password/remove",
      screen,
      right,
      needsProof: true,
      fields: z.object({}),
      run: async ({ staff, actor }) => {
        await account.removePassword(services, { staffId: staff.id, actor });
        return { to, toast: "Password, app and recovery codes are removed." };
      },
    }),
    action({
      path: "/admin/you/recovery-codes",
      screen: "/admin/you/recovery-codes",
      right,
      needsProof: true,
      fields: CodesForm,
      run: async ({ fields, staff, actor }) => {
        const offered = openSetUp(config.secretKey, staff.id, fields.setUp, now());
        const late = "This form was open for too long. Keep the new codes below, and try again.";
        if (offered === null) throw new AppError("invalid_input", { fields: { areKept: [late] } });
        await account.renewRecoveryCodes(services, { staffId: staff.id, actor }, offered.recoveryCodes);
        return { to, toast: "The new recovery codes work. The earlier ones do not." };
      },
    }),
  ];
}

function sessionActions(services: StaffServices) {
  const { staffSessions, database, now } = services;
  return [
    action({
      path: "/admin/you/sessions/:id/end",
      screen,
      right,
      fields: z.object({}),
      run: async ({ params: { id = "" }, staff, actor }) => {
        await account.endSession(services, { staffId: staff.id, actor }, id);
        return { to, toast: "The session is ended." };
      },
    }),
    action({
      path: "/admin/log-out",
      screen,
      right,
      fields: z.object({}),
      run: async ({ staff, actor, request, reply }) => {
        const act = { verb: "staff.log-out", subject: "staff", subjectId: String(staff.id) };
        await recordAct(database, actor, act, now());
        await staffSessions.end(request, reply);
        return { to: "/admin/sign-in?notice=out" };
      },
    }),
  ];
}
