import { z } from "zod";
import { type Action, action } from "#admin/actions.ts";
import { typedText } from "#admin/typed-text.ts";
import { Email, FirstName, LastName } from "#shared/contract/payer.ts";
import { AppError } from "#shared/errors.ts";
import { plural } from "#shared/language.ts";
import { correctEmail } from "../../server/one-donation/correct-email.ts";
import { correctName } from "../../server/one-donation/correct-name.ts";
import { endLinks } from "../../server/one-donation/end-links.ts";
import { eraseDonor } from "../../server/one-donation/erase-donor.ts";
import { joinAccount, leaveAccount } from "../../server/one-donation/join-account.ts";
import { moveFund } from "../../server/one-donation/move-fund.ts";
import { sendReceiptAgain } from "../../server/one-donation/send-again.ts";
import { writeNote } from "../../server/one-donation/write-note.ts";
import { checkedEmail, checkedMove, checkedName, TO_CHECK } from "./checked.ts";
import type { DonationAdminServices } from "./donation-part.ts";

const SCREEN = "/admin/donations/:id";
const changes = { right: "donations.change", screen: SCREEN } as const;
const pathOf = (id: string) => `/admin/donations/${id}`;

/** A form whose act emails the donor is sent twice: first to show what would be sent, then to send exactly that. */
const step = { step: z.enum(["check", "send"]).catch("check"), checked: z.string().max(500).default("") };
const isChecked = (sent: { step: "check" | "send"; checked: string }, now: string) =>
  sent.step === "send" && sent.checked === now;

/** The actions of a donation's page. */
export function donationActions(services: DonationAdminServices): Action[] {
  const { database, now } = services;
  const note = action({
    ...changes,
    path: `${SCREEN}/note`,
    fields: z.object({ text: typedText("Write a note", 2000) }),
    async run({ params, fields: { text }, actor }) {
      const donationId = params.id!;
      await writeNote(database, actor, { donationId, text, now: now() });
      return { to: pathOf(donationId), toast: "The note is saved." };
    },
  });
  return [
    note,
    linksAction(services),
    moveAction(services),
    eraseAction(services),
    ...receiptActions(services),
    ...accountActions(services),
  ];
}

function linksAction(services: DonationAdminServices): Action {
  return action({
    ...changes,
    path: `${SCREEN}/links`,
    fields: z.object({ reason: typedText("Say why, for your colleagues", 500) }),
    async run({ params, fields: { reason }, actor }) {
      await endLinks(services, { donationId: params.id!, reason }, actor);
      return { to: pathOf(params.id!), toast: "All links to the receipt that were sent so far have ended." };
    },
  });
}

/** The actions that email the donor. */
function receiptActions(services: DonationAdminServices): Action[] {
  const again = action({
    ...changes,
    path: `${SCREEN}/receipt`,
    fields: z.object({ to: z.string().max(254), ...step }),
    async run({ params, fields: { to, ...sent }, actor }) {
      if (!isChecked(sent, to)) return TO_CHECK;
      await sendReceiptAgain(services, { donationId: params.id!, to }, actor);
      return { to: pathOf(params.id!), toast: "The receipt is on its way." };
    },
  });
  const email = action({
    ...changes,
    path: `${SCREEN}/email`,
    needsProof: true,
    fields: z.object({ email: Email, was: z.string().max(254), ...step }),
    async run({ params, fields: { email, was, ...sent }, actor }) {
      if (email === was) refuseField("email", "This is the address we have");
      if (!isChecked(sent, checkedEmail(email))) return TO_CHECK;
      const isSent = await correctEmail(services, { donationId: params.id!, was, email }, actor);
      const toast = isSent
        ? "The address is corrected, and the receipt is on its way to it."
        : "The address is corrected.";
      return { to: pathOf(params.id!), toast };
    },
  });
  const name = action({
    ...changes,
    path: `${SCREEN}/name`,
    fields: z.object({
      first_name: FirstName,
      last_name: LastName,
      was: z.string().max(300),
      receipt: z.string().max(30),
      ...step,
    }),
    async run({ params, fields, actor }) {
      const { first_name: firstName, last_name: lastName, receipt, was } = fields;
      if (`${firstName} ${lastName}` === was) refuseField("first_name", "This is the name on the receipt");
      if (!isChecked(fields, checkedName(fields))) return TO_CHECK;
      await correctName(services, { donationId: params.id!, receipt, firstName, lastName }, actor);
      return { to: pathOf(params.id!), toast: "The name is corrected, and the new receipt is on its way." };
    },
  });
  return [again, email, name];
}

function accountActions(services: DonationAdminServices): Action[] {
  const join = action({
    ...changes,
    path: `${SCREEN}/account/join`,
    fields: z.object({}),
    async run({ params, actor }) {
      await joinAccount(services, params.id!, actor);
      return { to: pathOf(params.id!), toast: "The donation is in the donor’s account." };
    },
  });
  const leave = action({
    ...changes,
    path: `${SCREEN}/account/leave`,
    fields: z.object({}),
    async run({ params, actor }) {
      await leaveAccount(services, params.id!, actor);
      const undo = { path: `${pathOf(params.id!)}/account/join`, fields: {} };
      return { to: pathOf(params.id!), toast: "The donation is a guest’s.", undo };
    },
  });
  return [join, leave];
}

function moveAction(services: DonationAdminServices): Action {
  return action({
    ...changes,
    path: `${SCREEN}/fund`,
    fields: z.object({
      line: z.string("Choose what to move").regex(/^\d{1,3}:[a-z-]{1,60}$/, "Choose what to move"),
      to: z.string("Choose a fund").regex(/^[a-z-]{1,60}$/, "Choose a fund"),
      reason: typedText("Say why, for your colleagues", 500),
      receipt: z.string().max(30),
      ...step,
    }),
    async run({ params, fields, actor }) {
      const { line, to, reason, receipt } = fields;
      const [position, from] = line.split(":") as [string, string];
      if (from === to) refuseField("to", "It is in this fund already");
      if (!isChecked(fields, checkedMove(fields))) return TO_CHECK;
      const move = { donationId: params.id!, position: Number(position), from, to, reason, receipt };
      await moveFund(services, move, actor);
      return { to: pathOf(params.id!), toast: "It is moved, and the new receipt is on its way." };
    },
  });
}

function eraseAction(services: DonationAdminServices): Action {
  return action({
    path: `${SCREEN}/erase`,
    right: "donors.erase",
    needsProof: true,
    screen: SCREEN,
    fields: z.object({
      scope: z.enum(["one", "all"], "Choose what to erase"),
      reason: typedText("Say why: who asked, and when", 500),
      email: z.string().max(254),
    }),
    async run({ params, fields, actor }) {
      const { count, waiting } = await eraseDonor(services, { donationId: params.id!, ...fields }, actor);
      const erased = plural(count, {
        one: "The personal data of one donation is erased.",
        other: `The personal data of ${count} donations is erased.`,
      });
      const later = plural(waiting, {
        one: "That of one more follows once its payment is decided.",
        other: `That of ${waiting} more follows once their payments are decided.`,
      });
      const toast = [count > 0 && erased, waiting > 0 && later].filter(Boolean).join(" ");
      return { to: pathOf(params.id!), toast };
    },
  });
}

/** @throws AppError with this sentence beside the field. */
function refuseField(name: string, sentence: string): never {
  throw new AppError("invalid_input", { fields: { [name]: [sentence] } });
}
