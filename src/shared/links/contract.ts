import { z } from "zod";
import { route } from "#shared/contract/route.ts";

export const DocumentKind = z.enum(["receipt", "ticket_order", "application", "waiting_entry"]);
export type DocumentKind = z.output<typeof DocumentKind>;

/** A receipt's id is that of its donation. */
export type LinkedDocument = { readonly kind: DocumentKind; readonly id: string };

export const sendLinkCall = route({
  method: "POST",
  path: "/document-links",
  summary: "Emails a new link to a document to its recipient; `key` is from an earlier link",
  body: z.object({ kind: DocumentKind, id: z.uuid(), key: z.string().max(100) }),
  data: z.object({}),
});
