import { constants, setPriority } from "node:os";
import { type AvifCopy, type AvifOrder, encodeAvif } from "./encode-avif.ts";

// A process of its own, started by add-avif.ts for one picture: sharp works on threads that the whole process shares, so
// in the site's own process a second of work could have no lower priority, and its memory would stay.

export type AvifAnswer = readonly AvifCopy[] | { readonly fault: string };

// Once it has been told, or is gone, nobody waits for more.
process.once("disconnect", () => process.exit());
process.once("message", (order: AvifOrder) => {
  setPriority(constants.priority.PRIORITY_LOW);
  encodeAvif(order).then(answer, ({ message }: Error) => answer({ fault: message }));
});

const answer = (message: AvifAnswer) => process.send!(message, () => process.disconnect());
