import { z } from "zod";
import { type Action, action, Refusal } from "#admin/actions.ts";
import { AppError } from "#shared/errors.ts";
import { CheckFields } from "../../checks.ts";
import { recordCheck, revokeCheck, verifyCheck } from "../../server/checks.ts";
import type { VolunteerAdminServices } from "../volunteer-admin-services.ts";
import { applicationScreenPath as path, requireId } from "./application-actions.ts";
import { applicationActorOf } from "./find-application.ts";

/** `check` is the id of the check that the page showed. */
const Shown = z.object({ check: z.uuid() });

/** What staff do about Working With Children Checks. */
export function checkActions(services: VolunteerAdminServices): readonly Action[] {
  const declared = { right: "applications.change", screen: path } as const;
  return [
    action({
      ...declared,
      path: `${path}/check`,
      fields: CheckFields.extend({
        verified: z.literal("yes").optional(),
        replaces: z.union([z.uuid(), z.literal("").transform(() => null)]).optional(),
      }),
      async run({ params, fields: { verified, replaces, ...check }, actor }) {
        const id = requireId(params.id);
        const by = applicationActorOf(actor);
        const recorded = await recordCheck(services, { applicationId: id, check, replaces, ...by });
        if (!recorded.ok && recorded.problem === "expiry") {
          throw new AppError("invalid_input", { fields: { expiresOn: [recorded.text] } });
        }
        if (!recorded.ok) throw new Refusal(recorded.text);
        if (verified === "yes") await verifyCheck(services, { id: recorded.id, ...by });
        return { to: `/admin/volunteers/${id}`, toast: verified === "yes" ? "Recorded and verified." : "Recorded." };
      },
    }),
    action({
      ...declared,
      path: `${path}/check/verify`,
      fields: Shown,
      async run({ params, fields: { check }, actor }) {
        const id = requireId(params.id);
        if (!(await verifyCheck(services, { id: check, ...applicationActorOf(actor) }))) {
          throw new Refusal("Somebody has verified or replaced this check in the meantime. Look at it again.");
        }
        return { to: `/admin/volunteers/${id}`, toast: "Verified." };
      },
    }),
    action({
      ...declared,
      path: `${path}/check/revoke`,
      fields: Shown,
      async run({ params, fields: { check }, actor }) {
        const id = requireId(params.id);
        if (!(await revokeCheck(services, { id: check, ...applicationActorOf(actor) }))) {
          throw new Refusal("This check was not valid any more, or has been replaced. Look at it again.");
        }
        return { to: `/admin/volunteers/${id}`, toast: "Recorded: the check is no longer valid." };
      },
    }),
  ];
}
