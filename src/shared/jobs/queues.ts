import type { ProviderName } from "#shared/database/tables.ts";
import type { LinkedDocument } from "#shared/links/contract.ts";

export type DonationLetterJob =
  | { readonly letter: "receipt" | "new-donation"; readonly donationId: string }
  | { readonly letter: "payment-outcome"; readonly attemptId: string }
  | { readonly letter: "payment-needs-look"; readonly attemptId: string; readonly reason: string }
  | { readonly letter: "refund"; readonly refundId: string }
  | { readonly letter: "refund-needs-look"; readonly refundId: string; readonly reason: string };

/** Letters to staff and to the treasurer about a provider. `since` is an ISO time, `day` one in Sydney. */
export type ProviderLetterJob =
  | { readonly letter: "provider-away"; readonly provider: ProviderName; readonly since: string }
  | { readonly letter: "reconciliation"; readonly day: string };

export type ContactLetterJob = { readonly letter: "contact-message" | "contact-answer"; readonly messageId: string };

/** `letterId` names this one letter. `userId` 0 is nobody: a code was asked for an address without an account. */
export type AccountLetterJob = {
  readonly letter:
    | "welcome"
    | "address-check"
    | "reset-code"
    | "password-changed"
    | "passkey-added"
    | "passkey-removed"
    | "passkey-blocked";
  readonly userId: number;
  readonly letterId: string;
};

export type VolunteerLetterJob =
  /** To the applicant, and to the coordinator. */
  | { readonly letter: "application-received" | "new-application"; readonly applicationId: string }
  /** To the applicant: `stageVersion` names the decision, so that each is told once. */
  | { readonly letter: "application-decided"; readonly applicationId: string; readonly stageVersion: number }
  /** To the coordinator: somebody who was taken on has withdrawn. */
  | { readonly letter: "volunteer-left"; readonly applicationId: string }
  /** To the volunteer, and to the coordinator: a Working With Children Check that ends. */
  | { readonly letter: "check-ends" | "volunteer-check-ends"; readonly checkId: string };

export type TicketLetterJob =
  /** To the buyer, like all of them: the tickets of an order. */
  | { readonly letter: "tickets"; readonly orderId: string }
  /** A payment that bought nothing, because no seats were left or the order was paid already: all of it goes back. */
  | { readonly letter: "tickets-refused"; readonly attemptId: string }
  /** A payment whose buyer was asked to wait, and which did not go through. */
  | { readonly letter: "tickets-payment-outcome"; readonly attemptId: string }
  /** Tickets that the buyer cancelled, while their refund is on its way; and a refund that is paid. */
  | { readonly letter: "tickets-cancelled" | "tickets-refund"; readonly refundId: string };

/** A new link to a document, asked for at an ISO time. */
export type LinkLetterJob = LinkedDocument & { readonly letter: "fresh-link"; readonly at: string };

/**
 * Every queue and what its jobs carry: ids alone, never personal data. Handlers read the rest when they run, so a letter
 * says what is true when it is sent.
 */
export type JobData = {
  letters:
    | DonationLetterJob
    | ProviderLetterJob
    | ContactLetterJob
    | AccountLetterJob
    | VolunteerLetterJob
    | TicketLetterJob
    | LinkLetterJob;
};

export type Queue = keyof JobData;

export const queues = ["letters"] as const satisfies readonly Queue[];

/** Where a job goes whose last retry failed, for staff to see. */
export const FAILED_QUEUE = "failed";
