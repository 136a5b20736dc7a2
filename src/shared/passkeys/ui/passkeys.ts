import { startAuthentication, startRegistration } from "@simplewebauthn/browser";
import type { NewPasskey, PasskeyOptions, UsedPasskey } from "../contract.ts";

// What the browser does with passkeys, for whoever logs in or adds one. Fetched when somebody does.

/** Why there is none: the person cancelled or has none for this site, this device has one already, or it cannot be done here. */
type NoPasskey = { readonly none: "cancelled" | "exists" | "impossible" };

/** Has the browser make a passkey, from the options that the server gave. */
export async function createPasskey(options: PasskeyOptions): Promise<NewPasskey | NoPasskey> {
  type Options = Parameters<typeof startRegistration>[0]["optionsJSON"];
  return startRegistration({ optionsJSON: options as unknown as Options }).catch(sayWhyNone);
}

/** Has the browser use one of the passkeys that the person has for this site. */
export async function askForPasskey(options: PasskeyOptions): Promise<UsedPasskey | NoPasskey> {
  type Options = Parameters<typeof startAuthentication>[0]["optionsJSON"];
  const used = await startAuthentication({ optionsJSON: options as unknown as Options }).catch(sayWhyNone);
  return used as UsedPasskey | NoPasskey;
}

function sayWhyNone({ name }: { name?: unknown }): NoPasskey {
  // Browsers say the same for both, so that no site learns who has a passkey.
  if (name === "NotAllowedError" || name === "AbortError") return { none: "cancelled" };
  return { none: name === "InvalidStateError" ? "exists" : "impossible" };
}

/** Asks the browser to offer a passkey no more that the server does not know; few browsers can, and nothing depends on it. */
export function forgetPasskey(credentialId: string): void {
  // Not in the compiler's list of what browsers have yet.
  const { signalUnknownCredential } = PublicKeyCredential as unknown as {
    signalUnknownCredential?: (unknown: { rpId: string; credentialId: string }) => Promise<void>;
  };
  signalUnknownCredential?.call(PublicKeyCredential, { rpId: location.hostname, credentialId }).catch(() => undefined);
}
