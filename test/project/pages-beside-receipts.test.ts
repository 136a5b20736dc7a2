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

/**
 * How many times as long this thread works between request and answer of 95 of 100 pages while receipts are drawn, quiet
 * and busy moments in turn. Its processor time, because the clock also counts the tests that run beside this one.
 */
async function measureSlowdown(draw: () => Promise<unknown>): Promise<number> {
  const visitor = await site.visitor();
  const readPage = async (worked: number[]) => {
    const before = process.threadCpuUsage();
    expect((await visitor.ask({ url: "/selectTickets" })).statusCode).toBe(200);
    const { user, system } = process.threadCpuUsage(before);
    worked.push(user + system);
    await sleep(PAUSE_MS);
  };
  await Promise.all([draw(), readPage([])]);
  const [quiet, busy]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let page = 0; page < QUIET_PAGES_EACH; page += 1) await readPage(quiet);
    let left = RECEIPTS_EACH;
    const drawOn = async () => {
      while (left > 0) {
        left -= 1;
        await draw();
      }
    };
    let isDrawing = true;
    const drawing = Promise.all(Array.from({ length: AT_ONCE }, drawOn)).finally(() => {
      isDrawing = false;
    });
    while (isDrawing) await readPage(busy);
    await drawing;
  }
  return quantile(busy, 0.95) / quantile(quiet, 0.95);
}

test("PERF-1: while receipts are drawn, 95 of 100 pages keep the thread that answers less than three times as long", async () => {
  expect(await measureSlowdown(open)).toBeLessThan(3);
}, 120_000);

test("negative control: with receipts drawn on that thread it is more than three times as long", async () => {
  expect(await measureSlowdown(drawHere)).toBeGreaterThan(3);
}, 120_000);
