/** A page's text has a few hundred tags. Above this many, only the words are kept, because parsing gets slow. */
export const MAX_TAGS = 12_000;
/** Tags within tags. Deeper ones are left out. */
export const MAX_DEPTH = 48;
/** Of a table's cell. */
export const MAX_SPAN = { columns: 50, rows: 200 };

/** Links to other sites, emails, phone numbers and paths of this site; nothing that browsers read differently. */
export function safeAddress(value: string): string | undefined {
  const address = value.trim();
  // Browsers read a backslash as a slash, and ignore tabs and line ends.
  if (/[\\\s\p{Cc}]/u.test(address)) return undefined;
  if (/^\/(?!\/)/.test(address)) return address;
  if (/^(mailto:|tel:)[^/]/i.test(address)) return address;
  return /^https?:\/\/[^/]/i.test(address) && URL.canParse(address) ? address : undefined;
}

/** A picture of this site. */
export function ownPicture(value: string): string | undefined {
  const address = value.trim();
  return /^\/(images|identity)(\/[\w-]+(\.[\w-]+)*)+$/.test(address) ? address : undefined;
}
