import { z } from "zod";
import { route } from "#shared/contract/route.ts";
import { onWire } from "#shared/contract/wire.ts";

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

export const SiteInfo = z.object({ phone: z.string(), email: z.string(), address: z.string() });

export const listSiteInfoCall = route({
  method: "POST",
  path: "/site-info",
  summary: "How to reach the organisation",
  data: z.array(SiteInfo),
});
