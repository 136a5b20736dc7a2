/** A person with an account. `mobile` is digits, with the dial code first. */
export type SessionUser = {
  readonly id: number;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly country: string;
  readonly state: string;
  readonly mobile: string;
  readonly postcode: string;
  readonly preferredContact: "SMS" | "Email";
  readonly city: string;
  /** When the person confirmed the address; null until then. */
  readonly emailVerifiedAt: Date | null;
};

export const userColumns = [
  "users.id",
  "email",
  "first_name as firstName",
  "last_name as lastName",
  "country",
  "state",
  "mobile",
  "postcode",
  "preferred_contact as preferredContact",
  "city",
  "email_verified_at as emailVerifiedAt",
] as const;
