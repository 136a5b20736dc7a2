import type { FilledForm, ScreenRequest } from "#admin/screen.ts";
import { When } from "#admin/ui/when.tsx";
import type { ListedVersion } from "../server/setting-versions.ts";

/** The number of the version that somebody wants in the form, from the address; null if there is none. */
export function readChosenVersion({ query: { version = "" } }: Pick<ScreenRequest, "query">): number | null {
  return /^[1-9]\d{0,8}$/.test(version) ? Number(version) : null;
}

/** The form with what an earlier version had. Whatever is sent is shown instead. */
export function fillFromVersion(action: string, number: number, values: FilledForm["values"]): FilledForm {
  const message = `The form has version ${number}. Nothing is changed until you save.`;
  return { action, values, errors: {}, message, state: "resumed" };
}

/** The versions that differ from what holds now. Each link puts one into the form. */
export function EarlierVersions({
  versions,
  path,
  now,
}: {
  readonly versions: readonly Omit<ListedVersion, "value">[];
  readonly path: string;
  readonly now: Date;
}) {
  if (versions.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="earlier">
      <h2 id="earlier">Earlier versions</h2>
      <p className="small">Put one into the form to see it, change it if you like, and save it.</p>
      <ul className="version-list">
        {versions.map(({ number, savedAt, savedBy }) => (
          <li key={number}>
            <span>
              <When at={savedAt} now={now} />: version {number},{" "}
              {savedBy === null ? "changed outside the back office" : <bdi>{savedBy.name}</bdi>}
            </span>
            <a
              className="btn quiet"
              href={`${path}?version=${number}`}
              aria-label={`Put version ${number} into the form`}
            >
              Put it into the form
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
