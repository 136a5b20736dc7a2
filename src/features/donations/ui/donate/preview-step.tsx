import type { ReactNode } from "react";
import { methodName } from "#payments/checkout/ui/payment-methods.ts";
import { Seal } from "#payments/checkout/ui/trust-block.tsx";
import { formatDollars, formatPercent } from "#shared/language.ts";
import type { Priced } from "../../cart.ts";
import { EmailText } from "../email-text.tsx";
import type { Charity } from "./bank-card.tsx";
import { CartTable } from "./cart-table.tsx";
import { DonationPayment } from "./donation-payment.tsx";
import { cartFault } from "./line-entry.ts";
import { cartDeductibleCents, feeRates, priceCart } from "./payment-body.ts";
import { donorName } from "./personal.ts";
import { TotalSlip } from "./total-slip.tsx";
import type { Catalogue } from "./use-catalogue.ts";
import type { DonationForm } from "./use-donation.ts";

/** Step 4: a summary with a Change button for each part, and the payment below (DON-23, DON-24). */
export function PreviewStep({ donation, catalogue, organisation }: PreviewStepProps) {
  const { flow } = donation;
  const { categories, checkout } = catalogue;
  const priced = priceCart(flow, categories, checkout.fees);
  return (
    <>
      <div className="plain-card flow-main">
        <p className="step-count">Step 4 of 4</p>
        {flow.payment === undefined && <p className="lede">You have not been charged yet.</p>}
        <CheckAnswers donation={donation} catalogue={catalogue} priced={priced} />
        <DonationPayment
          donation={donation}
          checkout={checkout}
          priced={priced}
          fault={cartFault(flow.lines, categories, checkout.limits)}
          organisation={organisation}
        />
      </div>
      <aside className="flow-aside total" aria-label="Total to pay">
        <TotalSlip
          priced={priced}
          deductibleCents={cartDeductibleCents(flow.lines, categories)}
          method={flow.method}
          fees={checkout.fees}
        >
          <Seal registration={organisation.registration} />
        </TotalSlip>
      </aside>
    </>
  );
}

type PreviewStepProps = { donation: DonationForm; catalogue: Catalogue; organisation: Charity };

function CheckAnswers({ donation, catalogue: { categories, checkout }, priced }: CheckAnswersProps) {
  const { flow } = donation;
  const { personal } = flow;
  const rates = feeRates(checkout.fees);
  // A payment that was sent can no longer be changed.
  const change = (step: 1 | 2 | 3) => (flow.payment === undefined ? () => donation.change(step) : undefined);
  return (
    <details className="details check-answers" open={flow.lastFailure === undefined}>
      <summary>
        Your donation: <b className="num">{formatDollars(priced.totalCents)}</b>
      </summary>
      <Block id="preview-personal" title="Personal details" onChange={change(1)}>
        <dl className="sum">
          <div>
            <dt>Name</dt>
            <dd>
              <bdi>{donorName(personal)}</bdi>
            </dd>
          </div>
          <div>
            <dt>Email</dt>
            <dd>
              <EmailText email={personal.email} />
            </dd>
          </div>
          {!personal.isAnonymous && (
            <div>
              <dt>Post code</dt>
              <dd>{personal.postcode}</dd>
            </div>
          )}
        </dl>
      </Block>
      <Block id="preview-donations" title="Donations" onChange={change(2)}>
        <CartTable lines={flow.lines} categories={categories} />
      </Block>
      <Block id="preview-payment" title="Payment method and fees" onChange={change(3)}>
        <dl className="sum">
          <div>
            <dt>Method</dt>
            <dd>{methodName[flow.method]}</dd>
          </div>
          <div>
            <dt>Admin fee</dt>
            <dd>
              {flow.coversAdminFee
                ? `${formatDollars(priced.adminFeeCents)} (${formatPercent(rates.adminBasisPoints)}), thank you`
                : "Not added"}
            </dd>
          </div>
          <div>
            <dt>Merchant fee</dt>
            <dd>
              {`${formatDollars(priced.merchantFeeCents)} (${formatPercent(rates.merchantBasisPoints[flow.method])})`}
            </dd>
          </div>
        </dl>
      </Block>
    </details>
  );
}

type CheckAnswersProps = { donation: DonationForm; catalogue: Catalogue; priced: Priced };

function Block({ id, title, onChange, children }: BlockProps) {
  return (
    <section className="block" aria-labelledby={id}>
      <div className="block-head">
        <h2 id={id}>{title}</h2>
        {onChange !== undefined && (
          <button type="button" className="link-btn" onClick={onChange}>
            Change <span className="sr">{title.toLowerCase()}</span>
          </button>
        )}
      </div>
      {children}
    </section>
  );
}

type BlockProps = { id: string; title: string; onChange: (() => void) | undefined; children: ReactNode };
