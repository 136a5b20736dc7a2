import { z } from "zod";
import { type Action, action } from "#admin/actions.ts";
import { typedText } from "#admin/typed-text.ts";
import { Email } from "#shared/contract/payer.ts";
import { AppError } from "#shared/errors.ts";
import { plural } from "#shared/language.ts";
import { HolderName } from "../../contract.ts";
import { type CancelledByStaff, cancelByStaff, requireCancellable } from "../../server/staff/cancel-by-staff.ts";
import {
  correctOrderEmail,
  noteOnOrder,
  type OrderChangeServices,
  renameTicketHolder,
  resendTickets,
} from "../../server/staff/change-order.ts";
import { describeGiveBack } from "./order-words.ts";

const SCREEN = "/admin/orders/:id";
const changes = { right: "orders.change", screen: SCREEN } as const;
const pathOf = (id = "") => `/admin/orders/${id}`;

/** What staff can do with an order, besides refunds. */
export function orderActions(services: OrderChangeServices): Action[] {
  const resend = action({
    ...changes,
    path: `${SCREEN}/resend`,
    fields: z.object({ to: z.string().max(254) }),
    async run({ params, fields: { to }, actor }) {
      await resendTickets(services, { orderId: params.id!, to }, actor);
      return { to: pathOf(params.id), toast: "The tickets are on their way." };
    },
  });
  const email = action({
    ...changes,
    path: `${SCREEN}/email`,
    needsProof: true,
    fields: z.object({ email: Email, was: z.string().max(254) }),
    async run({ params, fields: { email: typed, was }, actor }) {
      if (typed === was) throw new AppError("invalid_input", { fields: { email: ["This is the address we have"] } });
      const isSent = await correctOrderEmail(services, { orderId: params.id!, was, email: typed }, actor);
      const toast = isSent
        ? "The address is corrected, and the tickets are on their way to it."
        : "The address is corrected.";
      return { to: pathOf(params.id), toast };
    },
  });
  const rename = action({
    ...changes,
    path: `${SCREEN}/holder`,
    fields: z.object({ ticket: z.uuid(), name: HolderName }),
    async run({ params, fields: { ticket: ticketId, name }, actor }) {
      await renameTicketHolder(services, { orderId: params.id!, ticketId, name }, actor);
      return { to: pathOf(params.id), toast: "The name is changed. Send the tickets again, if the buyer needs them." };
    },
  });
  const cancel = action({
    ...changes,
    path: `${SCREEN}/cancel-tickets`,
    fields: z.object({
      tickets: z.preprocess(
        (ticked) => [ticked ?? []].flat(),
        z.array(z.uuid()).min(1, "Choose the tickets to cancel."),
      ),
      step: z.enum(["check", "cancel"]).catch("check"),
    }),
    async run({ params, fields: { tickets: ticketIds, step }, actor }) {
      const cancelling = { orderId: params.id!, ticketIds };
      if (step === "check") {
        await requireCancellable(services.database, cancelling);
        return { check: "Nothing is cancelled yet. Read below what happens, then confirm it." };
      }
      const done = await cancelByStaff(services, cancelling, actor);
      return { to: pathOf(params.id), toast: describeCancelled(done) };
    },
  });
  const note = action({
    ...changes,
    path: `${SCREEN}/note`,
    fields: z.object({ text: typedText("Write a note", 2000) }),
    async run({ params, fields: { text }, actor }) {
      await noteOnOrder(services, { orderId: params.id!, text }, actor);
      return { to: pathOf(params.id), toast: "The note is saved." };
    },
  });
  return [resend, email, rename, cancel, note];
}

function describeCancelled({ tickets, giveBackCents, isEmailed }: CancelledByStaff): string {
  return [
    plural(tickets, { one: "1 ticket is cancelled.", other: `${tickets} tickets are cancelled.` }),
    giveBackCents > 0 && describeGiveBack(tickets, giveBackCents),
    isEmailed ? "The buyer gets an email." : "We have no email address: tell the buyer yourselves.",
  ]
    .filter(Boolean)
    .join(" ");
}
