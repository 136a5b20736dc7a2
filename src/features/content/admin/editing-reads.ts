import { sql } from "kysely";
import { plainText } from "#shared/contract/plain-line.ts";
import type { Database } from "#shared/database/connect.ts";
import type { CallOff } from "#shared/events/event.ts";
import { findEventOfScreen } from "#shared/events/find-event.ts";
import {
  findItem,
  findVersion,
  type Item,
  listVersions,
  takeInChanges,
  type Version,
} from "../server/editing/items.ts";
import type { ContentData, Kind } from "../server/editing/kind.ts";
import {
  countStates,
  type ItemFilter,
  type ListedItem,
  listItems,
  type StateCounts,
} from "../server/editing/list-items.ts";
import { previewLink } from "../server/preview.ts";
import { listChecks, type PublishingCheck } from "./checks.ts";
import type { ContentAdminServices } from "./content-services.ts";

const ROWS = 50;

/** The states that lists can be filtered by. */
const states = ["draft", "scheduled", "published", "aside"] as const;

export type ContentList = {
  readonly rows: readonly ListedItem[];
  readonly counts: StateCounts;
  readonly filter: ItemFilter;
  readonly page: number;
  readonly hasMore: boolean;
};

export type EditedItem = {
  readonly item: Item;
  readonly version: Version;
  /** What holds where a list is empty. */
  readonly delivered: ContentData;
  /** The page that shows it, for visitors. */
  readonly path: string;
  readonly preview: { readonly path: string; readonly lastDay: string };
  readonly checks: readonly PublishingCheck[];
  readonly versions: number;
  /** Null for what is no event. */
  readonly callOff: CallOff;
};

export type ItemHistory = { readonly item: Item; readonly title: string; readonly versions: readonly Version[] };

declare module "#admin/screen.ts" {
  interface AdminReads {
    readonly listContent: (kind: Kind, query: Readonly<Record<string, string>>) => Promise<ContentList>;
    /** Null if there is no such item. */
    readonly findContent: (kind: Kind, id: string) => Promise<EditedItem | null>;
    readonly findContentVersion: (item: number, version: number) => Promise<Version | null>;
    /** The causes that donors can give to: their keys and titles. */
    readonly listFunds: ContentAdminServices["listFunds"];
    readonly findContentHistory: (kind: Kind, id: string) => Promise<ItemHistory | null>;
  }
}

export function editingReads({ database, organisation, config, listFunds, now }: ContentAdminServices) {
  return {
    listFunds,

    listContent: async (kind: Kind, query: Readonly<Record<string, string>>): Promise<ContentList> => {
      await takeInChanges(database, kind);
      const { q = "", state = "", page: typedPage = "" } = query;
      const filter = { q: plainText(q), state: states.find((one) => one === state) ?? ("kept" as const) };
      const page = /^[1-9]\d{0,4}$/.test(typedPage) ? Number(typedPage) : 1;
      const [found, counts] = await Promise.all([
        listItems(database, kind, { filter, limit: ROWS, offset: (page - 1) * ROWS }),
        countStates(database, kind),
      ]);
      return { rows: found.slice(0, ROWS), counts, filter, page, hasMore: found.length > ROWS };
    },

    findContent: async (kind: Kind, id: string): Promise<EditedItem | null> => {
      const item = await findTyped(database, kind, id);
      if (item === null) return null;
      const version = (await findVersion(database, item.id, item.latest))!;
      return {
        item,
        version,
        delivered: kind.delivered?.(organisation.current()) ?? {},
        path: kind.path({ key: item.key, data: version.data }, organisation.current()),
        preview: previewLink(config.secretKey, { item: item.id, version: version.number }, now()),
        checks: await listChecks(database, kind, version.data, {
          organisation: organisation.current(),
          now: now(),
          key: item.key,
          checksLinks: config.checksLinks,
        }),
        versions: await countVersions(database, item.id),
        callOff: kind.name === "events" ? ((await findEventOfScreen(database, id))?.callOff ?? null) : null,
      };
    },

    findContentVersion: (item: number, version: number) => findVersion(database, item, version),

    findContentHistory: async (kind: Kind, id: string): Promise<ItemHistory | null> => {
      const item = await findTyped(database, kind, id);
      if (item === null) return null;
      const versions = await listVersions(database, item.id);
      const title = String(versions.find(({ number }) => number === item.latest)!.data.title);
      return { item, title, versions };
    },
  };
}

const findTyped = async (database: Database, kind: Kind, id: string) =>
  /^[1-9]\d{0,14}$/.test(id) ? findItem(database, kind, Number(id)) : null;

async function countVersions(database: Database, item: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from content_versions where item_id = ${item}`.execute(database);
  return rows[0]!.count;
}
