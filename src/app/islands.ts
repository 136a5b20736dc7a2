import type { ComponentType } from "react";

type Island = {
  /** When the browser fetches and hydrates it. */
  readonly on: "load" | "visible" | "idle";
  /** Its source file: the key under which the build's manifest lists its chunk and stylesheet. */
  readonly file: string;
  readonly load: () => Promise<ComponentType<never>>;
};

/** The only components that run in the browser; each is a chunk of its own. */
export const islands = {
  ApplicantActions: {
    on: "load",
    file: "src/features/volunteering/ui/applicant-actions.tsx",
    load: async () => (await import("#features/volunteering/ui/applicant-actions.tsx")).ApplicantActions,
  },
  ContactForm: {
    on: "load",
    file: "src/features/content/ui/contact-form.tsx",
    load: async () => (await import("#features/content/ui/contact-form.tsx")).ContactForm,
  },
  ChangePasswordPage: {
    on: "load",
    file: "src/features/accounts/ui/change-password-page.tsx",
    load: async () => (await import("#features/accounts/ui/change-password-page.tsx")).ChangePasswordPage,
  },
  EditProfilePage: {
    on: "load",
    file: "src/features/accounts/ui/edit-profile-page.tsx",
    load: async () => (await import("#features/accounts/ui/edit-profile-page.tsx")).EditProfilePage,
  },
  ProfilePage: {
    on: "load",
    file: "src/features/accounts/ui/profile-page.tsx",
    load: async () => (await import("#features/accounts/ui/profile-page.tsx")).ProfilePage,
  },
  LoginForm: {
    on: "load",
    file: "src/features/accounts/ui/login-form.tsx",
    load: async () => (await import("#features/accounts/ui/login-form.tsx")).LoginForm,
  },
  RegisterForm: {
    on: "load",
    file: "src/features/accounts/ui/register-form.tsx",
    load: async () => (await import("#features/accounts/ui/register-form.tsx")).RegisterForm,
  },
  ResetForm: {
    on: "load",
    file: "src/features/accounts/ui/reset-form.tsx",
    load: async () => (await import("#features/accounts/ui/reset-form.tsx")).ResetForm,
  },
  VerifyEmail: {
    on: "load",
    file: "src/features/accounts/ui/verify-email.tsx",
    load: async () => (await import("#features/accounts/ui/verify-email.tsx")).VerifyEmail,
  },
  DonationPage: {
    on: "load",
    file: "src/features/donations/ui/donation-page.tsx",
    load: async () => (await import("#features/donations/ui/donation-page.tsx")).DonationPage,
  },
  SelectTickets: {
    on: "load",
    file: "src/features/tickets/ui/select-tickets.tsx",
    load: async () => (await import("#features/tickets/ui/select-tickets.tsx")).SelectTickets,
  },
  CheckoutPage: {
    on: "load",
    file: "src/features/tickets/ui/checkout-page.tsx",
    load: async () => (await import("#features/tickets/ui/checkout-page.tsx")).CheckoutPage,
  },
  OrderPage: {
    on: "load",
    file: "src/features/tickets/ui/order-page.tsx",
    load: async () => (await import("#features/tickets/ui/order-page.tsx")).OrderPage,
  },
  VolunteerForm: {
    on: "load",
    file: "src/features/volunteering/ui/volunteer-form.tsx",
    load: async () => (await import("#features/volunteering/ui/volunteer-form.tsx")).VolunteerForm,
  },
} as const satisfies Record<string, Island>;

export type IslandName = keyof typeof islands;
