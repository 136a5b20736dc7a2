import { expect, test } from "vitest";
import { changesTo, Organisation, receiptGaps, withChanges } from "#shared/organisation.ts";
import sample from "../../../organisation.json" with { type: "json" };
import { organisationGroups, readOrganisation, textOf } from "./organisation-fields.ts";

const delivered = Organisation.parse(sample);
const groupOf = (name: string) => organisationGroups.find((group) => group.name === name)!;

/** What a browser sends for a group that nobody has touched. */
const untouched = (name: string) =>
  Object.fromEntries(groupOf(name).fields.map((field) => [field.name, textOf(delivered, field.name)]));

const read = (name: string, typed: Record<string, string | string[]>, current = delivered) =>
  readOrganisation(groupOf(name), { ...untouched(name), ...typed }, { current, delivered });

/** Every value of the schema by its name; the members of accounts count as one. */
function listLeaves(value: object, prefix = ""): string[] {
  return Object.entries(value).flatMap(([name, inside]) =>
    typeof inside === "object" && !Array.isArray(inside) ? listLeaves(inside, `${prefix}${name}.`) : prefix + name,
  );
}

test("SET-1: every detail of the settings file is on a screen, but for the slug", () => {
  const names = organisationGroups.flatMap(({ fields }) =>
    fields.map(({ name }) => name.replace(/^banks\..*/, "banks")),
  );
  expect(new Set([...names, "slug"])).toEqual(new Set([...listLeaves(sample), "treasurerEmail", "volunteersEmail"]));
});

test.each(organisationGroups.map(({ name }) => [name]))(
  "SET-1: the form '%s' sent as it was changes nothing",
  (name) => {
    expect(read(name, {})).toEqual({ organisation: delivered });
  },
);

test("SET-1: what the start refuses is refused with a sentence at its field, also in the second of two accounts", () => {
  expect(read("identity", { abn: "12 345 678 901", name: " ", "registration.url": "http://x.example" })).toEqual({
    errors: {
      name: ["Fill this in: it cannot be empty."],
      abn: ["This is not a valid ABN: its check digits do not fit."],
      "registration.url": ["Write a whole address that begins with https://."],
    },
  });
  const first = Object.fromEntries(
    ["bank", "accountName", "bsb", "accountNumber"].map((part) => [`banks.0.${part}`, ""]),
  );
  expect(read("banks", { ...first, "banks.1.bsb": "12345" })).toEqual({
    errors: { "banks.1.bsb": ["Write the BSB as six digits, such as 062-000."] },
  });
});

test("SET-1: a detail without which no receipt can be issued says so, although it may be empty", () => {
  const fields = new Map(organisationGroups.flatMap((group) => group.fields).map((field) => [field.name, field]));
  const isNeeded = (changes: object) => receiptGaps(Organisation.parse(withChanges(sample, changes))).length > 0;
  const needed = [
    ...["abn"].filter((name) => isNeeded({ [name]: "" })),
    ...Object.keys(sample.receipt)
      .filter((name) => fields.get(`receipt.${name}`)?.isOptional && isNeeded({ receipt: { [name]: "" } }))
      .map((name) => `receipt.${name}`),
  ];
  expect(needed).toEqual(["abn", "receipt.giftStatement"]);
  for (const name of needed) expect(fields.get(name)?.hint).toContain("Without it no receipt can be issued");
});

test("SET-1: an emptied account is taken out, and what is optional goes when it is emptied", () => {
  const parts = ["bank", "accountName", "bsb", "accountNumber"];
  const emptied = Object.fromEntries(parts.map((part) => [`banks.0.${part}`, ""]));
  expect(read("banks", emptied)).toMatchObject({ organisation: { banks: [delivered.banks[1]] } });
  expect(read("links", { "socials.facebook": "" })).toMatchObject({
    organisation: { socials: { instagram: delivered.socials.instagram } },
  });
  const { organisation } = read("site", { "nativeName.text": "", supportsUrl: "" }) as { organisation: Organisation };
  expect([organisation.nativeName, organisation.supportsUrl]).toEqual([undefined, undefined]);
});

test("SET-2: only what differs from the settings file is kept, so that the rest follows the file", () => {
  const { organisation } = read("contact", { phone: "1300 111 222" }) as { organisation: Organisation };
  expect(changesTo(delivered, organisation)).toEqual({ phone: "1300 111 222" });
  const { organisation: without } = read("links", { "socials.facebook": "" }) as { organisation: Organisation };
  const changes = changesTo(delivered, without);
  expect(changes).toEqual({ socials: { facebook: null } });
  expect(Organisation.parse(withChanges(delivered, changes))).toEqual(without);
  expect(changesTo(delivered, delivered)).toBeUndefined();
});

test("SET-2: 'as delivered' takes the file's value, whatever is typed in the field", () => {
  const { organisation: changed } = read("contact", { phone: "1300 111 222" }) as { organisation: Organisation };
  const typed = { phone: "0", email: "new@charity.example", delivered: ["phone"] };
  expect(read("contact", typed, changed)).toMatchObject({
    organisation: { phone: delivered.phone, email: "new@charity.example" },
  });
  const { organisation: moved } = read("banks", { "banks.0.bsb": "062-000" }) as { organisation: Organisation };
  expect(read("banks", { "banks.0.bsb": "x", delivered: "banks" }, moved)).toEqual({ organisation: delivered });
});
