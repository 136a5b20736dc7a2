import { ask, sayRefusal } from "#shared/ui/ask.ts";
import { whileLoading } from "#shared/ui/feedback.ts";
import {
  addPasskeyCall,
  beginPasskeyCall,
  listPasskeysCall,
  type Passkey,
  removePasskeyCall,
  renamePasskeyCall,
} from "../../contract.ts";
import type { Outcome } from "../use-account-form.ts";
import { outcomeOf } from "./personal-calls.ts";

// What the page asks the server about one's own passkeys.

const noPasskey = {
  cancelled: "No passkey was added. You can try again at any time.",
  exists: "This device or password manager already has a passkey for your account.",
  impossible: "This device or browser could not make a passkey. Nothing was added.",
};

export async function listPasskeys(): Promise<readonly Passkey[] | { readonly problem: string }> {
  const answer = await ask(listPasskeysCall);
  return answer.ok ? answer.data : { problem: `We could not look up your passkeys. ${sayRefusal(answer)}` };
}

/** Has the browser make a passkey and adds it. Without a password the server may ask for one. */
export async function addPasskey(password?: string): Promise<Outcome | { readonly kind: "asks password" }> {
  const options = await whileLoading(ask(beginPasskeyCall, { body: password === undefined ? {} : { password } }));
  if (!options.ok) return options.error === "password_needed" ? { kind: "asks password" } : outcomeOf(options);
  const { createPasskey } = await import("#shared/passkeys/ui/passkeys.ts");
  const made = await createPasskey(options.data);
  if ("none" in made) return { kind: "refused", says: noPasskey[made.none] };
  return outcomeOf(await whileLoading(ask(addPasskeyCall, { body: made })));
}

export async function renamePasskey(id: string, name: string): Promise<Outcome> {
  return outcomeOfOne(await ask(renamePasskeyCall, { body: { id, name } }));
}

/** What was removed is offered no more, where the browser can see to that. */
export async function removePasskey(id: string): Promise<Outcome> {
  const answer = await ask(removePasskeyCall, { body: { id } });
  if (answer.ok) (await import("#shared/passkeys/ui/passkeys.ts")).forgetPasskey(answer.data.credentialId);
  return outcomeOfOne(answer);
}

/** One that was removed in another tab is refused like another person's. */
function outcomeOfOne(answer: Parameters<typeof outcomeOf>[0]): Outcome {
  if (answer.ok || answer.error !== "not_allowed") return outcomeOf(answer);
  return { kind: "refused", says: "You do not have this passkey any more. Please reload the page." };
}
