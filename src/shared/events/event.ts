import type { Picture } from "#shared/images/picture.ts";

/** An event as lists show it. */
export type EventCard = {
  readonly id: number;
  readonly title: string;
  readonly picture: Picture;
  readonly slug: string;
  readonly summary: string;
  /** Empty for an online event. */
  readonly place: string;
  readonly isOnline: boolean;
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly timeZone: string;
  readonly isAllDay: boolean;
  readonly createdBy: string;
  readonly isOver: boolean;
  /** Null unless it does not take place. */
  readonly calledOffAt: Date | null;
};
/** An event without its picture, which needs a query of its own. */
export type EventFacts = Omit<EventCard, "picture">;
export type EventDetails = EventCard & {
  readonly html: string;
  /** What the picture says to people who cannot see it; undefined where nobody has said. */
  readonly alt?: string | undefined;
  readonly updatedAt: Date;
};

/** An event as its screens in the back office need it; `screenId` stands in their address, `id` is the event's. */
export type EventOfScreen = Pick<
  EventCard,
  "id" | "slug" | "title" | "startsAt" | "endsAt" | "timeZone" | "isAllDay" | "place" | "isOnline"
> & { readonly screenId: number; readonly isPublished: boolean; readonly callOff: CallOff };

/** `asked`: calling it off waits for approval, and nothing is sold meanwhile. Null: it takes place. */
export type CallOff = "asked" | "called_off" | null;

const online = "access details come from the organiser";

/** The place as visitors read it; an online event says where its access details come from. */
export function formatPlace({ place, isOnline }: Pick<EventCard, "place" | "isOnline">): string {
  if (!isOnline) return place;
  return place === "" ? `Online: ${online}` : `${place}, and online: ${online}`;
}

/** The link to an event's tickets, and their price: 'From $50.00 a ticket'. `isStopped`: nobody can buy any now. */
export type Booking = { readonly href: string; readonly price: string; readonly isStopped: boolean };

export type EventReads = {
  findEvent(slug: string): Promise<EventDetails | null>;
  /** Null for an event without tickets; undefined if no feature sells any. */
  findBooking?(event: EventDetails): Promise<Booking | null>;
};
