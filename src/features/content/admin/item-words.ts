import { dayInSydney, formatDay, formatTime } from "#shared/language.ts";

/** '24 November 2026, 7:00 am', in Sydney. */
export function describeTime(at: Date): string {
  return `${formatDay(dayInSydney(at))}, ${formatTime(at, "Australia/Sydney").toLowerCase()}`;
}

type Stated = {
  readonly latest: number;
  readonly published: number | null;
  readonly wasPublished: boolean;
  readonly isPutAside: boolean;
  readonly scheduledAt: Date | null;
};

/** An item's state as words and a `look`. */
export function describeState({ latest, published, wasPublished, isPutAside, scheduledAt }: Stated): {
  text: string;
  look: "ok" | "act" | "off" | "plain";
} {
  if (scheduledAt !== null) {
    const what = published === null ? "Goes out" : "Published, and a newer version goes out";
    return { text: `${what} ${describeTime(scheduledAt)}`, look: "act" };
  }
  if (published === latest) return { text: "Published", look: "ok" };
  if (published !== null) return { text: "Published, with a newer draft", look: "act" };
  if (isPutAside) return { text: "Put aside", look: "off" };
  return wasPublished ? { text: "Not published", look: "off" } : { text: "Draft", look: "plain" };
}
