import { globSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commandLine, recordAct } from "#admin/audit.ts";
import { type AdminReads, screen } from "#admin/screen.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { readPage } from "#test/read-page.ts";
import { createBuyer, makeTicketedEvent } from "#test/ticket-buyer.ts";

let site: AdminSite;
let reads: AdminReads;
beforeAll(async () => {
  const path = "/admin/planted-by-the-test";
  const planted = screen({
    path,
    right: "everybody",
    isBare: true,
    load: async (given) => {
      reads = given;
      return null;
    },
    title: () => "",
    body: () => null as never,
  });
  site = await openAdminSite({}, { screens: [planted] });
  await (await site.openBrowser()).get(path);
});
afterAll(() => site.close());

/** The verbs that the source records, each with the files. */
function listRecorded(sources: readonly (readonly [file: string, text: string])[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [file, text] of sources) {
    for (const [, verb = ""] of text.matchAll(/(?:\bverb: |\brecord\()[^"\n]*"([a-z_-]+\.[a-z_-]+)"/g)) {
      found.set(verb, [...(found.get(verb) ?? []), file]);
    }
  }
  return found;
}

const listMissing = (recorded: Map<string, string[]>) =>
  [...recorded]
    .filter(([verb]) => reads.auditWords[verb] === undefined)
    .map(([verb, files]) => `${files.join(", ")}: '${verb}' needs words in the feature's admin/audit-words.ts`);

test("AUD-1: every act that the source records has words in the audit trail", () => {
  const files = globSync("src/**/*.ts").filter((file) => !file.endsWith(".test.ts"));
  const recorded = listRecorded(files.map((file) => [file, readFileSync(file, "utf8")] as const));
  expect(recorded.size).toBeGreaterThan(20);
  expect(listMissing(recorded)).toEqual([]);
});

test("AUD-1: negative control: an act without words is found", () => {
  expect(listMissing(listRecorded([["a.ts", 'const act = { verb: "thing.move", subject: "thing" };']]))).toEqual([
    "a.ts: 'thing.move' needs words in the feature's admin/audit-words.ts",
  ]);
});

test("AUD-1, AUD-2: an act on a ticket order links to it, and its number finds the act", async () => {
  const buyer = createBuyer(site, await site.visitor());
  const { slug } = await makeTicketedEvent(site.services.database);
  const { order } = await buyer.book(slug, [{ type: "standard", quantity: 1 }]);
  const about = { subject: "ticket_order", subjectId: order.id };
  await recordAct(site.services.database, commandLine, { verb: "links.revoke", ...about }, new Date());
  const auditor = await site.logIn("auditor");
  const page = readPage((await auditor.get(`/admin/audit?q=${order.reference}`)).html);
  expect(page.querySelector(`tbody a[href="/admin/orders/${order.id}"]`)?.textContent).toContain(order.reference);
});
