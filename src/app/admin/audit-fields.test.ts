import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type AuditFields, describeChanges, sharedAuditFields } from "#admin/audit-fields.ts";
import { bookkeepingAuditFields } from "#features/bookkeeping/admin/audit-words.ts";
import { contentAuditFields } from "#features/content/admin/audit-words.ts";
import { donationAuditFields } from "#features/donations/admin/audit-words.ts";
import { catalogueAuditFields } from "#features/donations/admin/catalogue/catalogue-audit.ts";
import { refundAuditFields } from "#features/refunds/admin/audit-words.ts";
import { settingsAuditFields } from "#features/settings/admin/audit-words.ts";
import { staffAuditFields } from "#features/staff/admin/audit-words.ts";
import { ticketAuditFields } from "#features/tickets/admin/audit-words.ts";
import { orderAuditFields } from "#features/tickets/admin/orders/audit-words.ts";
import { volunteeringAuditFields } from "#features/volunteering/admin/audit-words.ts";

const lists: readonly AuditFields[] = [
  sharedAuditFields,
  staffAuditFields,
  donationAuditFields,
  bookkeepingAuditFields,
  contentAuditFields,
  settingsAuditFields,
  catalogueAuditFields,
  volunteeringAuditFields,
  refundAuditFields,
  orderAuditFields,
  ticketAuditFields,
];
const fields: AuditFields = Object.assign({}, ...lists);

/** The fields of acts whose source does not name them. */
const unwritten: Readonly<Record<string, readonly string[]>> = {
  "seen(known)": ["email", "name", "roles", "state"],
  "...seen(values)": ["email", "name", "roles", "state"],
  "...used": ["q", "who", "what", "from", "to"],
  "seenType(type)": [],
  "seenType(typed)": [],
  "seenCode(code)": [],
  "seenCode(row)": [],
  "data as object": listJobFields(),
  // Exports record what each list's part gives them.
  "sent.recorded": ["filter", "withGifts"],
  "[name]: count": ["donations", "orders"],
  // These are neighbouring days, not acts.
  "addDays(day, -1), after: next > dayInSydney(now()) ? null : next": [],
  "next > dayInSydney(now()) ? null : next": [],
};

type Source = readonly [file: string, text: string];

function readSources(): Source[] {
  const files = globSync("src/**/*.ts").filter((file) => !file.endsWith(".test.ts"));
  return files.map((file) => [file, readFileSync(file, "utf8")] as const);
}

/** The fields that the jobs of emails have, whose data is recorded when a failed one is sent again. */
function listJobFields(): string[] {
  const declaring = readSources().filter(([, text]) => /interface EmailJobs \{/.test(text));
  return declaring.flatMap(([, text]) =>
    [...text.matchAll(/type \w*EmailJob\b[^;]*=([\s\S]*?)\n\n/g)].flatMap(([, type = ""]) =>
      [...type.matchAll(/readonly (\w+)\??:/g)].map(([, name]) => name!),
    ),
  );
}

/** Splits the content of the brackets that begin at `from` at its commas. */
function splitLiteral(text: string, from: number): string[] {
  const parts = [""];
  let depth = 0;
  for (const character of text.slice(from)) {
    if ("})]".includes(character)) depth -= 1;
    if (depth === 0 && "})]".includes(character)) break;
    if (depth === 1 && character === ",") parts.push("");
    else if (depth > 0) parts[parts.length - 1] += character;
    if ("{([".includes(character)) depth += 1;
  }
  return parts.map((part) => part.trim()).filter(Boolean);
}

/** The names in an object literal, including those spread on a condition; other expressions unchanged. */
function listNames(text: string, from: number): string[] {
  return splitLiteral(text, from).flatMap((part) => {
    if (!part.startsWith("...")) return /^\w+/.exec(part)?.[0] ?? part;
    const inner = part.indexOf("{");
    return inner < 0 ? part : listNames(part, inner);
  });
}

/** Every recorded field without a label. */
function listWordless(sources: readonly Source[]): string[] {
  return sources
    .filter(([, text]) => text.includes('"#admin/audit.ts"'))
    .flatMap(([file, text]) =>
      [...text.matchAll(/\b(?:before|after)(?:: | = )(?!.*\| undefined)/g)].flatMap(({ 0: found, index }) => {
        const from = index + found.length;
        const names =
          text[from] === "{" ? listNames(text, from) : [/^[^;\n]*?(?=,?\n|;|,? \})/.exec(text.slice(from))![0]];
        return names
          .flatMap((name) => unwritten[name] ?? name)
          .filter((name) => fields[name] === undefined)
          .map((name) => `${file}: '${name}' needs words in the feature's admin/audit-words.ts`);
      }),
    );
}

test("AUD-5: every field that the source records has a label", () => {
  expect(listJobFields()).toEqual(expect.arrayContaining(["template", "donationId", "attemptId", "stageVersion"]));
  expect(listWordless(readSources())).toEqual([]);
});

test("AUD-5: negative control: a field without a label is found, wherever the source has it", () => {
  const text = `import { recordAct } from "#admin/audit.ts";
    const after = { roles, ...(name && { nickname }), shoe: size(1, { a: 2 }) };
    recordAct(transaction, actor, { verb: "x.y", before: { hat: "x" }, after });
    return { before: other };`;
  expect(listWordless([["a.ts", text]]).map((line) => line.split("'")[1])).toEqual([
    "nickname",
    "shoe",
    "hat",
    "other",
  ]);
});

test("AUD-5: a field means the same everywhere: no two lists have a label for it", () => {
  const names = lists.flatMap((list) => Object.keys(list));
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test("AUD-5: money, days, roles, states, filters and yes or no read as people write them, 'From' before 'To'", () => {
  const before = {
    to: "2026-11-21",
    at: "2026-11-22T08:00:00Z",
    roles: ["treasurer", "auditor"],
    state: "invited",
    amountCents: 120_963,
    receipt: 42,
    from: "2026-11-20",
  };
  const after = {
    roles: [],
    state: "active",
    leftCents: 0,
    hadPassword: false,
    provider: "braintree",
    template: "receipt",
    filter: { q: "farid", method: "cc", state: "paid", from: "2026-10-01" },
    oddOne: { a: 1 },
  };
  const said = describeChanges({ before, after }, fields);
  expect(said.map(({ label, before: was, after: is }) => [label, was, is])).toEqual([
    ["From", "20 November 2026", null],
    ["To", "21 November 2026", null],
    ["Time", "22 November 2026 at 7:00 pm", null],
    ["Roles", "Treasurer and Auditor", "Nothing"],
    ["State", "Invited", "Active"],
    ["Had a password", null, "No"],
    ["Receipt", "R-000042", null],
    ["Filters", null, "Text: farid; Paid by: Card; State: Paid; From: 1 October 2026"],
    ["Email", null, "Receipt, to the donor"],
    ["Provider", null, "Braintree (PayPal)"],
    ["Amount", "$1,209.63", null],
    ["Was left to refund", null, "$0.00"],
    ["oddOne", null, '{"a":1}'],
  ]);
});
