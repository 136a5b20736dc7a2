import type { z } from "zod";
import type { NotificationRule, WantedNotification } from "./admin.ts";
import type { NonceKind } from "./braintree/books.ts";
import type { SentNotification } from "./braintree/notifications.ts";
import type { FaultRule } from "./faults.ts";
import type { LedgerRow } from "./ledger.ts";
import type { ExternalAct } from "./provider-part.ts";
import type { LoggedRequest } from "./requests.ts";

/** What is typed into the card form. `year` is two digits. */
export type TypedCard = {
  readonly number: string;
  readonly cvn: string;
  readonly month: string;
  readonly year: string;
  /** The name on the card, which decides what 3-D Secure says: `3DS-C` and the like, see README.md. */
  readonly name?: string;
  /** Whether the frame was opened with `threeDS2`. */
  readonly threeDS2?: boolean;
};

/** The test cards that journeys and tests need by name; README.md lists all. */
export const testCards = {
  approved: { number: "4564710000000004", cvn: "847", month: "02", year: yearEndingIn(9) },
  mastercard: { number: "5163200000000008", cvn: "070", month: "08", year: yearEndingIn(0) },
  amex: { number: "376000000000006", cvn: "2349", month: "06", year: yearEndingIn(0) },
  declined: { number: "5163200000000016", cvn: "728", month: "12", year: yearEndingIn(9) },
  lowFunds: { number: "4564710000000020", cvn: "234", month: "05", year: yearEndingIn(0) },
  fault: { number: "4111111111111111", cvn: "123", month: "12", year: yearEndingIn(9) },
} as const satisfies Record<string, TypedCard>;

export type SimulatorControl = ReturnType<typeof controlSimulator>;

/** The controls of a running simulator at `url`, for tests and benchmarks. Each throws on an answer other than 2xx. */
export function controlSimulator(url: string) {
  async function ask<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(`${url}/__sim${path}`, {
      method,
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`The simulator answered ${response.status} to ${method} ${path}: ${text}`);
    return JSON.parse(text) as Answer;
  }
  return {
    url,
    paywayUrl: `${url}/payway/rest/v1`,
    listLedger: () => ask<LedgerRow[]>("GET", "/ledger"),
    listRequests: () => ask<LoggedRequest[]>("GET", "/requests"),
    installFault: (rule: z.input<typeof FaultRule>) => ask<{ id: number }>("POST", "/faults", rule),
    clearFaults: () => ask<object>("DELETE", "/faults"),
    advance: (ms: number) => ask<{ now: string }>("POST", "/advance", { ms }),
    actExternally: (act: ExternalAct) => ask<object>("POST", "/external", act),
    reset: () => ask<object>("POST", "/reset"),
    /** Posts a signed Braintree webhook; returns the statuses of its answers, 0 for none. */
    notify: (wanted: z.input<typeof WantedNotification>) => ask<{ statuses: number[] }>("POST", "/notify", wanted),
    /** Makes every later change of a Braintree transaction send webhooks; null ends that. */
    sendNotifications: (rule: z.input<typeof NotificationRule> | null) =>
      rule === null ? ask<object>("DELETE", "/notifications") : ask<object>("POST", "/notifications", rule),
    /** The webhooks that a rule has sent, in the order of the changes; `waiting` is how many are still to be sent. */
    listNotifications: () => ask<{ waiting: number; sent: SentNotification[] }>("GET", "/notifications"),
  };
}

/** Tokenises a card as the hosted frame does. Only tests do this; our server never sees a card. */
export async function tokenise(
  paywayUrl: string,
  card: TypedCard,
  publishableKey = "T10000_PUB_simulator",
): Promise<string> {
  const response = await fetch(`${paywayUrl}/single-use-tokens`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`${publishableKey}:`)}` },
    body: new URLSearchParams({
      paymentMethod: "creditCard",
      connectionType: "FRAME",
      cardNumber: card.number,
      cvn: card.cvn,
      cardholderName: card.name ?? "Test Donor",
      expiryDateMonth: card.month,
      expiryDateYear: card.year,
      threeDS2: String(card.threeDS2 ?? false),
    }),
  });
  const answer = (await response.json()) as { singleUseTokenId?: string };
  if (answer.singleUseTokenId === undefined) throw new Error(`No token came (HTTP ${response.status}).`);
  return answer.singleUseTokenId;
}

/**
 * A nonce as from an approval in PayPal's window, at the simulator at this address. `fault` is the window's 'Approve, then
 * fault': the amount decides what happens. Only a card tester would send a `card` nonce to a PayPal page.
 */
export async function createNonce(url: string, { kind = "paypal" }: { kind?: NonceKind } = {}): Promise<string> {
  const response = await fetch(`${url}/__sim/nonces`, { method: "POST", body: JSON.stringify({ kind }) });
  const answer = (await response.json()) as { nonce?: string };
  if (answer.nonce === undefined) throw new Error(`No nonce came (HTTP ${response.status}).`);
  return answer.nonce;
}

/** The next future year that ends in this digit. */
function yearEndingIn(digit: number): string {
  const coming = new Date().getFullYear() + 1;
  const wait = (digit - (coming % 10) + 10) % 10;
  return String((coming + wait) % 100).padStart(2, "0");
}
