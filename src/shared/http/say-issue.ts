import type { z } from "zod";

type RawIssue = z.core.$ZodRawIssue;

const kinds: Readonly<Record<string, string>> = {
  string: "Please send this as text.",
  number: "Please send a number.",
  int: "Please send a whole number.",
  boolean: "Please send true or false.",
  array: "Please send a list.",
  object: "Please send an object with named fields.",
};

const formats: Readonly<Record<string, string>> = {
  email: "Please enter an email address, such as name@example.com.",
  uuid: "Please send the id as this site gave it.",
};

/** What to do about a field, where its contract has no sentence of its own: nobody is told zod's (API-14). */
export function sayIssue(issue: RawIssue): string {
  if (issue.input === undefined) return "Please fill this in.";
  switch (issue.code) {
    case "invalid_type":
      return kinds[issue.expected] ?? "Please check this and send it again.";
    case "invalid_format":
      return formats[issue.format] ?? "Please check how this is written.";
    case "invalid_value":
      return `Please send ${list(issue.values.map(String))}.`;
    case "too_small":
      return `Please send at least ${measure(issue.minimum, issue.origin)}.`;
    case "too_big":
      return `Please send at most ${measure(issue.maximum, issue.origin)}.`;
    default:
      return "Please check this and send it again.";
  }
}

function list(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

function measure(size: number | bigint, origin: string): string {
  if (origin === "string") return `${size} characters`;
  return origin === "array" ? `${size} entries` : String(size);
}
