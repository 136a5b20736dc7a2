import { filteredLists, type SavedFilter, savedQuery } from "#admin/saved-filters.ts";
import { type FilledForm, type ScreenRequest, screen } from "#admin/screen.ts";
import { ActionForm, TextField } from "#admin/ui/form.tsx";
import { Empty } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { UnshownFormMessage } from "#admin/ui/unshown-form.tsx";
import { isFilteredList } from "./filters-part.ts";

const PATH = "/admin/you/filters";

/** `/admin/you/filters?list=…`: saves the filter of a list, and deletes saved ones. */
export const filtersScreen = screen<{ readonly saved: readonly SavedFilter[] } & Asked>({
  path: PATH,
  right: "logged in",
  async load(reads, request) {
    const asked = readAsked(request);
    if (asked === null) return null;
    return { ...asked, saved: await reads.listSavedFilters(request.staff!.id, asked.list) };
  },
  title: () => "Your filters",
  body: ({ list, query, name, saved }, request) => (
    <>
      <PageHead crumbs={[{ label: filteredLists[list], path: list }]} title="Your filters" />
      <UnshownFormMessage request={request} shown={query === "" ? [] : ["filters"]} />
      {query !== "" && (
        <section className="panel" aria-labelledby="save-title">
          <h2 id="save-title">Save this filter</h2>
          <ActionForm action={PATH} id="save" request={request}>
            <input type="hidden" name="list" value={list} />
            <input type="hidden" name="query" value={query} />
            <TextField
              name="name"
              label="Name"
              hint="Only you see it. Search words are not saved, because they may name somebody."
              defaultValue={name}
              autoComplete="off"
            />
            <p className="row press">
              <button className="btn" type="submit">
                Save the filter
              </button>
              <a className="btn quiet" href={`${list}?${query}`}>
                Cancel
              </a>
            </p>
          </ActionForm>
        </section>
      )}
      <Saved list={list} saved={saved} />
    </>
  ),
});

type Asked = { readonly list: keyof typeof filteredLists; readonly query: string; readonly name: string };

/** From the address or, once it was sent, from the form. */
function readAsked({ query, form }: ScreenRequest): Asked | null {
  const { list = "", query: typed = "", name = "" } = form?.action === PATH ? firstOf(form.values) : query;
  if (!isFilteredList(list)) return null;
  return { list, query: savedQuery(Object.fromEntries(new URLSearchParams(typed))), name: name.slice(0, 40) };
}

const firstOf = (values: FilledForm["values"]): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(values).map(([name, [first = ""]]) => [name, first]));

function Saved({ list, saved }: Pick<Asked, "list"> & { readonly saved: readonly SavedFilter[] }) {
  if (saved.length === 0) {
    return (
      <Empty title="You have saved no filter yet">
        <p>Filter the list, then choose ‘Save this filter’ above it.</p>
      </Empty>
    );
  }
  return (
    <div className="tw">
      <table className="cards">
        <caption className="sr">Your filters of this list, in the order in which you saved them</caption>
        <thead>
          <tr>
            <th scope="col">Filter</th>
            <th scope="col">
              <span className="sr">Delete</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {saved.map(({ id, name, query }) => (
            <tr key={id}>
              <th scope="row" className="k-c">
                <a className="k" href={`${list}?${query}`}>
                  <bdi>{name}</bdi>
                </a>
              </th>
              <td className="num v-c">
                <form method="post" action={`${PATH}/${id}/delete`}>
                  <button className="btn quiet small" type="submit">
                    Delete
                    <span className="sr">
                      {" "}
                      <bdi>{name}</bdi>
                    </span>
                  </button>
                </form>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
