import { type AuditFields, describeChanges, type ShownChange } from "./audit-fields.ts";

/** What is recorded with an act: `before` and `after` as given to `recordAct`. */
export type Changes = {
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
};

/**
 * The words between who did it and what it was done to: 'requested a refund of' (… donation D-…). With a full stop the
 * sentence ends there: 'logged in.' A function makes the words from what was recorded.
 */
export type AuditWords = Readonly<Record<string, string | ((changes: Changes) => string)>>;

/** A kind of thing that acts are done to. Kinds without an entry are shown by their name and id. */
type AuditSubject = {
  /** In a sentence: 'donation'. "" if the thing’s own name says enough. */
  readonly label: string;
  /** The filter's heading for the acts whose verb begins with this kind: 'Donations'. */
  readonly group: string;
  readonly path?: (id: string) => string;
  /** The names of the things with these ids. A thing without a name is shown by its id. */
  readonly listNames?: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** The ids of the things that this text may name: by reference, name or email. */
  readonly find?: (text: string) => Promise<readonly string[]>;
};
export type AuditSubjects = Readonly<Record<string, AuditSubject>>;

export type RecordedAct = Changes & {
  readonly id: number;
  readonly at: Date;
  readonly actor: string;
  readonly verb: string;
  readonly subject: string;
  readonly subjectId: string;
  readonly reason: string;
};

/** An act as a sentence: '{actor} {words} {about}'. */
export type DescribedAct = RecordedAct & {
  readonly words: string;
  readonly about: { readonly text: string; readonly path: string | null };
  readonly changes: readonly ShownChange[];
};

export type ActSubject = { readonly subject: string; readonly subjectId: string };

/** Finds the words and names for acts, with one read for each kind of thing. */
export async function describeActs<Act extends RecordedAct>(
  acts: readonly Act[],
  { words, subjects, fields }: { words: AuditWords; subjects: AuditSubjects; fields: AuditFields },
  /** The things beside which the acts are shown: sentences call them 'this donation'. */
  shown: ActSubject | readonly ActSubject[] = [],
): Promise<(Act & DescribedAct)[]> {
  const kinds = [...new Set(acts.map(({ subject }) => subject))];
  const names = new Map(
    await Promise.all(
      kinds.map(async (kind) => {
        const ids = acts.flatMap(({ subject, subjectId }) => (subject === kind && subjectId !== "" ? subjectId : []));
        const found = ids.length === 0 ? undefined : await subjects[kind]?.listNames?.([...new Set(ids)]);
        return [kind, found ?? new Map<string, string>()] as const;
      }),
    ),
  );
  const shownSubjects = [shown].flat() as readonly ActSubject[];
  const isShown = (act: Act) =>
    shownSubjects.some(({ subject, subjectId }) => subject === act.subject && subjectId === act.subjectId);
  const describe = (act: Act): DescribedAct["about"] => {
    if (act.subjectId === "") return { text: "", path: null };
    const { label = act.subject, path } = subjects[act.subject] ?? {};
    if (isShown(act) && label !== "") return { text: `this ${label}`, path: null };
    const name = names.get(act.subject)?.get(act.subjectId) ?? act.subjectId;
    const text = [label, name].filter(Boolean).join(" ");
    return { text, path: path?.(act.subjectId) ?? null };
  };
  return acts.map((act) => {
    const phrase = wordsOf(act, words);
    const changes = describeChanges(act, fields);
    if (phrase.endsWith(".")) return { ...act, changes, words: phrase.slice(0, -1), about: { text: "", path: null } };
    return { ...act, changes, words: phrase, about: describe(act) };
  });
}

/** An act without words shows its verb: 'did “thing.move” to'. */
function wordsOf({ verb, before, after }: RecordedAct, words: AuditWords): string {
  const found = Object.hasOwn(words, verb) ? words[verb]! : `did “${verb}” to`;
  return typeof found === "string" ? found : found({ before, after });
}
