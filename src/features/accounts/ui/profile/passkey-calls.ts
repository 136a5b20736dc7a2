import { ask, describeRefusal } from "#shared/ui/ask.ts";
import { whileLoading } from "#shared/ui/feedback.ts";
import {
  addPasskeyCall,
  beginPasskeyCall,
  listPasskeysCall,
  type Passkey,
  removePasskeyCall,
  renamePasskeyCall,
} from "../../contract.ts";
import type { FormOutcome } from "../use-account-form.ts";
import { outcomeOf } from "./personal-calls.ts";

const noPasskey = {
  cancelled: "No passkey was added. You can try again at any time.",
  exists: "This device or password manager already has a passkey for your account.",
  impossible: "This device or browser couldn’t create a passkey. Nothing was added.",
};

/** @throws Error with the message to show. */
export async function listPasskeys(): Promise<readonly Passkey[]> {
  const answer = await ask(listPasskeysCall);
  if (answer.ok) return answer.data;
  throw new Error(`We couldn’t load your passkeys. ${describeRefusal(answer)}`);
}

/** Creates a passkey in the browser and adds it. The server may require the password first. */
export async function addPasskey(password?: string): Promise<FormOutcome | { readonly kind: "asks password" }> {
  const options = await whileLoading(ask(beginPasskeyCall, { body: password === undefined ? {} : { password } }));
  if (!options.ok) return options.error === "password_needed" ? { kind: "asks password" } : outcomeOf(options);
  const { createPasskey } = await import("#shared/passkeys/ui/passkeys.ts");
  const made = await createPasskey(options.data);
  if ("none" in made) return { kind: "refused", text: noPasskey[made.none] };
  return outcomeOf(await whileLoading(ask(addPasskeyCall, { body: made })));
}

export async function renamePasskey(id: string, name: string): Promise<FormOutcome> {
  return outcomeOfOne(await ask(renamePasskeyCall, { body: { id, name } }));
}

/** Also stops the browser from offering it, where supported. */
export async function removePasskey(id: string): Promise<FormOutcome> {
  const answer = await ask(removePasskeyCall, { body: { id } });
  if (answer.ok) (await import("#shared/passkeys/ui/passkeys.ts")).forgetPasskey(answer.data.credentialId);
  return outcomeOfOne(answer);
}

/** A passkey removed in another tab is refused as if it were somebody else's. */
function outcomeOfOne(answer: Parameters<typeof outcomeOf>[0]): FormOutcome {
  if (answer.ok || answer.error !== "not_allowed") return outcomeOf(answer);
  return { kind: "refused", text: "You no longer have this passkey. Please reload the page." };
}
