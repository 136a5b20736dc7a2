import { sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import { imageAddress } from "#shared/images/store.ts";
import { addVersion, findVersion, type Item, lockItem } from "../editing/items.ts";
import type { ContentData, Kind } from "../editing/kind.ts";
import { kinds } from "../editing/kinds.ts";
import { publishVersion, scheduleVersion, setLatest, type Writer } from "../editing/write.ts";
import type { PictureUse } from "./uses.ts";

/** The picture that comes in the place of another: its address, and the size of its largest copy. */
type Newer = { readonly hash: string; readonly width: number; readonly height: number };

/** The widest copy of a picture. */
const MAX_WIDTH = 1920;

/** A text with the newer picture wherever the older one stands, in its size. */
function replaceInText(text: string, older: string, { hash, width, height }: Newer): string {
  const copy = new RegExp(`${imageAddress(older)}(?:/\\d+\\.(?:avif|webp|jpg))?`, "g");
  const shown = Math.min(width, MAX_WIDTH);
  const size: Readonly<Record<string, number>> = { width: shown, height: Math.round((height * shown) / width) };
  const sized = (tag: string) =>
    tag.includes(imageAddress(older))
      ? tag.replace(/\b(width|height)="\d*"/g, (_, side: string) => `${side}="${size[side]}"`)
      : tag;
  return text.replace(/<img\b[^>]*>/gi, sized).replace(copy, imageAddress(hash));
}

const replaceInData = (data: ContentData, older: string, newer: Newer): ContentData =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      typeof value === "string" ? replaceInText(value, older, newer) : value,
    ]),
  );

export type ReplacedItem = {
  readonly kind: Kind;
  readonly id: number;
  readonly before: number;
  readonly after: number;
};

type Replacing = Writer & { readonly older: string; readonly newer: Newer };

/**
 * Puts a picture in the place of another at all these uses, in the caller's transaction. What visitors see, what goes out
 * at a time and what is drafted each become a new version; earlier ones stay as they are.
 */
export async function replaceEverywhere(
  transaction: Connection,
  uses: readonly PictureUse[],
  replacing: Replacing,
): Promise<ReplacedItem[]> {
  const replaced: ReplacedItem[] = [];
  // In one order, so that two people who replace pictures wait for each other, and not both forever.
  const items = uses.filter(({ item }) => item !== null).toSorted((one, other) => one.item! - other.item!);
  for (const use of items) {
    const kind = kinds.find(({ name }) => name === use.kind)!;
    const item = await lockItem(transaction, kind, use.item!);
    const after = await replaceInItem(transaction, kind, item, replacing);
    if (after !== null) replaced.push({ kind, id: item.id, before: item.latest, after });
  }
  await replaceInSettings(transaction, replacing);
  return replaced;
}

/** The number of the item's latest version then; null if the picture is not in it any more. */
async function replaceInItem(
  transaction: Connection,
  kind: Kind,
  item: Item,
  { older, newer, by, at }: Replacing,
): Promise<number | null> {
  const made = new Map<number, number>();
  const remake = async (number: number, isForced = false) => {
    const { data } = (await findVersion(transaction, item.id, number))!;
    const changed = replaceInData(data, older, newer);
    if (!isForced && JSON.stringify(changed) === JSON.stringify(data)) return;
    made.set(number, await addVersion(transaction, item.id, { data: changed, beganFrom: number, by, at }));
  };
  const { published, scheduled, latest } = item;
  const others = [published, scheduled?.version].filter((number) => typeof number === "number" && number !== latest);
  for (const number of new Set(others as number[])) await remake(number);
  // The draft stays the latest, also where it is without the picture.
  await remake(latest, made.size > 0);
  if (made.size === 0) return null;
  await setLatest(transaction, item.id, made.get(latest)!);
  if (published !== null && made.has(published)) {
    await publishVersion(transaction, kind, item, { version: made.get(published)!, by, at });
    if (scheduled !== null) await scheduleVersion(transaction, item, scheduled);
  }
  if (scheduled !== null && made.has(scheduled.version)) {
    await scheduleVersion(transaction, item, { ...scheduled, version: made.get(scheduled.version)! });
  }
  return made.get(latest)!;
}

async function replaceInSettings(transaction: Connection, { older, newer }: Replacing): Promise<void> {
  const [from, to] = [imageAddress(older), imageAddress(newer.hash)];
  await sql`
    update site_settings set value = replace(value::text, ${from}, ${to})::jsonb
    where strpos(value::text, ${from}) > 0`.execute(transaction);
}
