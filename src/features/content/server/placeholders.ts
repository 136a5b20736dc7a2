import type { Config } from "#shared/config.ts";
import { escapeText } from "#shared/html/sanitise.ts";
import type { Organisation } from "#shared/organisation.ts";
import { telephoneLink } from "#shared/telephone-link.ts";

/** HTML by the name that stands in braces in a text: `{email}`. */
export type Placeholders = Readonly<Record<string, string>>;

type Settings = Pick<Config, "tickets" | "retention">;

/**
 * What the legal pages say of the organisation and of the settings, so that their text is true on every site. `retention` is
 * the table of what is kept, as HTML.
 */
export function legalPlaceholders(
  { name, abn, phone, email, address, supports }: Organisation,
  { tickets, retention: { volunteerFilesDays } }: Settings,
  retention: string,
): Placeholders {
  const text = { name, abn: abn || "not yet known", address, supports };
  return {
    ...Object.fromEntries(Object.entries(text).map(([key, value]) => [key, escapeText(value)])),
    email: `<a href="mailto:${escapeText(email)}">${escapeText(email)}</a>`,
    phone: `<a href="${telephoneLink(phone)}">${escapeText(phone)}</a>`,
    ticketCancelHours: String(tickets.cancelHours),
    volunteerFilesDays: String(volunteerFilesDays),
    retention,
  };
}

/** A name that stands for nothing is left as it is. */
export function fillIn(html: string, placeholders: Placeholders): string {
  return html.replace(/\{(\w+)\}/g, (written, name) =>
    Object.hasOwn(placeholders, name) ? placeholders[name]! : written,
  );
}
