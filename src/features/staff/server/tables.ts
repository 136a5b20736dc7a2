import type { ColumnType, Generated } from "kysely";
import type { Role } from "#admin/rights.ts";
import type { AdministratorDecision } from "./people/administrator-requests.ts";

declare module "#shared/database/tables.ts" {
  interface Tables {
    staff_invitations: {
      token_hash: Buffer;
      staff_id: number;
      kind: "invitation" | "reset" | "demo";
      created_at: Date;
      expires_at: Date;
      used_at: Date | null;
    };
    staff_passkeys: {
      id: string;
      staff_id: number;
      credential_id: string;
      public_key: Buffer;
      user_handle: string;
      counter: Generated<number>;
      transports: string[];
      name: string;
      host: string | null;
      created_at: Date;
      last_used_at: Date | null;
      blocked_at: Date | null;
    };
    saved_filters: {
      id: Generated<number>;
      staff_id: number;
      path: string;
      query: string;
      name: string;
      created_at: Date;
    };
    administrator_requests: {
      id: Generated<number>;
      staff_id: number | null;
      email: string;
      name: string;
      roles: Role[];
      requested_by: number;
      requested_at: Date;
      decision: ColumnType<AdministratorDecision | null, null | undefined, AdministratorDecision>;
      decided_by: ColumnType<number | null, null | undefined, number | null>;
      decided_at: ColumnType<Date | null, null | undefined, Date>;
      decision_reason: Generated<string>;
    };
    staff_recovery_codes: {
      staff_id: number;
      code_hmac: Buffer;
      used_at: Date | null;
    };
    staff_log_in_codes: {
      id: string;
      token_hash: Buffer;
      staff_id: number;
      code_hmac: Buffer;
      way: string;
      tries: Generated<number>;
      created_at: Date;
      expires_at: Date;
    };
  }
}
