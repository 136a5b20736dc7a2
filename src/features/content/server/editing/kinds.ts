import { articlePath, paths, worldPath } from "#shared/paths.ts";
import { address, day, html, type Kind, line, lines, links, optionalPicture, picture } from "./kind.ts";

const title = { name: "title", label: "Title", input: "line", rule: line(150, "Enter a title.") } as const;

const text = {
  name: "html",
  label: "Text",
  input: "html",
  rule: html,
  hint: "As HTML: <p>, <h2>, <h3>, <ul>, <ol>, <li>, <a>, <strong>, <em>, <blockquote>, <table>, <img>. We tell you if anything else would be left out.",
} as const;

const pictureHint = "An address that begins with /images/ or /identity/.";

const news: Kind = {
  ...({ name: "news", table: "news", key: "id", isOpen: true } as const),
  sort: { by: "published_on", descending: true },
  path: ({ data }) => articlePath(String(data.slug)),
  fields: [
    title,
    {
      ...({ name: "slug", label: "Address", input: "address", rule: address } as const),
      hint: "The end of the page’s address. Leave it empty to make it from the title. It stays once the item is published.",
    },
    {
      ...({ name: "excerpt", label: "In lists", input: "lines", rule: lines(500) } as const),
      hint: "One or two sentences for lists and search engines. They also stand above the text.",
      advised: "No sentence for lists and search engines.",
    },
    text,
    {
      ...({ name: "image", label: "Picture", input: "picture", rule: picture, hint: pictureHint } as const),
      needed: "Enter the address of a picture before you publish.",
    },
    {
      ...({ name: "published_on", label: "Date", input: "day", rule: day } as const),
      hint: "Shown with the item. The newest come first.",
      needed: "Enter a date before you publish.",
    },
  ],
  words: {
    plural: "News",
    one: "news item",
    write: "Write a news item",
    about: "Articles at /news and on the home page, the newest first.",
    nothing: "Nothing has been written yet",
    draftsWaiting: {
      one: "One news item has changes that are not published.",
      other: (count) => `${count} news items have changes that are not published.`,
    },
  },
};

const pagePaths: Readonly<Record<string, string>> = {
  msg_chairman: paths.chairmanMessage,
  recognition: paths.recognition,
  vision: paths.vision,
  fight_against_hunger: paths.fightAgainstHunger,
  patient_care: paths.patientCare,
  rehabilitation_center: paths.rehabilitationCenter,
  flood_relief: paths.floodRelief,
  privacy: paths.privacy,
  refunds: paths.refunds,
  terms: paths.terms,
  accessibility: paths.accessibility,
};

const pages: Kind = {
  ...({ name: "pages", table: "pages", key: "type", isOpen: false } as const),
  sort: { by: "title", descending: false },
  path: ({ key }, { slug }) => (key === "world" ? worldPath(slug) : (pagePaths[key ?? ""] ?? paths.home)),
  note: noteOnPage,
  fields: [
    title,
    text,
    {
      ...({ name: "image", label: "Picture", input: "picture", rule: optionalPicture } as const),
      hint: `${pictureHint} Empty for none.`,
    },
    {
      ...({ name: "links", label: "Links to others", input: "links", rule: links } as const),
      hint: "One a line: its words, then its address. They are shown on the page about the organisation in the world.",
    },
  ],
  words: {
    plural: "Pages",
    one: "page",
    write: "",
    about: "What stands on the pages of the menu and in the policies. They are always there, so none is taken down.",
    nothing: "There are no pages yet",
    draftsWaiting: {
      one: "One page has changes that are not published.",
      other: (count) => `${count} pages have changes that are not published.`,
    },
  },
};

const pictureOnly = new Set(["patient_care", "rehabilitation_center", "flood_relief"]);
const legal = new Set(["privacy", "refunds", "terms", "accessibility"]);

function noteOnPage(key: string | null): string | null {
  if (key === null) return null;
  if (pictureOnly.has(key)) {
    return "This page shows only the picture from here. Title and text go to programs that ask for them; the words on the page stand in the site’s code.";
  }
  if (key === "fight_against_hunger") {
    return "Nothing from here is on the page. Programs that ask for it get it; what the page shows stands in the site’s code.";
  }
  if (legal.has(key)) {
    return "Words in braces, such as {name}, {email} or {retention}, are filled in from the settings. Leave them as they are.";
  }
  return null;
}

/** Every kind of content that staff write, in the order of the navigation. */
export const kinds: readonly Kind[] = [news, pages];

export function findKind(name: string): Kind | undefined {
  return kinds.find((kind) => kind.name === name);
}
