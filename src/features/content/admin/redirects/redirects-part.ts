import { z } from "zod";
import { type Action, action } from "#admin/actions.ts";
import type { AuditWords } from "#admin/acts.ts";
import { recordAct } from "#admin/audit.ts";
import type { AdminPart } from "#admin/feature.ts";
import type { Connection } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import { linkAddress } from "#shared/link-address.ts";
import type { Organisation } from "#shared/organisation.ts";
import { listLostPaths, listOpenPaths, pathOf } from "../../server/known-paths.ts";
import { toRedirectPath } from "../../server/redirects/redirect-path.ts";
import {
  addRedirect,
  deleteRedirect,
  findRedirect,
  listRedirects,
  lockRedirects,
  type Redirect,
} from "../../server/redirects/redirects.ts";
import type { ContentAdminServices } from "../content-services.ts";

export const REDIRECTS_PATH = "/admin/redirects";

export type RedirectList = {
  readonly redirects: readonly Redirect[];
  readonly page: number;
  readonly hasMore: boolean;
};

declare module "#admin/screen.ts" {
  interface AdminReads {
    readonly listRedirects: (page: string | undefined) => Promise<RedirectList>;
  }
}

const ROWS = 50;

/** Old addresses, and where they lead. */
export function redirectsPart(services: ContentAdminServices): AdminPart {
  const { database } = services;
  return {
    reads: {
      listRedirects: async (typed: string | undefined): Promise<RedirectList> => {
        const page = /^[1-9]\d{0,4}$/.test(typed ?? "") ? Number(typed) : 1;
        const found = await listRedirects(database, { limit: ROWS, offset: (page - 1) * ROWS });
        return { redirects: found.slice(0, ROWS), page, hasMore: found.length > ROWS };
      },
    },
    actions: [addAction(services), deleteAction(services)],
    auditWords: redirectsAuditWords,
    auditSubjects: { redirects: { label: "the address", group: "Redirects", path: () => REDIRECTS_PATH } },
  };
}

const redirectsAuditWords: AuditWords = {
  "redirects.add": "redirected",
  "redirects.delete": "deleted the redirect of",
};

const addAction = ({ database, organisation, now }: ContentAdminServices): Action =>
  action({
    path: REDIRECTS_PATH,
    screen: REDIRECTS_PATH,
    right: "content.change",
    fields: z.object({ path: z.string().trim().catch(""), target: z.string().catch("") }),
    run: ({ fields, actor, staff }) =>
      database.transaction().execute(async (transaction) => {
        await lockRedirects(transaction);
        const { path, target } = await readTyped(transaction, fields, organisation.current());
        await addRedirect(transaction, { path, target, isMove: false, by: staff.id, at: now() });
        const act = { verb: "redirects.add", subject: "redirects", subjectId: path, after: { leadsTo: target } };
        await recordAct(transaction, actor, act, now());
        return { to: REDIRECTS_PATH, toast: `${path} leads to ${target} now.` };
      }),
  });

type Typed = { readonly path: string; readonly target: string };

/** @throws AppError `invalid_input` with a sentence at the field that is wrong. */
async function readTyped(transaction: Connection, typed: Typed, organisation: Organisation): Promise<Typed> {
  const path = toRedirectPath(typed.path);
  const open = await listOpenPaths(transaction, organisation);
  const wrong: Record<string, string[]> = {};
  if (path === null) wrong.path = [BAD_PATH];
  else if (open.some((one) => one.toLowerCase() === path)) wrong.path = [IN_USE];
  else if ((await listLostPaths(transaction, [path], organisation)).length === 0) wrong.path = [IN_USE];
  else {
    const led = await findRedirect(transaction, path);
    if (led !== null) wrong.path = [`This address already leads to ${led}. Delete that below first.`];
  }
  const target = linkAddress.safeParse(typed.target);
  if (!target.success || target.data === "") wrong.target = [BAD_TARGET];
  else if (target.data.startsWith("/")) {
    const lost = await listLostPaths(transaction, [pathOf(target.data)], organisation);
    if (lost.length > 0)
      wrong.target = ["No page on this site has this address now. Enter one that visitors can open."];
  }
  if (Object.keys(wrong).length > 0) throw new AppError("invalid_input", { fields: wrong });
  return { path: path!, target: target.data! };
}

const BAD_PATH =
  "Enter the old address as a path on this site, such as /about-us.html, without ? or #. Addresses of the back office, calls and files cannot be redirected.";
const IN_USE = "A page on this site has this address, so it cannot be redirected.";
const BAD_TARGET = "Enter a page on this site, such as /donation, or an address that begins with https://.";

const deleteAction = ({ database, now }: ContentAdminServices): Action =>
  action({
    path: `${REDIRECTS_PATH}/delete`,
    screen: REDIRECTS_PATH,
    right: "content.change",
    fields: z.object({ path: z.string() }),
    run: ({ fields: { path }, actor }) =>
      database.transaction().execute(async (transaction) => {
        const target = await deleteRedirect(transaction, path);
        if (target === null) return { to: REDIRECTS_PATH, toast: "It was deleted before." };
        const act = { verb: "redirects.delete", subject: "redirects", subjectId: path, before: { leadsTo: target } };
        await recordAct(transaction, actor, act, now());
        const undo = { path: REDIRECTS_PATH, fields: { path, target } };
        return { to: REDIRECTS_PATH, toast: `${path} leads nowhere now.`, undo };
      }),
  });
