import { sql } from "kysely";
import { z } from "zod";
import { type Action, action, Refusal } from "#admin/actions.ts";
import { recordAct } from "#admin/audit.ts";
import type { DashboardPart } from "#admin/dashboard.ts";
import type { AdminPart } from "#admin/feature.ts";
import { plural } from "#shared/language.ts";
import { countDeadLinks, type KnownLinks, listKnownLinks } from "../../server/external-links/known-links.ts";
import { linksAuditWords } from "../audit-words.ts";
import type { ContentAdminServices } from "../content-services.ts";

export type ExternalLinks = KnownLinks & {
  /** Whether this site checks links. */
  readonly isChecking: boolean;
};

declare module "#admin/screen.ts" {
  interface AdminReads {
    readonly listExternalLinks: () => Promise<ExternalLinks>;
  }
}

const PATH = "/admin/links";

/** Links to other websites that lead nowhere. */
export function externalLinksPart(services: ContentAdminServices): AdminPart {
  const { database, config, now } = services;
  return {
    reads: {
      listExternalLinks: async () => ({
        ...(await listKnownLinks(database, now())),
        isChecking: config.checksLinks,
      }),
    },
    actions: [checkAction(services), exceptAction(services, true), exceptAction(services, false)],
    dashboard: [dashboardPart(services)],
    auditWords: linksAuditWords,
    auditSubjects: {
      links: { label: "link", group: "Links", path: () => PATH, listNames: (ids) => listAddresses(services, ids) },
    },
  };
}

const dashboardPart = ({ database, now }: ContentAdminServices): DashboardPart => ({
  right: "content.change",
  listWaiting: async () => {
    const count = await countDeadLinks(database, now());
    if (count === 0) return [];
    const text = plural(count, { one: "One link is broken", other: `${count} links are broken` });
    return [{ text, linkText: "Fix broken links", path: PATH, look: "act" }];
  },
});

/** The addresses by the ids of their links: as they were recorded, because a link is forgotten once it stands nowhere. */
async function listAddresses(
  { database }: ContentAdminServices,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; address: string }>`
    select subject_id as id, after->>'address' as address from audit_trail
    where subject = 'links' and subject_id = any(${ids}::text[])`.execute(database);
  return new Map(rows.map(({ id, address }) => [id, address]));
}

const GONE = "This link is no longer on the site. Nothing was changed.";

const readId = (text: string | undefined) => (/^\d{1,15}$/.test(text ?? "") ? Number(text) : 0);

const checkAction = ({ database, config, now }: ContentAdminServices): Action =>
  action({
    path: `${PATH}/:id/check`,
    screen: PATH,
    right: "content.change",
    fields: z.object({}),
    run: async ({ params }) => {
      if (!config.checksLinks) throw new Refusal("Links are not checked on this site. Nothing was changed.");
      const { numUpdatedRows } = await database
        .updateTable("external_links")
        .set({ check_at: now() })
        .where("id", "=", readId(params.id))
        .executeTakeFirst();
      if (numUpdatedRows === 0n) throw new Refusal(GONE);
      return { to: PATH, toast: "The link is being checked again. It leaves the list if it works." };
    },
  });

/** Excepts a link from the checks, or includes it again. */
const exceptAction = ({ database, now }: ContentAdminServices, isExcepted: boolean): Action =>
  action({
    path: `${PATH}/:id/${isExcepted ? "except" : "include"}`,
    screen: PATH,
    right: "content.change",
    fields: z.object({}),
    run: ({ params, actor }) =>
      database.transaction().execute(async (transaction) => {
        const link = await transaction
          .updateTable("external_links")
          .set({ is_excepted: isExcepted, check_at: now() })
          .where("id", "=", readId(params.id))
          .returning(["id", "address"])
          .executeTakeFirst();
        if (link === undefined) throw new Refusal(GONE);
        const verb = isExcepted ? "links.except" : "links.include";
        const act = { verb, subject: "links", subjectId: String(link.id), after: { address: link.address } };
        await recordAct(transaction, actor, act, now());
        return {
          to: PATH,
          toast: isExcepted ? "The link is not checked any more." : "The link is checked again from now on.",
          undo: { path: `${PATH}/${link.id}/${isExcepted ? "include" : "except"}`, fields: {} },
        };
      }),
  });
