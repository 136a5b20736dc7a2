import type { ApplicationRow } from "./store.ts";

type Invented = Pick<
  ApplicationRow,
  "id" | "reference" | "name" | "email" | "mobile" | "preferred_contact" | "interests" | "availability" | "skills"
> &
  Pick<ApplicationRow, "experience" | "stage" | "stage_version" | "roles">;

/** An application of nobody, for previews of emails. */
export const inventedApplication: Invented = {
  id: "example",
  reference: "V-EXAMPLE",
  name: "Amina Raza",
  email: "amina@example.org",
  mobile: "0400 000 000",
  preferred_contact: "Email",
  interests: ["Events", "Kitchen"],
  availability: "Weekend",
  skills: "I cook for a hundred people.",
  experience: "Five years at our mosque.",
  stage: "approved",
  stage_version: 2,
  roles: ["Kitchen", "Events"],
};

export const inventedCheck = {
  id: "example",
  state: "NSW",
  number: "WWC0000000V",
  expires_on: "2026-12-31",
  hasExpired: false,
} as const;
