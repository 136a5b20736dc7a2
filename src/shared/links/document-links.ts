import type { BaseLogger } from "pino";
import { z } from "zod";
import type { Config } from "#shared/config.ts";
import type { Connection } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import { keyOf, type LinkTimes, readKey } from "#shared/http/signed-link.ts";
import { applicationPath, receiptPath, ticketOrderPath } from "#shared/paths.ts";
import { addDays, dayInSydney, formatDay, startOfDayInSydney } from "#shared/sydney.ts";
import type { DocumentKind, LinkedDocument } from "./contract.ts";

export type LinkConfig = Pick<Config, "secretKey" | "linkDays">;

export type LinkServices = {
  readonly config: Pick<Config, "secretKey">;
  readonly database: Connection;
  readonly now: () => Date;
};

/** A link as an email carries it, and the last day on which it works, in words. */
export type DocumentLink = { readonly path: string; readonly lastDay: string };

const pathOf = {
  receipt: receiptPath,
  ticket_order: ticketOrderPath,
  application: applicationPath,
} satisfies Record<DocumentKind, (id: string) => string>;

/** The path that the keys of a document are made for. */
export function documentPath({ kind, id }: LinkedDocument): string {
  return pathOf[kind](id.toLowerCase());
}

/** Works to the end of the day in Sydney that is `LINK_DAYS` later. */
function timesOf(madeAt: Date, linkDays: number): LinkTimes {
  return { madeAt, until: startOfDayInSydney(addDays(dayInSydney(madeAt), linkDays + 1)) };
}

const lastDayOf = ({ until }: LinkTimes) => formatDay(dayInSydney(new Date(until.getTime() - 1)));

/**
 * The key of a document's link. `madeAt` is a time on the books, such as when the receipt was issued, so that a letter which
 * is sent twice says the same, and none that was made before a revocation comes back with a link that works.
 */
export function documentKey({ secretKey, linkDays }: LinkConfig, document: LinkedDocument, madeAt: Date): string {
  return keyOf(secretKey, documentPath(document), timesOf(madeAt, linkDays));
}

/** The link of a document for an email; `madeAt` as for `documentKey`. */
export function documentLink(config: LinkConfig, document: LinkedDocument, madeAt: Date): DocumentLink {
  const path = `${documentPath(document)}?key=${documentKey(config, document, madeAt)}`;
  return { path, lastDay: lastDayOf(timesOf(madeAt, config.linkDays)) };
}

/** A link of ours that opens nothing any more: 410. Its page offers a new one. */
export class EndedLink extends AppError {
  readonly document: LinkedDocument | null;
  readonly isRevoked: boolean;
  readonly lastDay: string;

  /** Without a document, there is none that was emailed. */
  constructor(document: LinkedDocument | null, times: LinkTimes, isRevoked = false) {
    super("link_ended");
    this.document = document;
    this.isRevoked = isRevoked;
    this.lastDay = lastDayOf(times);
  }
}

/** The times of a key that we made for this document, whether or not it opens it; null for any other. */
export function readDocumentKey(secretKey: string, document: LinkedDocument, key: unknown): LinkTimes | null {
  return z.uuid().safeParse(document.id).success ? readKey(secretKey, documentPath(document), key) : null;
}

/** Whether a key opens a document. @throws EndedLink for one that did and does no more. */
export async function opensDocument(
  { config, database, now }: LinkServices,
  document: LinkedDocument,
  key: unknown,
): Promise<boolean> {
  const times = readDocumentKey(config.secretKey, document, key);
  if (times === null) return false;
  if (now() >= times.until) throw new EndedLink(document, times);
  const revocation = await database
    .selectFrom("link_revocations")
    .select("id")
    .where("path", "=", documentPath(document))
    .where("revoked_at", ">=", times.madeAt)
    .limit(1)
    .executeTakeFirst();
  if (revocation !== undefined) throw new EndedLink(document, times, true);
  return true;
}

/** The same for calls. @throws AppError `not_found` or, as `EndedLink`, `link_ended`. */
export async function requireDocumentKey(services: LinkServices, document: LinkedDocument, key: string): Promise<void> {
  if (!(await opensDocument(services, document, key))) throw new AppError("not_found");
}

/** Ends every link to a document that was made until now; who did so stays on record, in the database and in the log. */
export async function revokeLinks(
  { database, now, log }: Pick<LinkServices, "database" | "now"> & { readonly log: Pick<BaseLogger, "info"> },
  document: LinkedDocument,
  revokedBy: string,
): Promise<void> {
  const path = documentPath(document);
  await database.insertInto("link_revocations").values({ path, revoked_at: now(), revoked_by: revokedBy }).execute();
  log.info({ audit: "links_revoked", document: path, by: revokedBy }, "the links to a document were revoked");
}
