import { z } from "zod";
import { action, Refusal } from "#admin/actions.ts";
import type { AdminPart } from "#admin/feature.ts";
import { NewPasskey } from "#shared/passkeys/contract.ts";
import { handOverSession } from "../server/hand-over-session.ts";
import type { Invitation } from "../server/invitations.ts";
import { offerNewPasskey, verifyStaffPasskey } from "../server/new-passkey.ts";
import { checkSetUp, PasswordSetUp } from "../server/password-set-up.ts";
import type { StaffServices } from "../server/services.ts";
import { acceptInvitation, findOpenInvitation } from "../server/set-up.ts";
import { setPassword } from "../server/ways-to-log-in.ts";
import { readPasskey } from "./log-in-part.ts";
import { Name } from "./people.ts";
import { type ShownSetUp, showSetUp } from "./shown-set-up.ts";

declare module "#admin/screen.ts" {
  interface AdminReads {
    /** An invitation, with what is needed to set a password; null if it no longer works, whatever the reason. */
    readonly openInvitation: (
      token: string,
      sealed: string | undefined,
    ) => Promise<{ readonly invitation: Invitation; readonly setUp: ShownSetUp } | null>;
  }
}

const over =
  "This link no longer works: it was used, replaced, or is older than 72 hours. Ask an administrator for a new one.";

/** Asked for only if the invitation had no name; whoever leaves it empty can give it later. */
const OwnName = z.literal("").or(Name).default("");

/** Setting up a first passkey or password, after an invitation or a reset. */
export function welcomePart(services: StaffServices): AdminPart {
  const { config, now } = services;
  const screen = "/admin/welcome/:token";

  const requireOpen = async (token = "") => {
    const invitation = await findOpenInvitation(services, token);
    if (invitation === null) throw new Refusal(over);
    return invitation;
  };

  return {
    reads: {
      openInvitation: async (token: string, sealed: string | undefined) => {
        const invitation = await findOpenInvitation(services, token);
        if (invitation === null) return null;
        const { staffId: id, email } = invitation;
        return { invitation, setUp: await showSetUp(services, { id, email }, sealed) };
      },
    },
    actions: [
      action({
        path: "/admin/welcome/:token/passkey",
        screen,
        right: "everybody",
        fields: z.object({ passkey: z.string().max(20_000).default(""), name: OwnName }),
        run: async ({ params: { token = "" }, fields, request, reply }) => {
          const made = readPasskey(NewPasskey, fields.passkey);
          await requireOpen(token);
          const verified = await verifyStaffPasskey(services, made, { invitation: token }, request);
          const set = { way: "passkey", name: fields.name, keep: verified.keep } as const;
          handOverSession(services, request, reply, await acceptInvitation(services, token, request, set));
          return { to: "/admin/you", toast: "You are in. Add a second passkey, in case this one gets lost." };
        },
      }),
      action({
        path: "/admin/welcome/:token/password",
        screen,
        right: "everybody",
        fields: PasswordSetUp.and(z.object({ name: OwnName })),
        run: async ({ params: { token = "" }, fields, request, reply }) => {
          const { staffId } = await requireOpen(token);
          const checked = await checkSetUp(config.secretKey, staffId, fields, now());
          const admitted = await acceptInvitation(services, token, request, {
            way: "password and code",
            name: fields.name,
            keep: (transaction) => setPassword(transaction, config.secretKey, staffId, checked),
          });
          handOverSession(services, request, reply, admitted);
          return { to: "/admin/you", toast: "You are in. From now on you log in with this password and a code." };
        },
      }),
    ],
    routes: (admin) => {
      const config = { access: "everybody" } as const;
      admin.get<{ Params: { token: string } }>(
        "/admin/welcome/:token/options",
        { config, schema: { hide: true } as object },
        async ({ params: { token } }, reply) => {
          const invitation = await findOpenInvitation(services, token);
          if (invitation === null) return reply.code(410).send({ problem: over });
          const { staffId: id, email, name } = invitation;
          return offerNewPasskey(services, { id, email, name }, { invitation: token });
        },
      );
    },
  };
}
