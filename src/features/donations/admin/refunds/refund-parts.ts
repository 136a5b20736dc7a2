import { z } from "zod";
import { action, Refusal } from "#admin/actions.ts";
import type { DashboardPart } from "#admin/dashboard.ts";
import type { AdminPart } from "#admin/feature.ts";
import { plainText } from "#shared/contract/plain-line.ts";
import { AppError } from "#shared/errors.ts";
import { formatDollars, plural } from "#shared/language.ts";
import { readAmount } from "../../refund-amounts.ts";
import {
  approveRefund,
  askForRefund,
  declineRefund,
  noteByHand,
  type RefundServices,
  withdrawRefund,
} from "../../server/refund-requests.ts";
import { readDonationRefunds, readRefundForm } from "../../server/refunds/refund-form.ts";
import type { DonationRefunds, RefundForm, RefundList, ShownRefund } from "../../server/refunds/shown-refund.ts";
import { countRefundsToDo, findShownRefund, listRefundGroup } from "../../server/refunds/shown-refunds.ts";
import { readPlace, writePlace } from "../list/list-screen.ts";
import { askToCheck } from "./refund-words.ts";

declare module "#admin/screen.ts" {
  interface AdminReads {
    /** Null if there is no such donation. `amountCents` is null for all that is left. */
    readonly readRefundForm: (
      donationId: string,
      asking: { staffId: number; amountCents: number | null },
    ) => Promise<RefundForm | null>;
    readonly readDonationRefunds: (donationId: string, staffId: number) => Promise<DonationRefunds>;
    readonly findRefund: (id: string) => Promise<ShownRefund | null>;
    readonly listRefunds: (after: string) => Promise<RefundList>;
  }
}

/** Refunds: a form on a donation, their list, and each with its decision. */
export function refundsPart(services: RefundServices): AdminPart {
  return {
    reads: refundReads(services),
    actions: [requestAction(services), ...decisions(services), byHandAction(services)],
    dashboard: [refundsToDo(services)],
  };
}

const isId = (text: string) => z.uuid().safeParse(text).success;

const PAGE = 50;
/** More than anybody deals with before reloading. The oldest then move up. */
const MOST_OPEN = 200;

function refundReads({ database, config, now }: RefundServices) {
  const { twoPeopleCents: limitCents } = config.refunds;
  return {
    readRefundForm: async (donationId: string, asking: { staffId: number; amountCents: number | null }) =>
      isId(donationId) ? readRefundForm(database, { donationId, ...asking, limitCents, now: now() }) : null,
    readDonationRefunds: (donationId: string, staffId: number) =>
      readDonationRefunds(database, { donationId, staffId, now: now() }),
    findRefund: async (id: string) => (isId(id) ? ((await findShownRefund(database, id)) ?? null) : null),
    async listRefunds(text: string): Promise<RefundList> {
      const after = readPlace(text);
      const group = (name: "to approve" | "failed" | "under way") =>
        after === null ? listRefundGroup(database, name, { most: MOST_OPEN }) : [];
      const done = await listRefundGroup(database, "done", { most: PAGE + 1, after });
      const shown = done.slice(0, PAGE);
      return {
        toApprove: await group("to approve"),
        failed: await group("failed"),
        underWay: await group("under way"),
        done: shown,
        isFirst: after === null,
        older: done.length > PAGE ? writePlace(shown.at(-1)!) : null,
      };
    },
  };
}

const Reason = z
  .string()
  .default("")
  .transform((text) => plainText(text).trim())
  .pipe(z.string().min(1, "Please say why.").max(500, "Keep this to 500 characters."));

const Cents = z.coerce.number().int().min(0);

const Amount = z.string().transform((text, context) => {
  const read = readAmount(text);
  if ("cents" in read) return read.cents;
  context.addIssue({ code: "custom", message: read.fault });
  return z.NEVER;
});

/** A full refund needs no amount, whatever the field contains. */
const withAmount = (sent: unknown) => {
  const { amount = "", ...rest } = sent as Record<string, unknown>;
  return rest.how === "part" ? { ...rest, amount } : rest;
};

/** `left` and `shown` are what the page showed: the amount that was left, and the amount on the button. */
const RequestFields = z.preprocess(
  withAmount,
  z.object({
    form: z.guid(),
    how: z.enum(["all", "part"], "Please choose how much."),
    amount: Amount.optional(),
    reason: Reason,
    left: Cents,
    shown: Cents,
  }),
);

function requestAction(services: RefundServices) {
  return action({
    path: "/admin/donations/:id/refund",
    right: "refunds.make",
    needsProof: true,
    screen: "/admin/donations/:id/refund",
    fields: RequestFields,
    run: async ({ fields: { form, amount, reason, left, shown }, params, actor, staff }) => {
      const cents = amount ?? left;
      if (cents > left) {
        throw new AppError("invalid_input", {
          fields: { amount: [`Only ${formatDollars(left)} can still be refunded.`] },
        });
      }
      // Only the amount on the button is refunded.
      if (cents !== shown) throw new Refusal(askToCheck(cents));
      const wanted = { id: form, donationId: params.id ?? "", amountCents: cents, leftCents: left, reason };
      if (!isId(wanted.donationId)) throw new AppError("not_found");
      const { requestId, refund } = await askForRefund(services, wanted, { ...actor, staff });
      return { to: `/admin/refunds/${requestId}`, ...said(refund, cents) };
    },
  });
}

/** A toast only reports success; the screen says the rest. */
function said(refund: { state: string } | null, cents: number): { said?: string } {
  if (refund === null)
    return { said: `Requested. A second person has to approve the refund of ${formatDollars(cents)}.` };
  return refund.state === "succeeded" ? { said: `Refunded ${formatDollars(cents)}.` } : {};
}

function decisions(services: RefundServices) {
  const screen = "/admin/refunds/:id";
  return [
    action({
      ...{ path: "/admin/refunds/:id/approve", right: "refunds.make", needsProof: true, screen },
      fields: z.object({}),
      run: async ({ params, actor, staff }) => {
        const id = requireId(params.id);
        const { request, refund } = await approveRefund(services, id, { ...actor, staff });
        return { to: `/admin/refunds/${id}`, ...said(refund, request.amount_cents) };
      },
    }),
    action({
      ...{ path: "/admin/refunds/:id/decline", right: "refunds.make", needsProof: true, screen },
      fields: z.object({ reason: Reason }),
      run: async ({ params, fields: { reason }, actor, staff }) => {
        const id = requireId(params.id);
        await declineRefund(services, id, { actor: { ...actor, staff }, reason });
        return { to: `/admin/refunds/${id}`, said: "Declined. Nothing was refunded." };
      },
    }),
    action({
      ...{ path: "/admin/refunds/:id/withdraw", right: "refunds.make", screen },
      fields: z.object({}),
      run: async ({ params, actor, staff }) => {
        const id = requireId(params.id);
        await withdrawRefund(services, id, { ...actor, staff });
        return { to: `/admin/refunds/${id}`, said: "Withdrawn. Nothing was refunded." };
      },
    }),
  ];
}

/** @throws AppError `not_found`. */
function requireId(id = ""): string {
  if (!isId(id)) throw new AppError("not_found");
  return id;
}

function byHandAction(services: RefundServices) {
  return action({
    path: "/admin/refunds/:id/by-hand",
    right: "refunds.make",
    needsProof: true,
    screen: "/admin/refunds/:id",
    fields: z.object({ note: Reason }),
    run: async ({ params, fields: { note }, actor, staff }) => {
      const id = requireId(params.id);
      const refundId = (await findShownRefund(services.database, id))?.refund?.id;
      await noteByHand(services, requireId(refundId), { actor: { ...actor, staff }, note });
      return { to: `/admin/refunds/${id}`, said: "Noted." };
    },
  });
}

function refundsToDo({ database }: RefundServices): DashboardPart {
  return {
    right: "donations.see",
    listWaiting: async () => {
      const { toApprove, failed } = await countRefundsToDo(database);
      const path = "/admin/refunds";
      return [
        ...(toApprove === 0
          ? []
          : [
              {
                ...{ linkText: "Approve or decline refunds", path, look: "act" as const },
                text: plural(toApprove, {
                  one: "A refund waits for a second person",
                  other: `${toApprove} refunds wait for a second person`,
                }),
              },
            ]),
        ...(failed === 0
          ? []
          : [
              {
                ...{ linkText: "See refunds that were not made", path, look: "bad" as const },
                text: plural(failed, {
                  one: "A refund was not made and needs somebody",
                  other: `${failed} refunds were not made and need somebody`,
                }),
              },
            ]),
      ];
    },
  };
}
