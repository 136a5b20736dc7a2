import type { TheirChange } from "./organisation/their-changes.ts";

/** What somebody else has saved while a form was open. */
export function TheirChanges({ changes, by }: { changes: readonly TheirChange[]; by: string | null }) {
  return (
    <section className="panel" aria-labelledby="theirs">
      <h2 id="theirs">Saved in the meantime by {by === null ? "somebody outside the back office" : <bdi>{by}</bdi>}</h2>
      <dl className="kv wide">
        {changes.map(({ name, label, text }) => (
          <div key={name}>
            <dt>{label}</dt>
            <dd className="as-typed">
              <bdi>{text || "Nothing"}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      <p className="hint">
        Fields that you had not changed show this now. The others keep what you typed, and saving replaces theirs.
      </p>
    </section>
  );
}
