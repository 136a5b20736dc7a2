import { randomUUID } from "node:crypto";
import { MADE_PASSWORD, makeUser } from "#database/factories.ts";
import { logInCall } from "#features/accounts/contract.ts";
import { call, type Send } from "#shared/contract/call.ts";
import type { Database } from "#shared/database/connect.ts";
import { hashPassword } from "#shared/sessions/passwords.ts";
import { createScriptedDonor } from "#test/faults/donor.ts";
import { createTicketClient } from "#test/faults/ticket-client.ts";
import { createScriptedBrowser } from "#test/scripted-browser.ts";

const pages = ["/", "/news", "/events", "/gallery", "/vision", "/contact", "/donation", "/login", "/privacy"];
const MEMBERS = 20;

type Place = {
  readonly url: string;
  readonly paywayUrl: string;
  readonly event: string;
  readonly random: () => number;
  readonly database: Database;
};

export type Visitors = Awaited<ReturnType<typeof createVisitors>>;

/** Visitors who each do one thing: most read a page; some donate, log in or hold a seat. Each has their own address. */
export async function createVisitors({ url, paywayUrl, event, random, database }: Place) {
  const unexpected: string[] = [];
  const password_hash = await hashPassword(MADE_PASSWORD);
  const members = await Promise.all(Array.from({ length: MEMBERS }, () => makeUser(database, { password_hash })));
  let count = 0;
  const newAddress = () => {
    count += 1;
    return `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`;
  };

  const acts = {
    async read() {
      const page = pages[Math.floor(random() * pages.length)]!;
      const response = await fetch(url + page, { redirect: "manual", headers: { "x-forwarded-for": newAddress() } });
      await response.arrayBuffer();
      return response.status < 400 ? undefined : `${page} ${response.status}`;
    },
    async give() {
      const donor = createScriptedDonor({ url, paywayUrl, address: newAddress(), random, payPalShare: 0.3 });
      const { donation, body } = await donor.prepare(`soak-${count}`);
      await donor.submit(donation, body, 20_000);
      return donation.told.at(-1) === "succeeded"
        ? undefined
        : `donation ${donation.told.at(-1)} ${donation.refusals.join(" ")}`;
    },
    async logIn() {
      const { email } = members[Math.floor(random() * MEMBERS)]!;
      const send = await openBrowser(url, newAddress());
      const answer = await call(send, logInCall, { body: { email, password: MADE_PASSWORD } });
      return answer.ok ? undefined : `log-in ${answer.status} ${answer.message}`;
    },
    async holdSeat() {
      const client = createTicketClient({ url, paywayUrl, address: newAddress() });
      const answer = await client.hold(event, [{ type: "standard", quantity: 1 }]);
      return answer.ok ? undefined : `hold ${answer.status} ${answer.message}`;
    },
  };

  return {
    /** Unexpected answers. */
    unexpected,
    async act(): Promise<void> {
      const draw = random();
      const act = draw < 0.9 ? acts.read : draw < 0.94 ? acts.give : draw < 0.97 ? acts.logIn : acts.holdSeat;
      const fault = await act().catch((error: Error) => error.message);
      if (fault !== undefined) unexpected.push(fault);
    },
  };
}

/** A browser that has the site's cookies. */
export async function openBrowser(url: string, address: string): Promise<Send> {
  const send = createScriptedBrowser({ url, address });
  await send({ method: "GET", url: `/api/payments/${randomUUID()}`, body: undefined, headers: {} });
  return send;
}
