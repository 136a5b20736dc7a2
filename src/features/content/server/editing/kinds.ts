import { articlePath, ownPagePath, paths } from "#shared/paths.ts";
import { legalPaths } from "../../legal-pages.ts";
import { CAUSES, TESTIMONIALS } from "../home.ts";
import { home } from "../home-kind.ts";
import { introductions, searchDescription } from "../introductions.ts";
import { pathOfType } from "../known-paths.ts";
import { menus } from "../menus-kind.ts";
import { listNameFaults } from "../name-faults.ts";
import { legalFault } from "../placeholders.ts";
import { banners } from "./banner-kind.ts";
import { events } from "./event-kind.ts";
import {
  address,
  type ContentData,
  day,
  figures,
  fund,
  htmlText,
  type Kind,
  line,
  lines,
  links,
  questions,
  toText,
  wholeNumber,
} from "./kind.ts";
import { neededPicture, pictureOrNone } from "./picture-fields.ts";

const title = { name: "title", label: "Title", input: "line", rule: line(150, "Enter a title.") } as const;

const text = { name: "html", label: "Text", input: "html", rule: htmlText } as const;

const slug = {
  name: "slug",
  label: "Address",
  input: "address",
  rule: address,
  hint: "The end of the page’s address. Leave it empty to make it from the title. If you change it once it is published, the old address leads to the new one.",
} as const;

const news: Kind = {
  name: "news",
  table: "news",
  key: "id",
  isOpen: true,
  sort: { by: "published_on", descending: true },
  path: ({ data }) => articlePath(String(data.slug)),
  fields: [
    title,
    slug,
    {
      name: "excerpt",
      label: "In lists",
      input: "lines",
      rule: lines(500),
      hint: "One or two sentences for lists and search engines. They also appear above the text.",
      advised: "No sentence for lists and search engines.",
    },
    text,
    ...neededPicture,
    {
      name: "published_on",
      label: "Date",
      input: "day",
      rule: day,
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

const legal: ReadonlySet<string> = new Set(Object.keys(legalPaths));

const pages: Kind = {
  name: "pages",
  table: "pages",
  key: "type",
  isOpen: false,
  stays: legal,
  sort: { by: "title", descending: false },
  path: ({ key }, organisation) => pathOfType(key ?? "", organisation),
  note: noteOnPage,
  faults: listPageFaults,
  fields: [
    title,
    text,
    ...pictureOrNone,
    {
      name: "links",
      label: "Links to others",
      input: "links",
      rule: links,
      hint: "One a line: its words, then its address. They are shown on the page about the organisation in the world.",
    },
    {
      ...searchDescription,
      hint: `${searchDescription.hint} Without one, the beginning of the text. {name}, {supports} and {phone} are filled in.`,
      advised: "No sentence for search engines.",
    },
  ],
  words: {
    plural: "Pages",
    one: "page",
    write: "",
    about: "What stands on the pages of the menu and in the policies. The policies are always there.",
    nothing: "There are no pages yet",
    draftsWaiting: {
      one: "One page has changes that are not published.",
      other: (count) => `${count} pages have changes that are not published.`,
    },
  },
};

/** Of the texts, only those of policies have anything filled in. */
function listPageFaults(data: ContentData, { key }: { key: string | null }): Record<string, string> {
  const fault = key !== null && legal.has(key) ? legalFault(toText(data.html)) : null;
  return { ...(fault !== null && { html: fault }), ...listNameFaults(data, [searchDescription.name]) };
}

function noteOnPage(key: string | null): string | null {
  if (key === null || !legal.has(key)) return null;
  return "Words in braces, such as {name}, {email} or {retention}, are filled in from the settings. Leave them as they are.";
}

const ownPages: Kind = {
  name: "own-pages",
  table: "own_pages",
  key: "id",
  isOpen: true,
  sort: { by: "title", descending: false },
  path: ({ data }) => ownPagePath(String(data.slug)),
  fields: [
    title,
    slug,
    {
      name: "summary",
      label: "In short",
      input: "lines",
      rule: lines(250),
      hint: "One or two sentences below the title, in search engines, and where the page is shared.",
      advised: "No sentence for search engines.",
    },
    { ...text, needed: "Write the text before you publish." },
    ...pictureOrNone,
  ],
  words: {
    plural: "Further pages",
    one: "further page",
    write: "Add a page",
    about: "Pages that you add, at /about. Visitors find them through the menus, or through links in your texts.",
    nothing: "There are no further pages yet",
    draftsWaiting: {
      one: "One further page has changes that are not published.",
      other: (count) => `${count} further pages have changes that are not published.`,
    },
  },
};

const place = {
  name: "position",
  label: "Place",
  input: "number",
  rule: wholeNumber,
  hint: "A whole number: 1 comes first.",
  needed: "Enter a place before you publish.",
} as const;

const services: Kind = {
  name: "services",
  table: "services",
  key: "type",
  isOpen: false,
  sort: { by: "title", descending: false },
  path: ({ key }, organisation) => pathOfType(key ?? "", organisation),
  fields: [
    title,
    {
      name: "lede",
      label: "Opening sentence",
      input: "lines",
      rule: lines(250),
      hint: "One or two sentences, which stand large below the title.",
      needed: "Write an opening sentence before you publish.",
    },
    ...neededPicture,
    {
      name: "figures",
      label: "Figures",
      input: "lines",
      rule: figures,
      hint: "One a line, the figure first: ‘18 homes and orphanages’. At most 4. Empty for none.",
    },
    {
      ...text,
      hint: "A numbered list shows steps, and a list with bullets shows cards, if each of its items begins with a heading.",
      needed: "Write the text before you publish.",
    },
    {
      name: "questions",
      label: "Questions that donors ask",
      input: "lines",
      rule: questions,
      hint: "Each question on a line of its own, its answer on the next line, then an empty line. Empty for none.",
    },
    {
      name: "give_to",
      label: "Give to …",
      input: "line",
      rule: line(60),
      hint: "The service’s name in the call to donate: ‘the Ambulance Fund’.",
      needed: "Say what donors give to before you publish.",
    },
    {
      name: "cause",
      label: "Cause on the donation form",
      input: "fund",
      rule: fund,
      hint: "‘Donate Now’ on this page leads to the donation form with this cause chosen.",
    },
    {
      name: "donation",
      label: "What happens to a gift",
      input: "lines",
      rule: lines(250),
      hint: "One sentence, in the box at the end of the page.",
      needed: "Say what happens to a gift before you publish.",
    },
    {
      name: "summary",
      label: "For search engines",
      input: "lines",
      rule: lines(155),
      hint: "One or two sentences that search engines and shared links show.",
      needed: "Write the sentence for search engines before you publish.",
    },
  ],
  words: {
    plural: "Services",
    one: "service",
    write: "",
    about: "The pages of the menu ‘Services’.",
    nothing: "There are no services yet",
    draftsWaiting: {
      one: "One service has changes that are not published.",
      other: (count) => `${count} services have changes that are not published.`,
    },
  },
};

const causes: Kind = {
  name: "causes",
  table: "causes",
  key: "id",
  isOpen: true,
  sort: { by: "position", descending: false },
  path: () => paths.home,
  fields: [
    { ...title, hint: "The names that the site knows, such as Patient Care, lead to their own page." },
    {
      name: "description",
      label: "Description",
      input: "lines",
      rule: lines(500),
      hint: "One sentence. Long ones are cut on the home page until somebody asks for more.",
      needed: "Write a sentence before you publish.",
    },
    ...neededPicture,
    place,
  ],
  words: {
    plural: "Causes",
    one: "cause",
    write: "Write a cause",
    about: `What the home page says the work is about: the first ${CAUSES}, in the order of their places. What donors choose to give to stands elsewhere.`,
    nothing: "There are no causes yet",
    draftsWaiting: {
      one: "One cause has changes that are not published.",
      other: (count) => `${count} causes have changes that are not published.`,
    },
  },
};

const testimonials: Kind = {
  name: "testimonials",
  table: "testimonials",
  key: "id",
  isOpen: true,
  sort: { by: "position", descending: false },
  path: () => paths.home,
  fields: [
    {
      ...title,
      label: "Name",
      hint: "As it stands below the picture: ‘Amina Raza, Lakemba’.",
      rule: line(150, "Enter a name."),
    },
    ...neededPicture,
    place,
  ],
  words: {
    plural: "Testimonials",
    one: "testimonial",
    write: "Add a testimonial",
    about: `The people on the home page: the first ${TESTIMONIALS}, in the order of their places. Ask each of them first.`,
    nothing: "There are no testimonials yet",
    draftsWaiting: {
      one: "One testimonial has changes that are not published.",
      other: (count) => `${count} testimonials have changes that are not published.`,
    },
  },
};

const gallery: Kind = {
  name: "gallery",
  table: "gallery_items",
  key: "id",
  isOpen: true,
  sort: { by: "image_date", descending: true },
  path: () => paths.gallery,
  fields: [
    { ...title, hint: "It stands with the picture and says what it shows." },
    {
      name: "description",
      label: "Description",
      input: "lines",
      rule: lines(1000),
      advised: "No description of what the picture shows.",
    },
    ...neededPicture,
    {
      name: "image_date",
      label: "Date",
      input: "day",
      rule: day,
      hint: "When it was taken. The newest come first.",
      needed: "Enter a date before you publish.",
    },
    {
      name: "created_by",
      label: "By",
      input: "line",
      rule: line(100),
      hint: "Who took it.",
      needed: "Say who took it before you publish.",
    },
  ],
  words: {
    plural: "Gallery",
    one: "picture of the gallery",
    write: "Add a picture",
    about: "Pictures at /gallery and on the home page, the newest first.",
    nothing: "There are no pictures yet",
    draftsWaiting: {
      one: "One picture of the gallery has changes that are not published.",
      other: (count) => `${count} pictures of the gallery have changes that are not published.`,
    },
  },
};

/** Every kind of content that staff write, in the order of the navigation. */
export const kinds: readonly Kind[] = [
  news,
  home,
  introductions,
  pages,
  ownPages,
  services,
  causes,
  testimonials,
  gallery,
  events,
  banners,
  menus,
];

export function findKind(name: string): Kind | undefined {
  return kinds.find((kind) => kind.name === name);
}
