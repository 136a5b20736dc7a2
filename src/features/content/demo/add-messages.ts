import { randomUUID } from "node:crypto";
import type { Database } from "#shared/database/connect.ts";
import { demoPeople } from "#shared/demo-people.ts";
import type { MessageState } from "../server/messages.ts";

const HOUR_MS = 3_600_000;

/** Who wrote (index in the list of people), hours ago, subject, text, state. */
const messages: readonly (readonly [number, number, string, string, MessageState])[] = [
  [4, 3, "A receipt for last year", "Could you send me my receipts of the last financial year again?", "open"],
  [7, 21, "", "السلام علیکم\n\nکیا میں زکوٰۃ فون پر دے سکتی ہوں؟", "open"],
  [
    11,
    30,
    "A talk at our school",
    "Our Year 9 raised $412 with a cake stall. Would somebody come and tell us about the schools?\n\nWe meet on Thursdays.",
    "open",
  ],
  [2, 160, "Two charges?", "My bank shows two lines of $50. Did I give twice?", "answered"],
  [15, 300, "Grow your traffic", "We put your charity on page one of every search engine.", "spam"],
];

/** Adds messages of the contact form, some of which somebody has answered. */
export async function addMessages({ database }: { readonly database: Database }, now: Date): Promise<void> {
  const rows = messages.map(([person, hoursAgo, subject, message, state]) => {
    const { firstName, lastName, email } = demoPeople[person]!;
    const created_at = new Date(now.getTime() - hoursAgo * HOUR_MS);
    const closed_at = state === "open" ? null : new Date(created_at.getTime() + 5 * HOUR_MS);
    const ids = { id: randomUUID(), client_key: randomUUID(), user_id: null };
    return {
      ...ids,
      name: `${firstName} ${lastName}`,
      email,
      phone: "",
      subject,
      message,
      state,
      created_at,
      closed_at,
    };
  });
  await database.insertInto("contact_messages").values(rows).execute();
}
