import { FEES_SETTING, FeeChanges, percentText, withFeeChanges } from "#payments/fees.ts";
import { formatList } from "#shared/language.ts";
import { ORGANISATION_SETTING, Organisation, receiptGaps, withChanges } from "#shared/organisation.ts";
import { type Check, configOf, fail, note, ok, readSiteSetting, warn } from "./check.ts";

/** From then on card networks may forbid a fee for paying by card (Reserve Bank of Australia, March 2026). */
const cardFeesMayEndOn = new Date("2026-09-30T14:00:00Z");

export const charityChecks: readonly Check[] = [
  {
    id: "charity.receipts",
    about: "Receipts have what the law asks for: name, ABN, and that they are for a gift",
    async run(context) {
      const { isDemo, organisation: delivered } = configOf(context);
      const changed = Organisation.safeParse(
        withChanges(delivered, (await readSiteSetting(context, ORGANISATION_SETTING)) ?? {}),
      );
      const where = "Correct it in the back office, Settings, Organisation.";
      if (!changed.success) return fail("The organisation's details in the database are not valid.", where);
      const { receipt } = changed.data;
      const gaps = receiptGaps(changed.data);
      if (gaps.length > 0) {
        const says = `No receipt can be made: what is missing is ${formatList(gaps, "and")}.`;
        return isDemo ? note(says, where) : fail(says, where);
      }
      if (receipt.isDeductibleGiftRecipient && !/\bgift\b/i.test(receipt.giftStatement))
        return fail("The sentence on receipts does not say that they are for a gift.", where);
      if (!receipt.isDeductibleGiftRecipient && /deductible/i.test(receipt.giftStatement))
        return warn("Receipts speak of deductions, but the organisation is not endorsed as a gift recipient.", where);
      return ok("Receipts have what the law asks for.");
    },
  },
  {
    id: "charity.card-fee",
    about: "No fee for paying by card since 1 October 2026, when card networks may forbid it",
    async run(context) {
      const changes = FeeChanges.safeParse((await readSiteSetting(context, FEES_SETTING)) ?? {});
      const { merchantBasisPoints } = withFeeChanges(configOf(context).fees, changes.success ? changes.data : {});
      const percent = percentText(merchantBasisPoints.cc);
      if (merchantBasisPoints.cc === 0 || context.now() < cardFeesMayEndOn)
        return ok(`The fee for paying by card is ${percent} %.`);
      return note(
        `Donors are asked for ${percent} % when they pay by card, which card networks may forbid since 1 October 2026.`,
        "Ask your bank. The fee is in the back office, Settings, Fees.",
      );
    },
  },
];
