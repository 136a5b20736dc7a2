import type { Connection } from "#shared/database/connect.ts";
import { canLead, listLinks } from "#shared/html/list-links.ts";
import { plural } from "#shared/language.ts";
import type { Organisation } from "#shared/organisation.ts";
import { type ContentData, type ContentValue, type Kind, toText } from "../server/editing/kind.ts";
import { judgeLinks } from "../server/external-links/known-links.ts";
import { externalAddress } from "../server/external-links/take-in-links.ts";
import { listLostPaths, pathOf } from "../server/known-paths.ts";
import { hashIn } from "../server/pictures/library.ts";

/** Something to do before an item is published; `isNeeded`: it cannot be published without. */
export type PublishingCheck = { readonly text: string; readonly field: string; readonly isNeeded: boolean };

type CheckedWith = {
  readonly organisation: Pick<Organisation, "slug">;
  readonly now: Date;
  readonly key: string | null;
  /** Whether this site checks links to other websites. */
  readonly checksLinks: boolean;
};

/** What is still missing in a version. */
export async function listChecks(
  connection: Connection,
  kind: Kind,
  data: ContentData,
  { organisation, now, key, checksLinks }: CheckedWith,
): Promise<PublishingCheck[]> {
  const checkOthers = async (addresses: readonly string[]): Promise<string[]> => {
    const links = addresses.map(externalAddress).filter((address) => address !== null);
    const { dead, unchecked } = await judgeLinks(connection, links, now);
    return [
      ...dead.map((address) => `A link to another website leads nowhere: ${address}`),
      ...(unchecked > 0 && checksLinks ? [`${describeUnchecked(unchecked)} Open this page again in a minute.`] : []),
    ];
  };
  const empty = kind.fields.flatMap(({ name, needed, advised, isNeeded }): PublishingCheck[] => {
    const text = needed ?? advised;
    if (text === undefined || toText(data[name]) !== "" || isNeeded?.(data) === false) return [];
    return [{ text, field: name, isNeeded: needed !== undefined }];
  });
  const gone = (await listGone(connection, kind, data)).map((field) => ({ text: GONE, field, isNeeded: true }));
  const faults = Object.entries(kind.faults?.(data, { now, key }) ?? {});
  const faulty = faults.map(([field, text]): PublishingCheck => ({ text, field, isNeeded: true }));
  const inLinks = kind.fields
    .filter(({ input }) => input === "link" || input === "menu")
    .map(async ({ name }) => {
      const addresses = listAddressesIn(data[name]);
      const own = addresses.filter((address) => address.startsWith("/"));
      const texts = [
        ...(await listLostPaths(connection, own.map(pathOf), organisation)).map(
          (path) => `This leads nowhere on this site: ${path}`,
        ),
        ...(await checkOthers(addresses)),
      ];
      return texts.map((text) => ({ text, field: name, isNeeded: false }));
    });
  const inTexts = kind.fields
    .filter(({ input }) => input === "html")
    .map(async ({ name }) => {
      const html = toText(data[name]);
      const { own, others } = listLinks(html);
      const lost = await listLostPaths(connection, own, organisation);
      const texts = [
        ...(hasPictureWithoutWords(html) ? ["A picture in the text has no words for people who cannot see it."] : []),
        ...lost.map((path) => `A link leads nowhere on this site: ${path}`),
        ...(await checkOthers(others)),
        ...others.filter((address) => !canLead(address)).map((address) => `A link has no full address: ${address}`),
      ];
      return texts.map((text) => ({ text, field: name, isNeeded: false }));
    });
  return [...empty, ...gone, ...faulty, ...(await Promise.all([...inLinks, ...inTexts])).flat()];
}

const describeUnchecked = (count: number) =>
  plural(count, {
    one: "A link to another website is still being checked.",
    other: `${count} links to other websites are still being checked.`,
  });

const listAddressesIn = (value: ContentValue | undefined) =>
  typeof value === "object" ? (value ?? []).map(({ url }) => url) : [toText(value)];

const GONE = "This picture is not in the library any more. Choose another.";

/** The fields whose picture was deleted. Those that are there cannot be deleted until the caller's transaction ends. */
async function listGone(connection: Connection, { fields }: Kind, data: ContentData): Promise<string[]> {
  const chosen = fields.flatMap(({ name, input }) => {
    const hash = input === "picture" ? hashIn(toText(data[name])) : null;
    return hash === null ? [] : [{ name, hash }];
  });
  const gone: string[] = [];
  for (const { name, hash } of chosen) {
    const query = connection.selectFrom("images").select("hash").where("hash", "=", hash).forKeyShare();
    if ((await query.executeTakeFirst()) === undefined) gone.push(name);
  }
  return gone;
}

/** The messages for fields that must be filled in, or changed, before publishing. */
export async function listNeeded(
  connection: Connection,
  kind: Kind,
  data: ContentData,
  about: { now: Date; key: string | null },
): Promise<Record<string, string[]>> {
  const gone = (await listGone(connection, kind, data)).map((name) => [name, [GONE]]);
  const empty = kind.fields.flatMap(({ name, needed, isNeeded }) =>
    needed !== undefined && toText(data[name]) === "" && isNeeded?.(data) !== false ? [[name, [needed]]] : [],
  );
  const faults = Object.entries(kind.faults?.(data, about) ?? {}).map(([name, text]) => [name, [text]]);
  return Object.fromEntries([...faults, ...empty, ...gone]);
}

const hasPictureWithoutWords = (html: string) =>
  (html.match(/<img\b[^>]*>/gi) ?? []).some((tag) => !/\balt="[^"]*[^"\s][^"]*"/i.test(tag));
