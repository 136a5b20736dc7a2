import type { Checkout, PaymentMethod } from "#payments/checkout/contract.ts";
import { formatDollars, formatPercent } from "#shared/language.ts";
import type { Priced } from "../../cart.ts";
import { feeRates } from "./payment-body.ts";

/**
 * Subtotal, fees and total. Screen readers announce the total when it changes. Each text is one string: where a browser
 * has translated the page, React can't change a text that has others beside it.
 */
export function TotalSlip({ priced, deductibleCents, method, fees, children }: TotalSlipProps) {
  const rates = feeRates(fees);
  return (
    <section className="slip" aria-labelledby="slip-heading">
      <h2 id="slip-heading">Total to pay</h2>
      <dl>
        <div>
          <dt>Subtotal</dt>
          <dd>{formatDollars(priced.subtotalCents)}</dd>
        </div>
        <div>
          <dt>{`Admin fee (${formatPercent(rates.adminBasisPoints)})`}</dt>
          <dd>{formatDollars(priced.adminFeeCents)}</dd>
        </div>
        <div>
          <dt>{`Merchant fee (${formatPercent(rates.merchantBasisPoints[method])})`}</dt>
          <dd>{formatDollars(priced.merchantFeeCents)}</dd>
        </div>
        <div className="total">
          <dt>Total AUD</dt>
          <dd>{formatDollars(priced.totalCents)}</dd>
        </div>
      </dl>
      <p className="small muted">{describeDeductible(priced, deductibleCents)}</p>
      <p className="sr" role="status">
        {`Total ${formatDollars(priced.totalCents)}`}
      </p>
      {children}
    </section>
  );
}

/** What the receipt will say about tax. */
function describeDeductible({ subtotalCents, totalCents }: Priced, deductibleCents: number): string {
  if (deductibleCents === 0) return "This is not a tax-deductible gift.";
  const fees = totalCents > subtotalCents ? " Fees are not part of it." : "";
  return `Tax-deductible gift on your receipt: ${formatDollars(deductibleCents)}.${fees}`;
}

type TotalSlipProps = {
  readonly priced: Priced;
  readonly deductibleCents: number;
  readonly method: PaymentMethod;
  readonly fees: Checkout["fees"];
  readonly children?: React.ReactNode;
};
