import { setTimeout as sleep } from "node:timers/promises";
import { createLog } from "#app/main.ts";
import { createServices, type Services } from "#app/services.ts";
import { findAttempt } from "#payments/attempts.ts";
import { readConfig } from "#shared/config.ts";
import type { Database } from "#shared/database/connect.ts";
import { dayInSydney } from "#shared/sydney.ts";
import type { SimulatorControl } from "#simulators/control.ts";
import { hasMovedMoney } from "#simulators/ledger.ts";
import type { Gift } from "./donor.ts";

const settlingMs = 25 * 3_600_000;
const openStates = ["requested", "submitting", "unknown"] as const;

type Staff = { readonly services: Services; readonly simulator: SimulatorControl; readonly random: () => number };

export type GivingBack = ReturnType<typeof giveBack>;

/** What staff do: they ask for refunds in the database, which the server under fire then carries out. */
export function giveBack({ services, simulator, random, share }: Staff & { readonly share: number }) {
  const { database, payments, reconciliation, now } = services;
  const wanted = new Map<string, Gift>();

  /** Again while the database is away: the same key is the same refund. */
  async function ask(gift: Gift, amountCents: number | null, requestKey: string): Promise<void> {
    const wish = { attemptId: gift.id!, amountCents, requestKey, requestedBy: "staff", reason: "asked for" } as const;
    for (const deadline = Date.now() + 60_000; ; await sleep(200)) {
      try {
        await payments.refunds.request(wish);
        wanted.set(gift.id!, gift);
        return;
      } catch (error) {
        if (Date.now() > deadline) throw error;
      }
    }
  }

  return {
    /** Some of the gifts that were paid go back whole, most before they have settled. */
    async afterGiving(gift: Gift): Promise<void> {
      if (gift.told.at(-1) === "succeeded" && random() < share) await ask(gift, null, `whole ${gift.id}`);
    },

    /** A day later: parts of some gifts go back, of some twice; and some whole ones are refunded at the provider itself. */
    async onNextDay(gifts: readonly Gift[]): Promise<void> {
      await simulator.advance(settlingMs);
      const kept = gifts.filter(({ id, told }) => id !== undefined && told.at(-1) === "succeeded" && !wanted.has(id));
      for (const gift of kept) {
        const draw = random();
        if (draw < share) await ask(gift, 1 + Math.floor(random() * (gift.totalCents - 1)), `part ${gift.id}`);
        if (draw < share / 2) await ask(gift, null, `rest ${gift.id}`);
        if (draw > 1 - share / 4) await refundAtProvider(gift);
      }
    },

    /** Waits until no refund is open; how many there are. */
    async untilDone(patienceMs: number): Promise<number> {
      for (const deadline = Date.now() + patienceMs; ; await sleep(200)) {
        await hurryRefunds(database).catch(() => undefined);
        const open = await countRefunds(openStates).catch(() => 1);
        if (open === 0 || Date.now() > deadline) return open;
      }
    },

    /** The comparison of the day, twice: what the first one takes onto the books the second finds there. */
    async reconcile(): Promise<string[]> {
      const day = dayInSydney(now());
      for (let time = 0; time < 2; time += 1) {
        for (const provider of ["payway", "braintree"] as const) {
          const run = await reconciliation.reconcileDay(provider, day, { isAgain: true });
          if (run?.state !== "done")
            return [`${provider} could not be compared: ${run?.detail ?? "somebody else is at it"}`];
        }
      }
      const findings = await database
        .selectFrom("reconciliation_findings")
        .select(["kind", "reference"])
        .where("resolved_at", "is", null)
        .execute();
      return findings.map(({ kind, reference }) => `${kind} ${reference}`);
    },

    countDone: () => countRefunds(["succeeded"]),
  };

  async function countRefunds(states: readonly ("succeeded" | (typeof openStates)[number])[]): Promise<number> {
    const { count } = await database
      .selectFrom("refunds")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("state", "in", [...states])
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  async function refundAtProvider(gift: Gift): Promise<void> {
    const attempt = await findAttempt(database, gift.id!);
    const charge = (await simulator.listLedger()).find(
      (row) => row.orderReference === attempt?.order_reference && row.type === "payment" && hasMovedMoney(row),
    );
    if (charge === undefined) return;
    wanted.set(gift.id!, gift);
    await simulator.actExternally({ do: "refund", transactionId: charge.transactionId });
  }
}

/** What the provider refuses for now is asked for again minutes later, twice as many each time; here nobody waits for that. */
export async function hurryRefunds(database: Database): Promise<void> {
  const now = new Date();
  await database
    .updateTable("refunds")
    .set({ next_check_at: now })
    .where("state", "=", "requested")
    .where("next_check_at", ">", now)
    .execute();
}

/** The services of staff's own process: on the same database and providers, with no server and no jobs of its own. */
export async function openOffice(environment: Record<string, string>): Promise<Services> {
  const config = readConfig({ ...environment, LOG_LEVEL: "silent" });
  return createServices({ config, databaseUrl: config.databaseUrl!, log: createLog("silent") });
}
