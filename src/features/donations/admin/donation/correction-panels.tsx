import { TextField } from "#admin/ui/form.tsx";
import { formatReceiptNumber } from "../../receipt-number.ts";
import { NEXT_NUMBER } from "../../server/one-donation/receipt-copies.ts";
import { ActPanel, type ActProps, sentForm } from "./act-panel.tsx";
import { checkedEmail, checkedName, typedValue } from "./checked.ts";
import { validReceipt } from "./describe-donation.ts";

export function SendAgain({ donation, request, preview }: ActProps) {
  return (
    <ActPanel
      id="receipt"
      title="Send the receipt again"
      action={`/admin/donations/${donation.id}/receipt`}
      request={request}
      preview={preview}
      checked={() => donation.email}
      send={`Send it to ${donation.email}`}
    >
      <input type="hidden" name="to" value={donation.email} />
      <p>This email goes to the donor, with the receipt as a PDF. It can go three times a day.</p>
    </ActPanel>
  );
}

export function CorrectEmail({ donation, request, preview }: ActProps) {
  const action = `/admin/donations/${donation.id}/email`;
  const form = sentForm(request, action);
  const receipt = validReceipt(donation);
  return (
    <ActPanel
      id="email"
      title="Correct the email address"
      action={action}
      request={request}
      preview={preview}
      checked={(sent) => checkedEmail(typedValue(sent, "email"))}
      send={
        receipt === undefined || form === null
          ? "Correct the address"
          : `Correct it and send to ${typedValue(form, "email")}`
      }
      fields={
        <>
          <input type="hidden" name="was" value={donation.email} />
          <TextField
            name="email"
            label="The donor’s email address"
            hint={
              <>
                We have <bdi>{donation.email}</bdi>
              </>
            }
            type="email"
            defaultValue={donation.email}
            autoComplete="off"
          />
        </>
      }
    >
      <ul>
        {receipt === undefined ? (
          <li>There is no valid receipt, so no email is sent.</li>
        ) : (
          <li>Receipt {formatReceiptNumber(receipt.number)} goes to the new address.</li>
        )}
        <li>Links to the receipt that went to the old address stop working.</li>
        <li>Other donations, and the donor’s account if there is one, keep their address.</li>
      </ul>
    </ActPanel>
  );
}

export function CorrectName({ donation, request, preview }: ActProps) {
  const receipt = validReceipt(donation);
  const number = receipt === undefined ? "" : formatReceiptNumber(receipt.number);
  const was = receipt?.data?.donorName ?? "";
  return (
    <ActPanel
      id="name"
      title="Correct the name on the receipt"
      action={`/admin/donations/${donation.id}/name`}
      request={request}
      preview={preview}
      checked={(sent) =>
        checkedName({ first_name: typedValue(sent, "first_name"), last_name: typedValue(sent, "last_name") })
      }
      send={`Correct it and send to ${donation.email}`}
      fields={
        <>
          <input type="hidden" name="receipt" value={number} />
          <input type="hidden" name="was" value={was} />
          <TextField name="first_name" label="First name" defaultValue={donation.first_name} />
          <TextField name="last_name" label="Last name" defaultValue={donation.last_name} />
        </>
      }
    >
      <ul>
        <li>
          Receipt {number} in the name of <bdi>{was}</bdi> becomes void. Its number stays.
        </li>
        <li>
          A new receipt with the next number takes its place, and goes to <bdi>{donation.email}</bdi>. Below,{" "}
          {NEXT_NUMBER} stands for that number.
        </li>
      </ul>
    </ActPanel>
  );
}
