import { z } from "zod";
import { route } from "#shared/contract/route.ts";

/** What links in our emails lead to. */
export const DocumentKind = z.enum(["receipt", "ticket_order", "application"]);
export type DocumentKind = z.output<typeof DocumentKind>;

/** A document behind a link; the id of a receipt's is that of its donation. */
export type LinkedDocument = { readonly kind: DocumentKind; readonly id: string };

export const sendLinkCall = route({
  method: "POST",
  path: "/document-links",
  summary: "Emails a new link to a document to where it was sent; `key` is that of a link which has ended",
  body: z.object({ kind: DocumentKind, id: z.uuid(), key: z.string().max(100) }),
  data: z.object({}),
});
