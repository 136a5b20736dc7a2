/** What the house knows of a person who has an account. `mobile` is digits, the dial code first. */
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
  /** Since when we know that letters to the address reach this person; null until then. */
  readonly emailVerifiedAt: Date | null;
};

/** Its columns of the table `users`, for a query. */
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
