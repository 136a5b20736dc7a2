import { type Screen, type ScreenRequest, screen } from "#admin/screen.ts";
import { Filters, SelectFilter } from "#admin/ui/filters.tsx";
import { Note } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { Status } from "#admin/ui/status.tsx";
import { When } from "#admin/ui/when.tsx";
import type { Item, Version } from "../server/editing/items.ts";
import { type Kind, listChangedFields, rightsOf } from "../server/editing/kind.ts";
import type { ItemHistory } from "./editing-reads.ts";
import { mayChange } from "./list-screen.tsx";
import { VersionChanges } from "./version-changes.tsx";

type Shown = { readonly history: ItemHistory; readonly now: Date };

/** All versions of an item, any two of them compared. */
export function historyScreen(kind: Kind): Screen {
  return screen<Shown>({
    path: `/admin/${kind.name}/:id/history`,
    right: rightsOf(kind).see,
    section: kind.section ?? "content",
    load: async ({ findContentHistory, now }, { params }) => {
      const history = await findContentHistory(kind, params.id!);
      return history && { history, now: now() };
    },
    title: ({ history }) => `History of ${history.title}`,
    body: (shown, request) => <HistoryBody kind={kind} shown={shown} request={request} />,
  });
}

type Props = { kind: Kind; shown: Shown; request: ScreenRequest };

function HistoryBody({ kind, shown, request }: Props) {
  const { item, title, versions } = shown.history;
  const path = `/admin/${kind.name}/${item.id}`;
  const find = (text: string | undefined) => versions.find(({ number }) => String(number) === text);
  const [before, after] = [find(request.query.before), find(request.query.after)];
  return (
    <>
      <PageHead
        title="History"
        about={<bdi>{title}</bdi>}
        crumbs={[
          { label: kind.words.plural, path: `/admin/${kind.name}` },
          { label: title, path },
        ]}
      />
      {request.form?.message && (
        <Note look="bad" isNews>
          {request.form.message}
        </Note>
      )}
      {before !== undefined && after !== undefined && (
        <VersionChanges
          kind={kind}
          before={{ title: `Version ${before.number}`, data: before.data }}
          after={{ title: `Version ${after.number}`, data: after.data }}
        />
      )}
      <VersionsTable kind={kind} shown={shown} request={request} />
      <p className="hint history-hint">Restoring an earlier version makes a new one. Nothing is ever written over.</p>
      {versions.length > 1 && <CompareForm versions={versions} path={`${path}/history`} query={request.query} />}
    </>
  );
}

function VersionsTable({ kind, shown: { history, now }, request }: Props) {
  const { item, versions } = history;
  const path = `/admin/${kind.name}/${item.id}`;
  return (
    <div className="tw">
      <table className="cards">
        <caption className="sr">Versions, the newest first</caption>
        <thead>
          <tr>
            <th scope="col">Version</th>
            <th scope="col">Saved</th>
            <th scope="col">By</th>
            <th scope="col">What changed</th>
            <th scope="col">State</th>
            <th scope="col">
              <span className="sr">What you can do</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {versions.map((version) => (
            <tr data-id={version.number} key={version.number}>
              <th scope="row" className="k-c">
                {version.number}
              </th>
              <td className="m-c">
                <When at={version.savedAt} now={now} />
              </td>
              <td className="m-c">{version.savedBy === null ? "–" : <bdi>{version.savedBy.name}</bdi>}</td>
              <td className="w-c">{describeChange(kind, version, versions)}</td>
              <td className="s-c">
                <VersionState item={item} version={version} versions={versions} />
              </td>
              <td className="w-c">
                <div className="acts">
                  {version.beganFrom !== null && (
                    <a href={`${path}/history?before=${version.beganFrom}&after=${version.number}`}>
                      Compare<span className="sr"> version {version.number} with the one it began from</span>
                    </a>
                  )}
                  {version.number !== item.latest && mayChange(request, kind) && (
                    <RestoreForm path={path} item={item} version={version} />
                  )}
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function RestoreForm({ path, item, version }: { path: string; item: Item; version: Version }) {
  return (
    <form method="post" action={`${path}/restore`}>
      <input type="hidden" name="from" value={item.latest} />
      <input type="hidden" name="version" value={version.number} />
      <button className="lk" type="submit">
        Restore<span className="sr"> version {version.number}</span>
      </button>
    </form>
  );
}

type StateProps = { item: Item; version: Version; versions: readonly Version[] };

function VersionState({ item, version: { number }, versions }: StateProps) {
  if (number === item.published) return <Status look="ok">Published</Status>;
  if (number === item.scheduled?.version) return <Status look="act">Goes out at a time</Status>;
  if (number === item.latest) return <Status look="plain">Draft</Status>;
  return isBeside(number, versions) ? <Status look="plain">Kept beside</Status> : null;
}

/**
 * A version that was saved after somebody else had saved: no version began from it, and an earlier one began from the
 * same version.
 */
function isBeside(number: number, versions: readonly Version[]): boolean {
  const own = versions.find((version) => version.number === number)!;
  return (
    !versions.some(({ beganFrom }) => beganFrom === number) &&
    versions.some((other) => other.number < number && other.number > (own.beganFrom ?? number))
  );
}

/** The labels of the fields that changed: 'Title, Text'. */
function describeChange(kind: Kind, version: Version, versions: readonly Version[]): string {
  if (version.restoredFrom !== null) return `Version ${version.restoredFrom} restored`;
  const base = versions.find(({ number }) => number === version.beganFrom);
  if (base === undefined) return version.savedBy === null ? "As it stood on the site" : "Begun";
  const changed = listChangedFields(kind, base.data, version.data);
  const labels = kind.fields.filter(({ name }) => changed.includes(name)).map(({ label }) => label);
  const what = labels.join(", ");
  return version.savedBy === null ? `Changed outside the back office: ${what}` : what;
}

/** Chooses any two versions; the comparison has an address. */
function CompareForm({
  versions,
  path,
  query,
}: {
  versions: readonly Version[];
  path: string;
  query: ScreenRequest["query"];
}) {
  const options = versions.map(({ number }) => ({ value: String(number), label: `Version ${number}` }));
  const chosen = (name: string, place: number) => query[name] ?? String(versions[place]!.number);
  return (
    <Filters label="Compare two versions" path={path}>
      <SelectFilter name="before" label="Compare" value={chosen("before", 1)} options={options} errors={{}} />
      <SelectFilter name="after" label="with" value={chosen("after", 0)} options={options} errors={{}} />
    </Filters>
  );
}
