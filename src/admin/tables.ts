import type { ColumnType, Generated } from "kysely";
import type { Role } from "./rights.ts";

/** Null unless given. */
type Optional<Value> = ColumnType<Value | null, Value | null | undefined, Value | null>;
type Json = ColumnType<unknown, string | null | undefined, never>;

declare module "#shared/database/tables.ts" {
  interface Tables {
    staff: {
      id: Generated<number>;
      email: string;
      name: string;
      roles: Role[];
      state: "invited" | "active" | "ended";
      password_hash: Optional<string>;
      totp_secret: Optional<Buffer>;
      totp_step: Optional<number>;
      created_at: Date;
      ended_at: Optional<Date>;
    };
    staff_sessions: {
      token_hash: Buffer;
      id: string;
      staff_id: number;
      created_at: Date;
      last_seen_at: Date;
      expires_at: Date;
      proved_at: Date;
      ip_address: string;
      device: string;
    };
    audit_trail: {
      id: Generated<number>;
      at: Date;
      staff_id: number | null;
      actor: string;
      ip_address: string;
      verb: string;
      subject: string;
      subject_id: string;
      before: Json;
      after: Json;
      reason: Generated<string>;
    };
  }
}
