import { z } from "zod";
import { type Action, action, Refusal } from "#admin/actions.ts";
import { typedText } from "#admin/typed-text.ts";
import { describeEnd } from "../server/findings.ts";
import { findReversalForm } from "../server/reversals.ts";
import type { BookkeepingServices } from "./admin-parts.ts";
import { renewSums } from "./compare-day.ts";

/** Takes a payment that the provider doesn't have off the books: see `Reversals`. */
export function reverseAction(services: BookkeepingServices): Action {
  const { database, reversals } = services;
  return action({
    path: "/admin/reconciliation/:day/reverse/:id",
    right: "refunds.make",
    needsProof: true,
    screen: "/admin/reconciliation/:day",
    fields: z.object({
      form: z.guid(),
      /** The cents that the page showed. */
      shown: z.coerce.number().int().positive(),
      reason: typedText("Write how you know that nothing was paid.", 500, 3),
    }),
    async run({ params, fields: { form, shown: cents, reason }, actor, staff, request }) {
      const id = Number(params.id);
      const found = Number.isSafeInteger(id) ? await findReversalForm(database, id) : null;
      if (found === null) throw new Refusal(await describeEnd(database, Number.isSafeInteger(id) ? id : 0));
      const wanted = { id: form, of: found.of, cents, reason };
      const { requestId, isMade } = await reversals.ask(wanted, { ...actor, staff });
      if (!isMade) return { to: `/admin/refunds/${requestId}`, toast: "Requested. A second person has to approve it." };
      await renewSums(services, found, request.log);
      const toast = "The payment is reversed, and the difference is closed.";
      return { to: `/admin/reconciliation/${params.day}`, toast };
    },
  });
}
