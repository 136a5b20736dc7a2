/** The site's language, and its formats for dates, money, counts and lists. A second language starts here. */

export const language = "en-AU";
export const direction: "ltr" | "rtl" = "ltr";

type DateOptions = Intl.DateTimeFormatOptions;
const dateFormats = new Map<string, Intl.DateTimeFormat>();

/** Cached, because creating a format takes longer than a hundred uses. */
function dateFormat(options: DateOptions, locale: string = language): Intl.DateTimeFormat {
  const key = locale + JSON.stringify(options);
  const format = dateFormats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  dateFormats.set(key, format);
  return format;
}

/** In `timeZone` or, without one, in this device's time zone. */
export function formatMoment(at: Date | number, options: DateOptions): string {
  return dateFormat(options).format(at);
}

/** '21 November 2026' from '2026-11-21'. */
export function formatDay(day: string, options: DateOptions = { dateStyle: "long" }): string {
  return formatMoment(new Date(`${day}T00:00:00Z`), { ...options, timeZone: "UTC" });
}

/** 'Saturday 28 November 2026'. `dateStyle: "full"` would add a comma. */
export const fullDate = { weekday: "long", day: "numeric", month: "long", year: "numeric" } as const;
/** 'Saturday 28 November 2026 at 4:10 pm'. */
export const fullMoment = { ...fullDate, hour: "numeric", minute: "2-digit" } as const;

/** 'Saturday 28 November 2026 at 4:10 pm, Sydney time'. */
export function formatMomentInSydney(at: Date): string {
  const moment = formatMoment(at, { ...fullMoment, timeZone: "Australia/Sydney" });
  return `${keepTogether(moment)}, Sydney time`;
}

/** '8:00 PM'. */
export function formatTime(at: Date | number, timeZone?: string): string {
  const time = formatMoment(at, { hour: "numeric", minute: "2-digit", hour12: true, timeZone });
  return time.replace(/\s/g, " ").toUpperCase();
}

/** Local time with its offset, for programs: '2024-04-27T20:00:00+05:00'. */
export function clockIn(timeZone: string, at: Date): string {
  const offset = offsetIn(timeZone, at);
  const shown = new Date(at.getTime() - Date.parse(`1970-01-01T00:00${offset}`));
  return shown.toISOString().slice(0, 19) + offset;
}

/** This device's time zone, by its IANA name. */
export const deviceTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Every time zone by its IANA name, those of Australia first. */
export function listTimeZones(): string[] {
  const all = Intl.supportedValuesOf("timeZone");
  const isNear = (zone: string) => zone.startsWith("Australia/");
  return [...all.filter(isNear), ...all.filter((zone) => !isNear(zone))];
}

function offsetIn(timeZone: string, at: Date): string {
  try {
    const text = dateFormat({ timeZoneName: "longOffset", timeZone }, "en").format(at);
    return /[+-]\d\d:\d\d/.exec(text)?.[0] ?? "+00:00";
  } catch {
    // A misspelt zone, or one too new for this machine, must not break a whole list; it shows as UTC+00.
    return "+00:00";
  }
}

const dollars = /* @__PURE__ */ new Intl.NumberFormat(language, { style: "currency", currency: "AUD" });
const percent = /* @__PURE__ */ new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 2 });
const number = /* @__PURE__ */ new Intl.NumberFormat(language);
const pluralRules = /* @__PURE__ */ new Intl.PluralRules(language);

/** $1,234.50 from 123450 cents, always with two decimals. */
export function formatDollars(cents: number): string {
  return dollars.format(cents / 100);
}

/** 1.5% from 150 basis points. */
export function formatPercent(basisPoints: number): string {
  return percent.format(basisPoints / 10_000);
}

/** 1,234. */
export function formatNumber(count: number): string {
  return number.format(count);
}

/** '5 seconds ago', '3 minutes ago'. */
export function formatAgo(milliseconds: number): string {
  const seconds = Math.max(1, Math.round(milliseconds / 1000));
  const format = new Intl.RelativeTimeFormat(language);
  return seconds < 60 ? format.format(-seconds, "second") : format.format(-Math.round(seconds / 60), "minute");
}

/** A language's forms of a sentence by its count: English has two, Arabic six. */
type PluralForms<Text> = { readonly one: Text; readonly other: Text } & {
  readonly [form in Intl.LDMLPluralRule]?: Text;
};

/** Each form is a whole sentence, so that it can be translated. */
export function plural<Text>(count: number, forms: PluralForms<Text>): Text {
  return forms[pluralRules.select(count)] ?? forms.other;
}

const listTypes = { and: "conjunction", or: "disjunction", comma: "unit" } as const;

/** 'a, b and c', 'a, b or c', or 'a, b, c'. */
export function formatList(words: readonly string[], joiner: keyof typeof listTypes): string {
  return new Intl.ListFormat(language, { type: listTypes[joiner] }).format(words);
}

const collator = /* @__PURE__ */ new Intl.Collator(language);

/** Negative if the first name sorts first. */
export function compareNames(one: string, other: string): number {
  return collator.compare(one, other);
}

/** Splits text into characters as people count them: a letter and its accents are one. */
export const graphemes = /* @__PURE__ */ new Intl.Segmenter(language);

/** The first letter of a name, as a capital. */
export function initialOf(name: string): string {
  return ([...name.trim()][0] ?? "").toLocaleUpperCase(language);
}

const hour = 3_600_000;

const day = /^(?:19|20)\d{2}-\d{2}-\d{2}$/;

/** Whether a text is a real calendar day from 1900 to 2099, as YYYY-MM-DD. */
export function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`);
  return day.test(text) && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

/** The date in Sydney, YYYY-MM-DD. */
export function dayInSydney(at: Date): string {
  return clockIn("Australia/Sydney", at).slice(0, 10);
}

/** The hour on the clock in Sydney, from 0 to 23. */
export function hourInSydney(at: Date): number {
  return Number(clockIn("Australia/Sydney", at).slice(11, 13));
}

/**
 * The start of a day (YYYY-MM-DD) in Sydney, with or without daylight saving. @throws Error if there is no such day.
 */
export function startOfDayInSydney(day: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const isStart = (at: number) => dayInSydney(new Date(at)) === day && dayInSydney(new Date(at - 1)) !== day;
  const start = [11, 10].map((hours) => midnight - hours * hour).find(isStart);
  if (start === undefined) throw new Error(`${day} is not a valid date.`);
  return new Date(start);
}

/** A day and a time (HH:MM) in Sydney. A time that daylight saving leaves out is the one an hour later. */
export function momentInSydney(day: string, time: string): Date {
  const asUtc = Date.parse(`${day}T${time}:00Z`);
  const moments = [11, 10].map((hours) => new Date(asUtc - hours * hour));
  return moments.find((at) => clockIn("Australia/Sydney", at).startsWith(`${day}T${time}`)) ?? moments[1]!;
}

/**
 * The moment of a local time, YYYY-MM-DDTHH:MM:SS, as PostgreSQL takes it: one that daylight saving leaves out is an
 * hour later, and one that comes twice is the second.
 */
export function momentIn(timeZone: string, local: string): Date {
  const asUtc = Date.parse(`${local}Z`);
  const offsets = [24, -24].map((hours) => offsetIn(timeZone, new Date(asUtc + hours * hour)));
  const moments = offsets.map((offset) => new Date(`${local}${offset}`));
  return moments.find((at) => clockIn(timeZone, at).startsWith(local)) ?? moments[1]!;
}

/** YYYY-MM-DD; negative `days` go back. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 24 * hour).toISOString().slice(0, 10);
}

/** 'until 3 May 2033': some years and days after a day in Sydney; years after 29 February end on 28 February. */
export function formatKeptUntil(at: Date, { years = 0, days = 0 }: { years?: number; days?: number } = {}): string {
  const day = dayInSydney(at);
  const later = `${Number(day.slice(0, 4)) + years}${day.slice(4)}`;
  return `until ${formatDay(addDays(isDay(later) ? later : later.replace("-29", "-28"), days))}`;
}

/** Letters of Hebrew, Arabic (which Urdu is written in) and the other scripts from right to left. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;

/**
 * For plain text, which has no `bdi`: text from right to left doesn't change the order of what stands around it, such as
 * an amount after a name.
 */
export function isolateRightToLeft(text: string): string {
  return rightToLeft.test(text) ? `\u2068${text}\u2069` : text;
}

/** A date, a time, an amount with its currency, or digits in groups as in a phone number or an ABN. */
const numbers =
  /\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*(?: \d{4})?|(?:\d{1,2}[:.]\d\d\s–\s)?\d{1,2}(?:[:.]\d\d)?\s[ap]\.?m\b|\$[\d,.]+ AUD|\+?\d+(?: \d+)+/gi;

/** Puts no-break spaces inside numbers, so that lines do not break within them (LAY-13). */
export function keepTogether(text: string): string {
  return text.replace(numbers, (number) => number.replace(/\s/g, "\u00a0"));
}

/** The same for text between HTML tags. */
export function keepTogetherInHtml(html: string): string {
  return html.replace(/[^<>]+(?=<|$)/g, keepTogether);
}
