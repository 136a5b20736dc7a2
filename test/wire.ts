import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { z } from "zod";
import { captchaActions } from "#shared/captcha/captcha.ts";
import { CommaList, Dollars, TrueText, YesNo } from "#shared/contract/fields.ts";
import type { Route } from "#shared/contract/route.ts";

const root = join(import.meta.dirname, "..");
const file = join(root, "docs/wire.md");

/** The part of zod's schema definitions that this reads. */
type Def = {
  readonly type: string;
  readonly in?: z.ZodType;
  readonly out?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly shape?: Record<string, z.ZodType>;
  readonly values?: readonly unknown[];
  readonly entries?: Record<string, string>;
  readonly options?: readonly z.ZodType[];
  readonly transform?: (value: unknown, context: unknown) => unknown;
};
type Row = { readonly wire: string; readonly ours: string; readonly form: string; readonly isOptional: boolean };

const known = new Map<unknown, string>([
  [Dollars, "dollars ↔ cents"],
  [CommaList, "list joined by commas ↔ list"],
  [YesNo, "yes or no ↔ boolean"],
  [TrueText, "true or false as text ↔ boolean"],
]);

/** Every call that a contract declares, by path. */
export async function listCalls(): Promise<Route[]> {
  const contracts = globSync("src/{features/*,payments/*,shared/*}/contract.ts", { cwd: root });
  const modules = await Promise.all(contracts.map((path) => import(pathToFileURL(join(root, path)).href)));
  return modules
    .flatMap((module: object) => Object.values(module))
    .filter((value): value is Route => typeof value?.path === "string" && typeof value?.method === "string")
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

const defOf = (schema: z.ZodType) => schema._zod.def as Def;

/** The description of a known codec, also if it is only the first of several steps. */
function knownForm(schema: z.ZodType): string | undefined {
  const { type, in: first, innerType } = defOf(schema);
  const within = type === "pipe" ? first : type === "prefault" ? innerType : undefined;
  return known.get(schema) ?? (within && knownForm(within));
}

/** The fields of a schema, outermost first, under the wire's name and ours. */
function listFields(schema: z.ZodType, wire: string, ours: string, isOptional = false): Row[] {
  const def = defOf(schema);
  const form = knownForm(schema);
  if (form !== undefined) return [{ wire, ours, form, isOptional }];
  if (["optional", "default", "nullable"].includes(def.type)) {
    return listFields(def.innerType!, wire, ours, isOptional || def.type !== "nullable");
  }
  const self = wire === "" ? [] : [{ wire, ours, form: formOf(def), isOptional }];
  if (def.type === "array") return [...self, ...listFields(def.element!, `${wire}[]`, `${ours}[]`).slice(1)];
  if (def.type === "pipe" && defOf(def.in!).type === "object") {
    return [
      ...(wire === "" ? [] : [{ wire, ours, form: "object", isOptional }]),
      ...listShape(def.in!, def, wire, ours),
    ];
  }
  if (def.type === "pipe" && ["array", "object"].includes(defOf(def.out!).type)) {
    return [{ wire, ours, form: "JSON text ↔ value", isOptional }, ...listFields(def.out!, wire, ours).slice(1)];
  }
  return def.type === "object" ? [...self, ...listShape(schema, undefined, wire, ours)] : self;
}

function listShape(object: z.ZodType, renaming: Def | undefined, wire: string, ours: string): Row[] {
  const shape = defOf(object).shape!;
  const names = Object.keys(shape);
  const identity = Object.fromEntries(names.map((name) => [name, name]));
  const renamed = (renaming?.transform?.(identity, {}) ?? identity) as Record<string, string>;
  const oursOf = new Map(Object.entries(renamed).map(([our, name]) => [name, our]));
  const below = (path: string, name: string) => (path === "" ? name : `${path}.${name}`);
  return names.flatMap((name) => listFields(shape[name]!, below(wire, name), below(ours, oursOf.get(name) ?? name)));
}

function formOf({ type, values, entries, options, in: first, out: last }: Def): string {
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(" or ");
  if (entries !== undefined) return Object.values(entries).join(", ");
  if (options !== undefined) return [...new Set(options.map((option) => formOf(defOf(option))))].join(" or ");
  if (type === "pipe") {
    const taken = defOf(first!);
    return formOf(taken.type === "transform" ? defOf(last!) : taken);
  }
  return type === "array" ? "list" : type;
}

function describeCall(call: Route): string {
  const parts = [
    ["Path", call.params],
    ["Query", call.query],
    ["Request", call.body],
    ["Answer's `data`", call.data],
  ] as const;
  const tables = parts.flatMap(([name, schema]) => {
    const rows = listFields(schema, "", "").map(({ wire, ours, form, isOptional }) =>
      [
        `\`${wire}\``,
        wire === ours ? "the same" : `\`${ours}\``,
        `${form}${isOptional ? ", may be left out" : ""}`,
      ].join(" | "),
    );
    if (rows.length === 0) return [];
    return `${name}:\n\n| wire | ours | form |\n|---|---|---|\n${rows.map((row) => `| ${row} |`).join("\n")}\n`;
  });
  if (call.beside !== undefined) tables.push(`Beside \`data\`: \`${call.beside}\`.\n`);
  const files = Object.keys(call.files ?? {}).map((name) => `\`${name}\``);
  const form = files.length > 0 ? `A form (multipart/form-data) with the files ${files.join(" and ")}.\n\n` : "";
  return `${`## ${call.method} /api${call.path}\n\n${call.summary}.\n\n${form}${tables.join("\n")}`.trimEnd()}\n`;
}

/** The text of docs/wire.md. */
export async function describeWire(): Promise<string> {
  const intro = `# The wire

Made from the contracts by \`npm run wire\`; a test says when it is out of date.
On the left of each table stands what travels, with the spellings that the specification fixes,
on the right what the code calls it. \`a[].b\` is the field \`b\` of each element of the list \`a\`.
Every answer comes in the envelope \`{code, status, message, data}\`; a refusal adds \`error\`,
and for bad input \`data\` is \`{field: [sentences]}\`.
\`code\` is the HTTP status as text, but the number 200 after a log-in with a password.
The same in OpenAPI 3.1: \`/api/openapi.json\`, to browse at \`/api/docs\`.

A payment that is refused says in \`money\` what became of the payer's money: \`untouched\`, \`charged_before\` or \`unknown\`.

Some things stand outside the tables.
A POST carries the value of the cookie \`XSRF-TOKEN\`, which any GET below \`/api\` sets, in the header \`X-XSRF-TOKEN\`.
\`GET /api/captcha?action=\` answers the challenge at the top level, where ALTCHA's widget reads it.
The action is the call's:
${captchaActions.map((action) => `\`${action}\``).join(", ")}.
Without one it is \`donate\`, whose solution serves all but \`login\`, \`reset\` and \`hold\`.
The refusal \`captcha_dearer\` has the \`effort\` at the top level that goes into the query as \`effort\`.
A payment may carry the header \`Idempotency-Key\`, a UUID that names this one submission;
without it the card token or the PayPal nonce does.
\`next\` is the cursor of the following page, for \`after\`, and is left out on the last one.
\`/api/webhooks/braintree\` is Braintree's: a form of \`bt_signature\` and \`bt_payload\` by POST,
answered by an empty 200, and \`bt_challenge\` by GET, answered as text.
`;
  return `${intro}\n${(await listCalls()).map(describeCall).join("\n")}`;
}

export const isUpToDate = async () => readFileSync(file, "utf8") === (await describeWire());

if (import.meta.main) writeFileSync(file, await describeWire());
