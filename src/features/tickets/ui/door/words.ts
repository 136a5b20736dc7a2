import { formatList, formatMoment, formatTime, plural } from "#shared/language.ts";
import { findCompanions, type Verdict } from "../../door.ts";
import type { DoorList, DoorTicket, KnownScan } from "../../door-contract.ts";
import type { ReadyState } from "./door-session.ts";

/** What a verdict says: the word to read from afar, who it is about, and what to do. */
type VerdictWords = { readonly word: string; readonly who: string | null; readonly what: string };

export const holderOf = (ticket: DoorTicket | null) =>
  ticket === null ? "Sold a short while ago" : ticket.holder === "" ? "No name on this ticket" : ticket.holder;

const typeOf = ({ typeId }: DoorTicket, { list }: ReadyState) =>
  list.types.find(({ id }) => id === typeId)?.title ?? "";

/** '6:41 pm at Side entrance', by the event's own clock; of another day, '6:41 pm on 28 November at Side entrance'. */
export function describeScan({ at, phone }: KnownScan, { list, clockOffset }: ReadyState): string {
  const time = formatTime(at, list.event.timeZone).toLowerCase();
  const day = dayOf(at, list);
  return day === dayOf(Date.now() + clockOffset, list) ? `${time} at ${phone}` : `${time} on ${day} at ${phone}`;
}

/** '28 November' */
const dayOf = (at: number, { event: { timeZone } }: DoorList) =>
  formatMoment(at, { day: "numeric", month: "long", timeZone });

export function describeVerdict(verdict: Verdict, state: ReadyState): VerdictWords {
  switch (verdict.kind) {
    case "welcome": {
      const { ticket } = verdict;
      if (ticket === null) {
        const what = "The code is genuine. This phone gets the name when it has a network.";
        return { word: "Welcome", who: holderOf(null), what };
      }
      return {
        word: "Welcome",
        who: holderOf(ticket),
        what: `${typeOf(ticket, state)}. ${describeGroup(ticket, state)}`,
      };
    }
    case "already":
      return {
        word: "Already in",
        who: holderOf(verdict.ticket),
        what: `Came in at ${describeScan(verdict.scan, state)}. Ask for a name before you let a second person in.`,
      };
    case "cancelled": {
      const { ticket } = verdict;
      const day = dayOf(ticket.cancelledAt!, state.list);
      return {
        word: "Cancelled",
        who: holderOf(ticket),
        what: `This ticket was cancelled on ${day}. Do not let them in: send them to the desk.`,
      };
    }
    case "other_event":
      return {
        word: "Other event",
        who: verdict.event?.title ?? null,
        what:
          verdict.event === null
            ? "This ticket is for another of our events, not for this one."
            : `This ticket is for another event, on ${verdict.event.day}.`,
      };
    case "damaged":
      return {
        word: "Part is missing",
        who: null,
        what: "Only part of the code could be read. Show all of it, flat and unfolded, or find the name.",
      };
    case "not_ours":
      return {
        word: "Not ours",
        who: null,
        what: "This code is not one of our tickets. Ask for the ticket from our email, or find the name.",
      };
    case "not_listed":
      return {
        word: "Not known",
        who: null,
        what: "This phone cannot check this code. Find the name, or send them to the desk.",
      };
    case "not_kept":
      return {
        word: "Not saved",
        who: null,
        what: "This phone could not save that, so it does not count. Try again before you let anybody in. If it happens again, reload this page or use another phone.",
      };
  }
}

function describeGroup(ticket: DoorTicket, state: ReadyState): string {
  const { others, missing } = findCompanions(ticket, state);
  if (others.length === 0) return "";
  const size = others.length + 1;
  if (missing.length === 0) return `All ${size} of this order are in.`;
  const names = missing.filter(({ holder }) => holder !== "" && holder !== ticket.holder).map(({ holder }) => holder);
  const isNamed = names.length === missing.length && names.length <= 3;
  const waiting = plural(missing.length, {
    one: isNamed ? `${names[0]} has not come yet.` : "The other person has not come yet.",
    other: isNamed ? `${formatList(names, "and")} have not come yet.` : `${missing.length} others have not come yet.`,
  });
  return `${size - missing.length} of ${size} of this order. ${waiting}`;
}
