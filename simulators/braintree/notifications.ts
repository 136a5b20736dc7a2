import { createHash, createHmac } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { seededRandom } from "#shared/seeded-random.ts";
import type { Settings } from "../settings.ts";
import { describeDispute, describeTransaction } from "./answers.ts";
import type { Books, NotificationKind, Transaction } from "./books.ts";
import { element, group, moment } from "./xml.ts";

/** A webhook as it is posted. */
type Notification = { readonly bt_signature: string; readonly bt_payload: string };

/** The part of a webhook to break. */
type Spoiling = "signature" | "payload";

/** Where and how later changes are sent: each change has a random number of copies, each copy a random delay. */
type Sending = {
  readonly url: string;
  readonly copies: readonly number[];
  readonly seed: number;
  /** The longest delay in milliseconds, so that they overtake each other; 0 sends them immediately and in order. */
  readonly latestMs: number;
};

export type SentNotification = {
  readonly kind: NotificationKind;
  readonly transactionId: string;
  /** Null while it is being sent, and for good if nobody answers. */
  status: number | null;
};

export type Notifications = {
  /** Posts a notification `times` times in turn, and returns the HTTP statuses (0: no answer). */
  send(
    kind: NotificationKind,
    transaction: Transaction,
    url: string,
    times: number,
    spoiling?: Spoiling,
  ): Promise<number[]>;
  /** Starts sending every change, or stops with null. */
  sendChanges(sending: Sending | null): void;
  noteChange(kind: NotificationKind, transaction: Transaction): void;
  listSent(): { readonly waiting: number; readonly sent: readonly SentNotification[] };
  close(): void;
};

/** Braintree's webhooks, signed as the SDK verifies them. */
export function createNotifications(settings: Settings["braintree"], books: () => Books): Notifications {
  let sending: Sending | null = null;
  let random = seededRandom(1);
  let inOrder = Promise.resolve();
  let waiting = 0;
  let isOpen = true;
  const sent: SentNotification[] = [];

  function make(kind: NotificationKind, transaction: Transaction): Notification {
    return signNotification(describeChange(kind, transaction, books(), settings.merchantAccountId), settings);
  }

  async function deliver(notification: Notification, entry: SentNotification, url: string): Promise<void> {
    if (isOpen) entry.status = await post(url, notification);
    waiting -= 1;
  }

  return {
    async send(kind, transaction, url, times, spoiling) {
      const notification = spoil(make(kind, transaction), spoiling);
      const statuses: number[] = [];
      for (let time = 0; time < times; time += 1) statuses.push((await post(url, notification)) ?? 0);
      return statuses;
    },
    sendChanges(wanted) {
      sending = wanted;
      random = seededRandom(wanted?.seed ?? 1);
    },
    noteChange(kind, transaction) {
      if (sending === null) return;
      const { url, copies, latestMs } = sending;
      const notification = make(kind, transaction);
      const count = copies[Math.floor(random() * copies.length)] ?? 0;
      for (let copy = 0; copy < count; copy += 1) {
        const entry: SentNotification = { kind, transactionId: transaction.transactionId, status: null };
        sent.push(entry);
        waiting += 1;
        if (latestMs > 0) {
          void pause(random() * latestMs, undefined, { ref: false }).then(() => deliver(notification, entry, url));
        } else inOrder = inOrder.then(() => deliver(notification, entry, url));
      }
    },
    listSent: () => ({ waiting, sent }),
    close() {
      isOpen = false;
    },
  };
}

/** Signs as Braintree does: HMAC-SHA1 under the SHA-1 of the private key, over the payload in base64. */
function signNotification(text: string, { publicKey, privateKey }: Settings["braintree"]): Notification {
  const payload = `${Buffer.from(text).toString("base64")}\n`;
  const key = createHash("sha1").update(privateKey).digest();
  const signature = createHmac("sha1", key).update(payload).digest("hex");
  return { bt_signature: `${publicKey}|${signature}`, bt_payload: payload };
}

function describeChange(kind: NotificationKind, transaction: Transaction, books: Books, account: string): string {
  const dispute = transaction.detail.disputes.at(-1);
  const isDispute = kind.startsWith("dispute_");
  const status = kind === "dispute_won" ? "won" : kind === "dispute_lost" ? "lost" : "open";
  const at = new Date(books.now()).toISOString();
  const subject = isDispute
    ? describeDispute({ id: dispute?.id ?? `dispute-of-${transaction.transactionId}`, at, status }, transaction)
    : describeTransaction(transaction, books, account);
  return group("notification", [moment("timestamp", at), element("kind", kind), group("subject", [subject])]);
}

function spoil(notification: Notification, spoiling: Spoiling | undefined): Notification {
  const { bt_signature: signature, bt_payload: payload } = notification;
  if (spoiling === "signature") {
    const last = signature.endsWith("0") ? "1" : "0";
    return { ...notification, bt_signature: signature.slice(0, -1) + last };
  }
  if (spoiling === "payload") {
    const text = Buffer.from(payload, "base64")
      .toString("utf8")
      .replace(/<kind>\w+/, "<kind>check");
    return { ...notification, bt_payload: `${Buffer.from(text).toString("base64")}\n` };
  }
  return notification;
}

async function post(url: string, notification: Notification): Promise<number | null> {
  try {
    const response = await fetch(url, {
      method: "POST",
      body: new URLSearchParams(notification),
      signal: AbortSignal.timeout(10_000),
    });
    await response.body?.cancel();
    return response.status;
  } catch {
    return null;
  }
}
