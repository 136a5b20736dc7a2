import { z } from "zod";
import { plainLine, plainText } from "#shared/contract/plain-line.ts";
import { linkAddress } from "#shared/link-address.ts";
import { paths } from "#shared/paths.ts";
import { deliveredMenus, isMenuGroup, type MenuName } from "../menu-links.ts";
import { type ContentField, type ContentLink, type Kind, line, splitLink } from "./editing/kind.ts";

type Limits = { readonly entries: number; readonly characters: number };

const mainLimits: Limits = { entries: 8, characters: 24 };
const listLimits: Limits = { entries: 10, characters: 40 };

/** One entry on each line: its words, then where it leads. */
const entries = (isMain: boolean) =>
  z.string().transform((typed, context): ContentLink[] => {
    const rows = plainText(typed)
      .split("\n")
      .map((row) => row.trim())
      .filter(Boolean);
    const read = rows.map(splitLink);
    const fault = findFault(read, isMain);
    if (fault !== null) context.issues.push({ code: "custom", input: typed, message: fault });
    return read;
  });

/** The first thing that is wrong with a list, as a sentence. */
function findFault(read: readonly ContentLink[], isMain: boolean): string | null {
  const limits = isMain ? mainLimits : listLimits;
  for (const [place, { label, url }] of read.entries()) {
    const shown = `“${`${label} ${url}`.trim().slice(0, 60)}”`;
    const canLead = (isMain && isMenuGroup(url)) || linkAddress.safeParse(url).success;
    if (label === "" || !canLead) return `Write words, and a page such as /vision or an https address, in ${shown}.`;
    if (label.length > limits.characters)
      return `Shorten the words to at most ${limits.characters} characters in ${shown}.`;
    if (!plainLine.test(label))
      return `Type ${shown} again instead of pasting it: it has characters that nobody can see.`;
    if (read.findIndex((other) => other.url === url) < place) return `Keep ${url} once: ${shown} is there twice.`;
  }
  if (read.length > limits.entries) return `Keep at most ${limits.entries} entries, so that they fit every screen.`;
  const isHomeGone = isMain && read.length > 0 && !read.some(({ url }) => url === paths.home);
  return isHomeGone ? "Keep the home page, a line that ends with /, so that everybody finds back." : null;
}

const list = (name: MenuName, label: string) =>
  ({ name, label, input: "menu", rule: entries(name === "main") }) as const satisfies ContentField;

export const menus: Kind = {
  name: "menus",
  table: "menus",
  key: "type",
  isOpen: false,
  stays: "all",
  sort: { by: "title", descending: false },
  path: () => paths.home,
  note: () =>
    "One entry a line: its words, then a page of this site or an https address. The order of the lines is the order of the menu; a line that you remove is not shown. Empty a list to have it as delivered. Donate, the log-in, volunteering, contact and the policies always stay.",
  delivered: (organisation) =>
    Object.fromEntries(
      Object.entries(deliveredMenus(organisation)).map(([name, links]) => [
        name,
        links.map(({ label, path }) => ({ label, url: path })),
      ]),
    ),
  fields: [
    { name: "title", label: "Name", input: "hidden", rule: line(150, "Enter a name.") },
    { ...list("main", "Main menu"), hint: "#organisation and #services open the two lists below." },
    list("organisation", "Main menu: below #organisation"),
    list("services", "Main menu: below #services"),
    list("foot_organisation", "Footer: Organisation"),
    list("foot_services", "Footer: Services"),
  ],
  words: {
    plural: "Menus",
    one: "menus",
    write: "",
    about: "The links in the header, in the menu of phones and in the footer.",
    nothing: "There are no menus yet",
    draftsWaiting: {
      one: "The menus have changes that are not published.",
      other: () => "The menus have changes that are not published.",
    },
  },
};
