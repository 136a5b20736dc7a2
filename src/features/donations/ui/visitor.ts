import { z } from "zod";
import { onWire } from "#shared/contract/wire.ts";
import { loginThen, paths } from "#shared/paths.ts";
import type { Personal } from "../draft.ts";

/** What the header keeps of a logged-in person in session storage; a convenience that nothing trusts (LOG-17). */
const SessionUser = onWire(
  z.object({
    userId: z.coerce.number<string | number>().int().positive(),
    firstName: z.string().default(""),
    lastName: z.string().default(""),
    email: z.string().default(""),
    postcode: z.string().default(""),
  }),
  { userId: "user_id", firstName: "first_name", lastName: "last_name", postcode: "postal_code" },
);

export type Visitor =
  | { readonly kind: "member"; readonly userId: number; readonly personal: Personal }
  | { readonly kind: "guest"; readonly userId: 0 }
  | { readonly kind: "stranger"; readonly userId: 0 };

export const guest = { kind: "guest", userId: 0 } as const satisfies Visitor;

export function findVisitor(): Visitor {
  const user = readSession("user");
  if (user !== undefined) {
    const { userId, ...personal } = user;
    return { kind: "member", userId, personal: { ...personal, isAnonymous: false } };
  }
  return hasGuestMarker() ? guest : { kind: "stranger", userId: 0 };
}

/** Who has neither a session nor the guest marker logs in first, and comes back (DON-2, NAV-6). */
export function sendToLogin(): void {
  location.replace(loginThen(paths.donation));
}

function readSession(key: string) {
  try {
    const user = SessionUser.safeParse(JSON.parse(sessionStorage.getItem(key) ?? "null"));
    return user.success ? user.data : undefined;
  } catch {
    return undefined;
  }
}

/** Where local storage is switched off nobody can be marked as a guest, so everybody counts as one. */
function hasGuestMarker(): boolean {
  try {
    return localStorage.getItem("guest") !== null;
  } catch {
    return true;
  }
}
