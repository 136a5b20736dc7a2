import { z } from "zod";

/** The row of `site_settings` of a site that began empty; other sites have none, and are never led through anything. */
export const SET_UP_SETTING = "set-up";

export const stepNames = ["organisation", "brand", "legal-texts", "payments", "mail", "page"] as const;
export type StepName = (typeof stepNames)[number];

export const SetUpState = z.object({
  /** False until an administrator opens the site: visitors see only a page that says so. */
  isOpen: z.boolean(),
  steps: z.partialRecord(z.enum(stepNames), z.enum(["done", "skipped"])),
});
export type SetUpState = z.output<typeof SetUpState>;

/** A step as it is declared; its screens are those whose address begins with one of `paths`, the first being its own. */
type StepDeclaration = { readonly title: string; readonly about: string; readonly paths: readonly string[] };

export const setUpSteps: Readonly<Record<StepName, StepDeclaration>> = {
  organisation: {
    title: "Organisation",
    about: "Names, contacts, ABN, bank accounts, and what your receipts say.",
    paths: ["/admin/settings/organisation"],
  },
  brand: {
    title: "Brand",
    about: "Your logo, your colours, and what the home page shows.",
    paths: ["/admin/settings/brand"],
  },
  "legal-texts": {
    title: "Legal texts",
    about: "Privacy, refunds, terms and accessibility: written already, to be read by somebody who answers for them.",
    paths: ["/admin/settings/legal-texts"],
  },
  payments: {
    title: "Payment provider",
    about: "Whether PayWay and PayPal accept your keys.",
    paths: ["/admin/settings/payments"],
  },
  mail: {
    title: "Mail",
    about: "Whether your emails leave the server, with a test to yourself.",
    paths: ["/admin/settings/mail"],
  },
  page: {
    title: "A first page",
    about: "Make one page yours, such as Vision & Mission, and publish it.",
    paths: ["/admin/pages", "/admin/services"],
  },
};
