import { listStaffWith } from "#admin/two-people.ts";
import type { Connection } from "#shared/database/connect.ts";
import { bankAccountRule } from "../../server/bank-account-requests.ts";
import type { SettingsEmailJob } from "../../server/emails.ts";
import type { SettingsServices } from "../../server/settings-services.ts";

/** Queues the email about this act to every administrator, whoever acted included: their session may be a thief’s. */
export async function emailAdministrators(
  transaction: Connection,
  jobs: SettingsServices["jobs"],
  email: Omit<SettingsEmailJob, "toId">,
): Promise<void> {
  const administrators = await listStaffWith(transaction, bankAccountRule.decides);
  const emails = administrators.map(({ id }): SettingsEmailJob => ({ ...email, toId: id }));
  await jobs.sendAll(transaction, "emails", emails);
}
