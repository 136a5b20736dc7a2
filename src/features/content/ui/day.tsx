const long = new Intl.DateTimeFormat("en-AU", { dateStyle: "long", timeZone: "UTC" });

/** A day without a time (YYYY-MM-DD) in words. */
export function Day({ date }: { date: string }) {
  return <time dateTime={date}>{long.format(new Date(`${date}T00:00:00Z`))}</time>;
}
