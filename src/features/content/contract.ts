import { z } from "zod";
import { Nothing, route } from "#shared/contract/route.ts";
import { onWire } from "#shared/contract/wire.ts";
import { ContactFields } from "./contact.ts";

const Picture = { image: z.string(), title: z.string() };

/** What the home page shows. Images are paths relative to the server; a news date is YYYY-MM-DD. */
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

/** The pages whose text staff write, by the names that the specification gives them. */
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

/** Lists are cut into pages: `next` of an answer, sent back as `after`, gives the rows behind it. */
const Paging = z.object({
  limit: z.stringFormat("number", /^[1-9]\d?$|^100$/, "Enter a number from 1 to 100").optional(),
  after: z.string().max(60).optional(),
});

/** Times are ISO 8601 with offset zero; `timeZone` is the IANA name of the clock that the event goes by. */
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
  summary: "Events: those to come, the next one first, then those that are over, the latest first",
  query: Paging,
  data: z.array(Event),
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
  summary: "Pictures, the newest first",
  query: Paging,
  data: z.array(onWire(GalleryItem, { date: "image_date", createdBy: "userName", image: "image_link" })),
});

export const SiteInfo = z.object({ phone: z.string(), email: z.string(), address: z.string() });

export const listSiteInfoCall = route({
  method: "POST",
  path: "/site-info",
  summary: "How to reach the organisation",
  data: z.array(SiteInfo),
});

/** `key` is made once for each message; `website` is a field that people do not see and programs fill in. */
const ContactMessage = ContactFields.extend({
  captcha: z.string().max(4096).optional(),
  key: z.uuid("Send a UUID, one for each message"),
  website: z.string().max(2000).default(""),
});
export type ContactMessage = z.output<typeof ContactMessage>;

export const sendMessageCall = route({
  method: "POST",
  path: "/contact",
  summary: "Sends the organisation a message; the same key again is the same message",
  body: ContactMessage,
  data: Nothing,
});
