import { useEffect, useRef } from "react";
import type { CharityRegistration } from "#payments/checkout/ui/trust-block.tsx";
import type { Organisation } from "#shared/organisation.ts";
import { telephoneLink } from "#shared/telephone-link.ts";
import { showToast } from "#shared/ui/feedback.ts";
import { Icon } from "#shared/ui/icon.tsx";

export type Charity = Pick<Organisation, "name" | "abn" | "phone" | "email" | "donationsEmail" | "banks"> & {
  readonly registration: CharityRegistration;
};

/** Bank deposit details (DON-3) and contacts, beside every step. Open in the markup, collapsed on phones. */
export function BankCard({ organisation }: { organisation: Charity }) {
  const { banks, donationsEmail } = organisation;
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (window.matchMedia?.("(max-width: 980px)").matches && details.current) details.current.open = false;
  }, []);
  return (
    <section className="plain-card bank" aria-labelledby="bank-heading">
      <div className="strip-ajrak" aria-hidden="true" />
      <details className="details" ref={details} open>
        <summary>
          <h2 id="bank-heading">Donate by bank deposit</h2>
        </summary>
        {banks.map((account) => (
          <Account key={account.bsb + account.accountNumber} account={account} />
        ))}
        <p className="small muted">
          After a deposit, email its date and amount, and your name, to{" "}
          <a href={`mailto:${donationsEmail}`}>{donationsEmail}</a>, and we will send your tax invoice.
        </p>
      </details>
      <Help organisation={organisation} />
    </section>
  );
}

function Account({ account }: { account: Charity["banks"][number] }) {
  const { bank, accountName, bsb, accountNumber } = account;
  return (
    <div className="account">
      <h3>{bank}</h3>
      <dl>
        <div>
          <dt>Account name</dt>
          <dd>{accountName}</dd>
        </div>
        <div>
          <dt>BSB</dt>
          <dd className="num">
            <bdi>{bsb}</bdi> <CopyButton part="bsb" bank={bank} text={bsb} />
          </dd>
        </div>
        <div>
          <dt>Account number</dt>
          <dd className="num">
            <bdi>{accountNumber}</bdi> <CopyButton part="account" bank={bank} text={accountNumber} />
          </dd>
        </div>
      </dl>
    </div>
  );
}

const copying = {
  bsb: {
    label: (bank: string) => `Copy BSB for ${bank}`,
    done: (bank: string) => `Copied the BSB for ${bank}`,
    failed: (text: string) => `We couldn’t copy it. The BSB is ${text}`,
  },
  account: {
    label: (bank: string) => `Copy account number for ${bank}`,
    done: (bank: string) => `Copied the account number for ${bank}`,
    failed: (text: string) => `We couldn’t copy it. The account number is ${text}`,
  },
} as const;

function CopyButton({ part, bank, text }: { part: keyof typeof copying; bank: string; text: string }) {
  const messages = copying[part];
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text.replace(/\s/g, ""));
      showToast(messages.done(bank));
    } catch {
      showToast(messages.failed(text.replaceAll(" ", "\u00a0")), "bad");
    }
  };
  return (
    <button type="button" className="link-btn needs-script" aria-label={messages.label(bank)} onClick={copy}>
      Copy
    </button>
  );
}

function Help({ organisation }: { organisation: Charity }) {
  const { phone, email } = organisation;
  return (
    <div className="help">
      <h3>Need help?</h3>
      <p>
        <Icon name="phone" />
        <span>
          Helpline <a href={telephoneLink(phone)}>{phone}</a>
        </span>
      </p>
      <p>
        <Icon name="mail" />
        <a href={`mailto:${email}`}>{email}</a>
      </p>
    </div>
  );
}
