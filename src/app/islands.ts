import type { ComponentType } from "react";

type Island = {
  /** When the browser fetches and hydrates it. */
  readonly on: "load" | "visible" | "idle";
  readonly load: () => Promise<ComponentType<never>>;
};

/** The only components that run in the browser; each is a chunk of its own. */
export const islands = {
  ApplicantActions: {
    on: "load",
    load: async () => (await import("#features/volunteering/ui/applicant-actions.tsx")).ApplicantActions,
  },
  ContactForm: {
    on: "load",
    load: async () => (await import("#features/content/ui/contact-form.tsx")).ContactForm,
  },
  FreshLink: {
    on: "load",
    load: async () => (await import("#shared/ui/fresh-link.tsx")).FreshLink,
  },
  ChangePasswordPage: {
    on: "load",
    load: async () => (await import("#features/accounts/ui/change-password-page.tsx")).ChangePasswordPage,
  },
  EditProfilePage: {
    on: "load",
    load: async () => (await import("#features/accounts/ui/edit-profile-page.tsx")).EditProfilePage,
  },
  ProfilePage: {
    on: "load",
    load: async () => (await import("#features/accounts/ui/profile-page.tsx")).ProfilePage,
  },
  LoginForm: {
    on: "load",
    load: async () => (await import("#features/accounts/ui/login-form.tsx")).LoginForm,
  },
  RegisterForm: {
    on: "load",
    load: async () => (await import("#features/accounts/ui/register-form.tsx")).RegisterForm,
  },
  ResetForm: {
    on: "load",
    load: async () => (await import("#features/accounts/ui/reset-form.tsx")).ResetForm,
  },
  VerifyEmail: {
    on: "load",
    load: async () => (await import("#features/accounts/ui/verify-email.tsx")).VerifyEmail,
  },
  DonationPage: {
    on: "load",
    load: async () => (await import("#features/donations/ui/donation-page.tsx")).DonationPage,
  },
  SelectTickets: {
    on: "load",
    load: async () => (await import("#features/tickets/ui/select-tickets.tsx")).SelectTickets,
  },
  CheckoutPage: {
    on: "load",
    load: async () => (await import("#features/tickets/ui/checkout-page.tsx")).CheckoutPage,
  },
  OrderPage: {
    on: "load",
    load: async () => (await import("#features/tickets/ui/order-page.tsx")).OrderPage,
  },
  VolunteerForm: {
    on: "load",
    load: async () => (await import("#features/volunteering/ui/volunteer-form.tsx")).VolunteerForm,
  },
} as const satisfies Record<string, Island>;

export type IslandName = keyof typeof islands;
