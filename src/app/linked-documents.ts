import type { Connection } from "#shared/database/connect.ts";
import { DocumentKind, type LinkedDocument } from "#shared/links/contract.ts";
import type { DocumentLinks, LinkRecipient } from "#shared/links/send-link.ts";
import { allFeatures } from "./feature.ts";

const linksOf: Readonly<Partial<Record<DocumentKind, DocumentLinks>>> = Object.assign(
  {},
  ...allFeatures.map(({ links }) => links),
);

/** The recipient of a document; null if there is none any more. */
export async function findRecipient(
  connection: Connection,
  { kind, id }: LinkedDocument,
): Promise<LinkRecipient | null> {
  return (await linksOf[kind]?.findRecipient(connection, id)) ?? null;
}

/** The document with this receipt number or reference: R-000123, D-…, T-…, V-…. */
export async function findDocument(connection: Connection, reference: string): Promise<LinkedDocument | undefined> {
  for (const kind of DocumentKind.options) {
    const id = await linksOf[kind]?.findId(connection, reference);
    if (id !== undefined) return { kind, id };
  }
  return undefined;
}
