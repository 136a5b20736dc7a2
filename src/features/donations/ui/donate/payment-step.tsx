import type { PaymentMethod } from "#payments/checkout/contract.ts";
import { MethodChoice } from "#payments/checkout/ui/method-choice.tsx";
import { methodFault } from "#payments/checkout/ui/payment-methods.ts";
import { formatDollars, formatPercent } from "#shared/money.ts";
import { cartFault } from "./line-entry.ts";
import { feeRates, giftCents, priceCart } from "./payment-body.ts";
import { TotalSlip } from "./total-slip.tsx";
import type { Catalogue } from "./use-catalogue.ts";
import type { Donation } from "./use-donation.ts";

const byDeposit = "Please give by bank deposit, with the details on this page.";

/** Step 3: how to pay, and the fees in words before they are taken (DON-9, DON-10, DON-13). */
export function PaymentStep({ donation, catalogue, onReload }: PaymentStepProps) {
  const { flow, tell } = donation;
  const { categories, checkout } = catalogue;
  const rates = feeRates(checkout.fees);
  const pricedBy = (method: PaymentMethod) => priceCart({ ...flow, method }, categories, checkout.fees);
  const offered = priceCart({ ...flow, coversAdminFee: true }, categories, checkout.fees).adminFeeCents;
  const fault = cartFault(flow.lines, categories, checkout.limits) ?? methodFault(flow.method, checkout, byDeposit);
  const hintOf = (method: PaymentMethod) => {
    const fee = pricedBy(method).merchantFeeCents;
    if (fee === 0) return "Adds nothing";
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
        onChoose={(method) => tell({ type: "choseMethod", method })}
        onCheckAgain={onReload}
      />
      <label className="check cover">
        <input
          type="checkbox"
          checked={flow.coversAdminFee}
          onChange={(event) => tell({ type: "choseAdminFee", coversAdminFee: event.target.checked })}
        />
        <span>
          Help cover our running costs ({formatPercent(rates.adminBasisPoints)}): {formatDollars(offered)}
          <span className="hint">Optional, and added to what you pay.</span>
        </span>
      </label>
      <TotalSlip
        priced={pricedBy(flow.method)}
        giftCents={giftCents(flow.lines, categories)}
        method={flow.method}
        fees={checkout.fees}
      />
      <div className="form-actions">
        {!flow.isChanging && (
          <button type="button" className="btn btn-quiet" onClick={donation.goBack}>
            Previous
          </button>
        )}
        <button
          type="button"
          className="btn"
          aria-disabled={fault !== undefined}
          aria-describedby={fault === undefined ? undefined : "payment-why"}
          onClick={() => fault === undefined && donation.goOn()}
        >
          {flow.isChanging ? "Save and go back to Preview" : "Next"}
        </button>
        {fault !== undefined && (
          <span className="why" id="payment-why">
            {fault}
          </span>
        )}
      </div>
    </section>
  );
}

type PaymentStepProps = {
  readonly donation: Donation;
  readonly catalogue: Catalogue;
  readonly onReload: () => void;
};
