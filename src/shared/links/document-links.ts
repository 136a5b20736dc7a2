import type { BaseLogger } from "pino";
import { z } from "zod";
import type { Config } from "#shared/config/config.ts";
import type { Connection } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import { keyOf, type LinkTimes, readKey } from "#shared/http/signed-link.ts";
import { addDays, dayInSydney, formatDay, startOfDayInSydney } from "#shared/language.ts";
import { applicationPath, receiptPath, ticketOrderPath, waitingEntryPath } from "#shared/paths.ts";
import type { DocumentKind, LinkedDocument } from "./contract.ts";

export type LinkConfig = Pick<Config, "secretKey" | "linkDays">;

export type LinkServices = {
  readonly config: Pick<Config, "secretKey">;
  readonly database: Connection;
  readonly now: () => Date;
};

/** A link for an email, and its last valid day in words. */
export type DocumentLink = { readonly path: string; readonly lastDay: string };

const pathOf = {
  receipt: receiptPath,
  ticket_order: ticketOrderPath,
  application: applicationPath,
  waiting_entry: waitingEntryPath,
} satisfies Record<DocumentKind, (id: string) => string>;

/** The document's address without a key. */
export function documentPath({ kind, id }: LinkedDocument): string {
  return pathOf[kind](id.toLowerCase());
}

/** Valid until the end of the day in Sydney, `LINK_DAYS` later. */
function timesOf(madeAt: Date, linkDays: number): LinkTimes {
  return { madeAt, until: startOfDayInSydney(addDays(dayInSydney(madeAt), linkDays + 1)) };
}

const lastDayOf = ({ until }: LinkTimes) => formatDay(dayInSydney(new Date(until.getTime() - 1)));

/**
 * The key of a document's link. `madeAt` is a stored time, such as when the receipt was issued. So an email sent twice
 * has the same link, and an email retried after a revocation has no working one.
 */
export function documentKey({ secretKey, linkDays }: LinkConfig, document: LinkedDocument, madeAt: Date): string {
  return keyOf(secretKey, documentPath(document), timesOf(madeAt, linkDays));
}

/** `madeAt` as for `documentKey`. */
export function documentLink(config: LinkConfig, document: LinkedDocument, madeAt: Date): DocumentLink {
  const [path, times] = [documentPath(document), timesOf(madeAt, config.linkDays)];
  return { path: `${path}?key=${keyOf(config.secretKey, path, times)}`, lastDay: lastDayOf(times) };
}

type LinkEnd = { readonly times: LinkTimes; readonly now: Date; readonly isRevoked?: boolean };

/** An expired or revoked link: 410. Its page offers a new one. */
export class EndedLink extends AppError {
  readonly document: LinkedDocument | null;
  readonly isRevoked: boolean;
  /** Null for a link of ten minutes that ended today: naming the day would say that it still works. */
  readonly lastDay: string | null;

  constructor(document: LinkedDocument | null, { times, now, isRevoked = false }: LinkEnd) {
    super("link_ended");
    this.document = document;
    this.isRevoked = isRevoked;
    const lastDay = lastDayOf(times);
    this.lastDay = lastDay === formatDay(dayInSydney(now)) ? null : lastDay;
  }
}

/** The times of a key made for this document, valid or not; null for any other. */
export function readDocumentKey(secretKey: string, document: LinkedDocument, key: unknown): LinkTimes | null {
  return z.uuid().safeParse(document.id).success ? readKey(secretKey, documentPath(document), key) : null;
}

/** @throws EndedLink if the key has expired or was revoked. */
export async function opensDocument(
  { config, database, now }: LinkServices,
  document: LinkedDocument,
  key: unknown,
): Promise<boolean> {
  const times = readDocumentKey(config.secretKey, document, key);
  if (times === null) return false;
  if (now() >= times.until) throw new EndedLink(document, { times, now: now() });
  const revocation = await database
    .selectFrom("link_revocations")
    .select("id")
    .where("path", "=", documentPath(document))
    .where("revoked_at", ">=", times.madeAt)
    .limit(1)
    .executeTakeFirst();
  if (revocation !== undefined) throw new EndedLink(document, { times, now: now(), isRevoked: true });
  return true;
}

/** The same for calls. @throws AppError `not_found` or, as `EndedLink`, `link_ended`. */
export async function requireDocumentKey(services: LinkServices, document: LinkedDocument, key: string): Promise<void> {
  if (!(await opensDocument(services, document, key))) throw new AppError("not_found");
}

/** Revokes all links to a document made so far; the database and the log record by whom. */
export async function revokeLinks(
  { database, now, log }: Pick<LinkServices, "database" | "now"> & { readonly log: Pick<BaseLogger, "info"> },
  document: LinkedDocument,
  revokedBy: string,
): Promise<void> {
  const path = documentPath(document);
  await database.insertInto("link_revocations").values({ path, revoked_at: now(), revoked_by: revokedBy }).execute();
  log.info({ audit: "links_revoked", document: path, by: revokedBy }, "the links to a document were revoked");
}
