import type { PaymentMethod } from "#payments/checkout/contract.ts";
import { MethodChoice } from "#payments/checkout/ui/method-choice.tsx";
import { methodFault } from "#payments/checkout/ui/payment-methods.ts";
import { formatDollars, formatPercent } from "#shared/language.ts";
import { cartFault } from "./line-entry.ts";
import { cartDeductibleCents, feeRates, priceCart } from "./payment-body.ts";
import { StepActions } from "./step-actions.tsx";
import { TotalSlip } from "./total-slip.tsx";
import type { Catalogue } from "./use-catalogue.ts";
import type { DonationForm } from "./use-donation.ts";

const byDeposit = "Please give by bank deposit, with the details on this page.";

/** Step 3: how to pay, with the fees stated before they are charged (DON-9, DON-10, DON-13). */
export function PaymentStep({ donation, catalogue, onReload }: PaymentStepProps) {
  const { flow, dispatch } = donation;
  const { categories, checkout } = catalogue;
  const rates = feeRates(checkout.fees);
  const pricedBy = (method: PaymentMethod) => priceCart({ ...flow, method }, categories, checkout.fees);
  const offered = priceCart({ ...flow, coversAdminFee: true }, categories, checkout.fees).adminFeeCents;
  const fault = cartFault(flow.lines, categories, checkout.limits) ?? methodFault(flow.method, checkout, byDeposit);
  const hintOf = (method: PaymentMethod) => {
    const fee = pricedBy(method).merchantFeeCents;
    if (fee === 0) return "No fee";
    return `Adds ${formatPercent(rates.merchantBasisPoints[method])}: ${formatDollars(fee)}`;
  };
  return (
    <section className="plain-card" aria-labelledby="payment-heading">
      <p className="step-count">Step 3 of 4</p>
      <h2 id="payment-heading">Choose how to pay</h2>
      <MethodChoice
        chosen={flow.method}
        checkout={checkout}
        hintOf={hintOf}
        onChoose={(method) => dispatch({ type: "choseMethod", method })}
        onCheckAgain={onReload}
      />
      {offered > 0 && (
        <label className="check cover">
          <input
            type="checkbox"
            checked={flow.coversAdminFee}
            onChange={(event) => dispatch({ type: "choseAdminFee", coversAdminFee: event.target.checked })}
          />
          <span>
            <span>{`Help cover our running costs (${formatPercent(rates.adminBasisPoints)}): ${formatDollars(offered)}`}</span>
            <span className="hint">Optional. Your total shows it as the admin fee.</span>
          </span>
        </label>
      )}
      <TotalSlip
        priced={pricedBy(flow.method)}
        deductibleCents={cartDeductibleCents(flow.lines, categories)}
        method={flow.method}
        fees={checkout.fees}
      />
      <StepActions
        donation={donation}
        reasonId="payment-why"
        reason={fault}
        onClick={() => fault === undefined && donation.goOn()}
      />
    </section>
  );
}

type PaymentStepProps = {
  readonly donation: DonationForm;
  readonly catalogue: Catalogue;
  readonly onReload: () => void;
};
