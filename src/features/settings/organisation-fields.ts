import { plainText } from "#shared/contract/plain-line.ts";
import { MAX_BANKS, Organisation } from "#shared/organisation.ts";

/** One detail of the organisation, by its place in the schema: 'brand.name'. */
export type OrganisationField = {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly isOptional?: boolean;
  /** A line of text unless it is one of these. */
  readonly input?: "paragraph" | "yes or no";
};

/** What belongs to one task, on a screen of its own. */
export type OrganisationGroup = {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  /** Asks who it is again, and tells all administrators. */
  readonly isProtected: boolean;
  readonly fields: readonly OrganisationField[];
};

const site: OrganisationGroup = {
  name: "site",
  title: "Name on the site",
  about: "What the header, the footer and emails call you.",
  isProtected: false,
  fields: [
    { name: "brand.name", label: "Name in the header", hint: "The larger part, such as ‘Chashma Foundation’." },
    { name: "brand.country", label: "Country in the header", isOptional: true },
    { name: "nativeName.text", label: "Name in its own script", isOptional: true },
    {
      name: "nativeName.language",
      label: "Language of that script",
      isOptional: true,
      hint: "Its code, so that screen readers pronounce it well: ‘ur’ for Urdu, ‘ar’ for Arabic.",
    },
    {
      name: "tagline",
      label: "What you do, in a sentence or two",
      input: "paragraph",
      isOptional: true,
      hint: "In the footer.",
    },
    {
      name: "acknowledgement",
      label: "Acknowledgement of Country",
      input: "paragraph",
      isOptional: true,
      hint: "In the last line of the footer.",
    },
    { name: "supports", label: "Who receives the donations", hint: "The foundation that you collect for." },
    { name: "supportsUrl", label: "Its website", isOptional: true },
  ],
};

const contact: OrganisationGroup = {
  name: "contact",
  title: "Contact",
  about: "Where visitors reach you, and where emails about what happens on the site go.",
  isProtected: false,
  fields: [
    { name: "phone", label: "Telephone" },
    { name: "email", label: "Email", hint: "For visitors and donors. Messages of the contact form go there too." },
    { name: "address", label: "Postal address" },
    { name: "donationsEmail", label: "Email for donations", hint: "Gets each new donation, and payments to check." },
    {
      name: "treasurerEmail",
      label: "Email for the treasurer",
      isOptional: true,
      hint: "Gets the daily comparison with PayWay and PayPal. If it is empty, the email for donations gets it.",
    },
    {
      name: "volunteersEmail",
      label: "Email for volunteers",
      isOptional: true,
      hint: "Gets each new application. If it is empty, the email for visitors gets them.",
    },
  ],
};

const links: OrganisationGroup = {
  name: "links",
  title: "Links",
  about: "In the footer of every page. What is left empty is not shown.",
  isProtected: false,
  fields: [
    { name: "socials.facebook", label: "Facebook", isOptional: true },
    { name: "socials.instagram", label: "Instagram", isOptional: true },
    { name: "socials.youtube", label: "YouTube", isOptional: true },
    { name: "apps.appStore", label: "App in the App Store", isOptional: true },
    { name: "apps.googlePlay", label: "App on Google Play", isOptional: true },
  ],
};

const identity: OrganisationGroup = {
  name: "identity",
  title: "Legal name, ABN and receipts",
  about: "What makes a receipt valid. Receipts that are already issued stay as they are.",
  isProtected: true,
  fields: [
    { name: "name", label: "Legal name" },
    {
      name: "abn",
      label: "ABN",
      isOptional: true,
      hint: "Eleven digits. Without it no receipt can be issued, and donors wait for theirs.",
    },
    { name: "registration.label", label: "Words for the entry on the charity register" },
    { name: "registration.url", label: "Address of that entry" },
    {
      name: "receipt.isDeductibleGiftRecipient",
      label: "Endorsed as a deductible gift recipient",
      input: "yes or no",
    },
    {
      name: "receipt.fund",
      label: "Name of the gift fund",
      isOptional: true,
      hint: "The fund, authority or institution that is endorsed, as the ABN register names it. Leave it empty if the organisation itself is endorsed, or nothing is: receipts then name only the organisation.",
    },
    {
      name: "receipt.giftStatement",
      label: "Sentence for gifts",
      input: "paragraph",
      isOptional: true,
      hint: "Says that the receipt is for a gift. Printed only if you are endorsed. Without it no receipt can be issued then.",
    },
    {
      name: "receipt.notDeductibleStatement",
      label: "Sentence for what is not deductible",
      isOptional: true,
      input: "paragraph",
    },
  ],
};

const bankParts = [
  { part: "bank", label: "Bank" },
  { part: "accountName", label: "Account name" },
  { part: "bsb", label: "BSB" },
  { part: "accountNumber", label: "Account number" },
] as const;

const bankPlaces = Array.from({ length: MAX_BANKS }, (_, place) => place);
/** The fields of the bank account at this place, counted from 0. */
export const listBankFields = (place: number): OrganisationField[] =>
  bankParts.map(({ part, label }) => ({ name: `banks.${place}.${part}`, label }));

export const banksGroup: OrganisationGroup = {
  name: "banks",
  title: "Bank accounts",
  about: "For donors who make a bank transfer. A wrong digit sends their money elsewhere.",
  isProtected: true,
  fields: bankPlaces.flatMap(listBankFields),
};

/** In the order of the screens. `slug` is not here: it is in addresses that other programs call. */
export const organisationGroups: readonly OrganisationGroup[] = [site, contact, links, identity, banksGroup];

export const hasBanks = (group: OrganisationGroup) => group === banksGroup;

/** The accounts are one value: taking one out moves the others up. */
export const valueName = (name: string) => (name.startsWith("banks.") ? "banks" : name);

/** The values of a group, each with its label. */
export const listValues = (group: OrganisationGroup): readonly { readonly name: string; readonly label: string }[] =>
  hasBanks(group) ? [{ name: "banks", label: group.title }] : group.fields;

type Json = Readonly<Record<string, unknown>>;

const valueAt = (details: unknown, name: string): unknown =>
  name.split(".").reduce<unknown>((inside, part) => (inside as Json | undefined)?.[part], details);

/** The text of a detail, for its form; 'yes' or 'no' for a boolean, a line each for the bank accounts. */
export function textOf(organisation: Organisation, name: string): string {
  const value = valueAt(organisation, name);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (name === "banks") {
    const accounts = organisation.banks.map((account) => [
      `${account.bank}: ${account.accountName}`,
      `BSB ${account.bsb}`,
      `account ${account.accountNumber}`,
    ]);
    return accounts.map((parts) => parts.join(", ")).join("\n");
  }
  return typeof value === "string" ? value : "";
}

/** A form's fields: a text each, or a list where a name came several times. */
export type TypedFields = Readonly<Record<string, unknown>>;

const typedText = (typed: TypedFields, name: string): string => {
  const given = typed[name];
  return plainText(typeof given === "string" ? given : "").trim();
};

/** The details whose box 'as delivered' is ticked. */
const listDelivered = ({ delivered = [] }: TypedFields): readonly unknown[] => [delivered].flat();

type ReadOrganisation =
  | { readonly organisation: Organisation }
  | { readonly errors: Readonly<Record<string, readonly string[]>> };

/** The organisation with what was typed for one group. The schema is that of the start. */
export function readOrganisation(
  group: OrganisationGroup,
  typed: TypedFields,
  { current, delivered }: { readonly current: Organisation; readonly delivered: Organisation },
): ReadOrganisation {
  const details = JSON.parse(JSON.stringify(current)) as Record<string, unknown>;
  const restored = listDelivered(typed);
  const filled = hasBanks(group) ? bankPlaces.filter((place) => isFilled(typed, place)) : [];
  if (hasBanks(group)) details.banks = filled.map(() => ({}));
  for (const { name, input } of group.fields) {
    if (restored.includes(valueName(name))) continue;
    const text = typedText(typed, name);
    const line = input === "paragraph" ? text : text.replace(/\s+/g, " ");
    const place = placeOf(name, filled);
    if (place !== null) setAt(details, place, input === "yes or no" ? text === "yes" : line);
  }
  for (const { name } of listValues(group)) {
    if (restored.includes(name)) setAt(details, name, valueAt(delivered, name));
  }
  dropEmpty(details);
  const parsed = Organisation.safeParse(details);
  if (parsed.success) return { organisation: parsed.data };
  const errors: Record<string, string[]> = {};
  for (const { path, message } of parsed.error.issues) {
    const [first, place, part] = path;
    const name =
      first === "banks" && typeof place === "number" ? `banks.${filled[place]}.${String(part)}` : path.join(".");
    errors[name] = [...(errors[name] ?? []), `${message}.`];
  }
  return { errors };
}

const isFilled = (typed: TypedFields, place: number) =>
  listBankFields(place).some(({ name }) => typedText(typed, name) !== "");

/** Where a field's value goes: accounts that are left empty are passed over. Null if it is of such an account. */
function placeOf(name: string, filled: readonly number[]): string | null {
  const [first, place, part] = name.split(".");
  if (first !== "banks") return name;
  const at = filled.indexOf(Number(place));
  return at < 0 ? null : `banks.${at}.${part}`;
}

function setAt(details: Record<string, unknown>, name: string, value: unknown): void {
  const parts = name.split(".");
  let inside = details;
  for (const part of parts.slice(0, -1)) {
    inside[part] ??= {};
    inside = inside[part] as Record<string, unknown>;
  }
  inside[parts.at(-1)!] = value;
}

const droppedWhenEmpty = ["supportsUrl", "treasurerEmail", "volunteersEmail"];

/** What is optional in the schema is missing there, not empty. */
function dropEmpty(details: Record<string, unknown>): void {
  for (const name of droppedWhenEmpty) if (!details[name]) delete details[name];
  for (const name of ["socials", "apps"]) {
    const kept = Object.entries(details[name] as Json).filter(([, link]) => link !== "" && link !== undefined);
    details[name] = Object.fromEntries(kept);
  }
  const native = details.nativeName as Partial<Record<"text" | "language", string>> | undefined;
  if (!native?.text) delete details.nativeName;
  else details.nativeName = { language: "", ...native };
}
