import { z } from "zod";

// What browsers answer to the options that the server gives them, as WebAuthn spells it in JSON. The server's library
// reads what is inside; here only the shape and the sizes are checked.

const Encoded = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[\w-]+$/);

/** A credential id has at most 1023 bytes. */
const CredentialId = Encoded(1364);
const ClientData = Encoded(4000);
const Kind = z.literal("public-key");

/** A new passkey, from `navigator.credentials.create`. */
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

/** A passkey that was used, from `navigator.credentials.get`. */
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

/** What `navigator.credentials` is asked with, as WebAuthn spells it in JSON. */
export const PasskeyOptions = z.looseObject({ challenge: z.string() });
export type PasskeyOptions = z.output<typeof PasskeyOptions>;
