import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";
import type { NewPasskey, PasskeyOptions, UsedPasskey } from "#shared/passkeys/contract.ts";

export type Authenticator = ReturnType<typeof createAuthenticator>;

/** Where a passkey is created or used, and faults that no browser or device would produce. */
type Circumstances = {
  readonly origin?: string;
  readonly rpId?: string;
  readonly isVerified?: boolean;
  readonly isPresent?: boolean;
  readonly credentialId?: string;
};

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
const sha256 = (data: Uint8Array | string) => createHash("sha256").update(data).digest();

/**
 * A device with one ES256 passkey, answering as through a browser. `counter` is its next count: always 0 for a synced
 * passkey, one more each time for a device that counts.
 */
export function createAuthenticator({ isCounting = false, aaguid = "00000000-0000-0000-0000-000000000000" } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x, y } = publicKey.export({ format: "jwk" });
  const coordinate = (text = "") => new Uint8Array(Buffer.from(text, "base64url"));
  const cose = isoCBOR.encode(
    new Map<number, number | Uint8Array<ArrayBuffer>>([
      [1, 2] as const,
      [3, -7] as const,
      [-1, 1] as const,
      [-2, coordinate(x)] as const,
      [-3, coordinate(y)] as const,
    ]),
  );
  const ownId = base64url(randomBytes(32));
  const state = { counter: isCounting ? 1 : 0, userHandle: "" };

  const clientData = (type: string, { challenge }: PasskeyOptions, origin: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

  const authenticatorData = (rpId: string, { isVerified = true, isPresent = true }: Circumstances, more = 0) => {
    const head = Buffer.alloc(5);
    head[0] = (isPresent ? 1 : 0) | (isVerified ? 4 : 0) | (isCounting ? 0 : 24) | more;
    head.writeUInt32BE(state.counter, 1);
    if (isCounting) state.counter += 1;
    return Buffer.concat([sha256(rpId), head]);
  };

  return {
    id: ownId,
    state,
    create(options: PasskeyOptions, how: Circumstances & { origin: string }): NewPasskey {
      const { rp, user } = options as PasskeyOptions & { rp: { id: string }; user: { id: string } };
      const id = how.credentialId ?? ownId;
      const rawId = Buffer.from(id, "base64url");
      const length = Buffer.alloc(2);
      length.writeUInt16BE(rawId.length);
      state.userHandle = user.id;
      const authData = Buffer.concat([
        authenticatorData(how.rpId ?? rp.id, how, 64),
        Buffer.from(aaguid.replaceAll("-", ""), "hex"),
        length,
        rawId,
        cose,
      ]);
      const attestation = new Map<string, unknown>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", new Uint8Array(authData)],
      ]);
      return {
        id,
        rawId: id,
        type: "public-key",
        response: {
          clientDataJSON: base64url(clientData("webauthn.create", options, how.origin)),
          attestationObject: base64url(isoCBOR.encode(attestation as Parameters<typeof isoCBOR.encode>[0])),
          transports: ["internal", "hybrid"],
        },
      };
    },
    use(options: PasskeyOptions, how: Circumstances & { origin: string }): UsedPasskey {
      const data = clientData("webauthn.get", options, how.origin);
      const authData = authenticatorData(how.rpId ?? String(options.rpId), how);
      const id = how.credentialId ?? ownId;
      return {
        id,
        rawId: id,
        type: "public-key",
        response: {
          clientDataJSON: base64url(data),
          authenticatorData: base64url(authData),
          signature: base64url(sign("sha256", Buffer.concat([authData, sha256(data)]), privateKey)),
          userHandle: state.userHandle,
        },
      };
    },
  };
}
