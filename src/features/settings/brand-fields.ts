import { fontPairs } from "#shared/brand/font-pairs.ts";
import { type HomeSection, homeSections, SiteBrand } from "#shared/brand/site-brand.ts";
import type { FieldErrors } from "#shared/errors.ts";
import { lacksWords, wordsNeeded } from "#shared/images/picture-words.ts";
import { formatList } from "#shared/language.ts";

type Choice = { readonly value: string; readonly label: string; readonly hint?: string };

export type BrandField = {
  readonly name: Exclude<keyof SiteBrand, "home">;
  readonly label: string;
  readonly hint?: string;
} & (
  | { readonly input: "colour" | "picture" | "words" }
  /** `ticked` says what a tick means. */
  | { readonly input: "tick"; readonly ticked?: string }
  | { readonly input: "choice"; readonly options: readonly Choice[] }
);

type BrandGroup = {
  readonly name: string;
  readonly title: string;
  readonly about?: string;
  readonly fields: readonly BrandField[];
};

const pictureHint = "From the library of pictures, or added there now: PNG or WebP with a transparent ground.";

/** What staff choose, in the order of the form. */
export const brandGroups: readonly BrandGroup[] = [
  {
    name: "theme",
    title: "Theme",
    fields: [
      {
        name: "theme",
        label: "How the site looks",
        input: "choice",
        options: [
          { value: "craft", label: "Craft", hint: "Patterns, cut corners, arches and drawings, as delivered." },
          { value: "quiet", label: "Quiet", hint: "Plain surfaces, round corners, smaller headings, no drawings." },
        ],
      },
    ],
  },
  {
    name: "colours",
    title: "Colours",
    about: "All other shades are made from these two. Colours for errors, warnings and success stay as they are.",
    fields: [
      { name: "main", label: "Main colour", hint: "Header, footer, headings, links and buttons.", input: "colour" },
      { name: "accent", label: "Accent", hint: "The button that asks to give, and what stands out.", input: "colour" },
    ],
  },
  {
    name: "fonts",
    title: "Fonts",
    about: "Urdu and Arabic are set in Noto Naskh Arabic with each of them.",
    fields: [
      {
        name: "fonts",
        label: "Headings and text",
        input: "choice",
        options: Object.entries(fontPairs).map(([value, { label, hint }]) => ({ value, label, hint })),
      },
    ],
  },
  {
    name: "logo",
    title: "Logo",
    about:
      "Without a logo, the header has the mark and the name. Drawings as SVG are not taken: they can hide scripts.",
    fields: [
      {
        name: "logoOnLight",
        label: "Logo for light grounds",
        input: "picture",
        hint: `${pictureHint} At least 160 pixels high, so that it is sharp on every screen.`,
      },
      {
        name: "logoOnDark",
        label: "Logo for dark grounds",
        hint: "For the footer, emails and dark screens.",
        input: "picture",
      },
      {
        name: "logoWords",
        label: "Logo in words",
        input: "words",
        hint: "For people who cannot see it. Without words, it is read as the organisation’s name.",
      },
      {
        name: "mark",
        label: "Mark",
        input: "picture",
        hint: "A square, at least 512 pixels wide, for tabs and telephones, and in front of the name if there is no logo.",
      },
      {
        name: "badge",
        label: "Registration badge",
        input: "picture",
        hint: "A square that the charity register lets you show. Without it the footer has the words of the entry only.",
      },
      {
        name: "sharingPicture",
        label: "Sharing picture",
        input: "picture",
        hint: "Messengers and social networks show it for pages that have no picture of their own.",
      },
    ],
  },
  {
    name: "drawings",
    title: "Patterns, drawings and photographs",
    fields: [
      {
        name: "hero",
        label: "Beside the first words of the home page",
        input: "choice",
        options: [
          { value: "drawing", label: "The drawing of a girl who reads", hint: "Not in the quiet theme." },
          { value: "photograph", label: "A photograph" },
          { value: "nothing", label: "Nothing" },
        ],
      },
      { name: "heroPicture", label: "Photograph", input: "picture" },
      {
        name: "heroWords",
        label: "Photograph in words",
        input: "words",
        hint: "What it shows, for people who cannot see it.",
      },
      {
        name: "heroDecorates",
        label: "Or the photograph only decorates",
        input: "tick",
        ticked: "The text beside it says the same",
      },
      {
        name: "cardSchools",
        label: "Photograph on the first card",
        hint: "In the place of its drawing.",
        input: "picture",
      },
      {
        name: "cardHospitals",
        label: "Photograph on the second card",
        hint: "In the place of its drawing.",
        input: "picture",
      },
      {
        name: "cardHomes",
        label: "Photograph on the third card",
        hint: "In the place of its drawing.",
        input: "picture",
      },
      { name: "hasSpots", label: "Small drawings beside forms, messages and invitations", input: "tick" },
      { name: "hasStars", label: "Stars behind bands and cards", input: "tick" },
      { name: "hasStrips", label: "Printed strips between bands", input: "tick" },
      { name: "hasFringe", label: "The fringe on top of each page", input: "tick" },
    ],
  },
];

export const brandFields: readonly BrandField[] = brandGroups.flatMap(({ fields }) => fields);

export const sectionLabels: Readonly<Record<HomeSection, string>> = {
  cards: "Cards that lead to donations",
  about: "Chairman’s message",
  causes: "Our causes",
  donors: "Our donors",
  gallery: "Gallery",
  tiles: "Ways to help",
  news: "News and articles",
};

/** A value as words, for history and the audit trail. */
function wordsOf(brand: SiteBrand, field: BrandField): string {
  const value = brand[field.name];
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (field.input === "choice") return field.options.find((option) => option.value === value)?.label ?? value;
  return value;
}

const homeInWords = ({ home }: SiteBrand): string =>
  formatList(
    home.map(({ name, isShown }) => (isShown ? sectionLabels[name] : `${sectionLabels[name]} (off)`)),
    "and",
  );

type BrandValue = { readonly name: keyof SiteBrand; readonly label: string; readonly text: string };

/** All that staff choose, in words. */
export const listBrandValues = (brand: SiteBrand): BrandValue[] => [
  ...brandFields.map((field) => ({ name: field.name, label: field.label, text: wordsOf(brand, field) })),
  { name: "home" as const, label: "Blocks of the home page", text: homeInWords(brand) },
];

/** In the audit trail a name means one thing only. */
export const brandAuditName = (name: string) => `brand.${name}`;

/** What differs between two brands, as the audit trail keeps it; null if nothing does. */
export function listBrandChanges(earlier: SiteBrand, later: SiteBrand) {
  const before = new Map(listBrandValues(earlier).map(({ name, text }) => [name, text]));
  const changed = listBrandValues(later).filter(({ name, text }) => before.get(name) !== text);
  if (changed.length === 0) return null;
  const textsOf = (find: (value: BrandValue) => string) =>
    Object.fromEntries(changed.map((value) => [brandAuditName(value.name), find(value)]));
  return { changed, before: textsOf(({ name }) => before.get(name)!), after: textsOf(({ text }) => text) };
}

type Typed = Readonly<Record<string, unknown>>;

const listOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((each): each is string => typeof each === "string");

/** The order and the ticks of the home page’s blocks, after a press of 'Move up' or 'Move down'. */
function readHome(typed: Typed, current: SiteBrand): SiteBrand["home"] {
  const given = (listOf(typed.order)[0] ?? "").split(",");
  const names =
    homeSections.every((name) => given.includes(name)) && given.length === homeSections.length
      ? (given as HomeSection[])
      : current.home.map(({ name }) => name);
  const [moved, direction] = (listOf(typed.move)[0] ?? "").split(":");
  const from = names.indexOf(moved as HomeSection);
  const to = from + (direction === "up" ? -1 : 1);
  if (from >= 0 && to >= 0 && to < names.length) [names[from], names[to]] = [names[to]!, names[from]!];
  const shown = listOf(typed.shown);
  return names.map((name) => ({ name, isShown: shown.includes(name) }));
}

/** What is missing for the photograph on the home page. */
export function findHeroErrors({ hero, heroPicture, heroWords, heroDecorates }: SiteBrand): FieldErrors | null {
  if (hero !== "photograph") return null;
  if (heroPicture === "") return { heroPicture: ["Choose a photograph, or the drawing or nothing above."] };
  const inWords = { image_words: heroWords, image_decorates: heroDecorates };
  return lacksWords(heroPicture, inWords) ? { heroWords: [wordsNeeded] } : null;
}

/** Reads the form; `take` is a shade that was offered and taken, such as 'main:#16214f'. */
export function readBrandForm(
  typed: Typed,
  current: SiteBrand,
): { readonly brand: SiteBrand } | { readonly errors: FieldErrors } {
  const given = Object.fromEntries(
    brandFields.map(({ name, input }) => {
      const text = listOf(typed[name])[0];
      return [name, input === "tick" ? text === "yes" : (text ?? current[name])];
    }),
  );
  const [taken, shade] = (listOf(typed.take)[0] ?? "").split(":");
  if ((taken === "main" || taken === "accent") && shade !== undefined) given[taken] = shade;
  const read = SiteBrand.safeParse({ ...given, home: readHome(typed, current) });
  if (!read.success) {
    const errors: Record<string, string[]> = {};
    for (const { path, message } of read.error.issues) {
      const name = String(path[0]);
      errors[name] = [...(errors[name] ?? []), message];
    }
    return { errors };
  }
  const errors = findHeroErrors(read.data);
  return errors === null ? { brand: read.data } : { errors };
}
