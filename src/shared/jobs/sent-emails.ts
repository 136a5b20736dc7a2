import { sql } from "kysely";

/** Of a job for an email in `pgboss.job`: false if the email had nothing left to say when its turn came. */
export const isToSendOrSent = sql`output ->> 'isSent' is distinct from 'false'`;
