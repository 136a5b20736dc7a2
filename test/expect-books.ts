import type pg from "pg";
import { expect } from "vitest";
import type { SimulatorControl } from "#simulators/control.ts";
import { compareBooks, faultsOf, noFaults } from "./books.ts";

/** Expects the books of a test's site to agree with its provider's, to the cent. */
export async function expectBooksAgree({
  pool,
  simulator,
}: {
  readonly pool: pg.Pool;
  readonly simulator: Pick<SimulatorControl, "listLedger">;
}): Promise<void> {
  expect(faultsOf(await compareBooks(pool, await simulator.listLedger()))).toEqual(noFaults);
}
