import { expect, test } from "vitest";
import type { Visit } from "#shared/outbound/visit.ts";
import { judgeVisit } from "./judge-visit.ts";

const now = new Date("2026-11-24T03:00:00Z");
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
const judge = (visited: Visit, failing_since: Date | null = null) => judgeVisit({ failing_since }, visited, now);
const answered = (status: number): Visit => ({ kind: "answered", status });
const failed: Visit = { kind: "failed", reason: "no_host" };

test.each([200, 204, 299, 300, 304])(
  "LNK-3: a link whose website answers %s works, and is checked in a week",
  (status) => {
    expect(judge(answered(status), hoursAgo(200))).toEqual({
      state: "works",
      reason: null,
      failing_since: null,
      checked_at: now,
      check_at: hoursAgo(-168),
    });
  },
);

test.each([400, 401, 403, 405, 406, 418, 429, 451, 500, 502, 503, 504, 999])(
  "LNK-3: %s says nothing about the link, even after failures",
  (status) => {
    expect(judge(answered(status), hoursAgo(200))).toMatchObject({
      state: "unclear",
      reason: null,
      failing_since: null,
    });
  },
);

test("LNK-3: what may not be asked for, or breaks off, says nothing either", () => {
  expect(judge({ kind: "unclear" })).toMatchObject({ state: "unclear", reason: null });
});

test("LNK-3: 404 and 410 are dead at once, and checked again the next day", () => {
  expect(judge(answered(404))).toEqual({
    state: "dead",
    reason: "not_found",
    failing_since: now,
    checked_at: now,
    check_at: hoursAgo(-24),
  });
  expect(judge(answered(410), hoursAgo(24))).toEqual({
    state: "dead",
    reason: "removed",
    failing_since: hoursAgo(24),
    checked_at: now,
    check_at: hoursAgo(-168),
  });
});

test("LNK-3: without an answer it is dead only after two checks at least a day apart", () => {
  expect(judge(failed)).toMatchObject({ state: "failing", failing_since: now, check_at: hoursAgo(-24) });
  expect(judge(failed, hoursAgo(23.9))).toMatchObject({ state: "failing", failing_since: hoursAgo(23.9) });
  expect(judge(failed, hoursAgo(24))).toMatchObject({ state: "dead", reason: "no_host", check_at: hoursAgo(-168) });
});
