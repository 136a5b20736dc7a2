import { type ScreenRequest, screen } from "#admin/screen.ts";
import { Icon } from "#admin/ui/icon.tsx";
import { Empty, Note } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { describeWhen, When } from "#admin/ui/when.tsx";
import { plural } from "#shared/language.ts";
import type { KnownLink } from "../../server/external-links/known-links.ts";
import { mayChange } from "../list-screen.tsx";
import type { ExternalLinks } from "./external-links-part.ts";

const PATH = "/admin/links";

type Shown = { readonly links: ExternalLinks; readonly now: Date };

/** The links to other websites that lead nowhere. */
export const externalLinksScreen = screen<Shown>({
  path: PATH,
  right: "content.see",
  section: "content",
  menuLabel: "Links",
  load: async ({ listExternalLinks, now }) => ({ links: await listExternalLinks(), now: now() }),
  title: () => "Links to other websites",
  body: (shown, request) => <LinksBody shown={shown} request={request} />,
});

function LinksBody({ shown: { links, now }, request }: { shown: Shown; request: ScreenRequest }) {
  const { dead, excepted } = links;
  return (
    <>
      <PageHead title="Links to other websites" about={summarise(links)} />
      <div className="editor-note">
        {request.form?.message && (
          <Note look="bad" isNews>
            {request.form.message}
          </Note>
        )}
        <Checking links={links} now={now} />
      </div>
      {dead.length === 0 ? (
        <Empty title="No broken links" />
      ) : (
        <LinksTable caption="Broken links" links={dead} isChecking={links.isChecking} now={now} request={request} />
      )}
      {excepted.length > 0 && (
        <section aria-labelledby="excepted">
          <h2 id="excepted">Not checked</h2>
          <p className="muted">Somebody said that these are fine.</p>
          <LinksTable
            caption="Links that are not checked"
            links={excepted}
            isChecking={links.isChecking}
            now={now}
            request={request}
          />
        </section>
      )}
    </>
  );
}

/** One paragraph: what is checked, and how many links a check says nothing about. */
function summarise({ all, unclear, isChecking }: ExternalLinks): string {
  const what = isChecking
    ? "Links in what is published are checked once it is published, and every week. To fix one, edit the text that has it."
    : "To fix a link, edit the text that has it.";
  const how = plural(all, { one: "There is one link.", other: `There are ${all} links.` });
  const rest = plural(unclear, {
    one: "One could not be checked: its website refuses automatic checks, or has a fault.",
    other: `${unclear} could not be checked: their websites refuse automatic checks, or have a fault.`,
  });
  return [what, how, ...(unclear > 0 ? [rest] : [])].join(" ");
}

function Checking({ links: { isChecking, unreachedSince }, now }: { links: ExternalLinks; now: Date }) {
  if (!isChecking) {
    return (
      <Note title="Links are not checked on this site.">
        {" "}
        Whoever runs the server can turn the checks on with the setting LINK_CHECKS.
      </Note>
    );
  }
  if (unreachedSince === null) return null;
  return (
    <Note look="warn" title={`No other website has answered since ${describeWhen(unreachedSince, now)}.`}>
      {" "}
      This machine may have no internet, so no link is marked until one answers. Tell whoever runs the server.
    </Note>
  );
}

/** Why a link fails, for people. */
const reasons: Readonly<Record<NonNullable<KnownLink["reason"]>, string>> = {
  not_found: "The website has no such page (404).",
  removed: "The website has permanently removed this page (410).",
  no_host: "There is no website with this name.",
  no_connection: "The website does not answer.",
  certificate: "The website’s certificate has expired or belongs to another, so browsers warn against it.",
  redirects: "The website redirects visitors in a loop.",
};

type TableProps = {
  readonly caption: string;
  readonly links: readonly KnownLink[];
  /** Whether they can be checked again. */
  readonly isChecking: boolean;
  readonly now: Date;
  readonly request: ScreenRequest;
};

function LinksTable({ caption, links, ...rest }: TableProps) {
  return (
    <div className="tw">
      <table className="cards">
        <caption className="sr">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Link</th>
            <th scope="col">Where it is</th>
            <th scope="col">Why</th>
            <th scope="col">Since</th>
            {mayChange(rest.request) && (
              <th scope="col">
                <span className="sr">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {links.map((link) => (
            <LinkRow link={link} {...rest} key={link.id} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function LinkRow({ link, isChecking, now, request }: Omit<TableProps, "caption" | "links"> & { link: KnownLink }) {
  const { id, address, reason, failingSince, uses } = link;
  return (
    <tr data-id={id}>
      <th scope="row" className="k-c">
        <a href={address} rel="noreferrer external">
          <bdi className="as-typed">{address}</bdi>
        </a>
      </th>
      <td className="w-c">
        <ul className="link-uses">
          {uses.map(({ kind, title, path }) => (
            <li key={path}>
              <a href={path}>
                <bdi>{title}</bdi>
              </a>{" "}
              <span className="muted">{kind}</span>
            </li>
          ))}
        </ul>
      </td>
      <td className="w-c">{reason === null ? "–" : reasons[reason]}</td>
      <td className="m-c" data-l="Since">
        {failingSince === null ? "–" : <When at={failingSince} now={now} />}
      </td>
      {mayChange(request) && (
        <td className="w-c">
          <div className="acts">
            <LinkActs link={link} isChecking={isChecking} />
          </div>
        </td>
      )}
    </tr>
  );
}

function LinkActs({ link: { id, address, isDue, isExcepted }, isChecking }: { link: KnownLink; isChecking: boolean }) {
  const name = <span className="sr">: {address}</span>;
  if (isExcepted) {
    return (
      <form method="post" action={`${PATH}/${id}/include`}>
        <button className="btn quiet" type="submit">
          Check it from now on{name}
        </button>
      </form>
    );
  }
  return (
    <>
      {isChecking &&
        (isDue ? (
          <span className="muted">Being checked</span>
        ) : (
          <form method="post" action={`${PATH}/${id}/check`}>
            <button className="btn quiet" type="submit">
              <Icon name="again" />
              Check again{name}
            </button>
          </form>
        ))}
      <form method="post" action={`${PATH}/${id}/except`}>
        <button className="btn plain" type="submit">
          It is fine, stop checking it{name}
        </button>
      </form>
    </>
  );
}
