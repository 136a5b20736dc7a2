import { createBraintree } from "#payments/braintree/braintree.ts";
import { createPayway } from "#payments/payway/payway.ts";
import { formatList, formatNumber, plural } from "#shared/language.ts";
import { explainMailError } from "#shared/mail/explain-mail-error.ts";
import { domainOf, readMailDomain } from "#shared/mail/mail-domain.ts";
import {
  type Check,
  configOf,
  type DoctorContext,
  type DoctorFinding,
  fail,
  judge,
  note,
  ok,
  readRow,
  warn,
} from "./check.ts";

const providerNames = { payway: "PayWay", braintree: "PayPal" } as const;
type ProviderName = keyof typeof providerNames;
const hours = (count: number) => `${formatNumber(Math.round(count))} hours`;

export const serviceChecks: readonly Check[] = [
  {
    id: "mail.server",
    about: "The mail server answers and takes the login",
    isOnline: true,
    async run(context) {
      const { mail, isDemo } = configOf(context);
      if (mail.smtpUrl === undefined) {
        const says = "Emails stay in the site's own mailbox: SMTP_URL is not set.";
        return isDemo ? note(says, "Set SMTP_URL before you take real payments.") : fail(says, "Set SMTP_URL.");
      }
      const { createTransport } = await import("nodemailer");
      const limits = { connectionTimeout: 4000, greetingTimeout: 4000, socketTimeout: 4000 };
      const transport = createTransport({ ...limits, url: mail.smtpUrl } as object);
      try {
        await transport.verify();
        return ok("The mail server takes our login.");
      } catch (error) {
        return fail("The mail server does not take emails.", explainMailError(error, mail.smtpUrl));
      } finally {
        transport.close();
      }
    },
  },
  {
    id: "mail.domain",
    about: "The sender's domain has records of SPF and DMARC, and of DKIM if `MAIL_DKIM_SELECTOR` names its key",
    isOnline: true,
    async run(context) {
      const { mail } = configOf(context);
      if (mail.smtpUrl === undefined) return ok("No emails go out, so the sender's domain does not matter yet.");
      const { domain, ...found } = await readMailDomain(domainOf(mail.from), mail.dkimSelector, context.lookUp);
      const asked = Object.entries(found).filter(([, state]) => state !== null);
      const missing = asked.filter(([, state]) => state === "missing").map(([name]) => name.toUpperCase());
      const facts = { domain, ...found };
      if (missing.length > 0) {
        const says = `${domain} has no record of ${formatList(missing, "and")}, so emails may end as spam.`;
        return warn(says, "Whoever manages the domain adds it; the mail server's provider says what.", facts);
      }
      if (asked.some(([, state]) => state === "unknown"))
        return note("The DNS could not be asked.", "Try again later.", facts);
      const names = asked.map(([name]) => name.toUpperCase());
      return ok(`${domain} has records of ${formatList(names, "and")}.`, facts);
    },
  },
  {
    id: "mail.waiting",
    about: "Emails go out: none failed, and none waits for long (15 minutes, 2 hours)",
    async run(context) {
      const { failed, minutes } = await readRow<{ failed: number; minutes: number }>(
        context,
        `select count(*) filter (where name = 'failed' and state < 'completed')::integer as failed,
                coalesce(extract(epoch from max($1 - start_after) filter (where name = 'emails' and state < 'active')) / 60, 0)::float8
                  as minutes
           from pgboss.job where name in ('failed', 'emails')`,
        [context.now()],
      );
      const facts = { failed, minutes };
      const state = judge(minutes, { warn: 15, fail: 120 });
      if (state !== null) {
        const says = `An email has waited for ${formatNumber(Math.round(minutes))} minutes.`;
        return { state, says, does: "Is the site running? Its log says why emails wait.", facts };
      }
      if (failed === 0) return ok("No email waits or has failed.", facts);
      const count = plural(failed, { one: "1 email has failed", other: `${formatNumber(failed)} emails have failed` });
      return warn(`${count}.`, "See Failed emails in the back office.", facts);
    },
  },
  providerCheck("payway", (config) => createPayway(config.payway).checkCredentials()),
  providerCheck("braintree", (config) => createBraintree(config.braintree).checkCredentials()),
  {
    id: "payments.circuits",
    about: "No payment provider is set aside because it failed",
    async run(context) {
      const { away } = await readRow<{ away: ProviderName[] | null }>(
        context,
        "select array_agg(provider::text) as away from provider_health where opened_at is not null",
      );
      if (away === null) return ok("No payment provider is set aside.");
      const names = formatList(
        away.map((provider) => providerNames[provider]),
        "and",
      );
      return warn(`${names} gets no payments now, because calls failed.`, "It comes back by itself once it answers.");
    },
  },
  {
    id: "payments.open",
    about: "No payment stays without a definite answer (15 minutes, a day)",
    async run(context) {
      const { count, minutes } = await readRow<{ count: number; minutes: number }>(
        context,
        `select count(*)::integer as count, coalesce(extract(epoch from $1 - min(sent_at)) / 60, 0)::float8 as minutes
           from payment_attempts where state in ('submitting', 'unknown', 'processing') and sent_at < $1 - interval '15 minutes'`,
        [context.now()],
      );
      const state = judge(minutes, { warn: 15, fail: 24 * 60 });
      const facts = { count, minutes };
      if (state === null) return ok("Every payment has its answer.", facts);
      const says = plural(count, {
        one: "1 payment has had no definite answer for more than 15 minutes.",
        other: `${formatNumber(count)} payments have had no definite answer for more than 15 minutes.`,
      });
      return { state, says, does: "See Reconciliation, Payments to review, in the back office.", facts };
    },
  },
  {
    id: "payments.comparison",
    about: "The books were compared with the providers' (26 hours, 50 hours), and agree",
    async run(context) {
      if (configOf(context).paymentMode === "off") return ok("Payments are off, so there is nothing to compare.");
      const { age, open } = await readRow<{ age: number | null; open: number }>(
        context,
        `select (select extract(epoch from $1 - max(finished_at)) / 3600 from reconciliation_runs where state = 'done')::float8 as age,
                (select count(*)::integer from reconciliation_findings where resolved_at is null) as open`,
        [context.now()],
      );
      const facts = { hours: age, open };
      if (age === null) return note("The books were never compared yet.", "The site compares them every night.", facts);
      const state = judge(age, { warn: 26, fail: 50 });
      if (state !== null) {
        const says = `The books were last compared ${hours(age)} ago.`;
        return { state, says, does: "Is the site running at night? See Reconciliation in the back office.", facts };
      }
      if (open === 0) return ok("The books agree with the providers'.", facts);
      const count = plural(open, { one: "1 difference is", other: `${formatNumber(open)} differences are` });
      return warn(
        `${count} open between the providers' books and ours.`,
        "See Reconciliation in the back office.",
        facts,
      );
    },
  },
];

function providerCheck(provider: ProviderName, ask: (config: ReturnType<typeof configOf>) => Promise<void>): Check {
  const name = providerNames[provider];
  return {
    id: `payments.${provider}`,
    about: `${name} answers and takes our keys`,
    isOnline: true,
    async run(context: DoctorContext): Promise<DoctorFinding> {
      const config = configOf(context);
      if (config.paymentMode === "off") return ok(`Payments are off, so ${name} is not asked.`);
      if (provider === "braintree" && !config.braintree.isOffered) return ok("PayPal is not offered.");
      try {
        await ask(config);
        return ok(`${name} answers and takes our keys.`);
      } catch {
        const does = config.isDemo
          ? "Simulated payments need the site to run: start it."
          : `Check the keys of ${name} in .env, and whether this machine reaches it.`;
        return fail(`${name} does not answer, or does not take our keys.`, does);
      }
    },
  };
}
