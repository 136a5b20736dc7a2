import { CARD_IN_SEARCH, hasCardNumber } from "#admin/card-number.ts";
import { screen } from "#admin/screen.ts";
import type { HitGroup } from "#admin/search.ts";
import { Filters, SearchFilter } from "#admin/ui/filters.tsx";
import { Icon } from "#admin/ui/icon.tsx";
import { Empty } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import type { FieldErrors } from "#shared/errors.ts";

/** `/admin/find`: the search of the whole back office, for browsers that don't run the palette’s script. */
export const findScreen = screen<{ text: string; groups: readonly HitGroup[]; errors: FieldErrors }>({
  path: "/admin/find",
  right: "logged in",
  load: async (reads, { staff, query }) => {
    const text = query.q ?? "";
    if (hasCardNumber(text)) return { text: "", groups: [], errors: { q: [CARD_IN_SEARCH] } };
    return { text, errors: {}, groups: await reads.searchEverywhere(staff!, text) };
  },
  title: () => "Search or go to",
  body: ({ text, groups, errors }) => (
    <>
      <PageHead
        title="Search or go to"
        about="Donors, receipts, ticket orders, applications, references and screens, in one box."
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
