import type { DocumentLinks } from "#shared/links/send-link.ts";
import { readReceiptNumber } from "../receipt-number.ts";
import { findReceipt } from "./receipt.ts";
import { findDonor } from "./store.ts";

export const receiptLinks: DocumentLinks = {
  async findId(connection, reference) {
    const number = readReceiptNumber(reference);
    if (number === null) {
      const query = connection.selectFrom("donations").select("id").where("reference", "=", reference);
      return (await query.executeTakeFirst())?.id;
    }
    const query = connection.selectFrom("receipts").select("donation_id").where("number", "=", number);
    return (await query.executeTakeFirst())?.donation_id;
  },
  async findRecipient(connection, id) {
    const [donor, receipt] = [await findDonor(connection, id), await findReceipt(connection, id)];
    if (!donor?.email || receipt === undefined) return null;
    const { number, donorName } = receipt.data;
    return {
      name: donorName ?? "",
      address: donor.email,
      heading: `A new link to your receipt ${number}`,
      label: `Open your receipt ${number}`,
    };
  },
};
