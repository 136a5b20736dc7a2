import { z } from "zod";

// The browsers' answers in WebAuthn's JSON. Only shape and sizes are checked here; the server's library reads the
// content.

const Encoded = (maxLength: number) =>
  z
    .string()
    .min(1)
    .max(maxLength)
    .regex(/^[\w-]+$/);

/** At most 1023 bytes. */
const CredentialId = Encoded(1364);
const ClientData = Encoded(4000);
const Kind = z.literal("public-key");

export const NewPasskey = z.object({
  id: CredentialId,
  rawId: CredentialId,
  type: Kind,
  response: z.object({
    clientDataJSON: ClientData,
    attestationObject: Encoded(12_000),
    transports: z.array(z.string().max(40)).max(20).optional(),
  }),
});
export type NewPasskey = z.output<typeof NewPasskey>;

/** A use of a passkey, from `navigator.credentials.get`. */
export const UsedPasskey = z.object({
  id: CredentialId,
  rawId: CredentialId,
  type: Kind,
  response: z.object({
    clientDataJSON: ClientData,
    authenticatorData: Encoded(4000),
    signature: Encoded(6000),
    userHandle: Encoded(100),
  }),
});
export type UsedPasskey = z.output<typeof UsedPasskey>;

/** Options for `navigator.credentials` in WebAuthn's JSON. */
export const PasskeyOptions = z.looseObject({ challenge: z.string() });
export type PasskeyOptions = z.output<typeof PasskeyOptions>;
