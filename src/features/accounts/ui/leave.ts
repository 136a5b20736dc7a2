import { whileLoading } from "#shared/ui/feedback.ts";

/** Somebody may stop the next page from loading, and go on with this one. */
const GIVE_UP_MS = 10_000;

/** Goes to another page of this site. The promise ends only if this page is used again after all. */
export function leaveFor(path: string): Promise<void> {
  location.assign(path);
  return whileLoading(
    new Promise((resolve) => {
      addEventListener("pageshow", ({ persisted }) => persisted && resolve());
      setTimeout(resolve, GIVE_UP_MS);
    }),
  );
}
