import { addressWith } from "#admin/ui/filters.tsx";
import { Empty } from "#admin/ui/note.tsx";
import { formatNumber, plural } from "#shared/language.ts";
import type { DonationList } from "./list-screen.ts";
import type { FilterName } from "./read-filter.ts";

/** Shown in place of an empty list: nobody has given yet, or the filters find nothing. */
export function NoDonations({ list: { isEmpty, applied, typed, without } }: { list: DonationList }) {
  if (isEmpty) {
    return (
      <Empty title="The first gift will appear here" picture="spot-donate">
        <p>A minute after somebody gives, you can find it, read every step of it and send its receipt again.</p>
        <div className="acts">
          <a className="btn quiet" href="/donation">
            See the donation page
          </a>
        </div>
      </Empty>
    );
  }
  const best = without[0];
  return (
    <Empty title={applied.length > 1 ? "No donation fits all of this" : "No donation fits this"}>
      {without.map(({ names, count }) => (
        <p key={names[0]}>{describeWithout(names, count)}</p>
      ))}
      <div className="acts">
        {best !== undefined && (
          <a className="btn" href={addressWith("/admin/donations", { ...typed, ...empty(best.names) })}>
            {search[best.names[0]!]}
          </a>
        )}
        <a className={best === undefined ? "btn" : "btn quiet"} href="/admin/donations">
          Start again
        </a>
      </div>
    </Empty>
  );
}

const empty = (names: readonly FilterName[]) => Object.fromEntries(names.map((name) => [name, ""]));

const search: Readonly<Record<string, string>> = {
  q: "Search without the words",
  from: "Search all days",
  method: "Search all ways to pay",
  state: "Search all states",
  fund: "Search all funds",
  min: "Search all amounts",
};

type Sentences = { readonly one: string; readonly other: (count: string) => string };

const sentences: Readonly<Record<string, Sentences>> = {
  q: { one: "Without the words there is 1.", other: (count) => `Without the words there are ${count}.` },
  from: { one: "Without the days there is 1.", other: (count) => `Without the days there are ${count}.` },
  method: { one: "However it was paid, there is 1.", other: (count) => `However they were paid, there are ${count}.` },
  state: { one: "In any state there is 1.", other: (count) => `In any state there are ${count}.` },
  fund: { one: "For any fund there is 1.", other: (count) => `For any fund there are ${count}.` },
  min: { one: "Of any amount there is 1.", other: (count) => `Of any amount there are ${count}.` },
};

function describeWithout([name]: readonly FilterName[], count: number | "many"): string {
  const { one, other } = sentences[name!]!;
  if (count === "many") return other("many");
  return plural(count, { one, other: other(formatNumber(count)) });
}
