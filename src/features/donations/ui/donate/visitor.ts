import { z } from "zod";
import type { Personal } from "../../draft.ts";

/** What the header keeps of a logged-in person in session storage; a convenience that nothing trusts (LOG-17). */
const SessionUser = z.object({
  user_id: z.union([z.int().positive(), z.string().regex(/^[1-9]\d{0,14}$/)]),
  first_name: z.string().default(""),
  last_name: z.string().default(""),
  email: z.string().default(""),
  postal_code: z.string().default(""),
});

export type Visitor =
  | { readonly kind: "member"; readonly userId: number; readonly personal: Personal }
  | { readonly kind: "guest"; readonly userId: 0 };

export const guest = { kind: "guest", userId: 0 } as const satisfies Visitor;

/** The server let in somebody logged in or a guest (DON-2); whoever this tab knows nothing of gives as a guest. */
export function findVisitor(): Visitor {
  const user = readSession("user");
  if (user === undefined) return guest;
  const { user_id, first_name, last_name, email, postal_code } = user;
  const personal = { firstName: first_name, lastName: last_name, email, postcode: postal_code, isAnonymous: false };
  return { kind: "member", userId: Number(user_id), personal };
}

/** The cause that a link to this page asked for. It leaves the address: from then on the draft keeps it. */
export function takeCause(): string | undefined {
  const address = new URL(location.href);
  const cause = address.searchParams.get("cause") ?? "";
  if (cause === "") return undefined;
  address.searchParams.delete("cause");
  history.replaceState(history.state, "", address);
  return /^[a-z][a-z-]{0,59}$/.test(cause) ? cause : undefined;
}

function readSession(key: string) {
  try {
    const user = SessionUser.safeParse(JSON.parse(sessionStorage.getItem(key) ?? "null"));
    return user.success ? user.data : undefined;
  } catch {
    return undefined;
  }
}
