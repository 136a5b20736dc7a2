import type { Picture } from "#shared/images/picture.ts";

/** A published event, as lists show it. */
export type EventCard = {
  readonly id: number;
  readonly title: string;
  readonly picture: Picture;
  readonly slug: string;
  readonly summary: string;
  /** Empty for an event that is online alone. */
  readonly place: string;
  readonly isOnline: boolean;
  readonly startsAt: Date;
  readonly endsAt: Date;
  /** IANA name of the clock that the event goes by. */
  readonly timeZone: string;
  readonly isAllDay: boolean;
  readonly createdBy: string;
  readonly isOver: boolean;
};
/** What is known of an event without looking for its picture. */
export type EventFacts = Omit<EventCard, "picture">;
export type EventDetails = EventCard & { readonly html: string; readonly updatedAt: Date };
