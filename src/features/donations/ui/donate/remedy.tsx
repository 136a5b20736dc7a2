import type { Payment } from "#payments/checkout/contract.ts";
import { isAboutMethod, type Refusal } from "#payments/checkout/ui/outcome.ts";
import type { Priced } from "../../cart.ts";
import { wireField } from "../../contract.ts";
import type { Donation } from "./use-donation.ts";

/** Leads to the step at which a refusal can be put right, if there is one; of what was just given, to that or on. */
export function Remedy({ donation, refusal, priced, onGiveAgain }: RemedyProps) {
  if (refusal.error === "just_given") {
    const { earlier } = refusal;
    const see = ({ id }: Payment) => {
      const { email } = donation.flow.personal;
      donation.tell({ type: "reopened", payment: { key: id, id, totalCents: priced.totalCents, email } });
    };
    return (
      <div className="form-actions">
        {earlier !== undefined && (
          <button type="button" className="btn" onClick={() => see(earlier)}>
            See that donation
          </button>
        )}
        <button type="button" className="btn btn-quiet" onClick={onGiveAgain}>
          Give it again
        </button>
      </div>
    );
  }
  const step = stepOf(refusal);
  if (step === undefined) return null;
  return (
    <button type="button" className="link-btn" onClick={() => donation.change(step)}>
      {changeNames[step]}
    </button>
  );
}

type RemedyProps = {
  readonly donation: Donation;
  readonly refusal: Refusal;
  readonly priced: Priced;
  readonly onGiveAgain: () => void;
};

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
