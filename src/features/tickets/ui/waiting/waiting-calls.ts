import { withCaptchaOnDemand } from "#shared/captcha/ui/captcha-on-demand.ts";
import type { Answer } from "#shared/contract/envelope.ts";
import { ask, describeRefusal } from "#shared/ui/ask.ts";
import { joinWaitingListCall, leaveWaitingListCall, type WaitingForm } from "../../contract.ts";

// Loaded on demand, so that the pages appear sooner.

export type WantedType = { readonly event: string; readonly type: string; readonly access: string };

export function joinWaitingList(wanted: WantedType, form: WaitingForm): Promise<Answer<object>> {
  const { event, type, access } = wanted;
  const body = { ...form, quantity: Number(form.quantity), event, type, ...(access !== "" && { access }) };
  return withCaptchaOnDemand("hold", (captcha) => ask(joinWaitingListCall, { body: { ...body, captcha } }));
}

/** Returns what to say if it failed. */
export async function leaveWaitingList({ id, key }: { id: string; key: string }): Promise<string | undefined> {
  const answer = await ask(leaveWaitingListCall, { params: { id }, body: { key } });
  return answer.ok ? undefined : describeRefusal(answer);
}
