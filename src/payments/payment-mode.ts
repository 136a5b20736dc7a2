import type { Database } from "#shared/database/connect.ts";

const settingsKey = "payments";

type PaymentMode = "simulated" | "off" | "live";

/**
 * A database takes real or simulated payments, never both, because they would share receipt numbers. The first start
 * decides; a database without payments may change. `off`: it takes none yet.
 * @throws Error with what to do if it holds payments of the other kind.
 */
export async function requirePaymentMode(database: Database, mode: PaymentMode): Promise<void> {
  const setting = database.selectFrom("site_settings").select("value").where("key", "=", settingsKey);
  const kept = (await setting.executeTakeFirst())?.value;
  if (kept === mode) return;
  const payment = await database.selectFrom("payment_attempts").select("id").limit(1).executeTakeFirst();
  if (payment !== undefined && (mode !== "simulated" || kept === "live")) {
    throw new Error(
      kept !== "live"
        ? `PAYMENTS=${mode} needs an empty database: this one holds simulated payments.`
        : "This database holds real payments. Set PAYMENTS=live, or use another database to try things out.",
    );
  }
  const value = JSON.stringify(mode);
  await database
    .insertInto("site_settings")
    .values({ key: settingsKey, value })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value }))
    .execute();
}
