import type { Generated } from "kysely";

declare module "#shared/database/tables.ts" {
  interface Tables {
    reset_codes: { user_id: number; code_hmac: Buffer; expires_at: Date; is_used: Generated<boolean> };
    passkeys: {
      id: string;
      user_id: number;
      credential_id: string;
      public_key: Buffer;
      user_handle: string;
      counter: number;
      transports: string[];
      name: string;
      created_at: Date;
      last_used_at: Date | null;
      blocked_at: Date | null;
    };
  }
}
