import type { ColumnType, Generated } from "kysely";
import type { RefundState } from "#shared/payments/refunds/refund-states.ts";
import type { Actor, PaymentState } from "#shared/payments/states.ts";
import type { TicketTables } from "./ticket-tables.ts";

/** One picture of the whole database. Cents are numbers (below 2^53), times are Dates, jsonb is read as parsed. */
export type Tables = TicketTables & {
  site_settings: { key: string; value: ColumnType<unknown, string, string>; updated_at: Generated<Date> };
  content_version: { is_only: Generated<boolean>; version: number };
  pages: {
    type: string;
    title: string;
    html: string;
    image: string | null;
    links: ColumnType<PageLink[], string | undefined, string>;
    updated_at: Generated<Date>;
  };
  causes: { id: Generated<number>; position: number; title: string; description: string; image: string } & Edited;
  testimonials: { id: Generated<number>; position: number; title: string; image: string } & Edited;
  /** Dates without a time are texts, YYYY-MM-DD. */
  news: {
    id: Generated<number>;
    slug: string;
    title: string;
    excerpt: string;
    html: Generated<string>;
    image: string;
    published_on: string;
  } & Edited;
  gallery_items: {
    id: Generated<number>;
    title: string;
    description: string;
    image: string;
    image_date: string;
    created_by: string;
  } & Edited;
  events: {
    id: Generated<number>;
    slug: string;
    title: string;
    summary: string;
    html: Generated<string>;
    image: string;
    place: Generated<string>;
    is_online: Generated<boolean>;
    starts_at: Date;
    ends_at: Date;
    time_zone: Generated<string>;
    is_all_day: Generated<boolean>;
    created_by: string;
  } & Edited;
  images: { hash: string; width: number; height: number; color: string; created_at: Generated<Date> };
  image_variants: { hash: string; width: number; format: ImageFormat; bytes: Buffer };
  contact_messages: {
    id: string;
    client_key: string;
    name: string;
    email: string;
    phone: string;
    subject: string;
    message: string;
    created_at: Date;
  };
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
    address: string;
    device: string;
  };
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
  used_passkey_challenges: { challenge: string; expires_at: Date };
  /** `code` is ISO 3166-1 alpha-2, or the part of ISO 3166-2 behind the country's; `dial_code` has digits only. */
  countries: { id: Generated<number>; code: string; name: string; dial_code: string };
  states: { id: Generated<number>; country_id: number; code: string; name: string };
  donation_categories: {
    id: Generated<number>;
    fund: string;
    title: string;
    position: number;
    has_subcategories: boolean;
    quantity_is_editable: boolean;
    amount_is_editable: boolean;
    amount_cents: number | null;
    asks_names: boolean;
    receipt_kind: ReceiptKind;
    admin_fee_applies: Generated<boolean>;
    retired_at: Date | null;
  };
  donation_subcategories: {
    id: Generated<number>;
    category_id: number;
    title: string;
    position: number;
    amount_cents: number | null;
    retired_at: Date | null;
  };
  donations: {
    id: string;
    reference: string;
    is_anonymous: boolean;
    first_name: string;
    last_name: string;
    email: string;
    postcode: string | null;
    method: "cc" | "pp";
    subtotal_cents: number;
    admin_fee_cents: number;
    merchant_fee_cents: number;
    total_cents: number;
    currency: Generated<"AUD">;
    awaits_receipt: Generated<boolean>;
    user_id: ColumnType<number | null, number | null | undefined, number | null>;
    /** Tells the same donation of the same giver again: see just-given.ts. */
    repeat_digest: ColumnType<Buffer | null, Buffer | null | undefined, never>;
    created_at: Date;
  };
  donation_lines: {
    donation_id: string;
    position: number;
    category_id: number;
    subcategory_id: number | null;
    fund: string;
    category_title: string;
    subcategory_title: string;
    receipt_kind: ReceiptKind;
    quantity: number;
    unit_cents: number;
    line_cents: number;
    admin_share_cents: number;
    merchant_share_cents: number;
    on_behalf_of: string[];
  };
  payment_attempts: {
    id: string;
    /** Of a payment for a donation, and null for anything else, like the next one. */
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
    /** The process that has it under way: see process-presence.ts. */
    owner: ColumnType<number | null, number | null | undefined, number | null>;
    sent_at: Date;
    next_check_at: Date | null;
    checks: Generated<number>;
    was_uncertain: Generated<boolean>;
    settled_at: Date | null;
    customer_address: string;
    /** The id of the browser's cookie; see shared/sessions/browser.ts. */
    browser: ColumnType<string | null, string | null | undefined, never>;
    /** What 3-D Secure said: see 0007_refunds.sql. */
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
  card_breaker: { is_only: Generated<boolean>; guarded_from: Date | null; guarded_until: Date | null };
  /** `day` is a text, YYYY-MM-DD, in Sydney. */
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
  };
  payment_events: {
    id: Generated<number>;
    attempt_id: string;
    from_state: PaymentState | null;
    to_state: PaymentState;
    event: string;
    actor: Actor;
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
  private_files: {
    id: string;
    media_type: "image/jpeg" | "image/png" | "image/webp";
    width: number;
    height: number;
    bytes: Buffer;
    created_at: Date;
  };
  volunteer_roles: { title: string; position: number; needs_check: boolean };
  volunteer_applications: {
    id: string;
    client_key: string;
    reference: string;
    name: string;
    street: string;
    city: Generated<string>;
    state: string;
    country: string;
    postcode: string;
    mobile: string;
    email: string;
    preferred_contact: "Email" | "SMS";
    skills: Generated<string>;
    experience: Generated<string>;
    availability: "Availability" | "Weekend";
    interests: string[];
    emergency_name: string;
    emergency_postcode: string;
    emergency_city: string;
    emergency_state: string;
    emergency_country: string;
    emergency_mobile: string;
    emergency_email: string;
    emergency_preferred_contact: "Email" | "SMS";
    photo_file_id: string | null;
    signature_file_id: string | null;
    stage: Generated<VolunteerStage>;
    stage_version: Generated<number>;
    roles: Generated<string[]>;
    decided_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
    files_deleted_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
    created_at: Date;
    updated_at: Date;
  };
  volunteer_events: {
    id: Generated<number>;
    application_id: string;
    event: string;
    actor: string;
    detail: ColumnType<unknown, string | null, never>;
    at: Date;
  };
  /** `expires_on` is a text, YYYY-MM-DD. */
  working_with_children_checks: {
    id: string;
    application_id: string;
    state: "ACT" | "NSW" | "NT" | "QLD" | "SA" | "TAS" | "VIC" | "WA";
    number: string;
    kind: "volunteer" | "paid";
    expires_on: string;
    verified_by: string | null;
    verified_at: Date | null;
    reminded_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
    lapse_told_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
    replaced_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
    created_at: Date;
  };
  captcha_uses: { nonce: string; used_at: Date };
  receipt_counter: { is_only: Generated<boolean>; last_number: number };
  receipts: {
    number: number;
    donation_id: string;
    data: ColumnType<unknown, string, never>;
    issued_at: Date;
    is_latest: Generated<boolean>;
    voided_at: Generated<Date | null>;
    replaces: Generated<number | null>;
  };
  link_revocations: { id: Generated<number>; path: string; revoked_at: Date; revoked_by: string };
  rate_limits: { key: string; points: number; expire: number | null };
  mailbox_messages: {
    id: Generated<number>;
    message_id: string;
    sent_at: Date;
    recipient: string;
    sender: string;
    subject: string;
    text_body: string;
    html_body: string;
    attachments: ColumnType<MailboxAttachment[], string, never>;
    source: Buffer;
  };
};

export type ProviderName = "payway" | "braintree";
export type Authentication = "Y" | "A" | "C" | "N" | "R" | "U";
export type RefundKind = "refund" | "void" | "chargeback" | "reversal";
export type VolunteerStage = "received" | "in_review" | "approved" | "waiting" | "declined" | "withdrawn";
export type ReceiptKind = "gift" | "not_deductible";
export type MailboxAttachment = { filename: string; contentType: string; bytes: number };
export type ImageFormat = "webp" | "jpeg";
export type PageLink = { readonly label: string; readonly url: string };
type Edited = { state: Generated<"draft" | "published">; updated_at: Generated<Date> };
