import { isAboutMethod, type Refusal } from "#shared/ui/pay/outcome.ts";
import { wireField } from "../contract.ts";
import type { Donation } from "./use-donation.ts";

/** Leads to the step at which a refusal can be put right, if there is one. */
export function Remedy({ donation, refusal }: { donation: Donation; refusal: Refusal }) {
  const step = stepOf(refusal);
  if (step === undefined) return null;
  return (
    <button type="button" className="link-btn" onClick={() => donation.change(step)}>
      {changeNames[step]}
    </button>
  );
}

const cartFields: readonly string[] = [
  wireField.totalCents,
  wireField.firstLineCategory,
  ...Object.values(wireField.line),
];

const changeNames = {
  1: "Change your personal details",
  2: "Change your donations",
  3: "Change payment method",
} as const;

function stepOf(refusal: Refusal): 1 | 2 | 3 | undefined {
  const { fields } = refusal;
  if (isAboutMethod(refusal)) return 3;
  const names = Object.keys(fields).filter((name) => name !== wireField.captcha);
  if (names.length === 0) return undefined;
  const isOfCart = (name: string) => name.startsWith(wireField.lines) || cartFields.includes(name);
  return names.some(isOfCart) ? 2 : 1;
}
