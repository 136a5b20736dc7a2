import type { ColumnType, Generated } from "kysely";
import type { RefundState } from "./refunds/refund-states.ts";
import type { PaymentActor, PaymentState } from "./states.ts";

declare module "#shared/database/tables.ts" {
  interface Tables {
    payment_attempts: {
      id: string;
      /** Either this or `ticket_order_id` is set. */
      donation_id: ColumnType<string | null, string | null | undefined, never>;
      ticket_order_id: ColumnType<string | null, string | null | undefined, never>;
      provider: ProviderName;
      order_reference: string;
      idempotency_key: string;
      client_key: string;
      request_hash: Buffer;
      instrument_hash: Buffer;
      instrument: string | null;
      amount_cents: number;
      currency: "AUD";
      state: PaymentState;
      state_version: Generated<number>;
      provider_transaction_id: string | null;
      provider_status: string | null;
      response_code: string | null;
      sends: Generated<number>;
      lease_until: Date | null;
      /** The process that is sending it; see process-presence.ts. */
      owner: ColumnType<number | null, number | null | undefined, number | null>;
      sent_at: Date;
      next_check_at: Date | null;
      checks: Generated<number>;
      was_uncertain: Generated<boolean>;
      settled_at: Date | null;
      customer_ip_address: string;
      /** The id of the browser's cookie; see shared/sessions/browser.ts. */
      browser_id: ColumnType<string | null, string | null | undefined, null>;
      /** The 3-D Secure answer; see `Authentication`. */
      authentication: ColumnType<Authentication | null, Authentication | null | undefined, Authentication | null>;
      raw: ColumnType<unknown, string | null, string | null>;
      created_at: Date;
    };
    refunds: {
      id: string;
      attempt_id: string;
      kind: Generated<RefundKind>;
      request_key: string;
      order_reference: string;
      idempotency_key: string;
      amount_cents: number;
      requested_by: "staff" | "system" | "provider";
      reason: Generated<string>;
      state: RefundState;
      state_version: Generated<number>;
      provider_transaction_id: string | null;
      provider_status: string | null;
      sends: Generated<number>;
      lease_until: Date | null;
      owner: ColumnType<number | null, number | null | undefined, number | null>;
      sent_at: Date | null;
      next_check_at: Date | null;
      checks: Generated<number>;
      settled_at: Date | null;
      raw: ColumnType<unknown, string | null, string | null>;
      created_at: Date;
    };
    refund_events: {
      id: Generated<number>;
      refund_id: string;
      from_state: RefundState | null;
      to_state: RefundState;
      event: string;
      detail: ColumnType<unknown, string | null, never>;
      at: Date;
    };
    provider_health: {
      provider: ProviderName;
      failures: Generated<number>;
      opened_at: Date | null;
      next_probe_at: Date | null;
    };
    decline_breaker: { is_singleton: Generated<boolean>; guarded_from: Date | null; guarded_until: Date | null };
    /** `day` is YYYY-MM-DD in Sydney, as text. */
    reconciliation_runs: {
      id: Generated<number>;
      provider: ProviderName;
      day: string;
      state: "running" | "done" | "failed";
      provider_cents: number | null;
      ledger_cents: number | null;
      transactions: number | null;
      detail: Generated<string>;
      lease_until: Date | null;
      /** The process that compares; see process-presence.ts. */
      owner: number | null;
      started_at: Date;
      finished_at: Date | null;
    };
    reconciliation_findings: {
      id: Generated<number>;
      provider: ProviderName;
      kind: string;
      reference: string;
      day: string;
      attempt_id: string | null;
      refund_id: string | null;
      ours_cents: number | null;
      theirs_cents: number | null;
      detail: Generated<string>;
      found_at: Date;
      last_seen_at: Date;
      resolved_at: Date | null;
      /** Set if a person closed it, with a reason. */
      closed_at: ColumnType<Date | null, never, Date | null>;
      closed_by: ColumnType<number | null, never, number | null>;
      closed_reason: ColumnType<string, never, string>;
    };
    payment_events: {
      id: Generated<number>;
      attempt_id: string;
      from_state: PaymentState | null;
      to_state: PaymentState;
      event: string;
      actor: PaymentActor;
      detail: ColumnType<unknown, string | null, never>;
      at: Date;
    };
    ledger_entries: {
      id: Generated<number>;
      transaction_id: string;
      attempt_id: string;
      refund_id: ColumnType<string | null, string | null | undefined, never>;
      account: string;
      amount_cents: number;
      at: Date;
    };
  }
}

export type ProviderName = "payway" | "braintree";
/** The transaction status of EMV 3-D Secure: Y and A passed, C asks for a challenge, N and R refuse, U is unavailable. */
export type Authentication = "Y" | "A" | "C" | "N" | "R" | "U";
export type RefundKind = "refund" | "void" | "chargeback" | "reversal";
