import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findReceipt } from "#features/donations/server/receipt.ts";
import { drawReceipt } from "#features/donations/server/receipt-pdf.ts";
import { isLongRun } from "#test/long-run.ts";
import { makeTicketedEvent } from "#test/ticket-buyer.ts";
import { quantile } from "../../bench/processes.ts";
import { openWholeSite, type WholeSite } from "./whole-site.ts";

const ROUNDS = isLongRun ? 20 : 4;
const RECEIPTS_EACH = 25;
const QUIET_PAGES_EACH = 30;
const PAUSE_MS = 5;
const AT_ONCE = 8;

let site: WholeSite;
/** Opens the PDF of a receipt as a donor does, which draws it. */
let open: () => Promise<unknown>;
/** Draws the same receipt on this thread, which also answers. */
let drawHere: () => Promise<unknown>;
beforeAll(async () => {
  site = await openWholeSite();
  await makeTicketedEvent(site.database);
  const { answer } = await site.give(await site.visitor());
  const { id, receiptUrl } = answer.data as { id: string; receiptUrl: string };
  const { rows } = await site.pool.query("select donation_id from payment_attempts where id = $1", [id]);
  const { data } = (await findReceipt(site.database, rows[0].donation_id))!;
  drawHere = () => drawReceipt({ data, voided: null });
  const visitor = await site.visitor();
  open = async () => expect((await visitor.ask({ url: receiptUrl })).statusCode).toBe(200);
});
afterAll(() => site.close());

type Measured = {
  /** How many times as long this thread works between request and answer of 95 of 100 pages. */
  readonly slowdown: number;
  /** How long this thread works for one receipt, in pages. */
  readonly pagesEach: number;
};

/**
 * Pages while receipts are drawn and while none is, in turn. By this thread's processor time, because the clock also
 * counts the tests that run beside this one.
 */
async function measure(draw: () => Promise<unknown>): Promise<Measured> {
  const visitor = await site.visitor();
  const workedSince = (before: NodeJS.CpuUsage) => {
    const { user, system } = process.threadCpuUsage(before);
    return user + system;
  };
  const readPage = async (worked: number[]) => {
    const before = process.threadCpuUsage();
    expect((await visitor.ask({ url: "/selectTickets" })).statusCode).toBe(200);
    worked.push(workedSince(before));
    await sleep(PAUSE_MS);
  };
  await Promise.all([draw(), readPage([])]);
  const [quiet, busy]: [number[], number[]] = [[], []];
  let [workedQuiet, workedBusy] = [0, 0];
  for (let round = 0; round < ROUNDS; round += 1) {
    const beforeQuiet = process.threadCpuUsage();
    for (let page = 0; page < QUIET_PAGES_EACH; page += 1) await readPage(quiet);
    workedQuiet += workedSince(beforeQuiet);
    let left = RECEIPTS_EACH;
    const drawOn = async () => {
      while (left > 0) {
        left -= 1;
        await draw();
      }
    };
    let isDrawing = true;
    const beforeBusy = process.threadCpuUsage();
    const drawing = Promise.all(Array.from({ length: AT_ONCE }, drawOn)).finally(() => {
      isDrawing = false;
    });
    while (isDrawing) await readPage(busy);
    await drawing;
    workedBusy += workedSince(beforeBusy);
  }
  const onePage = workedQuiet / quiet.length;
  return {
    slowdown: quantile(busy, 0.95) / quantile(quiet, 0.95),
    pagesEach: (workedBusy - busy.length * onePage) / (ROUNDS * RECEIPTS_EACH) / onePage,
  };
}

test("PERF-1: each receipt that is drawn takes the thread that answers less work than one and a half pages", async () => {
  const { pagesEach, slowdown } = await measure(open);
  expect(pagesEach).toBeLessThan(1.5);
  // On a busy machine a page takes longer, and so more answers fall into its time.
  if (isLongRun) expect(slowdown).toBeLessThan(3);
});

test("negative control: drawn on that thread, each takes it more, and pages three times as long", async () => {
  const { pagesEach, slowdown } = await measure(drawHere);
  expect(pagesEach).toBeGreaterThan(1.5);
  expect(slowdown).toBeGreaterThan(3);
});
