import { expect, test } from "vitest";
import { listAccounts } from "./accounts.ts";
import { type JournalDay, splitFiles, writeJournal } from "./journal-formats.ts";

const accounts = listAccounts([{ fund: "zakat", title: "Zakat" }], { tickets: { code: "260" } });
const day: JournalDay = {
  id: 1,
  day: "2026-11-21",
  part: 1,
  lines: [
    { account: "receivable:payway", cents: 10_658 },
    { account: "donations:zakat", cents: -10_000 },
    { account: "fees:admin", cents: -500 },
    { account: "fees:merchant", cents: -158 },
  ],
};
const correction: JournalDay = {
  id: 2,
  day: "2026-11-21",
  part: 2,
  lines: [
    { account: "donations:zakat", cents: 5 },
    { account: "tickets", cents: -5 },
  ],
};

test("JRN-1: a journal for Xero has one signed amount a line, credits negative", () => {
  expect(writeJournal([day], "xero", accounts).split("\r\n")).toEqual([
    "*Narration,*Date,Description,*AccountCode,*TaxRate,*Amount",
    "J-20261121 Website 21/11/2026,21/11/2026,PayWay clearing,1-1310,BAS Excluded,106.58",
    "J-20261121 Website 21/11/2026,21/11/2026,Donations: Zakat,4-1110,BAS Excluded,-100.00",
    "J-20261121 Website 21/11/2026,21/11/2026,Admin fees received,4-2100,BAS Excluded,-5.00",
    "J-20261121 Website 21/11/2026,21/11/2026,Merchant fees received,4-2200,BAS Excluded,-1.58",
    "",
  ]);
});

test("JRN-1: QuickBooks gets debits and credits by name, MYOB by number with tabs and a blank line between journals", () => {
  const quickbooks = writeJournal([correction], "quickbooks", accounts).split("\r\n");
  expect(quickbooks.slice(0, 3)).toEqual([
    "Journal No.,Journal Date,Account Name,Description,Debits,Credits",
    'J-20261121-2,21/11/2026,Donations: Zakat,"Website 21/11/2026, correction 1",0.05,',
    'J-20261121-2,21/11/2026,Ticket sales,"Website 21/11/2026, correction 1",,0.05',
  ]);
  const myob = writeJournal([day, correction], "myob", accounts).split("\r\n");
  expect(myob[0]).toBe("Journal Number\tDate\tMemo\tAccount Number\tDebit\tCredit");
  expect(myob[2]).toBe("J-20261121\t21/11/2026\tWebsite 21/11/2026\t1-1310\t106.58\t");
  expect(myob.slice(5, 9)).toEqual([
    "J-20261121\t21/11/2026\tWebsite 21/11/2026\t4-2200\t\t1.58",
    "",
    "J-20261121-2\t21/11/2026\tWebsite 21/11/2026, correction 1\t4-1110\t0.05\t",
    "J-20261121-2\t21/11/2026\tWebsite 21/11/2026, correction 1\t260\t\t0.05",
  ]);
});

test("JRN-1: a title that a spreadsheet would take for a formula is plain text", () => {
  const odd = listAccounts([{ fund: "zakat", title: "x" }], { "donations:zakat": { name: '=HYPERLINK("x")' } });
  expect(writeJournal([day], "quickbooks", odd)).toContain(`"'=HYPERLINK(""x"")"`);
});

test("JRN-2: a file for Xero has at most 300 lines, and no journal is divided", () => {
  const days = Array.from({ length: 100 }, (_, id) => ({ ...day, id, lines: Array(7).fill(day.lines[0]) }));
  const files = splitFiles(days, "xero");
  expect(files.map((file) => file.length)).toEqual([42, 42, 16]);
  expect(splitFiles(days, "myob")).toHaveLength(1);
});
