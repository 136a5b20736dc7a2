import { sql } from "kysely";
import type { Database } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import { findEvent } from "#shared/events/find-event.ts";
import { readKey, signPath } from "#shared/http/signed-link.ts";
import { addDays, dayInSydney, startOfDayInSydney } from "#shared/language.ts";
import type { Organisation } from "#shared/organisation.ts";
import type { FindPreview } from "#shared/pages/preview.ts";
import { paths, previewPath } from "#shared/paths.ts";
import { contentProblems } from "../problems.ts";
import { toBanner } from "./banners.ts";
import { contentReads } from "./content-reads.ts";
import { findVersion } from "./editing/items.ts";
import { type ContentData, type FieldInput, type Kind, toText } from "./editing/kind.ts";
import { findKind } from "./editing/kinds.ts";
import { writeLiveRow } from "./editing/live-row.ts";
import { listTakenDown } from "./known-paths.ts";
import { hideTakenDown, toMenus } from "./menus.ts";
import type { Placeholders } from "./placeholders.ts";

/** The number of days for which a preview can be opened, including the day it was made. */
const PREVIEW_DAYS = 7;

/** The link to a preview, which works for anybody who has it, and when it expires. */
export function previewLink(secretKey: string, { item, version }: { item: number; version: number }, now: Date) {
  // Whole days, so that the link is the same all day.
  const today = dayInSydney(now);
  const until = startOfDayInSydney(addDays(today, PREVIEW_DAYS));
  const times = { madeAt: startOfDayInSydney(today), until };
  return { path: signPath(secretKey, previewPath(item, version), times), lastDay: addDays(today, PREVIEW_DAYS - 1) };
}

type PreviewOptions = {
  readonly secretKey: string;
  readonly database: Database;
  readonly organisation: () => Organisation;
  readonly now: () => Date;
  readonly placeholders: () => Placeholders;
};

/**
 * Shows a version through the reads of the public pages. Writes it into the table that they read, in a transaction that
 * is rolled back; so every list and page is exactly as it would be.
 */
export function previewReads({ secretKey, database, organisation, now, placeholders }: PreviewOptions): {
  findPreview: FindPreview;
} {
  return {
    async findPreview({ item, version, key }, show) {
      const times = readKey(secretKey, previewPath(item, version), key);
      if (times === null) return null;
      if (now() >= times.until) throw new AppError(contentProblems.preview_ended);
      const transaction = await database.startTransaction().execute();
      try {
        // No process is notified of a change, and nobody waits for long.
        await sql`select set_config('almoner.is_preview', 'on', true), set_config('lock_timeout', '2s', true)`.execute(
          transaction,
        );
        const row = await transaction
          .selectFrom("content_items")
          .select(["kind", "live_key as key", "published_version as published"])
          .where("id", "=", Number(item))
          .executeTakeFirst();
        const kind = row && findKind(row.kind);
        const found = kind && (await findVersion(transaction, Number(item), Number(version)));
        if (!row || !kind || !found) return null;
        const draft = { version: found.number, savedAt: found.savedAt };
        const frame = found.number === row.published ? {} : { draft };
        // Drawn around the page. A banner may be a draft without times, which no row can be.
        if (kind.name === "banners")
          return await show(paths.home, {}, { ...frame, banner: toBanner(item, found.data) });
        if (kind.name === "menus") {
          const types = await listTakenDown(transaction);
          const menus = hideTakenDown(toMenus(found.data), types, organisation());
          return await show(paths.home, {}, { ...frame, menus });
        }
        const data = kind.fillGaps?.(found.data, now()) ?? fillGaps(kind, found.data, now());
        const written = await writeLiveRow(transaction, kind, { key: row.key, data });
        const path = kind.path({ key: written.key, data }, organisation());
        const reads = {
          ...contentReads(transaction, now, placeholders),
          findEvent: (slug: string) => findEvent(transaction, slug, now()),
        };
        return await show(path, reads, frame);
      } finally {
        await transaction.rollback().execute();
      }
    },
  };
}

/** Shown where a draft has no picture yet. */
const NO_PICTURE = "/identity/brand/logo-mark.svg";

/** What a row cannot be without and a draft can: a day, a picture and a place. */
function fillGaps({ fields }: Kind, data: ContentData, now: Date): ContentData {
  const fillers: Partial<Record<FieldInput, string>> = { day: dayInSydney(now), picture: NO_PICTURE, number: "0" };
  const gaps = fields.filter(({ name, input, needed }) => needed && fillers[input] && toText(data[name]) === "");
  return { ...data, ...Object.fromEntries(gaps.map(({ name, input }) => [name, fillers[input]!])) };
}
