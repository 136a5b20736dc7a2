import { z } from "zod";
import { type Action, action, Refusal } from "#admin/actions.ts";
import { recordAct } from "#admin/audit.ts";
import type { AdminPart } from "#admin/feature.ts";
import { endCardGuard, findCardGuard } from "#payments/checkout/card-guard.ts";
import type { BookkeepingServices } from "./admin-parts.ts";
import { PAYMENTS_TO_REVIEW_PATH } from "./bookkeeping-to-do.ts";
import { shortTime } from "./shown-times.ts";

declare module "#admin/screen.ts" {
  interface AdminReads {
    /** Until when cards are guarded against card testing; null if they are not. */
    readonly findCardGuard: () => Promise<Date | null>;
  }
}

/** The guard against card testing: staff see that cards are guarded, and can end it. */
export function cardGuardPart(services: BookkeepingServices): AdminPart {
  const { database, now } = services;
  return {
    reads: { findCardGuard: () => findCardGuard(database, now()) },
    actions: [endAction(services)],
    dashboard: [
      {
        right: "reconciliation.change",
        listWaiting: async () => {
          const until = await findCardGuard(database, now());
          if (until === null) return [];
          const text = `Somebody is trying stolen cards: cards are guarded until ${shortTime(until)}`;
          return [{ text, linkText: "See what to do", path: PAYMENTS_TO_REVIEW_PATH, look: "bad" }];
        },
      },
    ],
  };
}

const endAction = ({ database, now }: BookkeepingServices): Action =>
  action({
    path: `${PAYMENTS_TO_REVIEW_PATH}/end-guard`,
    right: "reconciliation.change",
    needsProof: true,
    screen: PAYMENTS_TO_REVIEW_PATH,
    fields: z.object({}),
    run: ({ actor }) =>
      database.transaction().execute(async (transaction) => {
        const at = now();
        if (!(await endCardGuard(transaction, at)))
          throw new Refusal("Cards are not guarded any more. Nothing was changed.");
        const act = { verb: "card-guard.end", subject: "card-guard", subjectId: "" };
        await recordAct(transaction, actor, act, at);
        return { to: PAYMENTS_TO_REVIEW_PATH, toast: "Cards are taken as usual again." };
      }),
  });
