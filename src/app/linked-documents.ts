import { receiptLinks } from "#features/donations/server/receipt-links.ts";
import { orderLinks } from "#features/tickets/server/order-links.ts";
import { applicationLinks } from "#features/volunteering/server/application-links.ts";
import type { Connection } from "#shared/database/connect.ts";
import { DocumentKind, type LinkedDocument } from "#shared/links/contract.ts";
import type { DocumentLinks, LinkRecipient } from "#shared/links/send-link.ts";

const linksOf: Record<DocumentKind, DocumentLinks> = {
  receipt: receiptLinks,
  ticket_order: orderLinks,
  application: applicationLinks,
};

/** Where a document was sent; null where nobody is there to have a link. */
export function findRecipient(connection: Connection, { kind, id }: LinkedDocument): Promise<LinkRecipient | null> {
  return linksOf[kind].findRecipient(connection, id);
}

/** The document of a receipt's number or of a reference: R-000123, D-…, T-…, V-…. */
export async function findDocument(connection: Connection, reference: string): Promise<LinkedDocument | undefined> {
  for (const kind of DocumentKind.options) {
    const id = await linksOf[kind].findId(connection, reference);
    if (id !== undefined) return { kind, id };
  }
  return undefined;
}
