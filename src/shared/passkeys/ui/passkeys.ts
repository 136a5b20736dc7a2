import { startAuthentication, startRegistration } from "@simplewebauthn/browser";
import type { NewPasskey, PasskeyOptions, UsedPasskey } from "../contract.ts";

// Loaded on demand, when somebody logs in with a passkey or adds one.

/** `cancelled`: or there is none for this site. `exists`: this device already has one. `impossible`: not supported. */
type NoPasskey = { readonly none: "cancelled" | "exists" | "impossible" };

/** Creates a passkey in the browser from the server's options. */
export async function createPasskey(options: Pick<PasskeyOptions, "challenge">): Promise<NewPasskey | NoPasskey> {
  type Options = Parameters<typeof startRegistration>[0]["optionsJSON"];
  return startRegistration({ optionsJSON: options as Options }).catch(explainNoPasskey);
}

/** Uses one of the person's passkeys for this site. */
export async function askForPasskey(options: Pick<PasskeyOptions, "challenge">): Promise<UsedPasskey | NoPasskey> {
  type Options = Parameters<typeof startAuthentication>[0]["optionsJSON"];
  const used = await startAuthentication({ optionsJSON: options as Options }).catch(explainNoPasskey);
  return used as UsedPasskey | NoPasskey;
}

function explainNoPasskey({ name }: { name?: unknown }): NoPasskey {
  // Browsers report both in the same way, so that no site learns who has a passkey.
  if (name === "NotAllowedError" || name === "AbortError") return { none: "cancelled" };
  return { none: name === "InvalidStateError" ? "exists" : "impossible" };
}

/** Tells the browser that the server no longer knows a passkey; few browsers support it, and nothing depends on it. */
export function forgetPasskey(credentialId: string): void {
  const unknown = { rpId: location.hostname, credentialId };
  PublicKeyCredential.signalUnknownCredential?.(unknown).catch(() => undefined);
}
