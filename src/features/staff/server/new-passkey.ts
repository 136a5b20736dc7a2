import { randomUUID } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { Refusal } from "#admin/actions.ts";
import type { Connection } from "#shared/database/connect.ts";
import { nameAuthenticator } from "#shared/passkeys/authenticators.ts";
import { makeChallenge, spendChallenge } from "#shared/passkeys/challenges.ts";
import type { NewPasskey, PasskeyOptions } from "#shared/passkeys/contract.ts";
import {
  challengeOf,
  makeCreationOptions,
  passkeyHost,
  userHandleOf,
  verifyNewPasskey,
} from "#shared/passkeys/passkeys.ts";
import { describeDevice } from "#shared/sessions/device.ts";
import { insertStaffPasskey, listStaffPasskeys } from "./passkey-store.ts";
import type { StaffServices } from "./services.ts";

export const MAX_PASSKEYS = 10;

type Owner = { readonly id: number; readonly email: string; readonly name: string };

/** Who may answer a challenge: a session, or whoever holds an invitation. */
type Holder = { readonly session: string } | { readonly invitation: string };

const challengeFor = (secretKey: string, holder: Holder) =>
  ({
    secretKey,
    purpose: "staff add",
    holder: "session" in holder ? `session ${holder.session}` : `invitation ${holder.invitation}`,
  }) as const;

/** Options for creating a passkey. */
export async function offerNewPasskey(
  { config, database, organisation, now }: StaffServices,
  { id, email, name }: Owner,
  holder: Holder,
): Promise<PasskeyOptions> {
  const existing = "session" in holder ? await listStaffPasskeys(database, id) : [];
  const newcomer = {
    handle: userHandleOf(config.secretKey, "staff", id),
    email,
    fullName: name,
    existing,
    siteName: `${organisation.current().name}, back office`,
  };
  const challenge = makeChallenge(challengeFor(config.secretKey, holder), now());
  return makeCreationOptions(config, newcomer, challenge);
}

/** A passkey whose creation is verified; `keep` stores it. */
export type VerifiedNewPasskey = {
  readonly name: string;
  readonly keep: (transaction: Connection, staffId: number) => Promise<string>;
};

/** @throws Refusal unless the passkey was created here and now, by a verified person, for this holder. */
export async function verifyStaffPasskey(
  { config, database, now }: StaffServices,
  made: NewPasskey,
  holder: Holder,
  request: FastifyRequest,
): Promise<VerifiedNewPasskey> {
  const [at, challenge] = [now(), challengeOf(made)];
  const isOpen = await spendChallenge(database, challenge, challengeFor(config.secretKey, holder), at);
  const verified = isOpen ? await verifyNewPasskey(config, made, challenge) : null;
  if (verified === null) {
    throw new Refusal("That took too long, or the passkey was not made for this site. Nothing was added. Try again.");
  }
  const { credentialId, publicKey, counter, transports, aaguid } = verified;
  const name = nameAuthenticator(aaguid) ?? describeDevice(request.headers["user-agent"] ?? "");
  return {
    name,
    async keep(transaction, staffId) {
      const id = randomUUID();
      const isKept = await insertStaffPasskey(transaction, {
        id,
        staff_id: staffId,
        credential_id: credentialId,
        public_key: publicKey,
        counter,
        name,
        user_handle: userHandleOf(config.secretKey, "staff", staffId),
        transports: [...transports],
        host: passkeyHost(config),
        created_at: at,
        last_used_at: null,
        blocked_at: null,
      });
      if (!isKept) throw new Refusal("This passkey is registered already. Nothing was added.");
      return id;
    },
  };
}
