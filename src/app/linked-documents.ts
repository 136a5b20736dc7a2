import type { Connection } from "#shared/database/connect.ts";
import { DocumentKind, type LinkedDocument } from "#shared/links/contract.ts";
import type { DocumentLinks, LinkRecipient } from "#shared/links/send-link.ts";
import { allFeatures } from "./feature.ts";

const linksOf: Readonly<Partial<Record<DocumentKind, DocumentLinks>>> = Object.assign(
  {},
  ...allFeatures.map(({ links }) => links),
);

/** Where a document was sent; null where nobody is there to have a link. */
export async function findRecipient(
  connection: Connection,
  { kind, id }: LinkedDocument,
): Promise<LinkRecipient | null> {
  return (await linksOf[kind]?.findRecipient(connection, id)) ?? null;
}

/** The document of a receipt's number or of a reference: R-000123, D-…, T-…, V-…. */
export async function findDocument(connection: Connection, reference: string): Promise<LinkedDocument | undefined> {
  for (const kind of DocumentKind.options) {
    const id = await linksOf[kind]?.findId(connection, reference);
    if (id !== undefined) return { kind, id };
  }
  return undefined;
}
