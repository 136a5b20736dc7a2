import type { Connection } from "#shared/database/connect.ts";
import type { IntroducedPage, Introduction } from "#shared/pages/introduction.ts";
import { paths } from "#shared/paths.ts";
import { type Kind, line, lines } from "./editing/kind.ts";
import { listNameFaults } from "./name-faults.ts";

export async function findIntroduction(connection: Connection, page: IntroducedPage): Promise<Introduction> {
  return connection
    .selectFrom("introductions")
    .select(["lede", "search_description as description"])
    .where("type", "=", page)
    .executeTakeFirstOrThrow();
}

/** The field for what search engines show of a page. */
export const searchDescription = {
  name: "search_description",
  label: "For search engines",
  input: "lines",
  rule: lines(200),
  hint: "One or two sentences that search engines and shared links show.",
} as const;

export const introductions: Kind = {
  name: "introductions",
  table: "introductions",
  key: "type",
  isOpen: false,
  stays: "all",
  sort: { by: "title", descending: false },
  path: ({ key }) => paths[key as IntroducedPage],
  note: () => "{name}, {supports} and {phone} stand for your name, for whom you support and your phone number.",
  faults: (data) => listNameFaults(data, ["lede", "search_description"]),
  fields: [
    { name: "title", label: "Name", input: "hidden", rule: line(150, "Enter a name.") },
    {
      name: "lede",
      label: "Sentence below the heading",
      input: "lines",
      rule: lines(250),
      hint: "Empty for none.",
    },
    { ...searchDescription, needed: "Write the sentence for search engines before you publish." },
  ],
  words: {
    plural: "Introductions",
    one: "introduction",
    write: "",
    about: "The sentences at the top of the lists and the forms, and what search engines show of them.",
    nothing: "There are no introductions yet",
    draftsWaiting: {
      one: "One introduction has changes that are not published.",
      other: (count) => `${count} introductions have changes that are not published.`,
    },
  },
};
