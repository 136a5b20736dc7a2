import { z } from "zod";
import { openStorage } from "#shared/ui/browser-storage.ts";
import { USER_KEY } from "#shared/ui/session-record.ts";
import type { Personal } from "../../draft.ts";

/** The header's record of a logged-in person in session storage: for convenience, never trusted (LOG-17). */
const SessionUser = z.object({
  user_id: z.union([z.int().positive(), z.string().regex(/^[1-9]\d{0,14}$/)]),
  first_name: z.string().default(""),
  last_name: z.string().default(""),
  email: z.string().default(""),
  postal_code: z.string().default(""),
});

const storage = openStorage("tab", USER_KEY);

export type DonatingVisitor =
  | { readonly kind: "member"; readonly userId: number; readonly personal: Personal }
  | { readonly kind: "guest"; readonly userId: 0 };

export const guest = { kind: "guest", userId: 0 } as const satisfies DonatingVisitor;

/** The server only lets in members and guests (DON-2), so without a record the visitor donates as a guest. */
export function findVisitor(): DonatingVisitor {
  const user = storage.find((text) => SessionUser.safeParse(JSON.parse(text ?? "null")).data);
  if (user === undefined) return guest;
  const { user_id, first_name, last_name, email, postal_code } = user;
  const personal = { firstName: first_name, lastName: last_name, email, postcode: postal_code, isAnonymous: false };
  return { kind: "member", userId: Number(user_id), personal };
}

/** Takes the cause out of the page's address; from then on the draft keeps it. */
export function takeCause(): string | undefined {
  const address = new URL(location.href);
  const cause = address.searchParams.get("cause") ?? "";
  if (cause === "") return undefined;
  address.searchParams.delete("cause");
  history.replaceState(history.state, "", address);
  return /^[a-z][a-z-]{0,59}$/.test(cause) ? cause : undefined;
}
