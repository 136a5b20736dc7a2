// @vitest-environment jsdom
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { HistoryRow } from "../../history.ts";
import { HistoryTable } from "./history-table.tsx";

afterEach(cleanup);

test("PRO-7, LAY-14: the history is a table with a name, and each row is named by its invoice number", () => {
  const row: HistoryRow = {
    reference: "D-0000-0000-0001",
    receiptNumber: "R-000123",
    paidOn: "2026-11-30",
    totalCents: 1117,
    status: "Paid",
  };
  const rows = [row, { ...row, reference: "D-0000-0000-0002", receiptNumber: "", status: "Processing" as const }];
  render(<HistoryTable page={{ rows, newer: null, older: null }} addressOf={() => ""} />);
  screen.getByRole("table", { name: "Donations, newest first" });
  expect(screen.getAllByRole("rowheader").map(({ textContent }) => textContent)).toEqual([
    "R-000123",
    "Not issued yet",
  ]);
});
