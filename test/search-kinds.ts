import type { DonationFilter } from "#features/donations/server/search/donation-filter.ts";

type Kind = readonly [name: string, filters: readonly Partial<DonationFilter>[]];

const DAY_MS = 86_400_000;

/** Every kind of search for the donations of `makeManyDonors`, each with a few examples. */
export function searchKinds(until: Date, count: number): Kind[] {
  const daysAgo = (days: number) => new Date(until.getTime() - days * DAY_MS);
  const month = { from: daysAgo(400), until: daysAgo(370) };
  const words = (...texts: string[]) => texts.map((q) => ({ q }));
  const alone: Kind[] = [
    ["nothing", [{}]],
    ["common name", words("khan", "muhammad", "amina")],
    ["name of one in a hundred", words("papadopoulos", "o'connor", "müller")],
    ["uncommon name", words("barabridge", "torilzai", "marenridge")],
    ["first and last name", words("amina khan", "zoe rossi", "wei zhang")],
    ["Urdu name", words("علی", "صديقي", "عائشہ خان", "قریشی")],
    ["names only in the oldest rows", words("zephyrine", "quillfeather", "ڈوگر")],
    ["two letters", words("kh", "zo", "بل")],
    ["two letters, only in the oldest", words("qu", "ze", "ڈو")],
    ["one letter", words("q", "w")],
    ["no match", words("xylophonist", "zzzzzz", "ژژژژ", "qx")],
    ["whole email", words("amina.3@gmail.com", "donor.41@example.org", "nobody@example.net")],
    ["part of an email", words("gmail", "@example.org", "amina.33")],
    ["part of an email across its @", words("3@gmail.com", "1@gmail.com", "77@example", "a.1@hot", "n@g")],
    ["receipt", words("R-000777", `R-${count - 1}`)],
    ["number", words("777", "5000", "104", "20457")],
    ["amount", words("$5,001.23", "$49.99", "25")],
    ["transaction id", words(String(1_000_000_000 + count / 2), String(2_000_000_000 + 77))],
  ];
  const filters: Kind[] = [
    ["month", [month]],
    ["day long ago", [{ from: daysAgo(2400), until: daysAgo(2399) }]],
    ["method", [{ method: "pp" }, { method: "cc" }]],
    ["fund", [{ fund: "zakat" }, { fund: "homes" }]],
    ["fund of a season", [{ fund: "qurban" }, { fund: "flood-relief" }, { fund: "fitrana" }]],
    ["state", [{ state: "paid" }, { state: "declined" }, { state: "refunded" }]],
    ["rare state", [{ state: "disputed" }, { state: "review" }, { state: "confirming" }]],
    ["amounts", [{ minCents: 100_000 }, { minCents: 500_500, maxCents: 500_600 }, { maxCents: 1100 }]],
    ["amounts that nobody gives", [{ minCents: 200_000, maxCents: 300_000 }]],
  ];
  const firstOf = Object.fromEntries(filters.map(([name, [filter]]) => [name, filter!]));
  const parts = ["month", "method", "fund", "fund of a season", "state", "rare state", "amounts"];
  const pairs = parts.flatMap((one, place) =>
    parts.slice(place + 1).map((other): Kind => [`${one} + ${other}`, [{ ...firstOf[one], ...firstOf[other] }]]),
  );
  const withWords = [...parts].flatMap((name): Kind[] => [
    [`common name + ${name}`, [{ q: "khan", ...firstOf[name] }]],
    [`oldest names + ${name}`, [{ q: "zephyrine", ...firstOf[name] }]],
  ]);
  return [...alone, ...filters, ...pairs, ...withWords];
}
