import type { FastifyInstance } from "fastify";
import type { Database } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import { noteForgery } from "#shared/http/security-log.ts";
import type { Braintree } from "./braintree.ts";

/** Where Braintree reports changes, below /api. The sender has no session: only the signature identifies it. */
const BRAINTREE_WEBHOOK = "/webhooks/braintree";

const bodyLimit = 64 * 1024;

/**
 * `POST` takes a signed notice as a hint: the payment is looked up soon and the provider's books decide, so repeated,
 * late or misordered notices change nothing. `GET` answers the challenge of Braintree's control panel. Register it as
 * its own plugin, because the other calls don't accept its content type.
 */
export async function webhookRoutes(app: FastifyInstance, { database, braintree, now }: WebhookServices) {
  const schema = { hide: true } as object;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string", bodyLimit }, (_, body, done) =>
    done(null, new URLSearchParams(body as string)),
  );
  app.get<{ Querystring: { bt_challenge?: unknown } }>(BRAINTREE_WEBHOOK, { schema }, async ({ query }, response) => {
    const { bt_challenge: challenge } = query;
    const answer = typeof challenge === "string" ? braintree.answerChallenge(challenge) : null;
    if (answer === null) throw new AppError("malformed");
    return response.header("cache-control", "no-store").type("text/plain").send(answer);
  });
  app.post(BRAINTREE_WEBHOOK, { schema }, async (request, response) => {
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
    const notice = { signature: form.get("bt_signature") ?? "", payload: form.get("bt_payload") ?? "" };
    const notification = await braintree.readNotification(notice);
    if (notification === null) {
      noteForgery(request);
      throw new AppError("bad_signature");
    }
    if (notification.transactionId !== null) await checkSoon(database, notification.transactionId, now());
    return response.code(200).header("cache-control", "no-store").send();
  });
}

type WebhookServices = { readonly database: Database; readonly braintree: Braintree; readonly now: () => Date };

async function checkSoon(database: Database, transactionId: string, at: Date): Promise<void> {
  await database
    .updateTable("payment_attempts")
    .set({ next_check_at: at })
    .where("provider", "=", "braintree")
    .where("provider_transaction_id", "=", transactionId)
    .where("state", "<>", "submitting")
    .execute();
}
