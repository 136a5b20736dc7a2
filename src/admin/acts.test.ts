import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { describeActs } from "./acts.ts";
import { commandLine, recordAct } from "./audit.ts";
import { listRecordedActs } from "./recorded-acts.ts";
import { describeWhen } from "./ui/when.tsx";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.stop());

const words = {
  "refund.request": "requested a refund of",
  "donation.note": ({ after }: { after: Readonly<Record<string, unknown>> | null }) =>
    `wrote the note ${after?.note} on`,
};
const subjects = {
  donation: {
    label: "donation",
    group: "Donations",
    path: (id: string) => `/admin/donations/${id}`,
    listNames: async () => new Map([["7", "D-7K3M"]]),
  },
};

test("AUD-4: the acts on one thing, or on several that belong together, are listed latest first, without any others", async () => {
  const record = (verb: string, subject: string, subjectId: string, after?: object) =>
    recordAct(db.database, commandLine, { verb, subject, subjectId, ...(after && { after }) }, new Date());
  await record("refund.request", "donation", "7");
  await record("donation.note", "donation", "7", { note: "‘Thanks’" });
  await record("donation.note", "donation", "8");
  await record("refund.approve", "refund", "7");
  const donation = { subject: "donation", subjectId: "7" };
  const acts = await listRecordedActs(db.database, donation);
  const described = await describeActs(acts, { words, subjects, fields: {} }, donation);
  expect(described.map(({ actor, words, about }) => `${actor} ${words} ${about.text}`)).toEqual([
    "Command on the server wrote the note ‘Thanks’ on this donation",
    "Command on the server requested a refund of this donation",
  ]);
  const both = await listRecordedActs(db.database, [donation, { subject: "refund", subjectId: "7" }]);
  expect(both).toHaveLength(3);
  const [unknown, , first] = await describeActs(both, { words, subjects, fields: {} });
  expect(`${unknown!.words} ${unknown!.about.text}`).toBe("did “refund.approve” to refund 7");
  expect(first!.about).toEqual({ text: "donation D-7K3M", path: "/admin/donations/7" });
  expect(await listRecordedActs(db.database, [])).toEqual([]);
});

test("AUD-1: times are written as people say them", () => {
  const now = new Date("2026-11-22T09:00:00+11:00");
  const say = (at: string) => describeWhen(new Date(at), now);
  expect(say("2026-11-22T08:05:44+11:00")).toBe("Today, 8:05 am");
  expect(say("2026-11-21T23:59:00+11:00")).toBe("Yesterday, 11:59 pm");
  expect(say("2026-11-20T20:14:00+11:00")).toBe("Fri, 8:14 pm");
  expect(say("2026-11-15T20:14:00+11:00")).toBe("15 November 2026, 8:14 pm");
  expect(describeWhen(now, null)).toBe("22 November 2026, 9:00 am");
});
