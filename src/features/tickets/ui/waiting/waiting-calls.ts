import { withCaptchaOnDemand } from "#shared/captcha/ui/captcha-on-demand.ts";
import { solveCaptcha } from "#shared/captcha/ui/solve-captcha.ts";
import type { Answer } from "#shared/contract/envelope.ts";
import { ask, describeRefusal } from "#shared/ui/ask.ts";
import { joinWaitingListCall, leaveWaitingListCall, type WaitingForm } from "../../contract.ts";

// Loaded on demand, so that the pages appear sooner.

export type WantedType = { readonly event: string; readonly type: string; readonly access: string };

export async function joinWaitingList(wanted: WantedType, form: WaitingForm): Promise<Answer<object>> {
  const { event, type, access } = wanted;
  // Always asked for; a harder one only on suspicion.
  const first = await solveCaptcha("/api/captcha?action=hold&effort=1").catch(() => undefined);
  const body = { ...form, quantity: Number(form.quantity), event, type, ...(access !== "" && { access }) };
  return withCaptchaOnDemand("hold", (captcha = first) => ask(joinWaitingListCall, { body: { ...body, captcha } }));
}

/** Returns what to say if it failed. */
export async function leaveWaitingList({ id, key }: { id: string; key: string }): Promise<string | undefined> {
  const answer = await ask(leaveWaitingListCall, { params: { id }, body: { key } });
  return answer.ok ? undefined : describeRefusal(answer);
}
