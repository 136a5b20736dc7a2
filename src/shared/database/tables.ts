import type { ColumnType, Generated } from "kysely";
import type { StoredFile } from "./stored-file.ts";

/**
 * The tables for Kysely: cents are numbers (below 2^53), times are Dates, jsonb is parsed. These are the tables of
 * `shared`; payments and each feature add theirs in their own `tables.ts`.
 */
export interface Tables {
  site_settings: { key: string; value: ColumnType<unknown, string, string>; updated_at: Generated<Date> };
  content_version: { is_singleton: Generated<boolean>; version: number };
  users: {
    id: Generated<number>;
    email: string;
    password_hash: string;
    first_name: string;
    last_name: string;
    country: string;
    state: string;
    mobile: string;
    postcode: string;
    preferred_contact: "SMS" | "Email";
    city: Generated<string>;
    email_verified_at: Date | null;
    created_at: Date;
  };
  sessions: {
    token_hash: Buffer;
    id: string;
    user_id: number;
    created_at: Date;
    last_seen_at: Date;
    expires_at: Date;
    ip_address: string;
    device: string;
  };
  used_passkey_challenges: { challenge: string; expires_at: Date };
  /** `code` is ISO 3166-1 alpha-2, or the subdivision part of ISO 3166-2; `dial_code` has digits only. */
  countries: { id: Generated<number>; code: string; name: string; dial_code: string };
  states: { id: Generated<number>; country_id: number; code: string; name: string };
  private_files: {
    id: string;
    media_type: "image/jpeg" | "image/png" | "image/webp";
    width: number;
    height: number;
    created_at: Date;
  } & StoredFile;
  /** Objects of the bucket that may be needed no more. */
  objects_to_check: { object_key: string; check_at: Date };
  captcha_uses: { nonce: string; used_at: Date };
  link_revocations: { id: Generated<number>; path: string; revoked_at: Date; revoked_by: string };
  rate_limits: { key: string; points: number; expire: number | null };
}

/** The account that was logged in; null for guests, and once the account is closed. */
export type LoggedIn = ColumnType<number | null, number | null | undefined, number | null>;
export type Edited = { state: Generated<"draft" | "published">; updated_at: Generated<Date> };
