import { ActionForm, ChoiceField, TextArea } from "#admin/ui/form.tsx";
import { formatKeptUntil, plural } from "#shared/language.ts";
import { formatReceiptNumber } from "../../receipt-number.ts";
import type { ActProps } from "./act-panel.tsx";
import { donorName } from "./describe-donation.ts";
import type { ShownDonation } from "./find-donation.ts";

/** Erases a donor's data, except for what the law requires. Says first what stays, and why. */
export function EraseDonor({ donation, request }: Pick<ActProps, "donation" | "request">) {
  const path = `/admin/donations/${donation.id}`;
  if (donation.email === "") return null;
  return (
    <section className="panel act" aria-labelledby="erase-title" id="act">
      <h2 id="erase-title">Erase personal data</h2>
      <ActionForm action={`${path}/erase`} id="erase" request={request}>
        <input type="hidden" name="email" value={donation.email} />
        <div className="happens">
          <h3>What goes</h3>
          <ul>
            <li>
              Name (<bdi>{donorName(donation)}</bdi>), email (<bdi>{donation.email}</bdi>) and post code
            </li>
            <li>Links to the receipt, and the donation’s place in an account, if any</li>
            <li>What staff wrote as reasons of refunds</li>
          </ul>
          <h3>What stays, and why</h3>
          <WhatStays donation={donation} />
        </div>
        <ChoiceField
          name="scope"
          label="Erase the data of"
          isSingle
          chosen={["one"]}
          options={[
            { value: "one", label: "This donation" },
            { value: "all", label: "All donations with this email address", hint: describeAll(donation) },
          ]}
        />
        <TextArea name="reason" label="Why" hint="Who asked, and when. Kept in the audit trail." rows={2} />
        <p className="row press">
          <button className="btn final" type="submit">
            <span>
              Erase the data of <bdi>{donorName(donation)}</bdi>
            </span>
          </button>
          <a className="btn quiet" href={path}>
            Cancel
          </a>
        </p>
        <p className="hint">
          This cannot be undone. The donor hears nothing from us about it. It changes donations only: tickets, messages
          and all else go if you <a href={`/admin/people/${donation.id}/erase`}>erase the person</a>.
        </p>
      </ActionForm>
    </section>
  );
}

function describeAll({ givenBefore: { count } }: ShownDonation): string {
  return plural(count, {
    one: "One of them is paid. Those that were not paid go too.",
    other: `${count} of them are paid. Those that were not paid go too.`,
  });
}

function WhatStays({ donation }: { donation: ShownDonation }) {
  const { receipts, lines, account } = donation;
  const hasNames = lines.some(({ on_behalf_of }) => on_behalf_of.length > 0);
  return (
    <ul>
      {receipts.map(({ number, issued_at }) => (
        <li key={number}>
          Receipt {formatReceiptNumber(number)} with its name, {formatKeptUntil(issued_at, { years: 7 })}: charities and
          tax law keep receipts for seven years.
        </li>
      ))}
      <li>What was given, when and for what, on our books: they must stay complete.</li>
      <li>The payment’s internet address, for 180 days after it: the donor’s bank may dispute the payment.</li>
      {hasNames && <li>The names it was given on behalf of, for a year: the gift is carried out in them.</li>}
      <li>What staff did and noted here: the audit trail cannot be changed.</li>
      {account !== null && <li>The donor’s account: it is theirs, and they can close it themselves.</li>}
    </ul>
  );
}
