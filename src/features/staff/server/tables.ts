import type { Generated } from "kysely";

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
      created_at: Date;
      last_used_at: Date | null;
      blocked_at: Date | null;
    };
    staff_recovery_codes: {
      staff_id: number;
      code_hmac: Buffer;
      used_at: Date | null;
    };
  }
}
