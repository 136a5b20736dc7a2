import { textLines } from "#shared/html/text-lines.ts";
import { type ContentData, type Kind, listChangedFields, toText } from "../server/editing/kind.ts";
import { compareWords, type Piece } from "../word-changes.ts";

/** One version in a comparison: its name and its data. */
type Side = { readonly title: string; readonly data: ContentData };

/** Two versions beside each other, with the differences marked. */
export function VersionChanges({ kind, before, after }: { kind: Kind; before: Side; after: Side }) {
  const changed = listChangedFields(kind, before.data, after.data);
  if (changed.length === 0) return <p className="muted">These two versions are the same.</p>;
  const fields = kind.fields
    .filter(({ name }) => changed.includes(name))
    .map(({ name, label, input }) => ({
      name,
      label,
      pieces: compareWords(...toCompare(input, toText(before.data[name]), toText(after.data[name]))),
    }));
  const sides = [
    { ...before, shown: "before" as const, id: "version-before" },
    { ...after, shown: "after" as const, id: "version-after" },
  ];
  return (
    <>
      <div className="versions">
        {sides.map(({ title, shown, id }) => (
          <section className="panel" aria-labelledby={id} key={id}>
            <h2 id={id}>
              <bdi>{title}</bdi>
            </h2>
            {fields.map(({ name, label, pieces }) => (
              <div className="version-field" key={name}>
                <h3>{label}</h3>
                <p dir="auto">
                  <Pieces pieces={pieces} shown={shown} />
                </p>
              </div>
            ))}
          </section>
        ))}
      </div>
      <p className="hint">
        Struck words are only in the version on the left, underlined words only in the one on the right; on a phone,
        above and below. What is the same in both is left out where it is long.
      </p>
    </>
  );
}

/** Tags only where the words are the same. */
function toCompare(input: Kind["fields"][number]["input"], before: string, after: string): [string, string] {
  if (input !== "html") return [before, after];
  const [one, other] = [textLines(before), textLines(after)];
  return one === other ? [before, after] : [one, other];
}

/** One side: on the left what was removed is struck through, on the right what was added is underlined. */
function Pieces({ pieces, shown }: { pieces: readonly Piece[]; shown: "before" | "after" }) {
  const own = pieces.filter((piece) => piece.in === "both" || piece.in === shown);
  if (own.length === 0) return <span className="muted">Nothing</span>;
  return own.map((piece, place) => {
    // Pieces have no ids, and are rendered only once.
    const key = `${place}-${piece.in}`;
    if (piece.in === "both") return <span key={key}>{shorten(piece.text, place, own.length)}</span>;
    return piece.in === "before" ? <del key={key}>{piece.text}</del> : <ins key={key}>{piece.text}</ins>;
  });
}

/** Characters of unchanged text that are kept beside a change. */
const AROUND = 160;

/** Shortens a long text that both have: in the middle, or at the field's ends the part away from the changes. */
function shorten(text: string, place: number, count: number): string {
  const characters = Array.from(text);
  if (characters.length <= 2 * AROUND) return text;
  const start = place === 0 ? "" : characters.slice(0, AROUND).join("");
  const end = place === count - 1 ? "" : characters.slice(-AROUND).join("");
  return `${start} … ${end}`;
}
