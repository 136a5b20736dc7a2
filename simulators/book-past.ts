import type { z } from "zod";
import { controlSimulator } from "./control.ts";
import type { BookedPast, PastPayment } from "./past.ts";

/** The most payments in one message. */
const BATCH = 100;

/**
 * Puts payments of the past on the books of the simulators at `url`; with `startsOver`, after moving the books of an
 * earlier start away. @throws Error with their reason.
 */
export async function bookPast(
  url: string,
  payments: readonly z.input<typeof PastPayment>[],
  { startsOver = false } = {},
): Promise<BookedPast[]> {
  const simulator = controlSimulator(url);
  if (startsOver && (await simulator.listLedger()).length > 0) await simulator.reset();
  const booked: BookedPast[] = [];
  for (let start = 0; start < payments.length; start += BATCH) {
    const body = JSON.stringify(payments.slice(start, start + BATCH));
    const answer = await fetch(`${url}/__sim/past`, { method: "POST", body });
    if (!answer.ok) throw new Error(`The simulators did not book past payments: ${await answer.text()}`);
    booked.push(...((await answer.json()) as BookedPast[]));
  }
  return booked;
}
