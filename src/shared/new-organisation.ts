import type { Organisation } from "./organisation.ts";

/** The details of a new site, which has no settings file of its own: to be replaced in the back office. */
export const newOrganisation: Organisation = {
  name: "Your charity",
  brand: { name: "Your charity", country: "Australia" },
  slug: "our",
  supports: "Whoever you support",
  tagline: "",
  abn: "",
  registration: {
    label: "Registered charity: view our entry on the charity register",
    url: "https://www.acnc.gov.au/charity/charities",
  },
  phone: "Your phone number",
  email: "you@your-charity.example",
  donationsEmail: "you@your-charity.example",
  address: "Your postal address",
  socials: {},
  apps: {},
  banks: [],
  receipt: {
    fund: "",
    giftStatement: "",
    notDeductibleStatement: "This line is not a tax-deductible gift.",
    isDeductibleGiftRecipient: false,
  },
  acknowledgement: "We acknowledge the Traditional Custodians of the lands on which we work.",
};

/** The details that every site has to replace, by their place in the schema, with what a new site begins with. */
export const placeholders: Readonly<Record<string, string>> = {
  name: newOrganisation.name,
  "brand.name": newOrganisation.brand.name,
  supports: newOrganisation.supports,
  phone: newOrganisation.phone,
  email: newOrganisation.email,
  donationsEmail: newOrganisation.donationsEmail,
  address: newOrganisation.address,
};

export const isPlaceholder = (name: string, text: string): boolean => text !== "" && placeholders[name] === text;

/** The details that are still those of a new site, by their place in the schema. */
export function listPlaceholders(organisation: Organisation): string[] {
  const texts: Readonly<Record<string, string>> = { ...organisation, "brand.name": organisation.brand.name } as never;
  return Object.keys(placeholders).filter((name) => isPlaceholder(name, texts[name] ?? ""));
}
