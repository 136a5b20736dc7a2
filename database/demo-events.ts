import { sql } from "kysely";
import { DAY_MS } from "#shared/day-length.ts";
import { sanitiseHtml } from "#shared/html/sanitise.ts";
import { dinnerTickets } from "./ticket-factories.ts";

type DemoEvent = {
  readonly slug: string;
  readonly title: string;
  readonly summary: string;
  readonly html: string;
  /** A file in `database/demo`, or one of our drawings (.svg). */
  readonly picture: string;
  readonly place?: string;
  readonly isOnline?: true;
  /** Local time in `timeZone`: '2026-03-07 18:45'. */
  readonly from: string;
  readonly to: string;
  readonly timeZone?: string;
  readonly isAllDay?: true;
  readonly createdBy: string;
};

const hall = "Community hall, 12 Example Street, Auburn NSW 2144";

const past: readonly DemoEvent[] = [
  {
    slug: "flood-relief-campaign",
    title: "Flood relief campaign",
    summary: "A day of collecting for families whose homes and fields went under in the floods of 2022.",
    html: `<p>In the monsoon of 2022 the rivers of Pakistan burst their banks, and millions of people left their homes. On this day volunteers across Australia collected for tents, dry food, clean water and medicine.</p>
<h2>Where the donations went</h2><p>Donations for flood relief are sent to our partner in Pakistan and are spent on boats, shelters and food parcels, and on seed and cattle once the water is gone.</p>
<p>The campaign is over; the work is not. <a href="/flood-relief">Read about flood relief today.</a></p>`,
    picture: "boat-on-flood.jpg",
    place: "Across Australia",
    from: "2022-08-28",
    to: "2022-08-28 23:59",
    isAllDay: true,
    createdBy: "admin",
  },
  {
    slug: "community-iftar-2026",
    title: "Community iftar",
    summary: "Neighbours of every faith broke bread together at sunset, at one long cloth.",
    html: `<p>Dates and water first, then a pot of haleem that forty hands had stirred. Thank you to everyone who cooked, carried, served and washed up.</p>`,
    picture: "night-kitchen.jpg",
    place: hall,
    from: "2026-03-07 18:45",
    to: "2026-03-07 21:30",
    createdBy: "Events team",
  },
  {
    slug: "school-kit-weekend-2026",
    title: "School-kit weekend",
    summary: "Two days of filling school bags with books, pencils and warm jumpers.",
    html: `<p>Some came for an hour and some for both days. Each bag was checked twice: once for the pencils, and once for the note that a volunteer writes by hand.</p>`,
    picture: "news-school-kits.svg",
    place: hall,
    from: "2026-09-12",
    to: "2026-09-13 23:59",
    isAllDay: true,
    createdBy: "Volunteer team",
  },
];

/** The tickets of the events that sell some (TIC-1, TIC-2), by the event’s slug. */
export const demoTickets = {
  "charity-dinner": dinnerTickets,
  "community-iftar-2026": [
    { code: "adult", title: "Adult", position: 1, price_cents: 3000, capacity: 150, limit_per_order: 10 },
    { code: "child", title: "Child under 12", position: 2, price_cents: 1200, capacity: 60, limit_per_order: 10 },
  ],
} as const;

/** Dated relative to `today`, so that some events are always upcoming. */
const planned = (today: Date): readonly DemoEvent[] => {
  const packing = dayAfter(today, 17, "Saturday");
  const briefing = dayAfter(today, 24, "Wednesday");
  const dinner = dayAfter(today, 70, "Saturday");
  return [
    {
      slug: "school-kit-packing-day",
      title: "School-kit packing day",
      summary: "Help fill bags with books, pencils and jumpers for the new school year. No experience needed.",
      html: `<p>We set up one long table, put on the kettle and pack until the shelves are empty.</p>
<h2>Good to know</h2><ul><li>Come for an hour or for all four.</li><li>Children are welcome with an adult.</li><li>There are chairs if you prefer to sit while you work, and the hall has a ramp.</li><li>Lunch and tea are on us.</li></ul>
<p>Please tell us you’re coming, so that there is enough to eat.</p>`,
      picture: "school-kits-packing.jpg",
      place: hall,
      from: `${packing} 10:00`,
      to: `${packing} 14:00`,
      createdBy: "Volunteer team",
    },
    {
      slug: "ambulance-briefing",
      title: "Behind the ambulance fund: an online briefing",
      summary: "How a call becomes an ambulance, what a shift costs, and where the next vehicles go.",
      html: `<p>Forty minutes of talk and pictures, then your questions. Bring the hard ones.</p><p>The briefing is held in English, with captions.</p>`,
      picture: "ambulance-dusk.jpg",
      isOnline: true,
      from: `${briefing} 19:30`,
      to: `${briefing} 20:30`,
      createdBy: "Events team",
    },
    {
      slug: "charity-dinner",
      title: "Charity dinner",
      summary:
        "An evening of food, music and stories, live from Karachi and held online: cook along at home, or watch the recording.",
      html: `<p>A week before, we send you a menu for four with a shopping list. We cook the first course together, eat the second while we listen, and end with tea and qawwali.</p>
<h2>The evening</h2><ul><li>Welcome, and a first course that anyone can cook</li><li>Two stories from the wards that your donations keep open</li><li>Music, and time to talk at small video tables</li></ul>
<h2>When it is in Australia</h2><p>The hall, the cooks and the musicians are in Karachi, so in Australia the evening falls in the early hours of Sunday. If you would rather sleep, watch the recording: everyone with a ticket gets it by Sunday noon, Sydney time, with the menu.</p>
<p>The organiser sends you the access details by email.</p>`,
      picture: "charity-dinner.jpg",
      isOnline: true,
      from: `${dinner} 20:00`,
      to: `${dinner} 23:00`,
      timeZone: "Asia/Karachi",
      createdBy: "admin",
    },
  ];
};

/** Rows for the demo events, some before and some after `today`. */
export function demoEvents(today: Date) {
  return [...past, ...planned(today)].map(({ timeZone = "Australia/Sydney", ...event }) => {
    const instant = (local: string) => sql<Date>`${local}::timestamp at time zone ${timeZone}`;
    return {
      slug: event.slug,
      title: event.title,
      summary: event.summary,
      html: sanitiseHtml(event.html),
      picture: event.picture,
      place: event.place ?? "",
      is_online: event.isOnline === true,
      starts_at: instant(event.from),
      ends_at: instant(event.to),
      time_zone: timeZone,
      is_all_day: event.isAllDay === true,
      created_by: event.createdBy,
    };
  });
}

const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** The first such weekday at least `days` after `today`, YYYY-MM-DD. */
function dayAfter(today: Date, days: number, weekday: string): string {
  const day = new Date(today.getTime() + days * DAY_MS);
  day.setUTCDate(day.getUTCDate() + ((weekdays.indexOf(weekday) - day.getUTCDay() + 7) % 7));
  return day.toISOString().slice(0, 10);
}
