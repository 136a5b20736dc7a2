/** SQL without comments, function bodies and texts. */
const statementsOf = (text: string) =>
  text
    .replace(/--.*$/gm, "")
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .replace(/'(?:[^']|'')*'/g, "''")
    .toLowerCase()
    .split(";")
    .map((statement) => statement.replace(/\s+/g, " ").trim())
    .filter((statement) => statement !== "");

const rules: readonly (readonly [RegExp, string])[] = [
  [/\bdrop (?!not null|default)/, "takes away what the older version uses"],
  [/\brename\b/, "renames what the older version uses"],
  [/\balter column \w+ (?:set data )?type\b/, "rewrites the table, and gives the older version another type"],
  [/\bset not null\b/, "refuses what the older version writes, and reads the whole table under a lock"],
  [
    /\badd column \w+ (?:(?!, ).)*\bnot null\b(?!(?:(?!, ).)*\bdefault\b)/,
    "refuses rows of the older version: give the column a default",
  ],
  [/\btruncate\b|\bdelete from\b/, "removes rows that the older version uses"],
];

/** Why a migration that only expands would disturb the older version beside it, as sentences; empty if it would not. */
export function judgeExpansion(text: string): string[] {
  const statements = statementsOf(text);
  const made = new Set(statements.flatMap((statement) => /^create table (\w+)/.exec(statement)?.[1] ?? []));
  const isNew = (table: string | undefined) => table !== undefined && made.has(table);
  return statements.flatMap((statement) => {
    const table = /^alter table (?:only )?(\w+)/.exec(statement)?.[1];
    if (isNew(table)) return [];
    const faults = rules.filter(([pattern]) => pattern.test(statement)).map(([, why]) => why);
    const constraint = /\badd (?:constraint \w+ )?(?:check|foreign key|unique|primary key|exclude)\b/;
    if (constraint.test(statement) && !statement.endsWith("not valid")) {
      faults.push("reads the whole table under a lock: add `not valid`, and validate it in a later migration");
    }
    const indexed = /^create (?:unique )?index (?:\w+ )?on (\w+)/.exec(statement)?.[1];
    if (indexed !== undefined && !made.has(indexed)) faults.push("keeps others from writing while the index is built");
    return faults.map((why) => `${statement.slice(0, 60)}: ${why}`);
  });
}
