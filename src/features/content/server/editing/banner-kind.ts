import { addDays } from "#shared/language.ts";
import { linkAddress } from "#shared/link-address.ts";
import { paths } from "#shared/paths.ts";
import { momentOf } from "../banners.ts";
import { type ContentData, type Kind, line, moment, toText } from "./kind.ts";

/** A forgotten banner ends by itself. */
const MAX_DAYS = 366;

export const banners: Kind = {
  name: "banners",
  table: "banners",
  key: "id",
  isOpen: true,
  sort: { by: "starts_at", descending: true },
  path: () => paths.home,
  faults: listFaults,
  fields: [
    {
      name: "title",
      label: "Text",
      input: "line",
      rule: line(140, "Write what it says."),
      hint: "One short line, such as ‘Ramadan appeal: feed a family for a month’.",
    },
    {
      name: "link_label",
      label: "Link text",
      input: "line",
      rule: line(40),
      hint: "It follows the text: ‘Give now’. Leave this and the address empty for no link.",
    },
    {
      name: "link_address",
      label: "Where the link leads",
      input: "link",
      rule: linkAddress,
      hint: "A page on this site, such as /donation, or an address that begins with https://.",
    },
    {
      name: "starts_at",
      label: "From",
      input: "moment",
      rule: moment,
      hint: "Sydney time. It shows from then on, once it is published.",
      needed: "Say when it begins before you publish.",
    },
    {
      name: "ends_at",
      label: "Until",
      input: "moment",
      rule: moment,
      hint: "Sydney time. It then disappears automatically.",
      needed: "Say when it ends before you publish.",
    },
  ],
  words: {
    plural: "Banners",
    one: "banner",
    write: "Write a banner",
    about:
      "A line above the header of every page, except where people pay. If the times of several overlap, visitors see the one that began last.",
    nothing: "There are no banners yet",
    draftsWaiting: {
      one: "One banner has changes that are not published.",
      other: (count) => `${count} banners have changes that are not published.`,
    },
  },
};

function listFaults(data: ContentData, { now }: { now: Date }): Record<string, string> {
  const [label, address, from, until] = ["link_label", "link_address", "starts_at", "ends_at"].map((name) =>
    toText(data[name]),
  ) as [string, string, string, string];
  const faults: Record<string, string> = {};
  if (label === "" && address !== "") faults.link_label = "Enter the link text, or remove the address.";
  if (label !== "" && address === "") faults.link_address = "Enter the link’s address, or remove its text.";
  if (from === "" || until === "") return faults;
  // Times of this form are in the order of their texts.
  if (until <= from) faults.ends_at = "Choose an end after the start.";
  else if (momentOf(until) <= now) faults.ends_at = "This time has passed. Choose a later one.";
  else if (until.slice(0, 10) > addDays(from.slice(0, 10), MAX_DAYS)) {
    faults.ends_at = "Choose an end within a year of the start, so that it is not forgotten.";
  }
  return faults;
}
