import { sql } from "kysely";
import { z } from "zod";
import { action, Refusal } from "#admin/actions.ts";
import { recordAct } from "#admin/audit.ts";
import type { AdminPart } from "#admin/feature.ts";
import { AppError } from "#shared/errors.ts";
import { ACCOUNTS_SETTING, readAccountForm } from "../accounts.ts";
import { readAccountSettings } from "../server/journal.ts";
import type { BookkeepingServices } from "./admin-parts.ts";

declare module "#admin/screen.ts" {
  interface AdminReads {
    readonly readAccountSettings: () => ReturnType<typeof readAccountSettings>;
  }
}

export const ACCOUNTS_PATH = "/admin/journal/accounts";

/** The codes, names and taxes by which the accounting program knows the accounts. */
export function accountsPart(services: BookkeepingServices): AdminPart {
  return {
    reads: { readAccountSettings: () => readAccountSettings(services.database) },
    actions: [saveAction(services)],
  };
}

const saveAction = ({ database, now }: BookkeepingServices) =>
  action({
    path: ACCOUNTS_PATH,
    screen: ACCOUNTS_PATH,
    right: "exports.make",
    needsProof: true,
    fields: z.record(z.string(), z.unknown()),
    run: ({ fields, actor }) =>
      database.transaction().execute(async (transaction) => {
        await sql`select pg_advisory_xact_lock(hashtext(${ACCOUNTS_SETTING}))`.execute(transaction);
        const { accounts, set, version } = await readAccountSettings(transaction);
        if (fields.version !== version) {
          throw new Refusal(
            "Somebody has saved these accounts since you opened them. Save again to use yours instead.",
          );
        }
        const typed = readAccountForm(fields, accounts);
        if ("errors" in typed) throw new AppError("invalid_input", { fields: typed.errors });
        const changed = Object.keys(typed.changed);
        if (changed.length === 0) return { to: "/admin/journal", toast: "Nothing was changed." };
        await transaction
          .insertInto("site_settings")
          .values({ key: ACCOUNTS_SETTING, value: JSON.stringify({ ...set, ...typed.changed }) })
          .onConflict((conflict) =>
            conflict.column("key").doUpdateSet((row) => ({ value: row.ref("excluded.value"), updated_at: sql`now()` })),
          )
          .execute();
        const before = { accounts: Object.fromEntries(changed.map((name) => [name, accounts.get(name)])) };
        const after = { accounts: typed.changed };
        const act = { verb: "journal.accounts", subject: "journal", subjectId: "", before, after };
        await recordAct(transaction, actor, act, now());
        return { to: "/admin/journal#accounts", toast: "The accounts are saved. The next file uses them." };
      }),
  });
