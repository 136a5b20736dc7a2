import { ChoiceField } from "#admin/ui/form.tsx";
import type { Cause } from "../../server/find-cause.ts";

export const yesOrNo = [
  { value: "yes", label: "Yes" },
  { value: "no", label: "No" },
];

/** What tax and fees depend on. */
export function ReceiptFields({ receiptKind, hasAdminFee }: Pick<Cause, "receiptKind" | "hasAdminFee">) {
  return (
    <>
      <ChoiceField
        name="receiptKind"
        label="On the receipt"
        isSingle
        options={[
          { value: "gift", label: "A gift", hint: "Tax-deductible if you are endorsed." },
          {
            value: "not_deductible",
            label: "Not a tax-deductible gift",
            hint: "Such as when the donor gets something in return.",
          },
        ]}
        chosen={[receiptKind]}
      />
      <ChoiceField
        name="hasAdminFee"
        label="Donors may add the admin fee"
        isSingle
        options={yesOrNo}
        chosen={[hasAdminFee ? "yes" : "no"]}
      />
    </>
  );
}
