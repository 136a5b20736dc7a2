import { z } from "zod";
import type { Database } from "#shared/database/connect.ts";
import { linkAddress } from "#shared/link-address.ts";
import type { Menus } from "#shared/pages/frame.ts";
import { isMenuGroup, menuNames } from "../menu-links.ts";
import "./tables.ts";

const Entries = z
  .array(z.object({ label: z.string().min(1), url: z.string().min(1).refine(isMenuGroup).or(linkAddress) }))
  .min(1);

/** The lists that staff have changed. One that is empty, or that SQL has made invalid, is as delivered. */
export function toMenus(columns: Readonly<Record<string, unknown>>): Menus {
  const changed = menuNames.flatMap((name) => {
    const read = Entries.safeParse(columns[name]);
    return read.success ? [[name, read.data.map(({ label, url }) => ({ label, path: url }))] as const] : [];
  });
  return Object.fromEntries(changed);
}

/** The menus as staff have changed them, kept in memory. `refresh` reads them again. */
export function createMenus({ database }: { database: Database }) {
  let menus: Menus = {};
  return {
    current: () => menus,
    async refresh(): Promise<void> {
      const row = await database.selectFrom("menus").selectAll().executeTakeFirst();
      menus = toMenus(row ?? {});
    },
  };
}
