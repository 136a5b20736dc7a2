import { escapeText } from "#shared/html/characters.ts";
import { direction, formatDollars, formatMoment, formatNumber, language } from "#shared/language.ts";

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

const style = `
body { font: 16px/1.5 sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; } h2 { margin-top: 2.5rem; border-bottom: 1px solid; } dl, dd { margin: 0; }
dl > div { display: flex; flex-wrap: wrap; column-gap: 1rem; } dt { flex: 0 0 11rem; color: #555; }
dd { flex: 1 1 12rem; white-space: pre-line; } dl > .nested { display: block; } .nested > dd { padding-left: 1rem; }
ol { margin: 0; padding-left: 1.5rem; white-space: normal; } li { margin-bottom: 1rem; } img { max-width: 20rem; }`;

/**
 * Data as one page that people can read, print and black out parts of. It loads nothing and runs nothing. A name that
 * ends with 'Cents' is an amount of money.
 */
export function writeReadableData({ title, about }: { title: string; about: string }, data: object): string {
  // As in the file for programs: times are texts.
  const plain = JSON.parse(JSON.stringify(data)) as Readonly<Record<string, Json>>;
  const sections = Object.entries(plain).map(([name, value]) => `<h2>${labelOf(name)}</h2>\n${write(value, name)}`);
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeText(title)}</title>
<style>${style}</style>
<h1>${escapeText(title)}</h1>
<p>${escapeText(about)}</p>
${sections.join("\n")}
</html>
`;
}

function write(value: Json, name: string): string {
  if (value === null || value === "") return "—";
  if (typeof value === "string") return writeText(value);
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "number") return name.endsWith("Cents") ? formatDollars(value) : formatNumber(value);
  if (isList(value)) {
    if (value.length === 0) return "Nothing";
    return `<ol>${value.map((one) => `<li>${write(one, name)}</li>`).join("")}</ol>`;
  }
  const fields = Object.entries(value).map(([key, one]) => {
    const isNested = one !== null && typeof one === "object" && Object.keys(one).length > 0;
    const field = `<dt>${labelOf(key)}</dt><dd>${write(one, key)}</dd>`;
    return isNested ? `<div class="nested">${field}</div>` : `<div>${field}</div>`;
  });
  return `<dl>${fields.join("")}</dl>`;
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

const moment = { dateStyle: "long", timeStyle: "medium", timeZone: "Australia/Sydney" } as const;

function writeText(text: string): string {
  if (/^data:image\/[a-z]+;base64,[A-Za-z0-9+/=]+$/.test(text)) return `<img src="${text}" alt="">`;
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text))) {
    return formatMoment(new Date(text), moment);
  }
  return `<bdi>${escapeText(text)}</bdi>`;
}

/** 'sentAt' as 'Sent at', 'totalCents' as 'Total'. */
function labelOf(name: string): string {
  const words = name.replace(/Cents$/, "").replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return escapeText(words.charAt(0).toUpperCase() + words.slice(1));
}
