import { useState } from "react";
import { formatDollars, formatPercent } from "#shared/money.ts";
import { cartFault } from "./line-entry.ts";
import { feeRates, priceCart } from "./payment-body.ts";
import { TotalSlip } from "./total-slip.tsx";
import type { Catalogue } from "./use-catalogue.ts";
import type { Donation } from "./use-donation.ts";

/** Step 3: how to pay, and the fees in words before they are taken (DON-9, DON-10, DON-13). */
export function PaymentStep({ donation, catalogue }: { donation: Donation; catalogue: Catalogue }) {
  const { flow, tell } = donation;
  const { categories, checkout } = catalogue;
  const rates = feeRates(checkout.fees);
  const priced = priceCart(flow, categories, checkout.fees);
  const offered = priceCart({ ...flow, coversAdminFee: true }, categories, checkout.fees).adminFeeCents;
  const fault = cartFault(flow.lines, categories, checkout.limits);
  const [isPayPalRefused, setPayPalRefused] = useState(false);
  return (
    <section className="plain-card" aria-labelledby="payment-heading">
      <p className="step-count">Step 3 of 4</p>
      <h2 id="payment-heading">Choose how to pay</h2>
      <fieldset className="field methods">
        <legend className="legend">Payment method</legend>
        <label className="check choice">
          <input type="radio" name="method" value="cc" checked onChange={() => setPayPalRefused(false)} />
          <span>
            <b>Credit card</b>
            <span className="hint">Adds {formatPercent(rates.merchantBasisPoints.cc)}</span>
          </span>
        </label>
        <label className="check choice unavailable">
          <input
            type="radio"
            name="method"
            value="pp"
            checked={false}
            aria-disabled="true"
            aria-describedby="paypal-why"
            onChange={() => setPayPalRefused(true)}
          />
          <span>
            <b>PayPal</b>
            <span className="hint">Adds {formatPercent(rates.merchantBasisPoints.pp)}</span>
            <span className="hint" id="paypal-why">
              {checkout.paypal.message || "PayPal is not available yet. Please pay by card."}
            </span>
          </span>
        </label>
        <p className="sr" role="status">
          {isPayPalRefused ? checkout.paypal.message || "PayPal is not available yet. Please pay by card." : ""}
        </p>
      </fieldset>
      <label className="check cover">
        <input
          type="checkbox"
          checked={flow.coversAdminFee}
          onChange={(event) => tell({ type: "choseAdminFee", coversAdminFee: event.target.checked })}
        />
        <span>
          Help cover our running costs ({formatPercent(rates.adminBasisPoints)}): {formatDollars(offered)}
          <span className="hint">Optional, and added to your donation.</span>
        </span>
      </label>
      <TotalSlip priced={priced} fees={checkout.fees} />
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
