import { type ScreenRequest, screen } from "#admin/screen.ts";
import { addressWith, Pager } from "#admin/ui/filters.tsx";
import { ActionForm, TextField } from "#admin/ui/form.tsx";
import { Empty } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { When } from "#admin/ui/when.tsx";
import type { Redirect } from "../../server/redirects/redirects.ts";
import { mayChange } from "../list-screen.tsx";
import { REDIRECTS_PATH, type RedirectList } from "./redirects-part.ts";

type Shown = { readonly list: RedirectList; readonly now: Date };

/** Old addresses, and where they lead. */
export const redirectsScreen = screen<Shown>({
  path: REDIRECTS_PATH,
  right: "content.see",
  section: "content",
  menuLabel: "Redirects",
  load: async ({ listRedirects, now }, { query }) => ({ list: await listRedirects(query.page), now: now() }),
  title: () => "Redirects",
  body: ({ list, now }, request) => {
    const { redirects, page, hasMore } = list;
    const at = (number: number) => addressWith(REDIRECTS_PATH, { page: number > 1 ? String(number) : "" });
    return (
      <>
        <PageHead
          title="Redirects"
          about="Old addresses that lead to new ones. If you change the address of something published, its old one is added here automatically."
        />
        {mayChange(request) && <AddForm request={request} />}
        {redirects.length === 0 ? (
          <Empty title="No address is redirected" picture="spot-vision" />
        ) : (
          <RedirectsTable redirects={redirects} now={now} request={request} />
        )}
        <Pager
          label="Pages of the list"
          newer={page === 1 ? null : at(page - 1)}
          older={hasMore ? at(page + 1) : null}
        />
      </>
    );
  },
});

function AddForm({ request }: { request: ScreenRequest }) {
  return (
    <section className="panel" aria-labelledby="add-redirect-title">
      <h2 id="add-redirect-title">Redirect an address</h2>
      <ActionForm action={REDIRECTS_PATH} id="add-redirect" request={request}>
        <TextField
          name="path"
          label="Old address"
          hint="A path on this site that no page has any more, such as /about-us.html."
          spellCheck={false}
        />
        <TextField
          name="target"
          label="Leads to"
          hint="A page on this site, such as /vision, or an address that begins with https://."
          spellCheck={false}
        />
        <button className="btn" type="submit">
          Redirect it
        </button>
      </ActionForm>
    </section>
  );
}

type TableProps = { redirects: readonly Redirect[]; now: Date; request: ScreenRequest };

function RedirectsTable({ redirects, now, request }: TableProps) {
  return (
    <div className="tw">
      <table className="cards">
        <caption className="sr">Redirects, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Old address</th>
            <th scope="col">Leads to</th>
            <th scope="col">Why</th>
            <th scope="col">Since</th>
            <th scope="col">By</th>
            <th scope="col">
              <span className="sr">What you can do</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {redirects.map(({ path, target, isMove, madeAt, madeBy }) => (
            <tr key={path}>
              <th scope="row" className="k-c as-typed">
                <bdi>{path}</bdi>
              </th>
              <td className="w-c as-typed" data-l="Leads to">
                <a href={target}>
                  <bdi>{target}</bdi>
                </a>
              </td>
              <td className="m-c">{isMove ? "It was moved" : "Added by hand"}</td>
              <td className="m-c">
                <When at={madeAt} now={now} />
              </td>
              <td className="m-c">
                <bdi>{madeBy}</bdi>
              </td>
              <td className="s-c">{mayChange(request) && <DeleteForm path={path} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function DeleteForm({ path }: { path: string }) {
  return (
    <form method="post" action={`${REDIRECTS_PATH}/delete`}>
      <input type="hidden" name="path" value={path} />
      <button className="lk" type="submit">
        Delete
        <span className="sr">
          {" "}
          the redirect of <bdi>{path}</bdi>
        </span>
      </button>
    </form>
  );
}
