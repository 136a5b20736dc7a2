import { afterAll, beforeAll, expect, test } from "vitest";
import { settingNames } from "#shared/config/environment.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { readPage } from "#test/read-page.ts";
import { listServerSettings } from "./server-settings.ts";

const secrets = {
  SMTP_URL: "smtp://sender:very-secret@127.0.0.1:9",
  PAYWAY_SECRET_KEY: "T10000_SEC_very-secret",
  BRAINTREE_PRIVATE_KEY: "very-secret",
  METRICS_TOKEN: "very-secret-token-of-metrics",
};

let site: AdminSite;
beforeAll(async () => {
  site = await openAdminSite({ ...secrets, TICKET_CANCEL_HOURS: "1", TICKET_HOLD_S: "90", LIMITS_MESSAGES: "7" });
});
afterAll(() => site.close());

test("SET-12: what takes a restart is shown in words with its setting's name, and no secret is", async () => {
  const { html } = await (await site.logIn("auditor")).get("/admin/settings/server");
  const page = readPage(html);
  const rows = [...page.querySelectorAll("main dl.kv > div")].map((row) => row.textContent!.replace(/\s+/g, " "));
  for (const row of [
    "Until when buyers can cancel tickets themselves1 hour before the event TICKET_CANCEL_HOURS",
    "How long seats are held for a buyer90 seconds TICKET_HOLD_S",
    "Messages from the contact form7 in 1 hour LIMITS_MESSAGES, LIMITS_MESSAGES_WINDOW_S",
    "Refunds that need a second personAbove $500.00 a day for one person REFUND_TWO_PEOPLE_CENTS",
    "Where new ones are keptIn the database S3_ENDPOINT",
  ]) {
    expect(rows).toContain(row);
  }
  expect(page.querySelector("main form")).toBeNull();
  expect(html).not.toContain("very-secret");
});

test("SET-12: every name is that of a setting", () => {
  const { config } = site.services;
  const backup = {
    folder: "/backups",
    hour: 2,
    keep: [7, 1, 12] as [number, number, number],
    prove: "weekly" as const,
  };
  const shown = [
    ...listServerSettings({ ...config, databaseUrl: undefined, backup: { ...config.backup, ...backup } }),
    ...listServerSettings({ ...config, databaseUrl: "postgres://elsewhere" }),
    ...listServerSettings({ ...config, databaseUrl: undefined, backup: { ...config.backup, folder: null } }),
  ].flatMap(({ rows }) => rows);
  expect(shown.flatMap(({ names }) => names).filter((name) => !settingNames.includes(name))).toEqual([]);
  expect(shown.map(({ value }) => value)).toEqual(
    expect.arrayContaining(["Those of 7 days, 1 week and 12 months", "Run by others, who back it up", "None"]),
  );
});
