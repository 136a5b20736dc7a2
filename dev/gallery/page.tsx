import { page } from "#shared/pages/page.ts";
import { Gallery } from "./gallery.tsx";

/** Only for developers: a site that takes real money does not serve it. */
export const galleryPage = page({
  path: "/dev/parts",
  load: async () => ({}),
  head: () => ({ title: "Parts", description: "Every part that pages are made of, in every state." }),
  body: () => <Gallery />,
  isIndexed: false,
  isForDevelopers: true,
});
