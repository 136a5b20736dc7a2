import { setTimeout as sleep } from "node:timers/promises";
import { createLog } from "#app/main.ts";
import { createServices, type Services } from "#app/services.ts";
import { findAttempt } from "#payments/attempts.ts";
import { readConfig } from "#shared/config/config.ts";
import type { Database } from "#shared/database/connect.ts";
import { dayInSydney } from "#shared/language.ts";
import type { SimulatorControl } from "#simulators/control.ts";
import { hasMovedMoney } from "#simulators/ledger.ts";
import type { SentDonation } from "./donor.ts";

const settlingMs = 25 * 3_600_000;
const openStates = ["requested", "submitting", "unknown"] as const;

type Staff = { readonly services: Services; readonly simulator: SimulatorControl; readonly random: () => number };

export type StaffRefunds = ReturnType<typeof refundSome>;

/** Staff: they request refunds in the database, which the server under chaos carries out. */
export function refundSome({ services, simulator, random, share }: Staff & { readonly share: number }) {
  const { database, payments, reconciliation, now } = services;
  const wanted = new Map<string, SentDonation>();

  /** Retries while the database is down: the same key is the same refund. */
  async function ask(donation: SentDonation, amountCents: number | null, requestKey: string): Promise<void> {
    const requested = {
      attemptId: donation.id!,
      amountCents,
      requestKey,
      requestedBy: "staff",
      reason: "asked for",
    } as const;
    for (const deadline = Date.now() + 60_000; ; await sleep(200)) {
      try {
        await payments.refunds.request(requested);
        wanted.set(donation.id!, donation);
        return;
      } catch (error) {
        if (Date.now() > deadline) throw error;
      }
    }
  }

  return {
    /** Refunds some paid donations in full, most before they have settled. */
    async afterDonation(donation: SentDonation): Promise<void> {
      if (donation.told.at(-1) === "succeeded" && random() < share) await ask(donation, null, `whole ${donation.id}`);
    },

    /** A day later: refunds parts of some donations, some twice, and some in full at the provider. */
    async onNextDay(donations: readonly SentDonation[]): Promise<void> {
      await simulator.advance(settlingMs);
      const kept = donations.filter(
        ({ id, told }) => id !== undefined && told.at(-1) === "succeeded" && !wanted.has(id),
      );
      for (const donation of kept) {
        const draw = random();
        if (draw < share)
          await ask(donation, 1 + Math.floor(random() * (donation.totalCents - 1)), `part ${donation.id}`);
        if (draw < share / 2) await ask(donation, null, `rest ${donation.id}`);
        if (draw > 1 - share / 4) await refundAtProvider(donation);
      }
    },

    /** Waits until no refund is open; returns how many there are. */
    async untilDone(patienceMs: number): Promise<number> {
      for (const deadline = Date.now() + patienceMs; ; await sleep(200)) {
        await makeRefundsDue(database).catch(() => undefined);
        const open = await countRefunds(openStates).catch(() => 1);
        if (open === 0 || Date.now() > deadline) return open;
      }
    },

    /** Runs the daily comparison twice: the second finds on the books what the first recorded. */
    async reconcile(): Promise<string[]> {
      const day = dayInSydney(now());
      for (let time = 0; time < 2; time += 1) {
        for (const provider of ["payway", "braintree"] as const) {
          const run = await reconciliation.reconcileDay(provider, day, { isAgain: true });
          if (run?.state !== "done")
            return [`${provider} could not be compared: ${run?.detail ?? "another process is comparing"}`];
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

  async function refundAtProvider(donation: SentDonation): Promise<void> {
    const attempt = await findAttempt(database, donation.id!);
    const charge = (await simulator.listLedger()).find(
      (row) => row.orderReference === attempt?.order_reference && row.type === "payment" && hasMovedMoney(row),
    );
    if (charge === undefined) return;
    wanted.set(donation.id!, donation);
    await simulator.actExternally({ do: "refund", transactionId: charge.transactionId });
  }
}

/** Skips the wait before a refund that was refused for now is requested again, which doubles each time. */
export async function makeRefundsDue(database: Database): Promise<void> {
  const now = new Date();
  await database
    .updateTable("refunds")
    .set({ next_check_at: now })
    .where("state", "=", "requested")
    .where("next_check_at", ">", now)
    .execute();
}

/** The services of a staff process: the same database and providers, without a server or jobs. */
export async function openServices(environment: Record<string, string>): Promise<Services> {
  const config = readConfig({ ...environment, LOG_LEVEL: "silent" });
  return createServices({ config, databaseUrl: config.databaseUrl!, log: createLog("silent") });
}
