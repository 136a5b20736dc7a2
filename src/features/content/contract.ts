import { z } from "zod";
import { Nothing, route } from "#shared/contract/route.ts";
import { onWire } from "#shared/contract/wire.ts";
import { ContactFields } from "./contact.ts";

const Picture = { image: z.string(), title: z.string() };

/** Images are paths relative to the server; a news date is YYYY-MM-DD. */
export const Home = z.object({
  chairmanMessages: z.array(z.object(Picture)),
  causes: z.array(z.object({ ...Picture, description: z.string() })),
  testimonials: z.array(z.object(Picture)),
  news: z.array(z.object({ ...Picture, excerpt: z.string(), date: z.string() })),
});
export type Home = z.output<typeof Home>;

export const findHomeCall = route({
  method: "GET",
  path: "/home",
  summary: "What the home page shows",
  data: onWire(Home, { chairmanMessages: "chairman_messages" }),
});

/** The pages whose text staff write, by their names in the specification. */
export const generalPageTypes = [
  "msg_chairman",
  "recognition",
  "vision",
  "fight_against_hunger",
  "patient_care",
  "rehabilitation_center",
  "flood_relief",
] as const;
export type GeneralPageType = (typeof generalPageTypes)[number];

/** `description` is sanitised HTML. */
const GeneralPage = z.object({ image: z.string(), title: z.string(), description: z.string() });

export const listGeneralPagesCall = route({
  method: "POST",
  path: "/general-pages",
  summary: "A page whose text staff write; the first of the list",
  body: z.object({ type: z.enum(generalPageTypes) }),
  data: z.array(GeneralPage),
});

export const findWorldCall = route({
  method: "GET",
  path: "/{organisation}-world",
  summary: "The page about the organisation in the world; the first of the list",
  params: z.object({ organisation: z.string() }),
  data: z.array(GeneralPage.extend({ links: z.array(z.object({ label: z.string(), url: z.string() })) })),
});

/** Lists come in pages: send `next` of an answer as `after` to get the following rows. */
const Paging = z.object({
  limit: z.stringFormat("number", /^[1-9]\d?$|^100$/, "Enter a number from 1 to 100").optional(),
  after: z.string().max(60).optional(),
});

/** Times are ISO 8601 in UTC; `timeZone` is the IANA name of the event's own time zone. */
export const Event = z.object({
  slug: z.string(),
  title: z.string(),
  description: z.string(),
  image: z.string(),
  place: z.string(),
  isOnline: z.boolean(),
  startsAt: z.string(),
  endsAt: z.string(),
  timeZone: z.string(),
  isAllDay: z.boolean(),
  createdBy: z.string(),
});

export const listEventsCall = route({
  method: "GET",
  path: "/event",
  summary: "Events: upcoming, soonest first, then past, latest first",
  query: Paging,
  data: z.array(Event),
  beside: "next",
});

export const GalleryItem = z.object({
  title: z.string(),
  description: z.string(),
  date: z.string(),
  createdBy: z.string(),
  image: z.string(),
});

export const listGalleryCall = route({
  method: "GET",
  path: "/gallery",
  summary: "Pictures, newest first",
  query: Paging,
  data: z.array(onWire(GalleryItem, { date: "image_date", createdBy: "userName", image: "image_link" })),
  beside: "next",
});

export const SiteInfo = z.object({ phone: z.string(), email: z.string(), address: z.string() });

export const listSiteInfoCall = route({
  method: "POST",
  path: "/site-info",
  summary: "How to reach the organisation",
  data: z.array(SiteInfo),
});

/** `key` is unique to each message. `website` is a hidden field that only programs fill in. */
const ContactMessage = ContactFields.extend({
  captcha: z.string().max(4096).optional(),
  key: z.uuid("Send a UUID, one for each message"),
  website: z.string().max(2000).default(""),
});
export type ContactMessage = z.output<typeof ContactMessage>;

export const sendMessageCall = route({
  method: "POST",
  path: "/contact",
  summary: "Sends the organisation a message; repeating the key does not send it again",
  body: ContactMessage,
  data: Nothing,
});
