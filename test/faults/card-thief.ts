import { testCards } from "#simulators/control.ts";
import type { TestSite } from "#test/site.ts";

const ADDRESSES = 50;

type Tally = Record<string, number>;
type Attack = {
  readonly attempts: number;
  readonly width: number;
  /** Milliseconds of the site's clock to wait before each try. */
  readonly pauseMs?: number;
  readonly addressOf?: (nth: number) => string;
  /** Called after this many tries. */
  readonly meanwhile?: { readonly after: number; readonly run: () => Promise<void> };
};

const ofOneNetwork = (nth: number) => `198.51.100.${nth}`;
/** An address of a network of its own. */
export const ofManyNetworks = (nth: number) => `10.${nth}.0.1`;

/**
 * Tests stolen cards as a thief would: from many addresses, with a new browser, email and token for each try, and every
 * captcha solved whatever it costs. Every card is declined.
 */
export async function testCardsOf(
  site: TestSite,
  { attempts, width, pauseMs = 0, addressOf = ofOneNetwork, meanwhile }: Attack,
): Promise<Tally> {
  const tally: Tally = {};
  let next = 0;
  const worker = async () => {
    while (next < attempts) {
      const attempt = next;
      next += 1;
      site.clock.advance(pauseMs);
      if (attempt === meanwhile?.after) await meanwhile.run();
      const visitor = await site.visitor(addressOf(attempt % ADDRESSES));
      const email = `thief-${attempt}@example.com`;
      const changes = { donor_email: email, donorEmail: email };
      const { answer } = await site.give(visitor, { card: testCards.declined, changes });
      const said = answer.error ?? answer.code;
      tally[said] = (tally[said] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  return tally;
}

/** How many charges of cards have reached the bank. */
export const chargesOf = async (site: TestSite) =>
  (await site.simulator.listRequests()).filter(({ op, provider }) => op === "charge" && provider === "payway").length;

/** A real donor, at another address. */
export async function realDonor(site: TestSite, address: string) {
  const changes = { donor_email: "aunt@example.com", donorEmail: "aunt@example.com", repeat: true };
  const visitor = await site.visitor(address);
  return {
    byCard: async () => (await site.give(visitor, { changes })).answer,
    byPayPal: async () => (await site.givePayPal(visitor, { changes })).answer,
  };
}
