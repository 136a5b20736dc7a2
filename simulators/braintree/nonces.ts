import type { Books, Nonce, NonceKind } from "./books.ts";

const NONCE_MS = 3 * 3_600_000;

/** The sandbox's fixed nonces, which never expire and can be reused; in the sandbox amounts always decide. */
const TEST_NONCES: Readonly<Record<string, NonceKind>> = {
  "fake-paypal-one-time-nonce": "fault",
  "fake-valid-nonce": "card",
  "fake-consumed-nonce": "card",
};

/** A nonce that exists and has not expired, used or not. */
export function findNonce(id: string, books: Books): Nonce | undefined {
  const kind = TEST_NONCES[id];
  if (kind !== undefined) return { id, kind, at: books.now() };
  const nonce = books.findNonce(id);
  return nonce !== undefined && books.now() - nonce.at < NONCE_MS ? nonce : undefined;
}

/** Whether a sale has used the nonce, whatever its outcome. */
export function isUsed({ id }: Nonce, books: Books): boolean {
  return id in TEST_NONCES ? id === "fake-consumed-nonce" : books.isNonceUsed(id);
}
