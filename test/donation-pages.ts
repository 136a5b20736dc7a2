import { expect } from "vitest";
import { sendEmails } from "#app/emails.ts";
import type { JobData } from "#shared/jobs/queues.ts";
import { type AdminSite, openAdminSite } from "./admin-site.ts";
import { readPage } from "./read-page.ts";

export type DonationPages = AdminSite & ReturnType<typeof extend>;

/** A site with the back office, for tests of a donation's page. */
export async function openDonationPages(environment: Record<string, string> = {}): Promise<DonationPages> {
  const site = await openAdminSite({ LIMITS_DECLINES: "1000", ...environment });
  return { ...site, ...extend(site) };
}

function extend(site: AdminSite) {
  const { pool, services } = site;
  return {
    /** Makes a donation of $100 as a donor does, of Sadaqah unless `fund` names another category; returns its id. */
    async donate({ fund = "Sadaqah", changes = {} }: { fund?: string; changes?: Record<string, unknown> } = {}) {
      const line = {
        donation_type: fund,
        donation_type_option: "",
        quantity: 1,
        donation_amount: 100,
        net_donation_amount: 100,
        admin_fee_amount: 5,
        merchant_fee: 1.58,
        donation_shared_name: "",
      };
      const sent = { donationType: fund, item_details: JSON.stringify([line]), repeat: true, ...changes };
      const { answer } = await site.give(await site.visitor(), { changes: sent });
      expect(answer.code).toBe("200");
      return /[0-9a-f-]{36}/.exec(answer.data.receiptUrl)![0];
    },
    donationOf: async (id: string) => (await pool.query("select * from donations where id = $1", [id])).rows[0],
    receiptsOf: async (id: string) =>
      (await pool.query("select * from receipts where donation_id = $1 order by number", [id])).rows,
    actsOf: async (id: string) =>
      (
        await pool.query(
          "select verb, actor, ip_address, before, after, reason from audit_trail where subject_id = $1 order by id",
          [id],
        )
      ).rows,
    /** The donation's emails of this template that wait in the outbox. */
    jobsOf: async (id: string, template = "receipt-copy"): Promise<JobData["emails"][]> =>
      (
        await pool.query(
          "select data from pgboss.job where name = 'emails' and data ->> 'donationId' = $1 and data ->> 'template' = $2 order by created_on, id",
          [id, template],
        )
      ).rows.map(({ data }) => data),
    /** The email of a job, as its recipient gets it. */
    async mailOf(job: JobData["emails"]) {
      await pool.query("truncate mailbox_messages");
      await sendEmails(services)(job);
      const { rows } = await pool.query(
        "select message_id as id, recipient, subject, text_body as text, attachments from mailbox_messages",
      );
      return rows[0] as { id: string; recipient: string; subject: string; text: string; attachments: unknown[] };
    },
    /** The cents of each account; every ledger transaction sums to zero. */
    async ledgerOf(id: string): Promise<Record<string, number>> {
      const { rows } = await pool.query(
        "select account, ledger_entries.amount_cents as cents, transaction_id as of from ledger_entries join payment_attempts a on a.id = attempt_id where donation_id = $1",
        [id],
      );
      const sums: Record<string, number> = {};
      const transactions: Record<string, number> = {};
      for (const { account, cents, of } of rows) {
        sums[account] = (sums[account] ?? 0) + Number(cents);
        transactions[of] = (transactions[of] ?? 0) + Number(cents);
      }
      expect(Object.values(transactions).every((cents) => cents === 0)).toBe(true);
      return sums;
    },
  };
}

/** A page's text in one line. */
export const wordsOf = (html: string) => readPage(html).querySelector("main")!.textContent!.replace(/\s+/g, " ");

/** The fields of a form on its page, hidden ones included; a button's only if `pressed` is its value. */
export function fieldsOf(html: string, action: string): Record<string, string> {
  const form = readPage(html).querySelector(`form[action="${action}"]`);
  if (form === null) throw new Error(`There is no form for ${action}.`);
  const fields = [...form.querySelectorAll<HTMLInputElement>("input[name], textarea[name], select[name]")];
  return Object.fromEntries(fields.map((field) => [field.name, field.value]));
}
