import { SelectField, TextArea } from "#admin/ui/form.tsx";
import { formatDollars } from "#shared/language.ts";
import { formatReceiptNumber } from "../../receipt-number.ts";
import { recordedTitle } from "../../server/donation-record.ts";
import type { MoveTarget } from "../../server/one-donation/move-fund.ts";
import { ActPanel, type ActProps } from "./act-panel.tsx";
import { checkedMove, lineKey, typedValue } from "./checked.ts";
import { validReceipt } from "./describe-donation.ts";

/** Moves a line to another fund, with a new receipt. */
export function MoveFund({
  donation,
  request,
  preview,
  targets,
}: ActProps & { readonly targets: readonly MoveTarget[] }) {
  const lines = donation.lines.filter(({ isHidden }) => !isHidden);
  const kinds = new Set(lines.map(({ receipt_kind }) => receipt_kind));
  const receipt = validReceipt(donation);
  const number = receipt === undefined ? "" : formatReceiptNumber(receipt.number);
  return (
    <ActPanel
      id="fund"
      title="Move to another fund"
      action={`/admin/donations/${donation.id}/fund`}
      request={request}
      preview={preview}
      checked={(sent) => checkedMove({ line: typedValue(sent, "line"), to: typedValue(sent, "to") })}
      send={`Move it and send to ${donation.email}`}
      fields={
        <>
          <input type="hidden" name="receipt" value={number} />
          <SelectField
            name="line"
            label="What"
            options={lines.map((line) => ({
              value: lineKey(line),
              label: `${recordedTitle(line)}, ${formatDollars(line.line_cents)}`,
            }))}
          />
          <SelectField
            name="to"
            label="To"
            options={[
              { value: "", label: "Choose a fund" },
              ...targets
                .filter(({ kind }) => kinds.has(kind))
                .map(({ fund, title }) => ({ value: fund, label: title })),
            ]}
          />
          <TextArea name="reason" label="Why" hint="Kept with the move. The donor does not see it." rows={2} />
        </>
      }
    >
      <ul>
        <li>The books take the amount out of the one fund, and put it into the other. Fees stay where they are.</li>
        <li>
          Receipt {number} says what the gift was for, so it becomes void. A new one takes its place, and goes to{" "}
          <bdi>{donation.email}</bdi>.
        </li>
      </ul>
    </ActPanel>
  );
}
