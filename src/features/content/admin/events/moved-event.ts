import { plural } from "#shared/language.ts";
import { events } from "../../server/editing/event-kind.ts";
import { type ContentData, toText } from "../../server/editing/kind.ts";
import { agreementTo } from "../agreement.ts";

const whereAndWhen = ["starts_at", "ends_at", "time_zone", "is_all_day", "place", "is_online"];

/** The labels of what has changed of an event's time and place: 'Starts', 'Place'. */
export function listMoved(before: ContentData, after: ContentData): string[] {
  return events.fields
    .filter(({ name }) => whereAndWhen.includes(name) && toText(before[name]) !== toText(after[name]))
    .map(({ label }) => label);
}

/** Stands in the form once its sender has read what the change means. */
export const agreementToMove = (data: ContentData) =>
  agreementTo(JSON.stringify(whereAndWhen.map((name) => toText(data[name]))));

/** What a change of time or place means for the people who have tickets. */
export function describeEventMove(moved: readonly string[], tickets: number): string {
  const sold = plural(tickets, { one: "1 ticket is sold", other: `${tickets} tickets are sold` });
  const fields = moved.map((label) => `‘${label}’`).join(", ");
  return [
    `Nothing is saved yet: ${sold} for this event, and you change ${fields}.`,
    "Their tickets stay valid. Order pages and tickets that are downloaded from now on show the change; calendar entries and tickets that people have already do not.",
    "Nobody is emailed by publishing. Publish again to go ahead, and tell the holders.",
  ].join(" ");
}
