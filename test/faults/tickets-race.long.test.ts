import { expect, test } from "vitest";
import { noFaults } from "#test/books.ts";
import { ticketsAgree } from "#test/ticket-books.ts";
import { runSale } from "./tickets-chaos.ts";

test("TIC-7, REL-3, WAIT-4: when 50 buyers try 40 times each for 1,000 seats at two processes, exactly 1,000 are sold", async () => {
  const sale = await runSale({ capacity: 1000, buyers: 50, attempts: 40, seed: 20_261_121, log: console.log });
  expect(sale).toMatchObject({ oversold: 0, sold: 1000, tickets: ticketsAgree, surprises: [], failures: [] });
  expect(sale.books).toEqual(noFaults);
  expect(sale.checks).toBeGreaterThan(100);
  expect(sale.longestOverdueMs).toBeLessThan(60_000);
  const { soldOut, abandoned, paid, declined, uncertain, booked, codeRefused, waited, offersBought, given } = sale;
  for (const count of [
    soldOut,
    abandoned,
    paid,
    declined,
    uncertain,
    booked,
    codeRefused,
    waited,
    offersBought,
    given,
  ]) {
    expect(count).toBeGreaterThan(0);
  }
});
