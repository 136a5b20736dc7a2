import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import type pg from "pg";
import { eventOf, type PaymentState, paidStates, shownAs } from "#payments/states.ts";
import type { Database } from "#shared/database/connect.ts";
import { countJobs } from "#shared/jobs/failed-jobs.ts";
import { type SimulatorControl, testCards } from "#simulators/control.ts";
import { hasMovedMoney } from "#simulators/ledger.ts";
import { compareBooks, faultsOf } from "../books.ts";
import type { SentDonation } from "./donor.ts";

/** The faults found, by the promise they break; empty if every promise was kept. */
export type Breaches = Readonly<Record<string, readonly string[]>>;

type Evidence = {
  readonly database: Database;
  readonly pool: pg.Pool;
  readonly simulator: SimulatorControl;
  readonly dataDir: string;
  readonly logFiles: readonly string[];
  readonly donations: readonly SentDonation[];
  /** How the server exited without being killed. */
  readonly failures: readonly string[];
  /** How many answers had each status. */
  readonly answers: Readonly<Record<string, number>>;
  /** What the daily comparison still finds. */
  readonly findings: readonly string[];
};

/** Compares the three books with each other, with what each donor was told, and with the emails and the log. */
export async function findBreaches(evidence: Evidence) {
  const { database, pool, simulator, donations } = evidence;
  const rows = await simulator.listLedger();
  const attempts = await listAttempts(database);
  const byKey = new Map(attempts.map((attempt) => [attempt.client_key, attempt]));
  const held = new Set(
    rows.filter((row) => row.type === "payment" && hasMovedMoney(row)).map(({ orderReference }) => orderReference),
  );
  const paid: readonly (string | undefined)[] = ["succeeded", "refunded"];
  const isPaid = (donation: SentDonation) => paid.includes(byKey.get(donation.key)?.shown);
  const isHeld = (donation: SentDonation) => held.has(byKey.get(donation.key)?.order_reference ?? "");
  const keysOf = (isBreach: (donation: SentDonation) => boolean) => donations.filter(isBreach).map(({ key }) => key);
  const { open, isBalanced, hasOneReceiptEach, ...books } = faultsOf(await compareBooks(pool, rows));
  const all: Breaches = {
    ...books,
    "attempts still open": open === 0 ? [] : [String(open)],
    "the provider's books, the ledger and the donations differ": isBalanced ? [] : ["the sums"],
    "receipts are not one for each success, without gaps": hasOneReceiptEach ? [] : ["the counts"],
    "told of a success that was lost": keysOf((donation) => donation.told.includes("succeeded") && !isPaid(donation)),
    "answered with an id that is not on the books": keysOf(
      (donation) => donation.id !== undefined && byKey.get(donation.key)?.id !== donation.id,
    ),
    "told that it failed while the provider holds the money": keysOf(
      (donation) => donation.told.includes("failed") && isHeld(donation),
    ),
    "told two different outcomes": keysOf(
      (donation) => donation.told.includes("succeeded") && donation.told.includes("failed"),
    ),
    "charged, but not told so in the end": keysOf(
      (donation) => isHeld(donation) && !paid.includes(donation.told.at(-1)),
    ),
    "charged a different amount from what the donor saw": keysOf(
      (donation) => byKey.has(donation.key) && byKey.get(donation.key)?.amount_cents !== donation.totalCents,
    ),
    "refused without a reason": donations.flatMap(({ refusals }) => refusals),
    "donations nobody sent": attempts
      .filter(({ client_key }) => !donations.some(({ key }) => key === client_key))
      .map(({ order_reference }) => order_reference),
    "card tokens kept": attempts.filter(({ instrument }) => instrument !== null).map(({ id }) => id),
    "emails that are not one for each success": await findWrongEmails(database),
    "refunds without their email": await findRefundsWithoutEmail(database),
    "ledger transactions that do not sum to zero": await findUnbalanced(database),
    "events that do not replay to the state": await findBadHistories(database),
    "findings of the daily comparison": evidence.findings,
    "jobs given up": (await countJobs(database)).failed === 0 ? [] : ["see the queue of failed jobs"],
    "answered 500 instead of 503": Array(evidence.answers[500] ?? 0).fill("see the log"),
    "the server exited unexpectedly": evidence.failures,
    "secrets in the log": evidence.logFiles.flatMap((file) =>
      findSecrets(readFileSync(file, "utf8"), listSecrets(evidence)),
    ),
  };
  return {
    succeeded: attempts.filter(({ shown }) => paid.includes(shown)).length,
    failed: attempts.filter(({ shown }) => shown === "failed").length,
    breaches: Object.fromEntries(Object.entries(all).filter(([, found]) => found.length > 0)) as Breaches,
  };
}

async function listAttempts(database: Database) {
  const rows = await database
    .selectFrom("payment_attempts")
    .select(["id", "client_key", "order_reference", "state", "amount_cents", "instrument"])
    .where("donation_id", "is not", null)
    .execute();
  return rows.map((row) => ({ ...row, shown: shownAs[row.state] }));
}

/** Each success, and nothing else, has one email with its receipt. Each donation has its own address. */
async function findWrongEmails(database: Database): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select d.email
      from donations d
      left join payment_attempts a on a.donation_id = d.id
        and a.state in (${sql.join(paidStates)})
      left join mailbox_messages m on m.recipient = d.email and m.message_id like '<receipt-%'
     group by d.id, a.id
    having case when a.id is null then count(m.id) > 0
                -- All of it may have gone back before the receipt's email went out: then the refund's email says so.
                when a.state = 'refunded' then count(m.id) > 1
                else count(m.id) <> 1 end`.execute(database);
  return rows.map(({ email }) => email);
}

/** Each refund has one email to the donor. */
async function findRefundsWithoutEmail(database: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select r.id
      from refunds r
      join payment_attempts a on a.id = r.attempt_id
      join donations d on d.id = a.donation_id
      left join mailbox_messages m on m.recipient = d.email and m.message_id like '<refund-' || r.id || '%'
     where r.state = 'succeeded'
     group by r.id
    having count(m.id) <> 1`.execute(database);
  return rows.map(({ id }) => id);
}

async function findUnbalanced(database: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select transaction_id as id from ledger_entries group by transaction_id having sum(amount_cents) <> 0`.execute(
    database,
  );
  return rows.map(({ id }) => id);
}

/** Replays each attempt's events from the start to its state, along the allowed moves. */
async function findBadHistories(database: Database): Promise<string[]> {
  const events = await database.selectFrom("payment_events").selectAll().orderBy("id").execute();
  const histories = Map.groupBy(events, ({ attempt_id }) => attempt_id);
  const attempts = await database.selectFrom("payment_attempts").select(["id", "state", "state_version"]).execute();
  return attempts
    .filter(({ id, state, state_version }) => {
      let at: PaymentState | null = null;
      const history = histories.get(id) ?? [];
      const isLegal = history.every(({ from_state, to_state, event }) => {
        const from = at;
        at = to_state as PaymentState;
        return from_state === from && (from === null ? to_state === "submitting" : eventOf(from, at) === event);
      });
      return !isLegal || at !== state || history.length !== state_version;
    })
    .map(({ id }) => id);
}

type Secrets = { readonly words: readonly string[]; readonly uuids: ReadonlySet<string> };

function listSecrets({ dataDir, donations }: Evidence): Secrets {
  const keyFile = join(dataDir, "secret-key");
  return {
    words: [
      "donors.example",
      "donor-",
      "T10000_SEC_simulator",
      ...Object.values(testCards).map(({ number }) => number),
      ...(existsSync(keyFile) ? [readFileSync(keyFile, "utf8")] : []),
    ],
    uuids: new Set(donations.flatMap(({ instrument, key }) => [instrument, key])),
  };
}

/** The lines of a log that contain personal data, a card, a token or a key. */
function findSecrets(log: string, { words, uuids }: Secrets): string[] {
  return log.split("\n").filter((line) => {
    const found = line.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? [];
    return words.some((word) => line.includes(word)) || found.some((uuid) => uuids.has(uuid));
  });
}
