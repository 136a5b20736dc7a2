import { z } from "zod";
import { action } from "#admin/actions.ts";
import type { AdminPart } from "#admin/feature.ts";
import { isPlaceholder } from "#shared/organisation.ts";
import { listLegalTexts, markAsRead, type ReadLegalText } from "../../server/legal-texts.ts";
import type { SettingsServices } from "../../server/settings-services.ts";

export const LEGAL_TEXTS_PATH = "/admin/settings/legal-texts";

/** What the site fills in by itself; `text` is empty while it is not known. */
export type FilledIn = { readonly label: string; readonly text: string };

declare module "#admin/screen.ts" {
  interface AdminReads {
    readonly listLegalTexts: () => Promise<ReadLegalText[]>;
    readonly listFilledIn: () => readonly FilledIn[];
    readonly hasOutsideCaptcha: boolean;
  }
}

/** The policies: what the site fills in, and who has read them. */
export function legalTextsPart(services: SettingsServices): AdminPart {
  const { organisation, config } = services;
  return {
    reads: {
      listLegalTexts: () => listLegalTexts(services),
      hasOutsideCaptcha: config.captcha.provider !== "altcha",
      listFilledIn: () => {
        const { name, abn, address, email, phone, supports } = organisation.current();
        const known = (field: string, text: string) => (isPlaceholder(field, text) ? "" : text);
        return [
          { label: "Legal name", text: known("name", name) },
          { label: "ABN", text: abn },
          { label: "Postal address", text: known("address", address) },
          { label: "Email", text: known("email", email) },
          { label: "Telephone", text: known("phone", phone) },
          { label: "Who receives the donations", text: known("supports", supports) },
        ];
      },
    },
    actions: [
      action({
        path: LEGAL_TEXTS_PATH,
        screen: LEGAL_TEXTS_PATH,
        right: "settings.change",
        fields: z.object({ key: z.string().max(40), digest: z.string().max(64) }),
        run: async ({ fields, actor, staff }) => {
          await markAsRead(services, { actor, staffId: staff.id }, fields);
          return { to: LEGAL_TEXTS_PATH, toast: "Marked as read." };
        },
      }),
    ],
  };
}
