import { expect } from "vitest";
import { isLongRun } from "../long-run.ts";
import { createVisitor, type Visitor } from "../site.ts";
import { anyMark } from "./injection-corpus.ts";
import { openWholeSite, type WholeSite } from "./whole-site.ts";

/** The faults found so far, as sentences; each test removes its own. */
export const faults: string[] = [];
export const fault = (text: string) => void faults.push(text);

/** A site whose limits allow many texts. */
export function openPatientSite(): Promise<WholeSite> {
  const many = "100000";
  return openWholeSite({
    LIMITS_DECLINES: many,
    LIMITS_MESSAGES: many,
    LIMITS_MESSAGES_PER_EMAIL: many,
    LIMITS_LOGINS: many,
    LIMITS_LOGINS_PER_ADDRESS: many,
    LIMITS_APPLICATIONS: many,
    LIMITS_APPLICATIONS_PER_EMAIL: many,
  });
}

/** Checks that each event is one line of the log, without control characters or typed text. */
export function expectCleanLog({ lines }: Pick<WholeSite, "lines">): void {
  expect(lines.length).toBeGreaterThan(100);
  const isWrong = (line: string) => {
    const text = line.replace(/\n$/, "");
    return /[\p{Cc}\u2028\u2029]/u.test(text) || anyMark.test(text) || typeof JSON.parse(text) !== "object";
  };
  expect(lines.filter(isWrong).map((line) => line.slice(0, 400))).toEqual([]);
}

/** Every element with its attribute names, which a text cannot change as long as it stays text. */
export const skeletonOf = (page: Document) =>
  [...page.querySelectorAll("*")].map((one) => `${one.tagName} ${one.getAttributeNames().join(" ")}`).join("\n");

export const show = (text = "nothing") => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** A visitor at a new address, so that no address reaches a limit. */
export const visitorOf = ({ app }: WholeSite, n: number) => createVisitor(app, `198.51.100.${n}`);

export type TypedFields = Record<string, string>;
type Answer = Awaited<ReturnType<Visitor["post"]>>;

/**
 * Sends a form with a hostile text in all of these fields, and replaces each refused field with a valid value until the
 * form is accepted. Returns the fields that were accepted unchanged.
 */
export async function sendHostile(
  hostile: TypedFields,
  send: (hostile: TypedFields) => Promise<Answer>,
): Promise<TypedFields> {
  const left = { ...hostile };
  for (let round = 0; round < 8; round += 1) {
    const answer = await send(left);
    const code = Number(answer.code);
    if (code === 200) return left;
    const named = Object.keys(answer.data ?? {}).map((name) => name.split(".").at(-1)!);
    // Errors may follow from a wrong field: without the kind of donation its amount is wrong too.
    if (code !== 422 || answer.error !== "invalid_input" || !named.some((name) => name in left)) {
      const sent = Object.entries(left).map(([name, text]) => `${name} ${show(text)}`);
      fault(`${code} ${answer.error} about ${named} for ${sent}`);
      return {};
    }
    if (anyMark.test(JSON.stringify(answer.data)))
      fault(`the refusal repeats what was sent: ${JSON.stringify(answer.data)}`);
    for (const name of named) delete left[name];
  }
  fault(`never taken: ${Object.keys(left)}`);
  return {};
}

/** Compares what is stored with what was sent. */
export function expectKept(
  kept: Record<string, unknown>,
  taken: TypedFields,
  column: (field: string) => string | undefined,
) {
  for (const [field, text] of Object.entries(taken)) {
    const name = column(field);
    if (name !== undefined && kept[name] !== text.trim()) fault(`${field}: kept ${kept[name]} for ${show(text)}`);
  }
}

/**
 * Checks how many texts each field accepted unchanged: most for open fields, none for closed ones. `least` is for the
 * long run; `npm test` tries half as many texts.
 */
export function countFields() {
  const count: Record<string, number> = {};
  return {
    add(taken: TypedFields) {
      for (const field of Object.keys(taken)) count[field] = (count[field] ?? 0) + 1;
    },
    expectOpen(least: Record<string, number>) {
      for (const [field, texts] of Object.entries(least)) {
        expect(count[field], field).toBeGreaterThanOrEqual(isLongRun ? texts : Math.floor(texts / 2));
      }
    },
    expectClosed(fields: readonly string[]) {
      for (const field of fields) expect(count[field], field).toBeUndefined();
    },
  };
}

/** The same text in all of these fields. */
export const inAll = (names: readonly string[], text: string): TypedFields =>
  Object.fromEntries(names.map((name) => [name, text]));
