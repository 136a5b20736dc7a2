import { paths } from "#shared/paths.ts";
import { homeColumns } from "../home-texts.ts";
import { type ContentField, fund, type Kind, line, lines } from "./editing/kind.ts";
import { listNameFaults } from "./name-faults.ts";

const oneLine = (name: string, label: string, maxLength: number) =>
  ({ name, label, input: "line", rule: line(maxLength) }) as const satisfies ContentField;

const needed = (name: string, label: string, maxLength: number): ContentField => ({
  ...oneLine(name, label, maxLength),
  needed: "Write something here before you publish.",
});

const lede = (name: string, label: string) =>
  ({ name, label, input: "lines", rule: lines(250), hint: "Empty for none." }) as const satisfies ContentField;

const card = (number: 1 | 2 | 3): readonly ContentField[] => [
  {
    ...oneLine(`card_${number}_title`, `Card ${number}: title`, 60),
    hint: "Empty for no card. Its picture is chosen at Settings, Brand.",
  },
  { name: `card_${number}_fund`, label: `Card ${number}: cause on the donation form`, input: "fund", rule: fund },
];

/** A tile whose title is emptied is not shown. */
const tile = (name: "volunteer" | "fundraising" | "donate", label: string): readonly ContentField[] => [
  { ...oneLine(`tile_${name}_title`, `${label}: title`, 60), hint: "Empty for no tile." },
  oneLine(`tile_${name}_text`, `${label}: sentence`, 120),
];

export const home: Kind = {
  name: "home",
  table: "home",
  key: "type",
  isOpen: false,
  stays: "all",
  sort: { by: "title", descending: false },
  path: () => paths.home,
  note: () =>
    "{name}, {supports} and {phone} stand for your name, for whom you support and your phone number. The order of the blocks, and which are shown, is chosen at Settings, Brand.",
  faults: (data) => listNameFaults(data, Object.values(homeColumns)),
  fields: [
    { name: "title", label: "Name", input: "hidden", rule: line(150, "Enter a name.") },
    { ...oneLine("tag_line", "Tag line", 80), hint: "The small line above the headline. Empty for none." },
    needed("headline", "Headline", 80),
    needed("donate_button", "Button", 30),
    { ...needed("cards_heading", "Cards: heading", 80), hint: "Read out to people who cannot see the cards." },
    { ...oneLine("cards_label", "Cards: above each title", 30), hint: "Such as ‘Donate to’. Empty for nothing." },
    ...card(1),
    ...card(2),
    ...card(3),
    {
      ...needed("message_button", "Chairman’s message: button", 60),
      hint: "Heading, picture and text come from the page with the message.",
    },
    needed("causes_heading", "Causes: heading", 60),
    lede("causes_lede", "Causes: sentence below it"),
    needed("donors_heading", "Testimonials: heading", 60),
    lede("donors_lede", "Testimonials: sentence below it"),
    needed("gallery_heading", "Gallery: heading", 60),
    lede("gallery_lede", "Gallery: sentence below it"),
    lede("gallery_empty", "Gallery: sentence while there are no pictures"),
    needed("gallery_button", "Gallery: button", 60),
    {
      ...needed("tiles_heading", "Tiles: heading", 60),
      hint: "Read out to people who cannot see the tiles, which are also below the news and the gallery.",
    },
    ...tile("volunteer", "Tile to volunteering"),
    ...tile("fundraising", "Tile to the contact form"),
    ...tile("donate", "Tile to the donation form"),
    needed("news_heading", "News: heading", 60),
    needed("news_button", "News: button", 60),
    {
      ...oneLine("search_title", "Title for search engines", 80),
      needed: "Write the title for search engines before you publish.",
      hint: "Also on the browser’s tab, and where the page is shared.",
    },
    {
      name: "search_description",
      label: "For search engines",
      input: "lines",
      rule: lines(200),
      needed: "Write the sentence for search engines before you publish.",
      hint: "One or two sentences that search engines and shared links show.",
    },
  ],
  words: {
    plural: "Home page",
    one: "home page",
    write: "",
    about: "The words of the home page. News, causes, testimonials and pictures have their own lists.",
    nothing: "There is no home page yet",
    draftsWaiting: {
      one: "The home page has changes that are not published.",
      other: () => "The home page has changes that are not published.",
    },
  },
};
