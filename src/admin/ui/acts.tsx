import type { DescribedAct } from "../acts.ts";
import { Icon } from "./icon.tsx";
import { When } from "./when.tsx";

/**
 * What was done, as sentences: 'Amina Raza requested a refund of this donation'. What it was before and after can be
 * opened.
 */
export function Acts({
  acts,
  now,
  nothing = "Nothing has been done here yet.",
}: {
  acts: readonly DescribedAct[];
  now: Date;
  nothing?: string;
}) {
  if (acts.length === 0) return <p className="muted">{nothing}</p>;
  return (
    <ol className="tl">
      {acts.map((act) => (
        <li key={act.id}>
          <span className="dot">
            <Icon name="user" />
          </span>
          <div>
            <p>
              <b>
                <bdi>{act.actor}</bdi>
              </b>{" "}
              <ActSentence act={act} />
            </p>
            <ActDetails act={act} />
          </div>
          <When at={act.at} now={now} />
        </li>
      ))}
    </ol>
  );
}

/** The acts with a heading, as a part of a screen. */
export function ActsSection({ title = "What happened", ...acts }: Parameters<typeof Acts>[0] & { title?: string }) {
  return (
    <section className="sec" aria-labelledby="acts-title">
      <h2 id="acts-title" className="gap">
        {title}
      </h2>
      <Acts {...acts} />
    </section>
  );
}

/** What follows the name of whoever did it: 'requested a refund of donation D-7K3M'. */
export function ActSentence({ act: { words, about } }: { act: DescribedAct }) {
  return (
    <>
      {words} {about.path === null ? <bdi>{about.text}</bdi> : <a href={about.path}>{about.text}</a>}
    </>
  );
}

/** The reason, and what changed, which can be opened. */
export function ActDetails({ act }: { act: DescribedAct }) {
  return (
    <>
      {act.reason !== "" && (
        <p className="d" dir="auto">
          “{act.reason}”
        </p>
      )}
      {act.changes.length > 0 && (
        <details className="d">
          <summary>{act.before === null ? "Details" : "Before and after"}</summary>
          <dl className="kv changes">
            {act.changes.map(({ label, before, after }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{act.before === null ? <bdi>{after}</bdi> : <BeforeAndAfter before={before} after={after} />}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </>
  );
}

function BeforeAndAfter({ before, after }: { before: string | null; after: string | null }) {
  const texts = [["Before", before] as const, ["After", after] as const];
  return texts.map(
    ([title, text]) =>
      text !== null && (
        <div key={title}>
          {title}: <bdi>{text}</bdi>
        </div>
      ),
  );
}
