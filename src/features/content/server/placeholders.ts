import type { Config } from "#shared/config/config.ts";
import { escapeText } from "#shared/html/characters.ts";
import { placeholderFault } from "#shared/mail/text-faults.ts";
import type { Organisation } from "#shared/organisation.ts";
import type { RetentionRule } from "#shared/retention/retention.ts";
import { telephoneLink } from "#shared/telephone-link.ts";

/** What staff may write in braces in the policies. */
const placeholderNames = [
  "name",
  "abn",
  "address",
  "supports",
  "email",
  "phone",
  "ticketCancelHours",
  "volunteerFilesDays",
  "retention",
] as const;

/** Why the braces in this HTML cannot be filled in; null if they can. Marks within braces keep them from being known. */
export const legalFault = (html: string): string | null =>
  placeholderFault(html.replace(/<[^>]*>/g, " "), placeholderNames, { where: "page", example: "name" });

/** HTML by the placeholder's name in braces: `{email}`. */
export type Placeholders = Readonly<Record<string, string>>;

type Settings = Pick<Config, "retention"> & { readonly tickets: Pick<Config["tickets"], "cancelHours"> };

/** The organisation's details for the legal pages, so that they are true on every site. `rules`: what data is kept. */
export function legalPlaceholders(
  { name, abn, phone, email, address, supports }: Organisation,
  { tickets, retention: { volunteerFilesDays } }: Settings,
  rules: readonly RetentionRule[],
): Readonly<Record<(typeof placeholderNames)[number], string>> {
  return {
    name: escapeText(name),
    abn: escapeText(abn || "not yet known"),
    address: escapeText(address),
    supports: escapeText(supports),
    email: `<a href="mailto:${escapeText(email)}">${escapeText(email)}</a>`,
    phone: `<a href="${telephoneLink(phone)}">${escapeText(phone)}</a>`,
    ticketCancelHours: String(tickets.cancelHours),
    volunteerFilesDays: String(volunteerFilesDays),
    retention: retentionTable(rules),
  };
}

/**
 * Puts each `{name}` that is known in its place, as HTML; unknown ones stay as they are written. A table takes the place
 * of the whole paragraph that its placeholder stands in, because no paragraph can have one.
 */
export function fillIn(html: string, placeholders: Placeholders): string {
  const find = (name: string) => (Object.hasOwn(placeholders, name) ? placeholders[name]! : null);
  return html
    .replace(/<p>\{(\w+)\}<\/p>/g, (written, name) => {
      const value = find(name);
      return value?.startsWith("<table") ? value : written;
    })
    .replace(/\{(\w+)\}/g, (written, name) => find(name) ?? written);
}

function retentionTable(rules: readonly RetentionRule[]): string {
  const rows = rules.map(({ where, what, why, kept, afterwards }) => {
    const cells = [what, why, `${kept} ${afterwards}`].map((text) => `<td>${escapeText(text)}</td>`);
    return `<tr><th scope="row">${escapeText(where)}</th>${cells.join("")}</tr>`;
  });
  const head = ["Where", "What", "Why", "How long we keep it"];
  return [
    `<table><thead><tr>${head.map((text) => `<th scope="col">${text}</th>`).join("")}</tr></thead>`,
    `<tbody>${rows.join("")}</tbody></table>`,
  ].join("");
}
