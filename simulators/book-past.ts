import type { z } from "zod";
import type { BookedPast, PastPayment } from "./past.ts";

/** Payments in one message. */
const BATCH = 100;

/** Puts payments of the past on the books of the simulators at `url`. @throws Error with their reason. */
export async function bookPast(url: string, payments: readonly z.input<typeof PastPayment>[]): Promise<BookedPast[]> {
  const booked: BookedPast[] = [];
  for (let start = 0; start < payments.length; start += BATCH) {
    const body = JSON.stringify(payments.slice(start, start + BATCH));
    const answer = await fetch(`${url}/__sim/past`, { method: "POST", body });
    if (!answer.ok) throw new Error(`The simulators did not book past payments: ${await answer.text()}`);
    booked.push(...((await answer.json()) as BookedPast[]));
  }
  return booked;
}
