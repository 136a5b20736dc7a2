import { CARD_IN_SEARCH, hasCardNumber } from "#admin/card-number.ts";
import { screen } from "#admin/screen.ts";
import { type HitGroup, isolate } from "#admin/search.ts";
import { Filters, SearchFilter } from "#admin/ui/filters.tsx";
import { Icon } from "#admin/ui/icon.tsx";
import { Empty } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import type { FieldErrors } from "#shared/errors.ts";
import { plural } from "#shared/language.ts";

const NAME = "Search or go to";

/** What was searched for and how much is shown, as a screen reader says it first. */
function describeFound(text: string, groups: readonly HitGroup[]): string {
  const count = groups.reduce((sum, { hits }) => sum + hits.length, 0);
  const sought = isolate(text.trim());
  if (count === 0) return `Nothing found for “${sought}”`;
  return plural(count, {
    one: `One found for “${sought}”`,
    other: `${count} found for “${sought}”`,
  });
}

/** `/admin/find`: the search of the whole back office, for browsers that don't run the palette’s script. */
export const findScreen = screen<{ text: string; groups: readonly HitGroup[]; errors: FieldErrors }>({
  path: "/admin/find",
  right: "logged in",
  load: async (reads, { staff, query }) => {
    const text = query.q ?? "";
    if (hasCardNumber(text)) return { text: "", groups: [], errors: { q: [CARD_IN_SEARCH] } };
    return { text, errors: {}, groups: await reads.searchEverywhere(staff!, text) };
  },
  title: ({ text, groups }) => (text.trim() === "" ? NAME : describeFound(text, groups)),
  body: ({ text, groups, errors }) => (
    <>
      <PageHead
        title={NAME}
        about={
          text.trim() === ""
            ? "Donors, receipts, ticket orders, applications, references and screens, in one box."
            : `${describeFound(text, groups)}. The search shows up to five people, donations and so on; their own lists show all.`
        }
      />
      <Filters label="Search everything" path="/admin/find">
        <SearchFilter value={text} placeholder="Name, email, receipt, reference or screen" errors={errors} />
      </Filters>
      {groups.length === 0 && errors.q === undefined && (
        <Empty title="Nothing found">
          <p>Check the spelling, or search for fewer words.</p>
        </Empty>
      )}
      {groups.map(({ title, icon, hits }) => (
        <section className="sec" aria-label={title} key={title}>
          <div className="sec-h">
            <h2>{title}</h2>
          </div>
          <ul className="todo">
            {hits.map(({ label, detail, path }) => (
              <li key={path}>
                <Icon name={icon} />
                <p>
                  <a href={path}>
                    <bdi>{label}</bdi>
                  </a>
                  {detail && <span className="d">{detail}</span>}
                </p>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  ),
});
